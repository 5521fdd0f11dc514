#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the test cases behind one run of `meson test`, from its testlog.json (one JSON a line).

A second log has repeated tests: the verdict of the second run counts for them, and the output names those
that passed only then. With --failed it prints only the names of the failed tests, as Meson takes them,
without those that crashed or did not end in time. Otherwise it prints the failed tests, each with its own
messages, then "N passed, N failed[, N skipped]"; exits 1 unless all is well. A program that prints the number
of its cases counts as that many, any other one as one. Meson's verdict of the program (exit code, signal,
time-out) is never overruled by the program's output."""

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
    """Returns the counts in the program's own closing line, or None."""
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
    """Returns one line of the log as a Count."""
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


MAX_LINES, MAX_WRONG = 30, 12
WRONG = re.compile(r"\bFAILED:|^FAILED\b|^FAIL: |^ERROR: |^[A-Za-z.]*Error\b")


def excerpt(test):
    """Returns the messages of a failed test, indented. Meson shows the end of stderr, which is often a long log."""
    ends = []
    for stream in ("stdout", "stderr"):
        text = re.sub(r"\x1b\[[0-9;]*m", "", test.get(stream) or "")
        lines = [line for line in text.splitlines() if line.strip()]
        wrong = [at for at, line in enumerate(lines) if WRONG.search(line)]
        if wrong:
            begin = max(0, wrong[0] - 3)
            ends = lines[begin:begin + MAX_LINES]
            # All failures are shown first, however far apart they stand.
            later = [lines[at] for at in wrong if at >= begin + MAX_LINES]
            ends = later[:MAX_WRONG] + ends
            break
        ends = lines[-MAX_LINES:] or ends
    return "".join(f"\n    {line[:400]}" for line in ends)


def read_log(lines):
    """Returns every line of a log as (name, result, Count, excerpt); a program that a signal ended has the
    result CRASH."""
    tests = []
    for line in lines:
        if not line.strip():
            continue
        try:
            test = json.loads(line)
            code = test.get("returncode") or 0
            crashed = test["result"] == "FAIL" and (code < 0 or code >= 128)
            one = count(test)
            tests.append((test["name"], "CRASH" if crashed else test["result"], one,
                          excerpt(test) if one.failed else ""))
        except (ValueError, KeyError, TypeError) as error:
            tests.append((f"unreadable log line ({error})", "ERROR", Count(failed=1), ""))
    return tests


def count_log(lines, repeated=()):
    """Returns (total, failed tests, tests that passed only when repeated) of all lines of two logs."""
    again = {name: verdict for name, *verdict in read_log(repeated)}
    total, failures, late = Count(), [], []
    for name, result, one, why in read_log(lines):
        if one.failed and name in again:
            first, (result, one, why) = f"{name} ({result}, {one})", again[name]
            if not one.failed:
                late.append(first)
        total += one
        if one.failed:
            failures.append(f"{name} ({result}, {one}){why}")
    return total, failures, late


def main(arguments):
    only_names = arguments[:1] == ["--failed"]
    logs = [Path(argument) for argument in arguments[only_names:]]
    if len(logs) not in (1, 2) or (only_names and len(logs) == 2):
        print("usage: count_results.py TESTLOG.json [REPEATED.json] | --failed TESTLOG.json", file=sys.stderr)
        return 2
    late = []
    try:
        lines = [log.read_text(encoding="utf-8", errors="replace").splitlines() for log in logs]
        if only_names:
            # A name is "project:suite / name"; Meson wants the name alone.
            print(*(name.split(" / ", 1)[-1] for name, result, one, _ in read_log(lines[0])
                    if one.failed and result not in ("TIMEOUT", "CRASH")), sep="\n")
            return 0
        total, failures, late = count_log(*lines)
    except OSError as error:
        total, failures = Count(failed=1), [f"no test was run: {error}"]
    if not any(total):
        total, failures = Count(failed=1), ["no test was run"]
    for one in late:
        print(f"passed only when repeated alone: {one}")
    for failure in failures:
        print(f"failed: {failure}")
    print(total)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
