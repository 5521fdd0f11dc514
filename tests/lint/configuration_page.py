#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the configuration table in doc/configuration.md is what the program says of itself; --write renews it.

usage: configuration_page.py SKILLHOST [--write]
"""

import difflib
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent.parent / "doc" / "configuration.md"
BEGIN, END = "<!-- configuration:begin -->\n", "<!-- configuration:end -->"


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    done = subprocess.run([arguments[0], "--example-config=markdown"], stdout=subprocess.PIPE,
                          text=True, encoding="utf-8", timeout=30)
    if done.returncode != 0 or not done.stdout.strip():
        print(f"{arguments[0]} --example-config=markdown ended with {done.returncode}")
        return 1
    wanted = done.stdout.strip("\n") + "\n"
    before, found, rest = PAGE.read_text().partition(BEGIN)
    present, ended, after = rest.partition(END)
    if not found or not ended:
        print(f"doc/configuration.md lacks {BEGIN.strip()} … {END}")
        return 1
    if arguments[1:]:
        PAGE.write_text(before + BEGIN + wanted + END + after)
        return 0
    if present == wanted:
        return 0
    sys.stdout.writelines(difflib.unified_diff(present.splitlines(True), wanted.splitlines(True),
                                               "doc/configuration.md", "skillhost --example-config=markdown"))
    print("tests/lint/configuration_page.py build/host/skillhost --write renews the table")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
