#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests removable.py on a small tree: it finds the one line that enters a folder, removes both, and touches nothing
else."""
from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import removable


class Removable(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.tree = Path(place.name)
        self.write("meson.build", "project('a')\nsubdir('kinds')\nsubdir('top')\n")
        self.write("kinds/meson.build", "subdir('one')\n# subdir('two')\nsubdir('twofold')\nsubdir('two')\n")
        for folder in ("kinds/one", "kinds/two", "kinds/twofold", "top"):
            self.write(f"{folder}/meson.build", "")

    def write(self, name: str, text: str) -> None:
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_takes_a_folder_and_its_line_away(self) -> None:
        removable.without(self.tree, "kinds/two")
        self.assertEqual((self.tree / "kinds/meson.build").read_text(), "subdir('one')\n# subdir('two')\nsubdir('twofold')\n")
        self.assertFalse((self.tree / "kinds/two").exists())
        self.assertTrue((self.tree / "kinds/twofold/meson.build").exists())

    def test_a_folder_may_be_entered_from_the_root(self) -> None:
        removable.without(self.tree, "top")
        self.assertEqual((self.tree / "meson.build").read_text(), "project('a')\nsubdir('kinds')\n")

    def test_no_line_and_two_lines_are_refused(self) -> None:
        self.assertIsNone(removable.line_of(self.tree, "kinds/three"))
        self.write("kinds/meson.build", "subdir('two')\nsubdir('two')\n")
        self.assertIsNone(removable.line_of(self.tree, "kinds/two"))
        with self.assertRaises(SystemExit):
            removable.without(self.tree, "kinds/two")
        self.assertTrue((self.tree / "kinds/two").is_dir(), "nothing is deleted")

    def test_features_of_this_tree_are_found_and_libraries_are_not(self) -> None:
        found = removable.folders()
        self.assertGreater(len(found), 10)
        self.assertFalse([folder for folder in found if folder.startswith("plugins/shared/") or folder in removable.KEPT])


if __name__ == "__main__":
    unittest.main()
