"""Opens a page in headless Chromium, does what a reader does, and prints what is seen as one JSON object.

    visit.py PAGE VISIT [--width N] [--dark] [--picture FILE]
"""

import argparse
import json
import os
import time
from pathlib import Path

import axe_core_python
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

AXE = Path(axe_core_python.__file__).parent / "axe.min.js"
DIAGRAM = ".sequence"


def browser(width, dark):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    options.add_argument("--headless=new")
    # Chromium's own sandbox needs a user who is not root.
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(
        options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    scheme = "dark" if dark else "light"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    return driver


def opened(driver, page):
    driver.get(page.resolve().as_uri())
    frames(driver)


def frames(driver, count=3):
    """Lets the page draw."""
    driver.execute_async_script(
        "const [count, done] = arguments; let left = count;"
        "(function frame() { left-- > 0 ? requestAnimationFrame(frame) : done(); })();", count)


def text(driver, selector):
    found = driver.find_elements(By.CSS_SELECTOR, selector)
    return found[0].text if found else ""


def press(driver, selector, *keys):
    box = driver.find_element(By.CSS_SELECTOR, selector)
    box.send_keys(*keys)
    frames(driver)


def look(driver):
    """What everybody sees at once, and what axe-core says of it."""
    driver.execute_script(AXE.read_text())
    found = driver.execute_async_script("axe.run().then(arguments[arguments.length - 1]);")
    return {
        "heading": text(driver, "h1"), "verdict": text(driver, ".verdict"),
        "finding": text(driver, ".finding h2"), "detail": text(driver, ".detail h3"),
        "ground": driver.execute_script("return getComputedStyle(document.body).backgroundColor"),
        "wider than the window": driver.execute_script(
            "return document.documentElement.scrollWidth - innerWidth"),
        "height": driver.execute_script("return document.documentElement.scrollHeight"),
        "rules broken": [
            f"{rule['id']}: {node['target'][0]}" for rule in found["violations"]
            for node in rule["nodes"]],
    }


def zoom(driver):
    """The diagram and the timeline, nearer and back."""
    zoomed = lambda: float(driver.find_element(By.CSS_SELECTOR, DIAGRAM).get_attribute("data-zoom"))
    shown = lambda: int(driver.find_element(By.CSS_SELECTOR, ".timeline").get_attribute("data-to"))
    seen = {"zoom": [zoomed()], "until": [shown()]}
    for key in "+-0":
        press(driver, DIAGRAM, key)
        press(driver, ".timeline", key)
        seen["zoom"].append(zoomed())
        seen["until"].append(shown())
    return seen


def filtered(driver):
    """One kind switched off, one device chosen, and all back."""
    told = lambda: text(driver, ".told")
    seen = [told()]
    driver.find_element(By.CSS_SELECTOR, ".chip input").click()
    seen.append(told())
    driver.find_element(By.CSS_SELECTOR, ".choices select option:nth-child(2)").click()
    seen.append(told())
    driver.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    seen.append(told())
    return {"told": seen}


def search(driver):
    """What is left of the diagram where a reader looks for a word, and what the first row of it says."""
    press(driver, ".filters input[type=search]", "slot")
    press(driver, DIAGRAM, Keys.ESCAPE, Keys.ARROW_DOWN)
    return {"told": text(driver, ".told"), "row": text(driver, ".detail h3"), "about": text(driver, ".detail .about"),
            "charts": [name.text for name in driver.find_elements(By.CSS_SELECTOR, ".timeline text.name")]}


def click(driver):
    """The event that proves it, then a row of the diagram, then the copy button."""
    driver.find_element(By.CSS_SELECTOR, ".evidence button").click()
    frames(driver)
    seen = {"proof": text(driver, ".detail h3"), "bytes": text(driver, ".message tbody")}
    driver.execute_script(
        "const box = document.querySelector('.sequence'); box.scrollTop = 0;"
        "const at = box.getBoundingClientRect();"
        "box.dispatchEvent(new MouseEvent('click',"
        "  {clientX: at.left + 200, clientY: at.top + 44 + 44, bubbles: true}));")
    frames(driver)
    seen["row"] = text(driver, ".detail h3")
    driver.find_element(By.CSS_SELECTOR, ".commands .copy").click()
    time.sleep(0.2)
    seen["copy"] = text(driver, ".commands .copy")
    return seen


def keys(driver):
    """With the keyboard alone: into the diagram, from event to event, and to the proof."""
    named = "return document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent"
    for _ in range(60):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        if driver.execute_script("return document.activeElement.matches('.sequence')"):
            break
    spoken = []
    for key in [Keys.ARROW_UP, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP, "n"]:
        driver.switch_to.active_element.send_keys(key)
        frames(driver)
        spoken.append(driver.execute_script(named))
    return {"spoken": spoken, "detail": text(driver, ".detail h3")}


def inject(driver):
    """Whether anything that a device said became more than text."""
    return {
        "hit": driver.execute_script("return window.hit === true"),
        "images": len(driver.find_elements(By.CSS_SELECTOR, "img, iframe, svg image")),
        "scripts": len(driver.find_elements(By.CSS_SELECTOR, "script")),
        "text": driver.execute_script("return document.body.innerText"),
    }


def narrow(driver):
    """The clauses that are left of a table."""
    rows = lambda: len(driver.find_elements(By.CSS_SELECTOR, ".clauses tbody tr"))
    seen = [rows()]
    for select in driver.find_elements(By.CSS_SELECTOR, ".choices select"):
        select.find_elements(By.TAG_NAME, "option")[1].click()
        seen.append(rows())
    return {"rows": seen}


def beside(driver):
    """Where two runs part, and whether they are scrolled as one."""
    one, other = driver.find_elements(By.CSS_SELECTOR, DIAGRAM)
    driver.execute_script("arguments[0].scrollTop = 120", one)
    frames(driver)
    top = lambda box: driver.execute_script("return arguments[0].scrollTop", box)
    return {
        "tops": [top(one), top(other)], "heads": [one.rect["y"], other.rect["y"]],
        "sides": [box.text for box in driver.find_elements(By.CSS_SELECTOR, ".side h3")],
        "why": text(driver, ".why .lead"), "fold": text(driver, ".events .bar button"),
        "detail": text(driver, ".detail .note"),
    }


def figures(driver):
    """How long it takes until something is painted, and a zoom step, in milliseconds."""
    paint = driver.execute_script(
        "return performance.getEntriesByName('first-contentful-paint')[0].startTime")
    steps = driver.execute_async_script("""
        const done = arguments[0], boxes = ['.sequence', '.timeline'], taken = [];
        let left = 20;
        (function step() {
            if (left-- === 0) return done(taken);
            const box = document.querySelector(boxes[left % 2]), begin = performance.now();
            box.dispatchEvent(new KeyboardEvent('keydown', {key: left % 4 < 2 ? '-' : '+'}));
            requestAnimationFrame(() => {
                // Behind the frame in which it is drawn.
                const channel = new MessageChannel();
                channel.port1.onmessage = () => { taken.push(performance.now() - begin); step(); };
                channel.port2.postMessage(0);
            });
        })();""")
    return {"first paint": paint, "zoom steps": steps}


VISITS = {
    "look": look, "zoom": zoom, "filter": filtered, "search": search, "click": click, "keys": keys, "inject": inject,
    "narrow": narrow, "beside": beside, "figures": figures,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=Path)
    parser.add_argument("visit", choices=VISITS)
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--light", dest="dark", action="store_false")
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    driver = browser(options.width, options.dark)
    try:
        opened(driver, options.page)
        seen = VISITS[options.visit](driver)
        if options.picture:
            driver.save_screenshot(str(options.picture))
        seen["console"] = [entry["message"] for entry in driver.get_log("browser")]
        print(json.dumps(seen))
    finally:
        driver.quit()


main()
