#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skillhost check, try and token with our auth plugins: plugins_test.py SKILLHOST STATIC OAUTH JWT"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from checks import SANITIZED  # noqa: E402
from fake import Fake  # noqa: E402

SKILLHOST, STATIC, OAUTH, JWT = sys.argv[1:5]
KEY = {"kty": "OKP", "crv": "Ed25519", "kid": "k", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}


def skillhost(*words, **options):
    return subprocess.run([SKILLHOST, *map(str, words)], text=True, capture_output=True, check=False, timeout=120, **options)


class Plugins(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def configuration(self, **settings):
        path = self.path / "config.json"
        path.write_text(json.dumps(settings))
        return path

    def green(self, plugin, **settings):
        slow = ["--deadline-ms", "90000"] if SANITIZED else []
        done = skillhost("check", *slow, plugin, "--config", self.configuration(**settings))
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("0 failed, 0 warnings", done.stdout)

    def test_check(self):
        with Fake() as fake:
            fake.says("/introspect", {"active": False})
            fake.says("/keys", {"keys": [KEY]})
            self.green(OAUTH, introspection_url=fake.url + "/introspect", client_id="c", client_secret="s")
            self.green(JWT, issuer=fake.url, jwks_uri=fake.url + "/keys")
        self.green(STATIC, file=str(self.path / "tokens.json"))

    def test_the_log_names_the_provider(self):
        with Fake() as fake:
            fake.says("/introspect", {"active": False})
            fake.says("/keys", {"keys": [KEY]})
            for plugin, config in ((OAUTH, {"introspection_url": fake.url + "/introspect", "client_id": "c", "client_secret": "s"}),
                                   (JWT, {"issuer": fake.url, "jwks_uri": fake.url + "/keys"})):
                done = skillhost("--no-config", "--skills-dir", self.path, "--auth", plugin, "--set", "auth.resource=https://skills.example/mcp",
                                 "--set", f"auth.config={json.dumps(config)}", input="")
                self.assertIn(f"OAuth configured for provider: {fake.url}\n", done.stderr)

    def test_token(self):
        file = self.path / "tokens.json"
        added = skillhost("token", "add", "ada", "--scope", "a", "--scope", "b", "--expires-in", "12h", "--file", file)
        self.assertEqual(0, added.returncode, added.stderr)
        self.assertRegex(added.stdout, r"\Askh_[A-Za-z0-9_-]{48}\n\Z")
        token = added.stdout.strip()
        self.assertNotIn(token, added.stderr + file.read_text())
        self.assertEqual(0o600, file.stat().st_mode & 0o777)
        settings = self.configuration(file=str(file))
        asked = skillhost("try", STATIC, "validate", "-", "--config", settings, input=token)
        self.assertIn("subject  ada\nissuer   static\nscopes   a b", asked.stdout)
        self.assertNotIn(token, asked.stdout + asked.stderr)
        again = skillhost("token", "add", "ada", "--file", file)
        self.assertEqual((1, ""), (again.returncode, again.stdout))
        self.assertIn("already", again.stderr)
        listed = json.loads(skillhost("token", "list", "--json", "--file", file).stdout)
        self.assertEqual([("ada", ["a", "b"])], [(one["name"], one["scopes"]) for one in listed])
        self.assertEqual(0, skillhost("token", "revoke", "ada", "--file", file).returncode)
        self.assertEqual(1, skillhost("token", "revoke", "ada", "--file", file).returncode)
        asked = skillhost("try", STATIC, "validate", "-", "--config", settings, input=token)
        self.assertEqual((1, ""), (asked.returncode, asked.stdout))
        self.assertIn("SKH_DENIED", asked.stderr)

    def test_wrong_words(self):
        for words, why in ((["add"], "the owner of the token"), (["add", "a b"], "NAME: must be"), ([], "choose a command"),
                           (["add", "a", "--scope", "b c"], "--scope"), (["revoke"], "the owner of the token"),
                           (["add", "a", "--expires-in", "soon"], "--expires-in"),
                           (["add", "a", "--expires-in", "0d"], "--expires-in")):
            with self.subTest(words):
                done = skillhost("token", *words, "--file", self.path / "t") if words else skillhost("token")
                self.assertEqual((1, ""), (done.returncode, done.stdout))
                self.assertIn(why, done.stderr)
        self.assertFalse((self.path / "t").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
