#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that skillhost check finds the one fault of every fixture, and no fault in good ones.

usage: check_test.py SKILLHOST FIXTURES MISBEHAVING ROOT PLUGIN..."""
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "integration"))
from checks import SANITIZED  # noqa: E402
from mcp_server import McpServer  # noqa: E402
from oci_registry import Registry  # noqa: E402
from web_server import Publisher, skill_md, tar_gz  # noqa: E402

SKILLHOST = sys.argv[1]
FIXTURES, MISBEHAVING, ROOT = (pathlib.Path(one).resolve() for one in sys.argv[2:5])
SHIPPED = {pathlib.Path(one).stem: one for one in sys.argv[5:]}
TABLE = pathlib.Path(__file__).resolve().parent / "verdicts.tsv"
# A confined process cannot do these at all, so their faults are visible only in a trusted one.
SEEN_WHEN_TRUSTED = {"misbehaving_forks"}


def expectations():
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    return {name: (check, words) for name, check, words in rows}


def check(plugin, *options):
    """Returns the exit code and the output, as JSON."""
    slow = ["--deadline-ms", "90000"] if SANITIZED and "--deadline-ms" not in options else []
    done = subprocess.run([SKILLHOST, "check", "--json", *slow, *options, str(plugin)],
                          capture_output=True, text=True, check=False, timeout=900)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


def failed(report):
    return [one for one in report["checks"] if one["verdict"] == "failed"]


class Made:
    """The files that are wrong as files, and the folder of all fixtures."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="skillhost-check-test-")
        root = pathlib.Path(self.folder.name)
        good = (FIXTURES / "good.so").read_bytes()
        files = {"not_an_elf_file": b"#!/bin/sh\necho hello\n", "empty": b"", "world_writable": good,
                 "other_machine": good[:18] + b"\x08\x00" + good[20:]}
        for name, content in files.items():
            (root / f"{name}.so").write_bytes(content)
            (root / f"{name}.so").chmod(0o646 if name == "world_writable" else 0o644)
        self.folders = [root, FIXTURES, MISBEHAVING]

    def find(self, name):
        return next(folder / f"{name}.so" for folder in self.folders
                    if (folder / f"{name}.so").is_file())


