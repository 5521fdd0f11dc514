# SPDX-License-Identifier: Apache-2.0
"""Replaces this process by the program beside this file: no Python process remains, so signals, standard
input and output, and the exit code are the program's own."""

import os
import sys

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tree", "bin", "skillhost")


def main() -> None:
    try:
        os.execv(PROGRAM, [PROGRAM, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"skillhost: {PROGRAM} cannot be started: {error.strerror}; "
                 "this package is for Linux on PROCESSOR with glibc 2.34 or newer")


if __name__ == "__main__":
    main()
