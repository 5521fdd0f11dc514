#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests gather-settings: its output, and that an invalid file ends the build with a message that names the file and
the key. Argument: the program."""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1)


def key(name, **more):
    return {"key": name, "type": "boolean", "default": False, "description": "It says \"so\" \\ and \u2026 ends.", **more}


class Gathering(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def shipped(self, text="{}"):
        """Writes a file with this list."""
        path = Path(self.folder.name) / "shipped.json"
        path.write_text(text, encoding="utf-8")
        return path

    def gather(self, shipped='{"plugins/x/one": {"keys": ["a.b"], "options": []}, "plugins/x/two": {"keys": ["c"], "options": []}}', **files):
        """Runs gather-settings with the list of shipped features, and with these files by the names of their
        features."""
        out = Path(self.folder.name) / "gathered.cpp"
        arguments = [PROGRAM, str(out), str(self.shipped(shipped))]
        for name, content in files.items():
            path = Path(self.folder.name) / f"{name}.json"
            path.write_text(content if isinstance(content, str) else json.dumps({"keys": content}), encoding="utf-8")
            arguments += [name, str(path)]
        done = subprocess.run(arguments, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        return done, out.read_text(encoding="utf-8") if out.exists() else None

    def test_the_source_has_every_document(self):
        done, source = self.gather(one=[key("a.b")], two=[key("c")])
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        index, shipped = self.documents(source)
        self.assertEqual([{"feature": "one", "keys": [key("a.b")]}, {"feature": "two", "keys": [key("c")]}],
                         [dict(sorted(one.items())) for one in index])
        self.assertEqual({"plugins/x/one": {"keys": ["a.b"], "options": []}, "plugins/x/two": {"keys": ["c"], "options": []}}, shipped)

    @staticmethod
    def documents(source):
        """Returns the two documents that the source contains as strings."""
        found = []
        for text in source.split("return")[1:]:
            literals = "".join(re.findall(r'^    "(.*)";?$', text, re.MULTILINE))
            found.append(json.loads(literals.replace('\\"', '"').replace("\\\\", "\\")))
        return found

    def test_a_wrong_list_of_what_is_shipped_is_named(self):
        for shipped in ("{", "[]", '{"plugins/x/one": {"keys": [1], "options": []}}'):
            done, source = self.gather(shipped=shipped)
            self.assertEqual(1, done.returncode)
            self.assertIn("shipped.json: ", done.stderr)
            self.assertIsNone(source)

    def test_without_a_feature_the_list_is_empty(self):
        done, source = self.gather()
        self.assertEqual(0, done.returncode)
        self.assertIn('"[]"', source)

    def test_a_wrong_file_is_named_with_its_key(self):
        for content, words in (([key("a.b", typ=1)], 'one.json: a.b: unknown member "typ"'), ("{", "one.json: "), ("[]", "one.json: expected an object")):
            done, source = self.gather(one=content)
            self.assertEqual(1, done.returncode)
            self.assertIn(words, done.stderr)
            self.assertIsNone(source)

    def test_a_missing_file_is_named(self):
        done = subprocess.run([PROGRAM, self.folder.name + "/x.cpp", str(self.shipped()), "one", "/nowhere/settings.json"], stderr=subprocess.PIPE, text=True,
                              timeout=60, check=False)
        self.assertEqual(1, done.returncode)
        self.assertIn("/nowhere/settings.json: ", done.stderr)

    def test_a_key_of_two_features_is_named(self):
        done, _ = self.gather(one=[key("a.b")], two=[key("a.b")])
        self.assertEqual(1, done.returncode)
        self.assertIn("a.b is declared twice, by one and by two", done.stderr)


if __name__ == "__main__":
    unittest.main()
