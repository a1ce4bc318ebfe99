"""Puts the catalog together that docc reads: stage.py PROGRAM FOLDER.

Articles are plain Markdown with relative links, so that they can be read where they lie. docc wants links of its
own (`doc:Article`), and knows only pages of one folder: the contracts beside the sources are copied into it, and the
lists that the program prints become pages.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUAL = ROOT / "Sources/Tool/anechoic/Manual.docc"
CONTRACTS = [
    ROOT / "Sources" / name
    for name in (
        "Wire/DeviceLink/DEVICE-LINK.md", "Language/Promises/PROMISES.md", "Language/PromiseLibrary/CATALOGUE.md",
        "Language/Traces/TRACE.md",
    )
]
LISTS = {
    "verbs": "What a step of the script can do.",
    "events": "What happens in a run: kinds, where they happen, and their fields.",
    "models": "The Apple devices that can be simulated.",
    "profiles": "What the reference accessory can be.",
    "parameters": "What can be said of a device, with range and default.",
    "defects": "Bugs from the field that can be switched on in a reference device.",
}


def headings(path):
    """What docc calls the headings of a page, by what everybody else calls them."""
    lines = re.sub(r"```.*?```", "", path.read_text(), flags=re.S).splitlines()
    texts = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"): re.sub(r"\W+", "-", text) for text in texts}


def relink(path):
    """The page with links that docc follows; what is no page is named, and not linked."""
    pages = {page.resolve(): page.stem for page in [*MANUAL.glob("*.md"), *CONTRACTS]}

    def link(match):
        text, target = match.groups()
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path.resolve()
        if target.startswith("https:"):
            return match.group(0)
        if file not in pages:
            return f"{text} (`{file.relative_to(ROOT)}`)"
        place = "#" + headings(file)[anchor] if anchor else ""
        return f"[{text}](doc:{pages[file]}{place})"

    parts = re.split(r"(```.*?^```|`[^`\n]*`)", path.read_text(), flags=re.S | re.M)
    return "".join(part if number % 2 else re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", link, part)
                   for number, part in enumerate(parts))


def page(program, topic, about):
    text = subprocess.run([program, "help", topic], check=True, capture_output=True, text=True).stdout
    return f"# All {topic}\n\n{about}\n\n## Overview\n\nThis is what `anechoic help {topic}` prints.\n\n```\n{text}```\n"


def main(program, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    for source in [*MANUAL.glob("*.md"), *CONTRACTS]:
        text = relink(source)
        if source.stem == "Anechoic":
            # Lists of topics have bare links.
            text = re.sub(r"^- \[[^\]]*\]\((doc:[^)]*)\)$", r"- <\1>", text, flags=re.M)
            text += "\n### All names of a topology\n\n" + "".join(f"- <doc:All-{topic.title()}>\n" for topic in LISTS)
        # The name of the file behind a fence is for the tests.
        text = re.sub(r"^```(\w+) \S+$", r"```\1", text, flags=re.M)
        (folder / source.name).write_text(text)
    for topic, about in LISTS.items():
        (folder / f"All-{topic.title()}.md").write_text(page(program, topic, about))


main(*sys.argv[1:])
