"""Measures whether the verdicts on strangers are right: what is allowed passes, and what is wrong is found.

Allowed: each design of Tests/Strangers/allowed.json, a healthy accessory that differs in something that R4 leaves to
its maker, in a gate of the quick budget with a PICS that says so; none may be accused of a *must*. Found: each bug of
the lantern that breaks a clause, in such a gate.

Exit status 0: all verdicts are right; 1: one is wrong; 70: something could not be measured.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import gate
from harness import WORK, Failed

ALLOWED = gate.STRANGERS / "allowed.py"
DESIGNS = json.loads((gate.STRANGERS / "allowed.json").read_text())


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="Scripts/bench verdicts", description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", action="append", metavar="NAME", default=[],
                        help="only this design or bug, or 'allowed' or 'found' (repeatable)")
    parser.add_argument("--json", metavar="FILE", help="write everything there as well")
    options = parser.parse_args(arguments)
    known = {"allowed", "found", *(design["name"] for design in DESIGNS), *gate.BUGS}
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
        pics.write_text(design["pics"] + "\n")
        one = verdict("--accessory", ALLOWED, "--accessory-argument", design["name"], "--pics", pics)
    return {"name": design["name"], **one, "right": one["status"] == 0}


def found(bug):
    one = verdict(*gate.AS_LANTERN, *gate.arguments([bug, *gate.BUGS[bug]]), "-x")
    return {"name": bug, **one, "right": one["status"] == 1}


def table(title, rows):
    return gate.columns([[title, "runs", "seconds", "accused of"], *(
        [one["name"], f"{one['runs']:,}", f"{one['seconds']:.0f}", ", ".join(one["broken"]) or "nothing"]
        for one in rows)])


def main(arguments):
    options = parsed(arguments)
    WORK.mkdir(parents=True, exist_ok=True)
    wanted = {
        "allowed": [(allowed, one, one["name"]) for one in DESIGNS], "found": [(found, one, one) for one in gate.BUGS]}
    tables = {}
    try:
        for title, cases in wanted.items():
            rows = tables[title] = []
            for judge, case, name in cases:
                if options.only and not {title, name} & set(options.only):
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
            print(f"{table(title, rows)}\n\n{title} {sum(one['right'] for one in rows)} of {len(rows)}\n")
    return 0 if all(one["right"] for rows in tables.values() for one in rows) else 1
