#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the table of rules in doc/findings.md equals the program's table; --write updates it.

usage: findings_page.py RULES_TABLE [--write]
"""

import subprocess
import sys

import generated_part


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    done = subprocess.run([arguments[0]], stdout=subprocess.PIPE, text=True, encoding="utf-8", timeout=30)
    if done.returncode != 0 or done.stdout.count("\n") < 3:
        print(f"{arguments[0]} ended with {done.returncode}")
        return 1
    return generated_part.check("findings.md", "rules", done.stdout, bool(arguments[1:]),
                                "tests/lint/findings_page.py build/subprojects/skillcheck/tests/rules_table")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
