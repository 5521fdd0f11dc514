#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the table of rules in doc/findings.md is that of the program; --write renews it.

usage: findings_page.py RULES_TABLE [--write]
"""

import difflib
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent.parent / "doc" / "findings.md"
BEGIN, END = "<!-- rules:begin -->\n", "<!-- rules:end -->"


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    done = subprocess.run([arguments[0]], stdout=subprocess.PIPE, text=True, encoding="utf-8", timeout=30)
    wanted = done.stdout
    if done.returncode != 0 or wanted.count("\n") < 3:
        print(f"{arguments[0]} ended with {done.returncode}")
        return 1
    before, found, rest = PAGE.read_text().partition(BEGIN)
    present, ended, after = rest.partition(END)
    if not found or not ended:
        print(f"doc/findings.md lacks {BEGIN.strip()} … {END}")
        return 1
    if arguments[1:]:
        PAGE.write_text(before + BEGIN + wanted + END + after)
        return 0
    if present == wanted:
        return 0
    sys.stdout.writelines(difflib.unified_diff(present.splitlines(True), wanted.splitlines(True),
                                               "doc/findings.md", "the rules"))
    print("tests/lint/findings_page.py build/tests/unit/findings/rules_table --write renews the table")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
