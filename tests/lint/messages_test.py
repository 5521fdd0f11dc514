#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that messages.py finds the texts of sources and of settings, whole and with their lines."""

import unittest

from messages import messages_of_json, messages_of_source


class Messages(unittest.TestCase):
    def test_a_message_is_joined(self):
        source = ('#include "two words.hpp"\n// "a comment is no message"\n'
                  'log::warning("http", name + ": the session "\n                     "ends in " + text(left) + " s");\n')
        self.assertEqual([(3, "{name}: the session ends in {text} s")],
                         [(line, text.removeprefix("{http}")) for line, text in messages_of_source(source)])

    def test_a_choice_is_shown(self):
        self.assertEqual([(1, "the plugin (is running|has ended){why}")],
                         messages_of_source('say("the plugin " + (runs ? "is running" : "has ended") + why);'))

    def test_each_argument_is_a_message(self):
        self.assertEqual([(1, "one message"), (1, "another message")],
                         messages_of_source('both("one message", "another message", "word");'))

    def test_queries_are_left_out(self):
        self.assertEqual([], messages_of_source('run("SELECT id FROM events");'))

    def test_settings(self):
        self.assertEqual([(2, "description: Write one."), (3, "requires: write both too")],
                         messages_of_json('{"type": "string",\n"description": "Write one.",\n"requires": "write both too"}'))


if __name__ == "__main__":
    unittest.main()
