"""What histories of soaks have: for Scripts/cluster/test.

    histories.py lots FOLDER             how many lots are done there; 0 where nothing was begun
    histories.py compare WHOLE MERGED PARTS
                                         whether so many parts, merged, are the campaign of one process, seed for seed
    histories.py same ONE OTHER          whether two merged histories have the same

No part may have a gap, and every lot that both campaigns have come to has to be the same. Parts end at limits of
their own, so in a long campaign some lots are in one of them alone: few, and behind its end of the other. Where there
are none, sums over all lots are compared too: how often each promise was put to the test, what was covered, and what
the summary says.

Exit status 0: the same; 1: they differ.
"""

import json
import sqlite3
import sys
from pathlib import Path

TABLES = {
    "lots": "SELECT number, arm, topology, seed, runs, failing, undecided, simulated FROM lot WHERE runs > 0",
    "failures": "SELECT lot, run, seed, fingerprint FROM failure",
    "promises": "SELECT name, occasions, runs, broken FROM promise",
    "coverage": "SELECT kind, hash FROM coverage",
}


def asked(folder, query):
    with sqlite3.connect(f"file:{folder}/history.sqlite?mode=ro", uri=True) as history:
        return set(history.execute(query))


def count_of_lots(folder):
    try:
        return len(asked(folder, TABLES["lots"]))
    except sqlite3.Error:
        return 0


# A lot has at most so many runs, a block so many lots; each block belongs to one of so many strands, and a part has
# every so-many-th strand.
LOT, BLOCK, STRANDS = 16, 32, 64


def part(number, parts):
    return number // BLOCK % STRANDS % parts


def ends(folder, parts):
    """The first lot of each part that is not done, and sentences for parts with a gap. Lots without runs are done."""
    done = {number for number, in asked(folder, "SELECT number FROM lot")}
    first, problems = {}, []
    for number in range(max(done) + BLOCK * STRANDS + 1):
        if number not in done:
            first.setdefault(part(number, parts), number)
    for number in sorted(done):
        if number > first[part(number, parts)]:
            problems.append(f"{folder}: lot {first[part(number, parts)]} is missing, and lot {number} is there")
    return first, problems


def difference(name, expected, seen):
    """A sentence, or nothing where both are the same."""
    lost, more = sorted(expected - seen), sorted(seen - expected)
    if not lost and not more:
        return []
    return [f"{name} differ: {len(lost)} are missing, {len(more)} are too many: {lost[:2]} {more[:2]}"]


def compare(whole, merged, parts):
    whole_ends, problems = ends(whole, 1)
    part_ends, gaps = ends(merged, parts)
    problems = (problems + gaps)[:2]

    def is_reached(row):
        return row[0] < whole_ends[0] and row[0] < part_ends[part(row[0], parts)]

    tables = {name: [asked(folder, query) for folder in (whole, merged)] for name, query in TABLES.items()}
    reached = {name: [set(filter(is_reached, rows)) for rows in tables[name]] for name in ("lots", "failures")}
    for name, (expected, seen) in reached.items():
        problems += difference(name, expected, seen)
    lots, failures = len(reached["lots"][0]), len(reached["failures"][0])
    beyond = [len(rows) - lots for rows in tables["lots"]]
    if lots < 0.95 * len(tables["lots"][0]):
        problems.append(f"only {lots} of {len(tables['lots'][0])} lots can be compared")
    # Both were to play as many, and neither stops within a lot: so nothing was lost at an end.
    runs = [sum(row[4] for row in rows) for rows in tables["lots"]]
    if abs(runs[0] - runs[1]) >= LOT:
        problems.append(f"one process has played {runs[0]} runs, and the parts {runs[1]}")
    words = f"{lots} lots, {failures} failures"
    if beyond == [0, 0]:
        for name in ("promises", "coverage"):
            problems += difference(name, *tables[name])
        words += f", {len(tables['promises'][0])} promises, {len(tables['coverage'][0])} covered"
        problems += summaries(whole, merged)
    else:
        words += f"; {beyond[0]} lots of one process and {beyond[1]} of the parts are behind the other's end"
    return words, problems


def summaries(whole, merged):
    """The summary of the merged history, made by one sitting that plays nothing more, is that of the whole."""
    def told(folder):
        summary = json.loads(Path(folder, "soak.json").read_text())
        groups = sorted((group["fingerprint"], group["nights"]) for group in summary["groups"])
        return {name: summary[name] for name in ("runs", "failing", "undecided", "simulated", "occasions", "canary",
                                                 "status", "topologies")} | {"groups": groups}
    expected, seen = told(whole), told(merged)
    return [f"the summaries differ in {name}: {expected[name]} and {seen[name]}"
            for name in expected if expected[name] != seen[name]]


def main():
    command, *folders = sys.argv[1:]
    if command == "lots":
        print(count_of_lots(folders[0]))
        return 0
    if command == "compare":
        words, problems = compare(folders[0], folders[1], int(folders[2]))
    else:
        words, problems = "", []
        for name, query in TABLES.items():
            problems += difference(name, *(asked(folder, query) for folder in folders))
    for line in [words] * bool(words) + problems:
        print(line)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
