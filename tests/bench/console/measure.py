#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures in Debian's Chromium how soon the console shows 61,000 skills, and how smoothly its list scrolls: measure.py
SERVER CACHE_DIR [--rounds N]

It prints the medians and the worst values. Run it by hand. Values that do not depend on the machine (files, bytes,
requests, elements of the page) have hard limits in tests/console. CACHE_DIR keeps the npm packages."""
from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "console"))
import browser_test  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("cache")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("--rounds must be at least 1")
    return browser_test.run(os.path.abspath(given.server), given.cache, "figures.mjs", [str(given.rounds)], True, {})


if __name__ == "__main__":
    sys.exit(main())
