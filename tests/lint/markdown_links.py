#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the Markdown pages: links to files and headings lead somewhere, README.md is short, and names every page of doc/.

usage: markdown_links.py [ROOT]
"""

import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

README_BYTES = 8192
# Tests read these skills: the targets of their links are part of the test.
FIXTURES = ("tests/conformance/rescued", "tests/conformance/skills", "programs/generate/tests/golden")
FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
LINK = re.compile(r"\]\(\s*<?([^()<>\s]+(?:\([^()\s]*\)[^()<>\s]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)")
ELSEWHERE = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:|^//")


def pages(root):
    """Yields the Markdown files of a checkout, without builds, hidden folders and fixtures."""
    for folder, below, files in os.walk(root):
        here = Path(folder).relative_to(root)
        below[:] = sorted(name for name in below
                          if not name.startswith((".", "build")) and name not in ("node_modules", "target")
                          and (here / name).as_posix() not in FIXTURES)
        yield from (here / name for name in sorted(files) if name.endswith(".md"))


def prose(text):
    """Yields the lines of a page with their numbers, without those of blocks of code."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        if mark := FENCE.match(line):
            if fence is None:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = None
        elif fence is None:
            yield number, line


def anchors(text):
    """Returns the anchors that GitHub gives the headings of a page."""
    seen, found = {}, set()
    for _, line in prose(text):
        if heading := HEADING.match(line):
            title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            found.add(f"{slug}-{count}" if count else slug)
        found.update(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
    return found


def targets(text):
    """Yields the links of a page that stay in the checkout, with the line of each."""
    for number, line in prose(text):
        plain = CODE.sub("", line)
        for target in LINK.findall(plain) + DEFINITION.findall(plain):
            if not ELSEWHERE.match(target):
                yield number, unquote(target)


def problems(root):
    texts = {page: (root / page).read_text(encoding="utf-8") for page in pages(root)}
    linked = set()
    for page, text in texts.items():
        for number, target in targets(text):
            name, _, anchor = target.partition("#")
            place = Path(os.path.normpath(page.parent / name)) if name else page
            if page == Path("README.md"):
                linked.add(place)
            if name.startswith("/") or place.parts[:1] == ("..",):
                yield f"{page}:{number}: {target} leads out of the checkout"
            elif not (root / place).exists():
                yield f"{page}:{number}: {target}: there is no {place}"
            elif anchor and place.suffix == ".md" and anchor not in anchors((root / place).read_text(encoding="utf-8")):
                yield f"{page}:{number}: {target}: {place} has no heading #{anchor}"
    size = len((root / "README.md").read_bytes())
    if size > README_BYTES:
        yield f"README.md has {size} bytes; {README_BYTES} are the most, the manual is in doc/"
    for page in texts:
        if page.parts[0] == "doc" and page not in linked:
            yield f"README.md has no link to {page}"


def main(arguments):
    if len(arguments) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent.parent
    found = list(problems(root))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
