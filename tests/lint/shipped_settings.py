#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks plugins/shipped_settings.json against the keys that features declare.

shipped_settings.py [--root DIR] [--write]

The list has the keys and options of every built-in feature. If a tree lacks the folder of a feature, the build uses the
list to say which feature an unknown key belongs to, so the entries of missing folders stay. The exit code is 1 if a
settings.json and the list differ. --write updates the entries of the existing folders.
"""
import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def declared(root):
    """Returns {folder: its keys and options} from the settings.json of each folder."""
    found = {}
    for file in sorted((root / "plugins").glob("*/*/settings.json")):
        keys = json.loads(file.read_text(encoding="utf-8")).get("keys", [])
        found[file.parent.relative_to(root).as_posix()] = {
            "keys": [one["key"] for one in keys], "options": [one["option"] for one in keys if "option" in one]}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    place = given.root / "plugins/shipped_settings.json"
    listed = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {}
    there = declared(given.root)
    if given.write:
        lines = [f"  {json.dumps(folder)}: {json.dumps(feature)}" for folder, feature in sorted((listed | there).items())]
        place.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return 0
    wrong = [folder for folder, feature in there.items() if listed.get(folder) != feature]
    for folder in wrong:
        print(f"error: plugins/shipped_settings.json does not say of {folder} what its settings.json says: run "
              "tests/lint/shipped_settings.py --write", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
