"""Measures whether the verdicts on strangers are right: what is allowed passes, and what is wrong is found.

Allowed: each design of Tests/Strangers/allowed/designs.json, a healthy accessory or app that differs in something that
R4 or Apple leaves to its maker, in a gate of the quick budget (an accessory's with a PICS that says so); none may be
accused of a *must*. Found: each bug of the lantern that breaks a clause, in such a gate. Pairs: each bug of
Tests/Strangers/bugs.json, whose row says which two events race, and of certain.json, which need no race; explored,
shrunk and explained, and what explain says is held against the row. Pairs that were measured stay in
.build/bench/strangers, so that pieces add up. With --explore, instead: each allowed design under random faults, N runs
more than it has played so far, until it has played 10,000; the table counts them, so that nights go on.

Exit status 0: all verdicts are right; 1: one is wrong; 70: something could not be measured.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import gate
import harness
import strangers
from harness import WORK, Failed

ALLOWED = gate.STRANGERS / "allowed"
TABLE = ALLOWED / "designs.json"
DESIGNS = json.loads(TABLE.read_text())
PROGRAMS = {"Python": ALLOWED / "accessory.py", "C": ALLOWED / "accessory-in-c", "Swift": gate.STRANGERS / "wayfinder"}
CERTAIN = json.loads((gate.STRANGERS / "certain.json").read_text())
# How many of the pairs have to be right, and how many runs of random faults a design has to stand in all.
NEEDED, CAMPAIGN = 0.9, 10_000


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="Scripts/bench verdicts", description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", action="append", metavar="NAME", default=[],
                        help="only 'allowed', 'found' or 'pairs', or one of them: found/NAME (repeatable)")
    parser.add_argument("--tool", type=Path, default=harness.TOOL, metavar="FILE",
                        help="explain with this anechoic, which has its devices beside it")
    parser.add_argument("--explore", type=int, metavar="N",
                        help=f"no gates: N more runs of each design that has not played {CAMPAIGN:,}, and count them")
    parser.add_argument("--jobs", type=int, metavar="N", default=1, help="runs at a time of --explore (default: 1)")
    parser.add_argument("--json", metavar="FILE", help="write everything there as well")
    options = parser.parse_args(arguments)
    names = {"allowed": (one["name"] for one in DESIGNS), "found": gate.BUGS,
             "pairs": (one["name"] for one in [*strangers.BUGS, *CERTAIN])}
    known = {*names, *(f"{title}/{name}" for title in names for name in names[title])}
    if unknown := set(options.only) - known:
        parser.error(f"nothing is called {', '.join(sorted(unknown))}")
    return options


def verdict(*words):
    result, status, seconds = gate.answer("conform", *words, "--no-diagnosis")
    return {"runs": result["runs"], "seconds": seconds, "status": status,
            "broken": [one["promise"] for one in result["promises"] if one["result"] == "violated"]}


def allowed(design):
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        pics = Path(folder) / "pics.yaml"
        pics.write_text(design.get("pics", "") + "\n")
        kind = "app" if design["language"] == "Swift" else "accessory"
        claims = ["--pics", pics] if "pics" in design else []
        one = verdict(f"--{kind}", PROGRAMS[design["language"]], f"--{kind}-argument", design["name"], *claims)
    return {"name": design["name"], **one, "right": one["status"] == 0}


def topology(design):
    """Its topology, as the suite plays it."""
    template = ALLOWED / ("app.yaml" if design["language"] == "Swift" else "accessory.yaml")
    text = template.read_text().replace("PROGRAM", str(PROGRAMS[design["language"]])).replace("NAME", design["name"])
    for key in "own", "phone":
        text = text.replace(f" {key.upper()}", f" {design[key]}," if key in design else "")
    return text


def explored(runs, jobs):
    def judge(design):
        with tempfile.TemporaryDirectory(dir=WORK) as folder:
            file = Path(folder) / f"{design['name']}.yaml"
            file.write_text(topology(design))
            result, status, seconds = gate.answer(
                "explore", file, "--trust", "--faults", "random", "--runs", runs, "--seed", design["runs"] + 1,
                "--jobs", jobs)
        if status == 0:
            design["runs"] += result["runs"]
            TABLE.write_text("[\n" + ",\n".join(
                f"  {json.dumps(one, ensure_ascii=False)}" for one in DESIGNS) + "\n]\n")
        return {"name": design["name"], "runs": design["runs"], "seconds": seconds, "status": status,
                "broken": [one["fingerprint"] for one in result["findings"]], "right": status == 0}
    return judge


def found(bug):
    one = verdict(*gate.AS_LANTERN, *gate.arguments([bug, *gate.BUGS[bug]]), "-x")
    return {"name": bug, **one, "right": one["status"] == 1}


def pair(bug, results):
    """What explain says of the first failure of a bug, and whether its row says so too."""
    if "steps" in bug:
        strangers.write_certain(bug)
    one = results.of("pair", bug, 0, lambda: explained(results.options.tool, bug))
    wanted = "no race" if bug["race"] is None else "its race"
    right = one["says"] == "no race" if bug["race"] is None else strangers.declared(bug, one) is not None
    told = [" against ".join(side["words"] for side in one[what]) for what in ("pair", "effect") if one[what]]
    return {**one, "name": bug["name"], "wanted": wanted, "words": "; ".join(told) or one["says"], "right": right}


def explained(tool, bug):
    began = time.monotonic()
    one = strangers.explored(tool, bug, 0, 2)
    what = {"runs": one["runs"], "says": "not found", "pair": None, "effect": None}
    if one["file"]:
        strangers.anechoic(tool, "shrink", one["file"], "--trust")
        shrunk = Path(one["file"]).parent / "shrunk"
        shutil.rmtree(shrunk / "explained", ignore_errors=True)
        strangers.explained(tool, shrunk)
        said = json.loads((shrunk / "explained" / "explanation.json").read_text())
        what["pair"], what["effect"] = (strangers.two_of(said.get(name)) for name in ("race", "effect"))
        what["says"] = "a race" if what["pair"] else "nothing" if said.get("needs") is None else "no race"
    return {**what, "seconds": time.monotonic() - began}


def pair_table(rows):
    return gate.columns([["pair", "runs", "seconds", "true", "right", "said"], *(
        [one["name"], f"{one['runs']:,}", f"{one['seconds']:.0f}", one["wanted"], "yes" if one["right"] else "NO",
         one["words"]] for one in rows)])


def table(title, rows):
    if title == "pairs":
        return pair_table(rows)
    return gate.columns([[title, "runs", "seconds", "accused of"], *(
        [one["name"], f"{one['runs']:,}", f"{one['seconds']:.0f}", ", ".join(one["broken"]) or "nothing"]
        for one in rows)])


def main(arguments):
    options = parsed(arguments)
    WORK.mkdir(parents=True, exist_ok=True)
    strangers.FOLDER.mkdir(parents=True, exist_ok=True)
    results = strangers.Results(SimpleNamespace(tool=options.tool))
    if options.explore:
        wanted = {"allowed": [(explored(options.explore, options.jobs), one, one["name"])
                              for one in DESIGNS if one["runs"] < CAMPAIGN]}
    else:
        wanted = {
            "allowed": [(allowed, one, one["name"]) for one in DESIGNS], "found": [(found, one, one) for one in gate.BUGS],
            "pairs": [(lambda bug: pair(bug, results), one, one["name"]) for one in [*strangers.BUGS, *CERTAIN]]}
    tables = {}
    try:
        for title, cases in wanted.items():
            rows = tables[title] = []
            for judge, case, name in cases:
                if options.only and not {title, f"{title}/{name}"} & set(options.only):
                    continue
                rows.append(judge(case))
                gate.progress(f"{title}, {name}: {'right' if rows[-1]['right'] else 'WRONG'}, "
                              f"{rows[-1]['runs']} runs in {rows[-1]['seconds']:.0f} s")
    except Failed as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 70
    if options.json:
        Path(options.json).write_text(json.dumps(tables, indent=1) + "\n")
    for title, rows in tables.items():
        if rows:
            print(f"{table(title, rows)}\n\n{title} {'right ' if title == 'pairs' else ''}"
                  f"{sum(one['right'] for one in rows)} of {len(rows)}\n")
    return 0 if all(is_enough(title, rows) for title, rows in tables.items()) else 1


def is_enough(title, rows):
    needed = NEEDED if title == "pairs" else 1
    return sum(one["right"] for one in rows) >= needed * len(rows)
