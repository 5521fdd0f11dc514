#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the printed layout of one header with its frozen file: compare_kind.py PRINTER FROZEN
HEADER. Structs may grow at their end; nothing else may change."""
import pathlib
import subprocess
import sys

from compare_layout import broken_promises, holes, parse, unprinted


def main():
    printer, frozen, header = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    present = parse(subprocess.run([printer], check=True, capture_output=True, text=True).stdout)
    found = [*broken_promises(parse(frozen.read_text()), present), *holes(present),
             *unprinted(header.read_text(), present)]
    for sentence in found:
        print(sentence)
    print(f"{len(present)} lines compared with {frozen.name}")
    return 1 if found or not present else 0


if __name__ == "__main__":
    sys.exit(main())
