#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when two files that may be linked into one program define different types of one name: the linker keeps one
of their inline functions for both, and no compiler notices it. Prints each name and its files."""
import collections
import functools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TYPE = re.compile(r"^(?:template <[^>]*> )?(?:struct|class|enum class) (?:\[\[\w+\]\] )?([\w:]+)(?: final)?(?: ?:[^;]*)?\s*\{")


def types(text):
    """Returns the types that are defined in namespaces with a name, in full; it reads only lines without
    indentation."""
    open_ones = []
    for line in text.splitlines():
        if begun := re.match(r"^(?:inline )?namespace ?([\w:]*) ?\{", line):
            open_ones.append(begun[1])
        elif re.match(r"^\} // namespace", line) and open_ones:
            open_ones.pop()
        elif (found := TYPE.match(line)) and "" not in open_ones:
            yield "::".join([*open_ones, found[1]])


@functools.cache
def types_in(path):
    """Returns the types of a file, which is read once although several programs may have it."""
    return list(types(path.read_text(encoding="utf-8")))


def programs():
    """Yields groups of folders whose sources may be linked together."""
    yield ["host", "isolation", "subprojects", "plugins/http", "plugins/observers", "plugins/filters"]
    for folder in (ROOT / "plugins").glob("*/*/meson.build"):
        yield [str(folder.parent.relative_to(ROOT)), "plugins/shared", "subprojects/ground"]
    # The folders whose sources are linked into skillhost-catalogue make no program of their own.
    folders = {str(path.parent.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in (ROOT / "programs").glob("*/meson.build")}
    parts = [folder for folder, text in folders.items() if "executable(" not in text]
    for folder in folders.keys() - set(parts):
        own = [folder, *parts, "plugins/observers", "plugins/filters"] if folder == "programs/catalogue" else [folder, "programs/shared"]
        yield [*own, "plugins/shared", "host", "isolation", "subprojects"]


def main():
    assert list(types("namespace a {\nnamespace {\nstruct B {\n} // namespace\nstruct C {\nclass D;\n} // namespace a\n")) == ["a::C"]
    wrong, count = set(), 0
    for folders in programs():
        places = collections.defaultdict(set)
        for folder in folders:
            for path in (ROOT / folder).rglob("*.[ch]pp"):
                for name in types_in(path):
                    places[name].add(str(path.relative_to(ROOT)))
                    count += 1
        wrong |= {f"{name} is defined in {' and in '.join(sorted(files))}" for name, files in places.items() if len(files) > 1}
    print("\n".join(sorted(wrong)) or f"{count} definitions were looked at")
    return 1 if wrong or count == 0 else 0


sys.exit(main())
