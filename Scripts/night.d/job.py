#!/usr/bin/env python3
"""Turns the jobs of a workflow of GitHub's or of GitLab's into a script for sh: Scripts/night.d/job.py FILE… >job.sh

It does as a runner does: a step is a shell of its own, which its first failure ends; after it only those steps are
played that ask for it. What is not a line for a shell (a checkout, an upload, a cache) is left out. It needs ruamel.yaml.
"""
import sys

from ruamel.yaml import YAML

# The keys of GitLab's file that are no jobs.
GLOBAL = {"default", "include", "stages", "variables", "workflow"}


def jobs(document):
    """The steps of each job: the lines of each, and whether it is played after a failure."""
    if "jobs" in document:
        for job in document["jobs"].values():
            yield [(step["run"].rstrip(), "failure()" in step.get("if", "")) for step in job["steps"] if "run" in step]
    else:
        for name, job in document.items():
            if name not in GLOBAL:
                yield [("\n".join(job["script"]), False)]


print("status=0")
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        document = YAML(typ="safe").load(file)
    for steps in jobs(document):
        # Jobs know nothing of one another.
        print("job=0")
        for lines, always in steps:
            condition = "" if always else "[ $job -ne 0 ] || "
            print(f"{condition}sh -e <<'END OF STEP' || job=$?\n{lines}\nEND OF STEP")
        print("[ $job -eq 0 ] || status=$job")
print("exit $status")
