"""The manifest of the Job, for Scripts/cluster/test: what no schema says, and its command as a kubelet starts it.

    kubernetes.py MANIFEST PREFIX FOLDER [ARGUMENT ...]

Plays the first and the last index with these arguments in place of the manifest's, by a prefix in place of the
image's, into a folder in place of the volume.

Exit status 0: it is right; 1: it is not.
"""

import os
import subprocess
import sys
from pathlib import Path

import yaml


def main():
    manifest, prefix, folder, *arguments = sys.argv[1:]
    documents = list(yaml.safe_load_all(Path(manifest).read_text()))
    claim, job = (next(one for one in documents if one["kind"] == kind)
                  for kind in ("PersistentVolumeClaim", "Job"))
    pod = job["spec"]["template"]["spec"]
    container, = pod["containers"]
    given = {entry["name"]: entry.get("value", "1") for entry in container["env"]}
    problems = []
    parts = job["spec"]["completions"]
    if given["PARTS"] != str(parts):
        problems.append(f"PARTS is {given['PARTS']}, and there are {parts} completions")
    if parts > 64:
        problems.append(f"there are {parts} completions, and at most 64 parts")
    if pod["volumes"][0]["persistentVolumeClaim"]["claimName"] != claim["metadata"]["name"]:
        problems.append("the volume is of another claim")
    mount = container["volumeMounts"][0]["mountPath"]
    command = [word.replace("/usr/local/", f"{prefix}/").replace(mount, folder) for word in container["command"]]
    for index in (0, parts - 1) if not problems else ():
        # The image's paths, and nothing of this machine's environment.
        environment = {"PATH": os.defpath, "JOB_COMPLETION_INDEX": str(index), **given}
        played = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True)
        history = Path(folder, "kubernetes", f"part-{index + 1}-of-{parts}", "history.sqlite")
        if played.returncode != 0 or not history.exists():
            problems.append(f"index {index} ended with {played.returncode}: {played.stderr[-500:]}")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
