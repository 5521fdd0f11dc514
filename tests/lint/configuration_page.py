#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the table in doc/configuration.md equals the one that the program prints; --write updates it.

usage: configuration_page.py SKILLHOST [--write]
"""

import subprocess
import sys

import generated_part


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    done = subprocess.run([arguments[0], "--example-config=markdown"], stdout=subprocess.PIPE,
                          text=True, encoding="utf-8", timeout=30)
    if done.returncode != 0 or not done.stdout.strip():
        print(f"{arguments[0]} --example-config=markdown ended with {done.returncode}")
        return 1
    return generated_part.check("configuration.md", "configuration", done.stdout.strip("\n") + "\n", bool(arguments[1:]),
                                "tests/lint/configuration_page.py build/host/skillhost")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
