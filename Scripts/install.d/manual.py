"""Writes a manual page for the program and for each of its commands, from what the program says of itself.

    manual.py PROGRAM FOLDER

Makes FOLDER/anechoic.1, FOLDER/anechoic-run.1 and so on, in mdoc(7). The date of the pages is that of the program,
or SOURCE_DATE_EPOCH, so that the same program has the same pages.
"""

import datetime
import json
import os
import re
import subprocess
import sys
import textwrap

EXIT_STATUS = re.compile(r"Exit status:? ?(.*)", re.DOTALL)


def escaped(text):
    """Text in which roff sees no request and no escape, in lines that people can read."""
    text = text.replace("\\", "\\e").replace("\u2019", "'")
    lines = [
        piece
        for line in text.split("\n")
        for piece in textwrap.wrap(line, 78, break_long_words=False, break_on_hyphens=False)
    ]
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def sentences(text):
    """Each sentence on a line of its own, as mdoc wants it; an empty line begins a paragraph."""
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    broken = [re.sub(r"(?<=[a-z0-9)\"][.!?]) (?=[A-Z\-\"])", "\n", part) for part in paragraphs]
    return "\n.Pp\n".join(escaped(part) for part in broken if part)


def word(text):
    """An argument of a macro: one word, which is no macro itself."""
    return '"' + text.replace("\\", "\\e").replace('"', '""') + '"'


def shown(arguments):
    return [argument for argument in arguments if argument.get("shouldDisplay", True)]


def name(flag):
    return ("-" if flag["kind"] == "short" else "--") + flag["name"]


def usage(argument):
    """How an argument stands in the line of a command."""
    value = argument.get("valueName", "")
    if argument["kind"] == "positional":
        text = f".Ar {word(value)}" + (" ..." if argument["isRepeating"] else "")
    else:
        text = f".Fl {word(name(argument['preferredName'])[1:])}"
        if argument["kind"] == "option":
            text += f" Ar {word(value)}"
    return ".Op " + text[1:] if argument["isOptional"] else text


def item(argument):
    """An argument and what it does, as an item of a list."""
    value = argument.get("valueName", "")
    if argument["kind"] == "positional":
        head = f".It Ar {word(value)}"
    else:
        names = [f"Fl {word(name(flag)[1:])}" for flag in argument["names"]]
        after = f" Ar {word(value)}" if argument["kind"] == "option" else ""
        head = ".It " + " , ".join(each + after for each in names)
    text = argument.get("abstract", "") + "\n\n" + argument.get("discussion", "")
    notes = []
    if argument.get("allValues"):
        notes.append("Values: " + ", ".join(argument["allValues"]) + ".")
    if argument.get("defaultValue") and "(default" not in text:
        notes.append(f"Default: {argument['defaultValue']}.")
    return "\n".join([head] + [sentences(part) for part in [text, " ".join(notes)] if part.strip()])


def page(command, date, others):
    """The page of a command: its parts as mdoc(7) orders them."""
    full = command["title"]
    text = command.get("discussion", "")
    status = EXIT_STATUS.search(text)
    arguments = shown(command.get("arguments", []))
    lines = [
        f".Dd {date}", f".Dt {full.upper()} 1", ".Os", ".Sh NAME", f".Nm {full}",
        f".Nd {command['abstract'].rstrip('.')}", ".Sh SYNOPSIS",
        f".Nm {command['line']}",
    ]
    if command["children"]:
        lines += [".Ar command", ".Op Ar argument ..."]
    lines += [usage(argument) for argument in arguments]
    lines += [".Sh DESCRIPTION", sentences(text[: status.start()] if status else text)
              or sentences(command["abstract"])]
    if command["children"]:
        lines += [".Pp", "The commands:", ".Bl -tag -width Ds"]
        for child in command["children"]:
            lines += [f".It Xr {child['title']} 1", sentences(child["abstract"])]
        lines.append(".El")
    if arguments:
        lines += [".Pp", "Arguments and options:", ".Bl -tag -width Ds"]
        lines += [item(argument) for argument in arguments]
        lines.append(".El")
    if status:
        first = status.group(1).split("\n\n", 1)
        said = first[0][:1].upper() + first[0][1:]
        lines += [".Sh EXIT STATUS", sentences(said)]
        lines += [".Pp", sentences(first[1])] if len(first) > 1 else []
    lines.append(".Sh SEE ALSO")
    references = sorted(other for other in others if other != full)
    lines += [f".Xr {other} 1" + (" ," if other != references[-1] else "") for other in references]
    return "\n".join(line for line in lines if line) + "\n"


def commands(program):
    """The program and its commands, each with its title and the line that calls it."""
    dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True)
    root = json.loads(dump.stdout)["command"]
    root.update(title=root["commandName"], line=root["commandName"])
    children = [child for child in shown(root.get("subcommands", [])) if child["commandName"] != "help"]
    for child in children:
        child.update(title=f"{root['title']}-{child['commandName']}", children=[])
        child["line"] = f"{root['line']} {child['commandName']}"
    root["children"] = children
    return [root] + children


def main(program, folder):
    moment = int(os.environ.get("SOURCE_DATE_EPOCH", os.stat(program).st_mtime))
    day = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc)
    date = f"{day:%B} {day.day}, {day.year}"
    all_commands = commands(program)
    titles = [command["title"] for command in all_commands]
    for command in all_commands:
        others = titles if command["children"] else [titles[0]]
        with open(f"{folder}/{command['title']}.1", "w", encoding="utf-8") as file:
            file.write(page(command, date, others))


main(*sys.argv[1:])
