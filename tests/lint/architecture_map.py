#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the map in doc/architecture.md. It must have every folder of code, in the order of the flow, with the opening
sentence of its meson.build; --write updates it. The functions that the page's walks name must be in the named files."""

import re
import sys
from pathlib import Path

import generated_part

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "doc" / "architecture.md"
ENTERED = re.compile(r"^[^#\n]*?\b(subdir|subproject)\('([^']+)'", re.M)
NAMED = re.compile(r"\[[^\]]+\]\(\.\./([^)#]+)\) `([\w:]+)`")
CODE = (".c", ".cpp", ".h", ".hpp", ".py")
# The flow of a request through the server comes first, then the parts that the server starts or links besides. Meson
# enters the folders of host/ from the bottom up.
FEATURES = ("plugins/observers", "plugins/filters", "plugins/http", "plugins/replicas/state")
HEADINGS = {"The server": ("host",), "Features that the server links": FEATURES,
            "Plugins, and what runs them apart": ("isolation", "console", "plugin-api", "plugins", "plugins/shared"),
            "Commands": ("programs",), "Libraries": ("subprojects",)}
PARTS = tuple(name for parts in HEADINGS.values() for name in parts)


def folders(folder):
    """Yields the folders below one, in the order in which Meson enters them."""
    for kind, name in ENTERED.findall((folder / "meson.build").read_text()):
        below = ROOT / "subprojects" / name if kind == "subproject" else folder / name
        yield below
        yield from folders(below)


def sentence(folder):
    """Returns the comment that opens a meson.build, its lines joined; empty when there is none."""
    words = []
    for line in (folder / "meson.build").read_text().splitlines():
        if not line.startswith("# "):
            break
        words.append(line[2:].strip())
    return " ".join(words)


def part(path):
    """Returns the index in PARTS of the longest entry that holds a path."""
    return max((len(name), place) for place, name in enumerate(PARTS) if path.is_relative_to(name))[1]


def ordered(parts):
    """Yields the folders of some parts that have a meson.build, relative to the root, in the order of the flow."""
    entered = list(dict.fromkeys(folder.relative_to(ROOT) for folder in folders(ROOT)))
    entered = [path for path in entered if path.parts[0] not in ("doc", "tests") and path.name != "tests"]
    for name in parts:
        here = [path for path in entered if PARTS[part(path)] == name]
        top = [path for path in here if path == Path(name)]
        rest = [path for path in here if path != Path(name)]
        if name == "host":
            level = list(dict.fromkeys(path.parts[1] for path in rest))
            rest.sort(key=lambda path: -level.index(path.parts[1]))
        yield from top + rest


def within(path, built):
    """Yields the folders of code that belong to a folder with a meson.build, except its interface (include/) and its
    tests."""
    for below in sorted(path.iterdir() if path.is_dir() else ()):
        if below.is_dir() and below.name not in ("include", "tests") and below not in built:
            if any(file.suffix in CODE for file in below.iterdir() if file.is_file()):
                yield below
            yield from within(below, built)


def link(path, name):
    return f"[{name}](../{path.as_posix()})"


def written():
    """Returns the map as it should be, and the folders without an opening sentence."""
    lines, silent = [], []
    paths = {heading: list(ordered(parts)) for heading, parts in HEADINGS.items()}
    built = {ROOT / path for some in paths.values() for path in some}
    for heading, some in paths.items():
        lines += ["", f"### {heading}", "", "| folder | what comes in, what goes out | folders within |", "| --- | --- | --- |"]
        for path in some:
            inner = ", ".join(link(below.relative_to(ROOT), below.relative_to(ROOT / path).as_posix())
                              for below in within(ROOT / path, built))
            if text := sentence(ROOT / path):
                lines.append(f"| {link(path, path.as_posix())} | {text} | {inner} |")
            else:
                silent.append(str(path))
    return "\n".join(lines[1:] + [""]) + "\n", silent


def misnamed(text):
    """Yields functions that a page names, but that are not in the file it names."""
    for path, function in NAMED.findall(text):
        name = function.split("::")[-1]
        if (ROOT / path).is_file() and not re.search(rf"\b{name}\b", (ROOT / path).read_text()):
            yield f"doc/architecture.md names `{function}` of {path}, where it is not"


def main(arguments):
    wanted, silent = written()
    there = generated_part.split(PAGE.name, "map")
    if there is None:
        return 1
    before, present, after = there
    if arguments == ["--write"]:
        PAGE.write_text(before + wanted + after)
        return 0
    wrong = list(misnamed(before + after))
    for line in wrong:
        print(line)
    for folder in silent:
        print(f"{folder}/meson.build does not open with a sentence on what comes in and what goes out")
    old, new = present.splitlines(), wanted.splitlines()
    for line in [l for l in new if l not in old]:
        print(f"doc/architecture.md lacks: {line}")
    for line in [l for l in old if l not in new]:
        print(f"doc/architecture.md should no longer have: {line}")
    if present != wanted and sorted(old) == sorted(new):
        print("the lines of the map in doc/architecture.md are in another order")
    if present == wanted and not silent:
        return 1 if wrong else 0
    print("tests/lint/architecture_map.py --write renews the map")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