class Check(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = Made()

    @classmethod
    def tearDownClass(cls):
        cls.made.folder.cleanup()

    def test_every_fixture_has_a_verdict(self):
        built = {path.stem for folder in (FIXTURES, MISBEHAVING) for path in folder.glob("*.so")}
        self.assertEqual(set(), built - set(expectations()) - {"keeping", "scripted", "scripted_auth", "probing", "mirroring", "permitting", "attacking", "reaching"})  # for other tests

    @unittest.skipIf(SANITIZED, "what sanitizers instrument meets crashes, memory and exceptions differently")
    def test_each_fixture_fails_in_one_check(self):
        table = expectations()
        # A hanging fixture is awaited until its deadline, so the deadline is short.
        usual = {name: ("--deadline-ms", "10000") if "not back after 10 s" in words else ()
                 for name, (_, words) in table.items()}
        usual.update({name: ("--trusted",) for name in SEEN_WHEN_TRUSTED})
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            reports = dict(zip(table, pool.map(lambda name: check(self.made.find(name), *usual[name]), table)))
        for name, (expected, words) in table.items():
            with self.subTest(name):
                code, report = reports[name]
                found = failed(report)
                if any("cannot be taken away" in one["found"] for one in report["checks"]):
                    print(f"skipped: {name}: the network cannot be taken away here")
                    continue
                self.assertEqual([] if expected in ("-", "?") else [expected],
                                 [one["check"] for one in found], report)
                self.assertEqual(0 if expected == "-" else 1, code)
                self.assertEqual(expected == "?", not found and report["notRun"] > 0, report)
                if found:
                    self.assertIn(words, found[0]["found"])

    def configured(self, plugin, configuration, *options):
        file = pathlib.Path(self.made.folder.name) / f"{pathlib.Path(plugin).stem}.json"
        file.write_text(json.dumps(configuration))
        return check(plugin, "--config", file, *options)

    def test_what_we_ship_is_right(self):
        repository = pathlib.Path(self.made.folder.name) / "repository"
        shutil.copytree(ROOT / "examples/skills", repository)
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "All"]):
            subprocess.run(["git", "-C", repository, "-c", "user.name=t", "-c", "user.email=t@example.org",
                            *command], check=True, timeout=60)
        with Publisher() as web:
            web.entry("alpha", skill_md("alpha"))
            web.entry("beta", tar_gz({"SKILL.md": skill_md("beta"), "notes/more.md": b"More.\n"}), "archive")
            with Registry() as registry, McpServer() as other:
                other.skill("alpha")
                other.skill("team/beta", {"notes/more.md": b"More.\n"})
                registry.manifest("alpha", "1", tar_gz({"SKILL.md": skill_md("alpha"), "notes/more.md": b"More.\n"}))
                registry.manifest("many", "1", tar_gz({"beta/SKILL.md": skill_md("beta")}))
                self.check_shipped({"filesystem": {"directories": [str(ROOT / "examples/skills")]},
                                    "github": {"url": str(repository)}, "well_known": {"url": web.url},
                                    "mcp": {"url": other.url},
                                    "oci": {"references": [f"{registry.name}/{name}:1" for name in ("alpha", "many")], "plain_http": True}})

    def check_shipped(self, configurations):
        for name, plugin in SHIPPED.items():
            with self.subTest(name):
                code, report = self.configured(plugin, configurations.get(name, {}))
                self.assertEqual((0, []), (code, failed(report)), report)
                unused = {"source": {"search", "held", "explain", "auth", "tools", "state", "observer", "http"},
                          "search": {"list", "read", "facts", "pin", "filter", "auth", "tools", "state", "observer", "http"}}[
                    "search" if name == "keyword" else "source"]
                skipped = {one["check"] for one in report["checks"] if one["verdict"] == "skipped"}
                self.assertEqual(unused, skipped, report)

    def test_the_scripted_source_is_right_when_its_script_is(self):
        code, report = self.configured(FIXTURES / "scripted.so", {"documents": [
            {"skill": "a", "text": "---\nname: a\ndescription: A.\n---\n"}]})
        self.assertEqual((0, []), (code, failed(report)), report)

    def test_each_wrong_answer_of_a_state_plugin_is_found(self):
        for function, wrong, words in (
                ("check", "INVALID", "check() is SKH_INVALID"),
                ("get", "too_large", "get() of a key that is not there is SKH_TOO_LARGE"),
                ("put", "UNAVAILABLE", "put() is SKH_UNAVAILABLE (scripted failure), not SKH_OK"),
                ("put", "nothing", "get() after put() is SKH_NOT_FOUND"),
                ("put", "for_good", "is there long after it has expired"),
                ("compare_and_set", "nothing", "compare_and_set() where there is no value is SKH_OK"),
                ("erase", "nothing", "erase() of a key that is not there is SKH_OK"),
                ("add", "garbage", "gives \"much\", not \"0\""),
                ("add", "for_good", "a counter that is added to does not expire"),
                ("publish", "nothing", "receive() gives 0 of 5 messages"),
                ("publish", "twice", "other messages than were published"),
                ("subscribe", "DENIED", "subscribe() is SKH_DENIED"),
                ("unsubscribe", "nothing", "unsubscribe() from a channel that was not subscribed to is SKH_OK"),
                ("receive", "garbage", "a message without a channel"),
                ("receive", "flood", "1025 messages at once"),
                ("receive", "late", "is SKH_DEADLINE"),
                ("receive", "early", "comes back without a message"),
                ("receive", "deaf", "after it was cancelled; 250 ms are allowed")):
            with self.subTest(f"{function} {wrong}"):
                code, report = self.configured(FIXTURES / "sharing.so", {"faults": {function: {"do": wrong}}}, "--only", "state")
                self.assertEqual(["state"], [one["check"] for one in failed(report)], report)
                self.assertIn(words, failed(report)[0]["found"])
                self.assertEqual(1, code)

    def test_a_plugin_that_needs_a_configuration_does_not_pass_without_one(self):
        done = subprocess.run([SKILLHOST, "check", SHIPPED["filesystem"]], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(1, done.returncode, done.stdout)
        self.assertRegex(done.stdout.splitlines()[-1],
                         r"^NOT CHECKED: \d+ checks were not run, because create\(\) refuses the empty configuration .*give one with --config FILE$")
        code, report = check(SHIPPED["filesystem"])
        self.assertEqual((1, False, []), (code, report["ok"], failed(report)), report)
        code, report = check(SHIPPED["filesystem"], "--only", "elf,load,entry")
        self.assertEqual((0, True, 0), (code, report["ok"], report["notRun"]), report)

    def test_a_state_plugin_whose_engine_is_away_is_not_judged(self):
        code, report = self.configured(FIXTURES / "sharing.so", {"faults": {"every": {"do": "UNAVAILABLE"}}})
        found = {one["check"]: one for one in report["checks"]}
        self.assertEqual((1, []), (code, failed(report)), report)
        for name in ("state", "cancel", "deadline", "threads", "old-host"):
            self.assertEqual("skipped", found[name]["verdict"], report)
        self.assertIn("its engine is away (scripted failure)", found["state"]["found"])

    def test_the_report_says_what_confines(self):
        for options, expected in (((), "seccomp"), (("--trusted",), "none")):
            code, report = check(FIXTURES / "good.so", "--only", "load", *options)
            self.assertEqual(0, code, report)
            self.assertIn(expected, report["confinement"])
        code, report = check(MISBEHAVING / "misbehaving_forks.so", "--only", "read")
        self.assertEqual((0, []), (code, failed(report)))  # it could not fork
        done = subprocess.run([SKILLHOST, "check", str(FIXTURES / "good.so"), "--trusted", "--allow-read", "/"],
                              capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn("leave out --allow-read", done.stderr)

    def test_only(self):
        code, report = check(FIXTURES / "good.so", "--only", "elf,entry", "--only", "create")
        self.assertEqual(["elf", "entry", "create"], [one["check"] for one in report["checks"]])
        self.assertEqual(0, code)

    def test_what_cannot_be_checked(self):
        missing = pathlib.Path(self.made.folder.name) / "missing.so"
        for options, words in (([missing], "missing.so: No such file"),
                               ([self.made.folder.name], "is no file"),
                               ([FIXTURES / "good.so", "--config", missing], "missing.so: No such file"),
                               ([FIXTURES / "good.so", "--only", "reed"], 'did you mean "read"'),
                               ([], "name the plugin's file")):
            with self.subTest(options):
                done = subprocess.run([SKILLHOST, "check", *map(str, options)], capture_output=True,
                                      text=True, check=False, timeout=60)
                self.assertEqual((1, ""), (done.returncode, done.stdout))
                self.assertIn(words, done.stderr)

    def test_text_for_people(self):
        done = subprocess.run([SKILLHOST, "check", str(self.made.find("world_writable"))],
                              capture_output=True, text=True, check=False, timeout=60)
        self.assertRegex(done.stdout, r"(?m)^elf +FAILED +others may write .*\n +→ chmod go-w ")
        self.assertRegex(done.stdout, r"(?m)^load +ok ")
        self.assertIn("1 failed, ", done.stdout.splitlines()[-1])

    def test_a_plugin_cannot_forge_lines(self):
        done = subprocess.run([SKILLHOST, "check", str(self.made.find("misbehaving_forges_lines"))],
                              capture_output=True, text=True, check=False, timeout=60)
        self.assertNotRegex(done.stdout, r"(?m)^read +ok ")
        self.assertNotIn("\x1b", done.stdout)


if __name__ == "__main__":
    if not shutil.which(SKILLHOST):
        sys.exit(f"{SKILLHOST}: not there")
    unittest.main(argv=sys.argv[:1], verbosity=2)
