#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the map in README.md is the first sentence of every folder's meson.build; --write renews it."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- map:begin -->\n", "<!-- map:end -->"
SUBDIR = re.compile(r"^\s*subdir\('([^']+)'\)", re.M)


def folders(folder):
    """The folders below one, in the order in which Meson enters them."""
    for name in SUBDIR.findall((folder / "meson.build").read_text()):
        yield folder / name
        yield from folders(folder / name)


def sentence(folder):
    """The comment that opens a meson.build, its lines joined; empty when there is none."""
    words = []
    for line in (folder / "meson.build").read_text().splitlines():
        if not line.startswith("# "):
            break
        words.append(line[2:].strip())
    return " ".join(words)


def written():
    """The map as it should be, and the folders that do not say what they are."""
    lines, silent = ["| folder | what comes in, what goes out |", "| --- | --- |"], []
    for folder in folders(ROOT):
        path = folder.relative_to(ROOT)
        if path.parts[0] == "tests":
            continue
        if text := sentence(folder):
            lines.append(f"| [{path}]({path}) | {text} |")
        else:
            silent.append(str(path))
    return "\n".join(lines) + "\n", silent


def main(arguments):
    wanted, silent = written()
    text = README.read_text()
    before, found, rest = text.partition(BEGIN)
    present, ended, after = rest.partition(END)
    if not found or not ended:
        print(f"README.md lacks {BEGIN.strip()} … {END}")
        return 1
    if arguments == ["--write"]:
        README.write_text(before + BEGIN + wanted + END + after)
        return 0
    for folder in silent:
        print(f"{folder}/meson.build does not open with a sentence on what comes in and what goes out")
    old, new = present.splitlines(), wanted.splitlines()
    for line in [l for l in new if l not in old]:
        print(f"README.md lacks: {line}")
    for line in [l for l in old if l not in new]:
        print(f"README.md should no longer have: {line}")
    if present != wanted and sorted(old) == sorted(new):
        print("the lines of the map in README.md are in another order")
    if present == wanted and not silent:
        return 0
    print("tests/lint/readme_map.py --write renews the map")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
