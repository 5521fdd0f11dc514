#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the example auth plugin and tests whom it admits."""
import json
import os
import shutil
import subprocess
import sys
import unittest

from sdk import DRIVERS, ENTRY, MESON, ROOT, SKILLHOST, WORK, build, check, environment, exported, run, stage

sys.path.insert(0, str(ROOT / "tests/integration"))
from http_server import Running, legacy  # noqa: E402

HERE = "https://skills.example.org/mcp"


class Auth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stage()
        cls.plugin = build("auth-plugin")
        cls.program = WORK / "auth-plugin/make-ticket"

    def setUp(self):
        self.keys = WORK / "keys"
        self.write_keys(self.new_key("k1"))

    def new_key(self, name):
        return run(self.program, "new-key", name)

    def write_keys(self, text, mode=0o600):
        self.keys.unlink(missing_ok=True)
        with os.fdopen(os.open(self.keys, os.O_WRONLY | os.O_CREAT, mode), "w") as out:
            out.write(text)

    def ticket(self, *words, audience=HERE, key="k1"):
        return run(self.program, self.keys, key, "ada", audience, *words).strip()

    def configuration(self, **others):
        return json.dumps({"key_file": str(self.keys), "issuer": "house", **others})

    def answers(self, *calls, **others):
        """Returns the lines that the driver prints for the calls, without the one for create."""
        text = "".join("\t".join(call) + "\n" for call in calls)
        lines = run(DRIVERS / "drive_auth", self.plugin, self.configuration(**others),
                    input=text).splitlines()
        self.assertEqual("create 0", lines[0])
        return lines[1:]

    def test_it_builds_as_strangers_would(self):
        self.assertEqual(ENTRY, exported(self.plugin))
        run(*MESON, "test", "-C", WORK / "auth-plugin", env=environment())
        check(self.plugin, json.loads(self.configuration()))

    def test_a_good_ticket(self):
        answers = self.answers(["check"],
                               ["validate", "bearer", HERE, self.ticket("skills:read", "other")])
        self.assertEqual(["check 0", 'principal ada of house, claims {"key":"k1"}, cached 60 s, '
                          "scopes skills:read other", "validate 0"], answers)

    def test_it_guards_a_server_over_http(self):
        server = Running(SKILLHOST, str(ROOT / "tests/conformance/skills"), "--set", f"auth.plugin={self.plugin}",
                         "--set", "auth.config=" + self.configuration(), "--set", f"auth.resource={HERE}")
        try:
            for ticket, status in ((self.ticket("skills:read"), 200), (self.ticket("other"), 403),
                                   (self.ticket("skills:read", audience="https://elsewhere.example/mcp"), 401),
                                   (self.ticket("skills:read")[:-1], 401)):
                response, answer = server.post(legacy("tools/list"), Authorization=f"Bearer {ticket}")
                self.assertEqual(status, response.status, answer)
                self.assertEqual(status == 200, "result" in answer)
            response, _ = server.post(legacy("tools/list"))
            self.assertEqual(401, response.status)
        finally:
            self.assertEqual(0, server.end())

    def test_only_known_scopes_are_passed_on(self):
        answers = self.answers(["validate", "bearer", HERE, self.ticket("a", "b")], ["describe"],
                               scopes=["b", "c"])
        self.assertTrue(answers[0].endswith(", scopes b"), answers)
        self.assertEqual({"bearer_methods_supported": ["header"], "scopes_supported": ["b", "c"]},
                         json.loads(answers[2].removeprefix("described ")))

    def test_an_answer_is_not_kept_longer_than_the_ticket(self):
        ticket = self.ticket("--lifetime", "7")
        answers = self.answers(["validate", "bearer", HERE, ticket], clock_skew_seconds=0)
        self.assertRegex(answers[0], r"cached [4567] s")

    def test_who_is_refused(self):
        good = self.ticket()
        head, payload, signature = good.split(".")
        other = self.ticket("admin").split(".")
        for why, scheme, resource, value in (
                ("bearer ticket is required", "none", HERE, good),
                ("bearer ticket is required", "mtls", HERE, good),
                ("another server", "bearer", HERE + "/", good),
                ("another server", "bearer", "", good),
                ("another server", "bearer", HERE, self.ticket(audience="https://other/mcp")),
                ("expired", "bearer", HERE, self.ticket("--delay", "-4000")),
                ("not valid yet", "bearer", HERE, self.ticket("--delay", "600")),
                ("longer than tickets may", "bearer", HERE, self.ticket("--lifetime", "86401")),
                ("does not hold", "bearer", HERE, ".".join([head, other[1], signature])),
                ("does not hold", "bearer", HERE, ".".join([head, payload, ""])),
                ("no ticket", "bearer", HERE, f"{head}.{payload}"),
                ("no ticket", "bearer", HERE, ""),
                ("no ticket", "bearer", HERE, "a" * 1048576),
                ("no ticket", "bearer", HERE, "tk1.\x01\x7fcanary-in-here\xe9.x"),
                ("no ticket", "bearer", HERE, good.replace("tk1.", "tk2."))):
            with self.subTest(why):
                # An empty field between two tabs would be lost; a resource of one blank is equally invalid.
                answers = self.answers(["validate", scheme, resource or " ", value])
                self.assertEqual(1, len(answers), answers)
                self.assertRegex(answers[0], f"^validate -7: .*{why}")

    def test_without_a_usable_key_file_nobody_comes_in(self):
        good, text = self.ticket(), self.keys.read_text()
        calls = [["check"], ["validate", "bearer", HERE, good]]
        cases = (("cannot be opened", lambda: self.keys.unlink()),
                 ("chmod 600", lambda: self.keys.chmod(0o644)),
                 ("holds no key", lambda: self.write_keys("")),
                 ("line 1 must be", lambda: self.write_keys("k1 abcdef\n")))
        for why, damage in cases:
            with self.subTest(why):
                self.write_keys(text)
                damage()
                answers = self.answers(*calls)
                self.assertEqual(2, len(answers), answers)
                self.assertRegex(answers[0], f"^check -8: .*keys: .*{why}")
                self.assertRegex(answers[1], f"^validate -8: .*keys: .*{why}")
                self.assertNotIn("abcdef", "".join(answers))

    def test_keys_change_while_it_runs(self):
        first = self.ticket()
        call = "\t".join(["validate", "bearer", HERE, first]) + "\n"
        driver = [str(DRIVERS / "drive_auth"), str(self.plugin), self.configuration()]
        with subprocess.Popen(driver, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            def verdict():
                process.stdin.write(call)
                process.stdin.flush()
                while not (line := process.stdout.readline()).startswith("validate"):
                    self.assertNotEqual("", line)
                return line.split()[1].rstrip(":")

            self.assertEqual("0", verdict())
            text = self.keys.read_text()
            self.write_keys(self.new_key("k2"))
            self.assertEqual("-7", verdict())
            self.keys.unlink()
            self.assertEqual("-8", verdict())
            self.write_keys(self.new_key("k2") + text)
            self.assertEqual("0", verdict())
            process.stdin.close()
            self.assertEqual(0, process.wait())

    def test_refused_configurations(self):
        for configuration, why in (({"issuer": "house"}, "key_file"),
                                   ({"issuer": "house", "key_file": "relative"}, "absolute"),
                                   ({"issuer": "house", "key_file": ""}, "absolute"),
                                   ({"key_file": "/keys"}, "issuer")):
            with self.assertRaisesRegex(AssertionError, f"create -4: .*{why}"):
                run(DRIVERS / "drive_auth", self.plugin, json.dumps(configuration), input="")

    def test_make_ticket_says_what_is_wrong(self):
        for words in ((), (self.keys, "k9", "ada", HERE), (self.keys, "k1", "a|b", HERE),
                      (self.keys, "k1", "ada", HERE, "--lifetime"),
                      (self.keys, "k1", "ada", HERE, "--lifetime", "soon")):
            with self.assertRaisesRegex(AssertionError, "(?s)ended with 1.*make-ticket"):
                run(self.program, *words)


if __name__ == "__main__":
    if shutil.which("pkg-config") is None:
        print("skipped: pkg-config is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
