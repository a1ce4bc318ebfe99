"""Counts which symbols of Apple's, named by files of public apps, our modules lack: for Scripts/apps.

    recount.py MODULES [--check | --update]

A member counts where its type is one of ours; of Foundation's own types and the standard library's only the type has
to be there, for those are the toolchain's. What Objective-C alone has is missing, and so is every module that is not
there, told by its name.
"""

import csv
import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = Path(__file__).parent / "apps.csv"
TARGET = f"{platform.machine()}-unknown-linux-gnu"
OURS = ["AppleCombine", "AppleFoundation", "AppleLog", "AppleSimd", "AppleUIKit", "CoreBluetooth", "NearbyInteraction"]
TOOLCHAIN = ["Foundation", "FoundationEssentials", "Swift", "_Concurrency", "Observation"]
IMPORTS = {"Combine", "CoreBluetooth", "Dispatch", "Foundation", "NearbyInteraction", "OSLog", "Observation", "UIKit",
           "os", "os.log", "simd", "Swift"}
# Words of the language, and of C, which Foundation brings along.
LANGUAGE = {"actor", "nonisolated", "size_t", "weak"}
EQUATABLE = {"Equatable", "Hashable", "NSObject"}
ATTRIBUTES = {"@MainActor", "@Published", "@Observable", "@Sendable", "@escaping", "@unknown", "@main",
              "@discardableResult", "@preconcurrency", "@autoclosure", "@unchecked", "@inlinable", "@frozen", "@globalActor"}


def graph(module, search, folder):
    """The symbols and relationships of a module, as the compiler sees them."""
    ours = []
    if search:
        ours = ["-I", search, "-Xcc", f"-fmodule-map-file={Path(search).parent}/CDevice.build/module.modulemap"]
    done = subprocess.run(["swift", "symbolgraph-extract", "-module-name", module, "-target", TARGET, "-output-dir", folder,
                           "-minimum-access-level", "public", *ours], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"the compiler cannot show the module {module}: {done.stderr.strip()[-300:]}")
    found = []
    for file in sorted(Path(folder).glob(f"{module}*.symbols.json")):
        found.append(json.loads(file.read_text()))
    return found


class Declared:
    """What is declared: types, free names, and the members of types, with those of their superclasses."""

    def __init__(self, search):
        self.types, self.free, self.ours = set(), set(), set()
        self.members, self.parents = {}, {}
        for module in OURS + TOOLCHAIN:
            with tempfile.TemporaryDirectory() as folder:
                for one in graph(module, search if module in OURS else None, folder):
                    self.add(one, module in OURS)

    def add(self, one, is_ours):
        names = {}
        for symbol in one["symbols"]:
            path = symbol["pathComponents"]
            names[symbol["identifier"]["precise"]] = path
            kind = symbol["kind"]["identifier"]
            if kind in ("swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias", "swift.actor",
                        "swift.associatedtype", "swift.macro"):
                self.types.add(path[-1])
                if is_ours and len(path) == 1 and kind != "swift.typealias":
                    self.ours.add(path[0])
            if len(path) == 1:
                self.free.add(base(path[0]))
            else:
                self.members.setdefault(path[-2], set()).update(parts(path[-1]))
        if not is_ours:
            return
        for relation in one["relationships"]:
            if relation["kind"] in ("inheritsFrom", "conformsTo") and relation["source"] in names:
                # A parent of another module is told by its name: `Foundation.NSObject`.
                fallback = relation.get("targetFallback", "").split(".")[-1]
                parent = names.get(relation["target"], [fallback])[-1]
                child = names[relation["source"]][-1]
                if parent:
                    self.parents.setdefault(child, set()).add(parent)

    def has(self, symbol):
        if symbol.startswith(("@", "#")):
            return symbol in ATTRIBUTES or symbol.startswith(("@available", "#if", "#available"))
        if symbol in LANGUAGE:
            return True
        owner, *rest = symbol.split(".")
        if not rest:
            return owner in self.types or owner in self.free
        if owner not in self.types and owner not in self.free:
            return False
        if owner not in self.ours:
            return True
        # Of a type within a type the inner one has it: `NINearbyObject.RemovalReason.timeout`.
        *within, member = [owner, *rest]
        seen, left = set(), [within[-1]]
        while left:
            name = left.pop()
            if name in seen:
                continue
            seen.add(name)
            if member in self.members.get(name, ()) or member == "==" and name in EQUATABLE:
                return True
            left += self.parents.get(name, ())
        # A type within a type, and what the compiler makes of conformances.
        return member in self.types or member in ("init", "rawValue", "hashValue", "description")


def base(name):
    return name.split("(")[0]


def parts(name):
    """The base name and the labels, by which methods of delegates are told apart."""
    head, _, rest = name.partition("(")
    return {head, *(label for label in rest.rstrip(")").split(":") if label and label != "_")}


def main():
    search, option = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    declared = Declared(search)
    rows = list(csv.DictReader(TABLE.open(newline="")))
    differences = 0
    clean, files = {}, {}
    for row in rows:
        imports = [one for one in row["imports"].split(";") if one and one not in IMPORTS]
        symbols = [one for one in row["symbols"].split(";") if one and not declared.has(one)]
        missing = ";".join([f"import {one}" for one in imports] + symbols)
        differences += missing != row.get("missing", "")
        row["missing"] = missing
        repository = row["repository"]
        files.setdefault(repository, []).append(not missing)
        if "central" in row["holds"].split(";"):
            _, is_clean = clean.get(repository, (None, False))
            clean[repository] = (row["group"], is_clean or not symbols)
        print(f"{row['repository']}  {row['path']}\n    {missing or 'nothing is missing'}")
    accessories = [is_clean for group, is_clean in clean.values() if group == "accessory"]
    print(f"\nfiles with a central manager's delegate that name nothing we lack: {sum(accessories)} of "
          f"{len(accessories)} accessory apps")
    print(f"apps of which every file names nothing we lack, imports included: "
          f"{sum(all(all_clean) for all_clean in files.values())} of {len(files)}")
    if option == "--update":
        with TABLE.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    if option == "--check" and differences:
        print(f"{differences} rows of the table say something else; Scripts/apps --update writes it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
