"""Measures Anechoic against its floor and its peer, and fails where a figure falls short.

Floor and ours alternate, the median of seven counts, and everything shares one core. Exit status 0:
all demands met; 1: a figure falls short; 70: something could not be measured.

races as the first word measures how surely races are found, see races.py; gate, what conform finds, see
gate.py; compare, what a commit has cost, see compare.py; page, what a page of a run takes to make and to
read, see page.py; build, what the first run and the tests take in a fresh clone, see build.py; soak, what a
soak costs and reaches, see soak.py; app and firmware, what an app and firmware of one's own cost, see app.py
and firmware.py; verdicts, whether verdicts on strangers are right, see verdicts.py; guests, what a host behind HCI costs, see guests.py; peers, what phones that range with one
another cost, see peers.py.
"""

import argparse
import fnmatch
import json
import os
import sys
import time
from pathlib import Path

import compare
import figures
import gate
import harness
import app
import build
import firmware
import guests
import page
import peers
import races
import soak
import verdicts


def parsed():
    parser = argparse.ArgumentParser(prog="Scripts/bench", description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", action="append", metavar="NAME", default=[],
                        help="measure only this (repeatable; 'turns/*' for several)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well; - for "
                        "standard output, and the table goes to standard error")
    parser.add_argument("--list", action="store_true", help="print the names and measure nothing")
    return parser.parse_args()


def chosen(patterns):
    known = {**figures.STANDARD, **figures.ASKED}
    if not patterns:
        return figures.STANDARD
    for pattern in patterns:
        if not fnmatch.filter(known, pattern):
            print(f"bench: nothing is called '{pattern}'; there is: {', '.join(known)}",
                  file=sys.stderr)
            raise SystemExit(64)
    return {name: take for name, take in known.items()
            if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)}


def measured(groups):
    """Takes every group; returns the figures, and what failed in words."""
    taken, failures = [], []
    for index, (name, take) in enumerate(groups.items(), 1):
        print(f"bench: {index} of {len(groups)}: {name}", file=sys.stderr)
        try:
            taken.extend(take())
        except harness.Failed as failure:
            failures.append(f"{name}: {failure}")
        except KeyError as missing:
            failures.append(f"{name}: the result has no {missing}")
    return taken, failures


def number(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if value else "0"


def against(figure):
    if figure.peer is None:
        return ""
    return f"{figure.peer:.1f} µs floor" if figure.judged == "scaled" else number(figure.peer)


def compared(figure, value):
    """A value in the words of what is judged: a percentage, a factor or a number."""
    if figure.judged == "ratio":
        return f"{value:.1f} ×" if max(value, figure.bound or 0) >= 2 else f"{value:.1%}"
    return f"{value:.1%}" if figure.judged == "drift" else number(value)


def cells(figure):
    demand = verdict = ""
    if figure.bound is not None:
        sign = "≤" if figure.at_most else "≥"
        demand = f"{sign} {compared(figure, figure.bound)}"
        verdict = "ok" if figure.passed else f"SHORT by {figure.shortfall:.1%}"
    return [figure.name, number(figure.ours), against(figure), figure.unit,
            compared(figure, figure.value), demand, verdict]


def table(taken):
    rows = [["figure", "ours", "against", "unit", "result", "demanded", ""], *map(cells, taken)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    right = {1, 2, 4, 5}
    return "\n".join(
        "  ".join(cell.rjust(width) if index in right else cell.ljust(width)
                  for index, (cell, width) in enumerate(zip(row, widths))).rstrip()
        for row in rows)


def report(options, taken, failures, seconds):
    out = sys.stderr if options.json == "-" else sys.stdout
    if any(figure.judged == "scaled" for figure in taken):
        print("Results against a floor are what the figure were where a turn of two processes takes "
              f"{harness.REFERENCE_FLOOR} µs.", file=out)
    short = [figure for figure in taken if not figure.passed]
    print(table(taken), file=out)
    for failure in failures:
        print(f"not measured: {failure}", file=out)
    print(f"{len(taken)} figures, {len(short)} short, {len(failures)} not measured, "
          f"in {seconds:.0f} s", file=out)
    if options.json:
        text = json.dumps({
            "passed": not short and not failures, "seconds": seconds,
            "machine": harness.machine(), "failures": failures,
            "figures": [figure.as_json() for figure in taken]}, indent=1) + "\n"
        if options.json == "-":
            sys.stdout.write(text)
        else:
            Path(options.json).write_text(text)
    return 70 if failures else 1 if short else 0


def main():
    parts = {"races": races.main, "gate": gate.main, "compare": compare.main,
             "app": app.main, "build": build.main, "firmware": firmware.main, "guests": guests.main,
             "page": page.main, "peers": peers.main, "soak": soak.main, "verdicts": verdicts.main}
    if sys.argv[1:] and sys.argv[1] in parts:
        try:
            return parts[sys.argv[1]](sys.argv[2:])
        except harness.Failed as failure:
            print(f"bench: {failure}", file=sys.stderr)
            return 70
    options = parsed()
    groups = chosen(options.only)
    if options.list:
        print("\n".join(groups if options.only else {**groups, **figures.ASKED}))
        return 0
    harness.WORK.mkdir(parents=True, exist_ok=True)
    if any(name != "floors" for name in groups):
        harness.call_common("build_bench")
    if (load := os.getloadavg()[0]) > 0.5:
        print(f"bench: the machine is busy (load {load:.1f}); the figures will suffer",
              file=sys.stderr)
    # One core for the whole of it, which children inherit.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    began = time.monotonic()
    taken, failures = measured(groups)
    return report(options, taken, failures, time.monotonic() - began)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
