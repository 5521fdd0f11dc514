# SPDX-License-Identifier: Apache-2.0
"""Checks and updates the part of a page that a program writes, between two marks."""
import difflib
import sys
from pathlib import Path

DOC = Path(__file__).resolve().parent.parent.parent / "doc"


def split(page, name):
    """Returns (text before, the part, text after), with the marks; None when the page lacks one."""
    begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->"
    before, found, rest = (DOC / page).read_text().partition(begin)
    part, ended, after = rest.partition(end)
    if found and ended:
        return before + begin, part, end + after
    print(f"doc/{page} lacks {begin.strip()} … {end}")
    return None


def check(page, name, wanted, writes, renewed_by):
    """Returns the exit code: 0 when the part is as wanted, or was written."""
    there = split(page, name)
    if there is None:
        return 1
    before, present, after = there
    if writes:
        (DOC / page).write_text(before + wanted + after)
        return 0
    if present == wanted:
        return 0
    sys.stdout.writelines(difflib.unified_diff(present.splitlines(True), wanted.splitlines(True), f"doc/{page}", "the program"))
    print(f"{renewed_by} --write renews the table")
    return 1
