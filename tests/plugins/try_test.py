#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skillhost try: one operation of a plugin, and its result.

usage: try_test.py SKILLHOST FIXTURES MISBEHAVING ROOT KEYWORD"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "integration"))
# SANITIZED: a sanitizer ends the process in its own way.
from checks import SANITIZED, SLOWNESS  # noqa: E402

SKILLHOST = sys.argv[1]
FIXTURES, MISBEHAVING, ROOT = (pathlib.Path(one).resolve() for one in sys.argv[2:5])
KEYWORD = sys.argv[5]


def attempt(plugin, *arguments, **options):
    return subprocess.run([SKILLHOST, "try", str(plugin), *map(str, arguments)], text=True,
                          capture_output=True, check=False, timeout=120, **options)


class Try(unittest.TestCase):
    def test_list(self):
        done = attempt(FIXTURES / "good.so", "list")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(["hello/SKILL.md  revision 1  53 bytes  entry", "1 documents, snapshot 1"],
                         done.stdout.splitlines())
        self.assertRegex(done.stderr, r"list\(\): SKH_OK in [0-9.]+ ms")

    def test_read_gives_the_bytes_alone(self):
        done = attempt(FIXTURES / "good.so", "read", "hello", "SKILL.md")
        self.assertEqual((0, "---\nname: hello\ndescription: Says hello.\n---\n# Hello\n"),
                         (done.returncode, done.stdout))

    def test_what_is_not_there(self):
        done = attempt(FIXTURES / "good.so", "read", "hello", "nothing.md")
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn("SKH_NOT_FOUND", done.stderr)

    def test_query(self):
        done = attempt(KEYWORD, "query", "database", "migration", "--skills", ROOT / "examples/skills")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertRegex(done.stdout.splitlines()[0], r"^ +[0-9.]+  databases/migration-review$")
        done = attempt(KEYWORD, "query", "database")
        self.assertEqual(1, done.returncode)
        self.assertIn("--skills DIR", done.stderr)

    def test_validate(self):
        good = MISBEHAVING / "misbehaving_auth_good.so"
        for arguments, options in ((["good-token"], {}), (["-"], {"input": "good-token\n"})):
            done = attempt(good, "validate", *arguments, **options)
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertIn("subject  somebody", done.stdout)
            self.assertIn('claims   {"team": "tests"}', done.stdout)
        done = attempt(good, "validate", "-", input="wrong")
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn("SKH_DENIED (the token is not known)", done.stderr)

    def test_validate_for_a_resource(self):
        done = attempt(FIXTURES / "probing.so", "validate", "open sesame", "--resource",
                       "https://skills.example/mcp")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('claims   {"resource": "https://skills.example/mcp"}', done.stdout)

    def test_what_the_configuration_refers_to(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "config.json")

            def tried(token, *more, **environment):
                file.write_text(json.dumps({"auth": [{"token": token}]}))
                return attempt(FIXTURES / "good.so", "list", "--config", file, *more, env={**os.environ, **environment})

            for token, more, words in (("${SKH_TOK}", [], "token: the variable SKH_TOK would not be looked up"), ("$SKH_TOK", [], "write ${env:SKH_TOK}"),
                                       ("${env:SKH_TOK}", ["--trusted"], "the environment variable SKH_TOK is not set"),
                                       ("${file:nosuch}", ["--trusted"], "nosuch"),
                                       ("${env:SKH_TOK}", [], "with --trusted alone"), ("env:SKH_TOK", [], "with --trusted alone"),
                                       ("$${env:A}${env:SKH_TOK}", [], "with --trusted alone"), ("a${file:/etc/hostname}", [], "with --trusted alone")):
                with self.subTest(token=token, more=more):
                    done = tried(token, *more)
                    self.assertEqual((1, ""), (done.returncode, done.stdout))
                    self.assertIn(words, done.stderr)
            for done in (tried("${env:SKH_TOK}", "--trusted", SKH_TOK="x"), tried("plain"), tried("$${env:SKH_TOK}")):
                self.assertEqual(0, done.returncode, done.stderr)

    def test_a_hang_ends(self):
        begun = time.monotonic()
        done = attempt(MISBEHAVING / "misbehaving_hangs_in_read.so", "read", "hello", "SKILL.md",
                       "--deadline-ms", "100")
        self.assertEqual(1, done.returncode)
        self.assertIn("in read() of hello/SKILL.md: killed", done.stderr)
        self.assertLess(time.monotonic() - begun, 5 * SLOWNESS)

    @unittest.skipIf(SANITIZED, "a sanitizer turns the signal into an exit code")
    def test_a_crash_is_named(self):
        done = attempt(MISBEHAVING / "misbehaving_crashes_in_read.so", "read", "hello", "SKILL.md")
        self.assertEqual(1, done.returncode)
        self.assertIn("it crashes: SIGSEGV in read() of hello/SKILL.md", done.stderr)

    def test_an_entry_that_is_wrong_is_named(self):
        done = attempt(FIXTURES / "wrong_magic.so", "list")
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn("the entry does not begin with SKH_MAGIC", done.stderr)
        done = attempt(MISBEHAVING / "misbehaving_no_id.so", "list")
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn("has no id\n→ give it one of your own", done.stderr)

    @unittest.skipIf(SANITIZED, "a sanitizer turns the signal into an exit code")
    def test_a_crash_after_loading_is_not_one_of_loading(self):
        done = attempt(MISBEHAVING / "misbehaving_entry_without_memory.so", "list")
        self.assertEqual(1, done.returncode)
        self.assertIn("it crashes: SIGSEGV in its description", done.stderr)

    def test_texts_of_the_plugin_are_single_lines(self):
        done = attempt(MISBEHAVING / "misbehaving_forges_lines.so", "list")
        self.assertEqual(1, done.returncode)
        self.assertIn("list(): SKH_UNAVAILABLE (one read ok as usual \\x1b[2J) in ", done.stderr)
        self.assertIn("log:\none read(): SKH_OK\\x1b[2J\n", done.stderr)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_a_principal_that_a_host_refuses(self):
        done = attempt(MISBEHAVING / "misbehaving_auth_nameless.so", "validate", "good-token")
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn("a host refuses this answer: the plugin named a principal without a subject", done.stderr)

    def test_what_the_plugin_prints_is_not_the_result(self):
        done = attempt(FIXTURES / "prints_to_stdout.so", "list")
        self.assertEqual(2, len(done.stdout.splitlines()), done.stdout)
        self.assertIn("prints_to_stdout: list", done.stderr)

    def test_wrong_arguments(self):
        good = FIXTURES / "good.so"
        for arguments, words in (([], "name the operation"), (["read", "hello"], "a skill and a path"),
                                 (["lst"], "expected list, read, query or validate"),
                                 (["list", "--deadline-ms", "soon"], "whole number"),
                                 (["query", "x", "--skills", ROOT], "skh.search/1")):
            with self.subTest(arguments):
                done = attempt(good, *arguments)
                self.assertEqual((1, ""), (done.returncode, done.stdout))
                self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
