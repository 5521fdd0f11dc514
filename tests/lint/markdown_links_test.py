#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that markdown_links.py finds the faults of wrong pages, and nothing in right pages."""

import tempfile
import unittest
from pathlib import Path

from markdown_links import README_BYTES, anchors, problems


class Links(unittest.TestCase):
    def found(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "doc").mkdir()
            (root / "src").mkdir()
            (root / "README.md").write_text(pages.pop("readme"), encoding="utf-8")
            for name, text in pages.items():
                (root / "doc" / f"{name}.md").write_text(text, encoding="utf-8")
            return list(problems(root))

    def test_right_links(self):
        self.assertEqual([], self.found(
            readme="# A\n[one](doc/one.md#two-words) [a](#a) [src](src) [far](https://example.org/x#y)\n",
            one="## Two *words*\n`[code](nowhere.md)`\n```sh\n# no heading [x](nowhere.md)\n```\n[up](../README.md#a)\n"))

    def test_a_file_that_is_not_there(self):
        self.assertEqual(["README.md:2: doc/two.md: there is no doc/two.md"],
                         self.found(readme="# A\n[two](doc/two.md)\n"))

    def test_a_heading_that_is_not_there(self):
        self.assertEqual(["README.md:1: doc/one.md#b: doc/one.md has no heading #b", "README.md:2: #c: README.md has no heading #c"],
                         self.found(readme="[b](doc/one.md#b)\n[c](#c)\n", one="# A\n```sh\n# b\n```\n"))

    def test_a_way_out(self):
        self.assertEqual(["README.md:1: ../x.md leads out of the checkout"], self.found(readme="[x](../x.md)\n"))

    def test_definitions(self):
        self.assertEqual(["README.md:1: gone.md: there is no gone.md"], self.found(readme="[x]: gone.md\n"))

    def test_a_page_that_nobody_finds(self):
        self.assertEqual(["README.md has no link to doc/one.md"], self.found(readme="# A\n", one="# B\n"))

    def test_a_readme_that_grows(self):
        self.assertEqual([], self.found(readme="x" * README_BYTES))
        self.assertEqual(1, len(self.found(readme="x" * (README_BYTES + 1))))

    def test_anchors(self):
        self.assertEqual({"http-and-tls", "a", "a-1", "who-may-do-what", "the-key-http_x"},
                         anchors("# HTTP and TLS\n## A\n## A\n### [Who may](x.md) do what?\n## The key `http_x`\n"))


if __name__ == "__main__":
    unittest.main()
