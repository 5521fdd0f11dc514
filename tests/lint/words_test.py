#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that words.py finds comments without a subject and long sentences, and nothing in plain ones."""

import unittest

from words import MAX_SENTENCE_WORDS, long_sentences, noun_clauses


class Words(unittest.TestCase):
    def test_noun_clauses(self):
        text = ("// What nobody can come back for is not there.\nint a;\n  // Whose turn it is.\nint b;\n"
                "# Of a service it is another one.\n// So many that nobody gives up.\n")
        self.assertEqual([1, 3, 5], [number for number, _ in noun_clauses(text)])

    def test_plain_comments(self):
        text = ("// A stream that no client can resume is deleted.\n// What follows is the same comment.\nint a;\n"
                "// Of the two files, the newer one wins.\nint b; // What is behind code is not looked at.\n")
        self.assertEqual([], list(noun_clauses(text)))

    def test_long_sentences(self):
        long = "word " * MAX_SENTENCE_WORDS + "end."
        self.assertEqual(1, len(list(long_sentences(f"# A page\n\nShort. {long}\n"))))
        self.assertEqual([], list(long_sentences(f"```\n{long}\n```\n| {long} |\n\n* {long[5:]}\n")))


if __name__ == "__main__":
    unittest.main()
