#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests tests/unless_late, which skips the tests that would begin too late and notes each of them."""

import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "unless_late"


class UnlessLate(unittest.TestCase):
    def run_at(self, seconds, *command):
        """Runs the script with a time that is so many seconds from now. Returns the exit code, the output and the notes."""
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "notes of a run.txt"
            done = subprocess.run([SCRIPT, str(int(time.time()) + seconds), notes, *command], stdout=subprocess.PIPE, text=True, check=False)
            return done.returncode, done.stdout, notes.read_text() if notes.exists() else ""

    def test_in_time_the_command_runs_with_its_own_exit_code(self):
        self.assertEqual(self.run_at(3600, "sh", "-c", "echo said; exit 3"), (3, "said\n", ""))

    def test_late_the_command_is_skipped_and_noted(self):
        code, said, notes = self.run_at(-1, "sh", "-c", "echo said")
        self.assertEqual(code, 77)
        self.assertIn("skipped: ", said)
        self.assertNotIn("said\n", said)
        self.assertEqual(notes, "sh -c echo said\n")


if __name__ == "__main__":
    unittest.main()
