#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that shipped_settings.py finds an outdated list, updates it, and keeps the entries of missing folders."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "shipped_settings.py"


class ShippedSettings(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = Path(place.name)
        self.listed = self.root / "plugins/shipped_settings.json"
        self.declare("filters/lock", [{"key": "locked", "option": "--locked"}, {"key": "skills_lock"}])

    def declare(self, folder, keys):
        file = self.root / "plugins" / folder / "settings.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"keys": keys}), encoding="utf-8")

    def run_it(self, *arguments):
        done = subprocess.run([sys.executable, SCRIPT, "--root", self.root, *arguments], stderr=subprocess.PIPE, text=True, timeout=60,
                              check=False)
        return done.returncode, done.stderr

    def test_an_old_list_is_found_and_renewed(self):
        self.assertEqual(1, self.run_it()[0])
        self.assertEqual((0, ""), self.run_it("--write"))
        self.assertEqual((0, ""), self.run_it())
        self.assertEqual({"plugins/filters/lock": {"keys": ["locked", "skills_lock"], "options": ["--locked"]}},
                         json.loads(self.listed.read_text(encoding="utf-8")))
        self.declare("filters/lock", [{"key": "locked"}])
        code, said = self.run_it()
        self.assertEqual(1, code)
        self.assertIn("plugins/filters/lock", said)

    def test_a_folder_that_is_not_there_keeps_its_entry(self):
        self.run_it("--write")
        (self.root / "plugins/filters/lock/settings.json").unlink()
        self.declare("http/hook", [{"key": "sources[].hook"}])
        self.run_it("--write")
        self.assertEqual(["plugins/filters/lock", "plugins/http/hook"], list(json.loads(self.listed.read_text(encoding="utf-8"))))
        self.assertEqual((0, ""), self.run_it())


if __name__ == "__main__":
    unittest.main()
