#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that minimal_host.py counts as it describes, and fails if a measure rises."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "minimal_host.py"


class MinimalHost(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = Path(place.name)
        self.kept = self.root / "tests/lint/minimal_host.json"
        self.kept.parent.mkdir(parents=True)
        self.write("host/mcp/server.cpp", "// A comment is no code.\n\nint main();\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_it(self, *arguments):
        done = subprocess.run([sys.executable, SCRIPT, "--root", self.root, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_counts(self):
        self.assertEqual(0, self.run_it("--write")[0])
        figures = json.loads(self.kept.read_text(encoding="utf-8"))
        self.assertEqual((1, 0, 0), (figures["code"], figures["names of state"], figures["names of usage"]))

    def test_what_rises_fails_and_is_not_written(self):
        self.run_it("--write")
        before = self.kept.read_text(encoding="utf-8")
        self.write("host/mcp/server.cpp", '#include "state/shared_state.hpp"\nSharedState *all;\nUsageRecorder *uses;\n// Before the first session.\n')
        code, _, errors = self.run_it("--write")
        self.assertEqual(1, code)
        for figure in ("code", "names of state", "names of usage", "set later"):
            self.assertIn(f"error: {figure}: ", errors)
        self.assertEqual(before, self.kept.read_text(encoding="utf-8"))

    def test_what_falls_passes_and_is_kept_when_asked(self):
        self.run_it("--write")
        self.write("host/mcp/server.cpp", "// Nothing.\n")
        self.assertEqual(0, self.run_it()[0])
        self.run_it("--write")
        self.assertEqual(0, json.loads(self.kept.read_text(encoding="utf-8"))["code"])

    def test_nothing_kept_is_a_failure(self):
        self.assertEqual(1, self.run_it()[0])


if __name__ == "__main__":
    unittest.main()
