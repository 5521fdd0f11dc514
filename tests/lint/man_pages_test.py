#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the manual pages have every command, option and key, and that groff reports nothing.

usage: man_pages_test.py SKILLHOST SKILLHOST.1 SKILLHOST.YAML.5"""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM, COMMANDS, KEYS = sys.argv[1:4]


def said(*arguments):
    return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True, encoding="utf-8", timeout=60,
                          check=True).stdout


def plain(page):
    """Returns a page without its fonts and escapes."""
    text = re.sub(r"\\f.", "", Path(page).read_text(encoding="utf-8"))
    return text.replace("\\-", "-").replace("\\&", "").replace("\\(dq", '"').replace("\\e", "\\")


def keys_of(schema, prefix=""):
    """Yields every key of the JSON Schema as the manual writes it."""
    for name, value in schema.get("properties", {}).items():
        below = value.get("items", {}) if "properties" in value.get("items", {}) else value
        separator = "[]." if below is not value else "."
        inner = list(keys_of(below, prefix + name + separator))
        if not inner or below is not value:
            yield prefix + name
        yield from inner


class Pages(unittest.TestCase):
    def test_version(self):
        version = re.match(r"skillhost \d+\.\d+\.\d+", said("--version"))[0]
        for page in (COMMANDS, KEYS):
            self.assertIn(f' "{version}" ', plain(page).splitlines()[0])

    def test_commands(self):
        page = plain(COMMANDS)
        # Other code makes the completion from the same commands.
        paths = set(re.findall(r"path=' ([a-z -]+)'", said("completion", "bash")))
        self.assertGreater(len(paths), 30)
        for path in sorted(paths):
            self.assertIn(f'.SS "skillhost {path}"', page)

    def test_options(self):
        entries = set(re.findall(r"--[a-z0-9-]+", " ".join(re.findall(r"(?m)^\.TP\n(.*)$", plain(COMMANDS)))))
        script = re.sub(r"(?m)^\s*#.*$", "", said("completion", "bash"))
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", script))
        self.assertGreater(len(options), 60)
        self.assertEqual(set(), options - entries)

    def test_keys(self):
        entries = re.findall(r"(?m)^\.TP\n(.*)$", plain(KEYS))
        wanted = list(keys_of(json.loads(said("--config-schema"))))
        self.assertGreater(len(wanted), 80)
        self.assertEqual(sorted(entry.strip("`") for entry in entries), sorted(wanted))

    def test_form(self):
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        for page in (COMMANDS, KEYS):
            # All warnings are enabled, except the one about names that are too long for this terminal.
            done = subprocess.run(["groff", "-K", "utf8", "-man", "-Tutf8", "-ww", "-Wbreak", "-z", page], timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual((0, ""), (done.returncode, done.stdout))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
