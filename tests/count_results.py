#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the test cases behind one run of `meson test`, from its testlog.json (one JSON a line).

Prints the tests that failed, then "N passed, N failed[, N skipped]"; exits 1 unless all is well.
A program that says how many cases it ran counts as that many, any other one as one. What Meson
says of the program (exit code, signal, time-out) is never overruled by what the program printed.
"""

import json
import re
import sys
from pathlib import Path
from typing import NamedTuple


class Count(NamedTuple):
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Count(*(a + b for a, b in zip(self, other)))

    def __str__(self):
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


PLAIN = re.compile(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
CATCH_PASSED = re.compile(r"^All tests passed \(\d+ assertions? in (\d+) test cases?\)", re.M)
CATCH_MIXED = re.compile(r"^test cases:\s*\d+((?:\s*\|\s*\d+ [a-z ]+)+)$", re.M)
CATCH_NONE = re.compile(r"^No tests? (?:cases? )?(?:ran|matched)", re.M)


def said(text):
    """What the program's own closing line counts, or None."""
    if matches := PLAIN.findall(text):
        return Count(*(int(number or 0) for number in matches[-1]))
    if matches := CATCH_PASSED.findall(text):
        return Count(passed=int(matches[-1]))
    if matches := CATCH_MIXED.findall(text):
        parts = {kind.strip(): int(number)
                 for number, kind in re.findall(r"(\d+) ([a-z ]+)", matches[-1])}
        return Count(parts.get("passed", 0) + parts.get("failed as expected", 0),
                     parts.get("failed", 0), parts.get("skipped", 0))
    if CATCH_NONE.search(text):
        return Count()
    return None


def count(test):
    """One line of the log as a Count."""
    own = said(re.sub(r"\x1b\[[0-9;]*m", "", test.get("stdout") or ""))
    result = test["result"]
    if result == "SKIP":
        return Count(skipped=max(1, own.skipped if own else 0))
    if result in ("OK", "EXPECTEDFAIL"):
        if own is None:
            return Count(passed=1)
        # A program that ran nothing has tested nothing.
        return own if any(own) else Count(failed=1)
    return Count(own.passed if own else 0, max(1, own.failed if own else 0),
                 own.skipped if own else 0)


def count_log(lines):
    """(total, names of the failed) over all lines of a log."""
    total, failures = Count(), []
    for line in lines:
        if not line.strip():
            continue
        try:
            test = json.loads(line)
            one = count(test)
        except (ValueError, KeyError, TypeError) as error:
            test, one = {"name": f"unreadable log line ({error})", "result": "ERROR"}, Count(failed=1)
        total += one
        if one.failed:
            failures.append(f"{test['name']} ({test['result']}, {one})")
    return total, failures


def main(arguments):
    if len(arguments) != 1:
        print("usage: count_results.py TESTLOG.json", file=sys.stderr)
        return 2
    log = Path(arguments[0])
    try:
        total, failures = count_log(log.read_text(encoding="utf-8", errors="replace").splitlines())
    except OSError as error:
        total, failures = Count(failed=1), [f"no test was run: {error}"]
    if not any(total):
        total, failures = Count(failed=1), ["no test was run"]
    for failure in failures:
        print(f"failed: {failure}")
    print(total)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
