#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a plugin from the template, as its README says, and checks it against the rules."""
import os
import re
import shutil
import sys
import unittest

from sdk import (ENTRY, MESON, ROOT, SKILLHOST, WORK, drive_source, environment, exported, run,
                 served, skills_of, stage)

TEMPLATE = ROOT / "examples/template"


class Template(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stage()
        cls.folder = WORK / "wiki-skills"
        cls.environment = {**environment(), "SKILLHOST": SKILLHOST}
        os.umask(0o022)
        run(TEMPLATE / "create", cls.folder, "org.example.wiki", env=cls.environment)
        cls.plugin = cls.folder / "build/wiki.so"

    def test_it_has_a_name_of_its_own(self):
        left = [path.name for path in self.folder.iterdir()
                if path.is_file() and re.search(r"org\.example\.template|template\.so",
                                                path.read_text())]
        self.assertEqual([], left)
        self.assertIn("org.example.wiki", drive_source(self.plugin))

    def test_it_keeps_the_rules(self):
        self.assertEqual(ENTRY, exported(self.plugin))
        output = drive_source(self.plugin, {"team": "Operations"})
        self.assertEqual(["on-call/SKILL.md", "on-call/references/numbers.md"], served(output))
        self.assertEqual(["on-call"], skills_of(self.plugin, {"team": "Operations"}))
        self.assertNotEqual(output, drive_source(self.plugin, {"team": "Others"}))

    def test_its_own_test_passes_or_says_why_not(self):
        output = run(*MESON, "test", "-C", self.folder / "build", "--verbose", env=self.environment)
        self.assertRegex(output, r"OK +|skipped: this skillhost has no command")
        output = run(*MESON, "test", "-C", self.folder / "build", "--verbose",
                     env={**self.environment, "SKILLHOST": "/no/such/program"})
        self.assertIn("skipped: there is no /no/such/program", output)

    def test_what_create_refuses(self):
        for words, why in (((self.folder, "org.example.wiki"), "is there already"),
                           ((WORK / "new", "wiki"), "must be like"),
                           ((WORK / "new",), "usage")):
            with self.assertRaisesRegex(AssertionError, why):
                run(TEMPLATE / "create", *words, env=self.environment)
        self.assertFalse((WORK / "new").exists())


if __name__ == "__main__":
    if shutil.which("pkg-config") is None:
        print("skipped: pkg-config is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
