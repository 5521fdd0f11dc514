# SPDX-License-Identifier: Apache-2.0
"""Common parts of tests that are programs: counting checks, and waiting."""
import os
import time

DEADLINE = float(os.environ.get("SKILLHOST_TEST_DEADLINE", "20"))  # seconds, for steps that take less
SANITIZED = "SKILLHOST_TEST_SLOWNESS" in os.environ
SLOWNESS = float(os.environ.get("SKILLHOST_TEST_SLOWNESS", "1"))  # of a build with a sanitizer


def until(holds, what, seconds=DEADLINE):
    """Waits for other processes: calls `holds` repeatedly, up to a deadline."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.01)


class Checks:
    """Counts successful checks and prints the others."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, holds, what):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED", what, flush=True)

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
