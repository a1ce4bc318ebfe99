// Elements, and words for numbers. Whatever a device said becomes text here and nothing else.

/** Makes an element; attributes that begin with "on" are listeners, and children that are no nodes are text. */
function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else made.setAttribute(key, value === true && !key.startsWith("aria-") ? "" : value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
}

/** `1.562 s`, and `1.562282 s` where three decimals would lose some. */
function seconds(nanoseconds) {
    const decimals = Math.floor(nanoseconds / 1e3) % 1e3 === 0 ? 3 : 6;
    return `${decimal(nanoseconds, decimals)} s`;
}

/** Seconds with so many decimals; what is beyond them is cut off. */
function decimal(nanoseconds, decimals) {
    const unit = 10 ** (9 - decimals);
    const units = Math.floor(nanoseconds / unit);
    const whole = Math.floor(units / 10 ** decimals);
    return `${whole}.${String(units % 10 ** decimals).padStart(decimals, "0")}`;
}

/** `1 run`, `2 runs`. */
function counted(count, one, several = `${one}s`) {
    return `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
}

/** A command as it is typed, with a button that copies it. */
function command(text) {
    const code = element("code", {}, text);
    const button = element("button", { type: "button", class: "copy" }, "Copy");
    button.addEventListener("click", async () => {
        const done = await copy(text, code);
        button.textContent = done ? "Copied" : "Press Ctrl+C";
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    return element("div", { class: "command" }, code, button);
}

/** Copies a text; selects it where a page from a file may not copy. */
async function copy(text, shown) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        getSelection().selectAllChildren(shown);
        return document.execCommand("copy");
    }
}

/** Numbers side by side, each below its words. */
function numbers(all) {
    return element("dl", { class: "tiles" }, all.map(([words, number]) => element("div", {},
        element("dt", {}, words), element("dd", {}, number.toLocaleString("en")))));
}

/** A choice among a few, with a label. */
function choice(label, options, onchange) {
    const select = element("select", { onchange: () => onchange(select.value) },
        options.map(([value, text]) => element("option", { value }, text)));
    return element("label", { class: "choice" }, element("span", {}, label), select);
}

/** A box for words to look for; they come in small letters. */
function searchBox(label, onchange) {
    const input = element("input", { type: "search", placeholder: label, "aria-label": label,
        oninput: () => onchange(input.value.trim().toLowerCase()) });
    return input;
}

/** A box to tick, as a chip; `count` stands behind the words. */
function chip(words, count, checked, onchange) {
    const box = element("input", { type: "checkbox", onchange: () => onchange(box.checked) });
    box.checked = checked;
    return element("label", { class: "chip" }, box, element("span", {}, words),
        element("span", { class: "count" }, count.toLocaleString("en")));
}

/** The colours of the page as it is shown now, by the names that page.css gives them. */
function colours() {
    const style = getComputedStyle(document.documentElement);
    return new Proxy({}, { get: (_, name) => style.getPropertyValue(`--${name}`).trim() });
}

/** Calls when the colours or the size of what is shown change. */
function onAppearance(node, draw) {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    new ResizeObserver(draw).observe(node);
}
