"""What histories of soaks have: for Scripts/cluster/test.

    histories.py lots FOLDER             how many lots are done there; 0 where nothing was begun
    histories.py compare WHOLE MERGED    whether parts, merged, are the campaign of one process, seed for seed
    histories.py same ONE OTHER          whether two merged histories have the same

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


def difference(name, expected, seen):
    """A sentence, or nothing where both are the same."""
    lost, more = sorted(expected - seen), sorted(seen - expected)
    if not lost and not more:
        return []
    return [f"{name} differ: {len(lost)} are missing, {len(more)} are too many: {lost[:2]} {more[:2]}"]


def compare(whole, merged):
    tables = {name: [asked(folder, query) for folder in (whole, merged)] for name, query in TABLES.items()}
    problems = [one for name, both in tables.items() for one in difference(name, *both)]
    words = ", ".join(f"{len(both[0])} {name}" for name, both in tables.items())
    return words, problems + summaries(whole, merged)


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
        words, problems = compare(*folders)
    else:
        words, problems = "", []
        for name, query in TABLES.items():
            problems += difference(name, *(asked(folder, query) for folder in folders))
    for line in [words] * bool(words) + problems:
        print(line)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
