#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the auth plugins with a certified OpenID provider from npm, and with one that misbehaves: provider_test.py
DRIVER OAUTH.so JWT.so CACHE_DIR real|fake

The test reads the plugins' answers from tests/out_of_tree/drive_auth.c, which also checks that no credential is
repeated. Exits 77 with a message when there is no Node or no registry."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "clients")]
from checks import SLOWNESS  # noqa: E402
from fake import Fake  # noqa: E402
import run as npm  # noqa: E402

DRIVER, OAUTH, JWT, CACHE, KIND = sys.argv[1:6]
RESOURCE = "https://skills.example.org/mcp"
CANARY = "canary-token-7f3a9c"
SECRETS = ("canary/secret+of=host&", "canary-secret", CANARY)


class Plugin:
    """Runs an instance in a process of its own, asked line by line."""

    def __init__(self, plugin, **configuration):
        environment = {**os.environ, "http_proxy": "http://127.0.0.1:1", "https_proxy": "http://127.0.0.1:1",
                       "ALL_PROXY": "http://127.0.0.1:1"}
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([DRIVER, plugin, json.dumps(configuration)], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.log, env=environment)
        self.said = []

    def line(self):
        line = self.process.stdout.readline()
        self.said.append(line)
        return line.strip() if line != "create 0\n" else self.line()

    def tell(self, *words):
        self.process.stdin.write("\t".join(words) + "\n")
        self.process.stdin.flush()
        first = self.line()
        return first if first.startswith(words[0]) else first + " | " + self.line()

    def check(self):
        return self.tell("check")

    def ask(self, token, resource=RESOURCE):
        return self.tell("validate", "bearer", resource, token)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        code = self.process.wait(timeout=30 * SLOWNESS)
        self.process.stdout.close()
        self.log.seek(0)
        everything = self.log.read() + "".join(self.said)
        self.log.close()
        if kind is None:
            assert code == 0, everything
            for secret in SECRETS:
                assert secret not in everything, everything


class Real(unittest.TestCase):
    """Tests one provider whose tokens last for a minute, and one whose tokens last for four seconds."""

    @classmethod
    def setUpClass(cls):
        cls.folder = npm.installed(CACHE, HERE)
        shutil.copy(HERE / "op.mjs", cls.folder / f"op-{os.getpid()}.mjs")
        cls.running = []
        cls.issuer, cls.provider = cls.start(60)

    @classmethod
    def start(cls, lifetime):
        process = subprocess.Popen([npm.node(cls.folder), str(cls.folder / f"op-{os.getpid()}.mjs"), str(lifetime)], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        cls.running.append(process)
        return json.loads(process.stdout.readline())["issuer"], process

    @classmethod
    def tearDownClass(cls):
        for process in cls.running:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        (cls.folder / f"op-{os.getpid()}.mjs").unlink()

    def post(self, path, issuer=None, **form):
        request = urllib.request.Request((issuer or self.issuer) + path, urllib.parse.urlencode(form).encode())
        request.add_header("Authorization", "Basic " + base64.b64encode(b"service:service-secret").decode())
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as answer:
            return answer.read()

    def token(self, resource=None, issuer=None, **form):
        more = {"resource": resource} if resource else {}
        return json.loads(self.post("/token", issuer, grant_type="client_credentials", scope="skills:read", **more, **form))["access_token"]

    def oauth(self, **more):
        return Plugin(OAUTH, **{"issuer": self.issuer, "client_id": "skill host",
                                "client_secret": "canary/secret+of=host&", **more})

    def jwt(self, **more):
        return Plugin(JWT, **{"issuer": self.issuer, "refetch_seconds": 0, **more})

    def test_introspection(self):
        opaque = self.token(resource="https://opaque.example.org/mcp")
        with self.oauth() as plugin:
            self.assertEqual("check 0", plugin.check())
            answer = plugin.ask(opaque, "https://opaque.example.org/mcp")
            # The provider's opaque tokens name a client alone, its JWTs name it in sub.
            self.assertIn(f"principal client_id:service of {self.issuer}", answer)
            self.assertIn("scopes skills:read", answer)
            self.assertIn("cached 0 s", answer)  # less than 300 s are left
            self.assertIn("validate -7: the token is for another audience", plugin.ask(opaque))
            self.assertIn("validate -7: the provider says that the token is not active", plugin.ask(CANARY))
            self.post("/token/revocation", token=opaque)
            self.assertIn("validate -7: the provider says", plugin.ask(opaque, "https://opaque.example.org/mcp"))

    def test_a_token_without_audience(self):
        token = self.token()
        with self.oauth() as plugin:
            self.assertIn("validate -7: the token names no audience", plugin.ask(token))
        with self.oauth(require_audience=False) as plugin:
            self.assertIn("principal client_id:service of", plugin.ask(token))

    def test_the_secret_by_post(self):
        with self.oauth(client_id="posting", client_secret="canary-secret-posted", client_auth="client_secret_post") as plugin:
            self.assertEqual("check 0", plugin.check())

    def test_a_client_that_is_refused(self):
        for client, secret in (("skill host", "canary-secret-wrong"), ("nobody", "canary-secret")):
            with self.subTest(client), self.oauth(client_id=client, client_secret=secret) as plugin:
                self.assertRegex(plugin.check(), "^check -8: .*refuses this server")

    def test_a_jwt_cannot_be_introspected(self):
        with self.oauth() as plugin:
            self.assertIn("validate -7: the provider does not introspect", plugin.ask(self.token(RESOURCE)))

    def test_signed_tokens(self):
        for algorithm in ("RS256", "ES256", "EdDSA"):
            with self.subTest(algorithm), self.jwt(audience=[RESOURCE + "?alg=" + algorithm]) as plugin:
                token = self.token(RESOURCE + "?alg=" + algorithm)
                self.assertEqual("check 0", plugin.check())
                self.assertIn(f"principal service of {self.issuer}", plugin.ask(token))
                header, claims, signature = token.split(".")
                self.assertIn("validate -7: the token's signature", plugin.ask(".".join([header, claims, ("B" if signature[0] == "A" else "A") + signature[1:]])))
                self.assertIn("validate -7", plugin.ask(".".join([header, claims])))
        with self.jwt() as plugin:
            self.assertIn("principal service", plugin.ask(self.token(RESOURCE)))
            self.assertIn("validate -7: the token is for another audience", plugin.ask(self.token(RESOURCE), RESOURCE + "2"))
            self.assertIn("validate -7: the token is no signed JWT", plugin.ask(self.token()))
            self.assertIn('{"authorization_servers":["' + self.issuer, plugin.tell("describe"))

    def test_keys_rotate(self):
        old = self.token(RESOURCE)
        with self.jwt() as plugin:
            self.assertIn("principal", plugin.ask(old))
            self.provider.stdin.write("rotate\n")
            self.provider.stdin.flush()
            self.provider.stdout.readline()
            self.assertIn("principal", plugin.ask(self.token(RESOURCE)))
            self.assertIn("validate -7: the issuer has no such key", plugin.ask(old))

    def test_four_seconds(self):
        issuer, _ = self.start(4)
        opaque = self.token(issuer=issuer)
        signed = self.token(RESOURCE, issuer=issuer)
        with self.oauth(issuer=issuer, require_audience=False) as oauth, self.jwt(issuer=issuer, leeway_seconds=0) as jwt:
            self.assertIn("principal", oauth.ask(opaque))
            self.assertIn("principal", jwt.ask(signed))
            end = time.monotonic() + 30 * SLOWNESS
            while "principal" in (last := oauth.ask(opaque)) or "principal" in (other := jwt.ask(signed)):
                self.assertLess(time.monotonic(), end)
            self.assertIn("validate -7: the provider says that the token is not active", last)
            self.assertIn("validate -7: the token has expired", other)

    def test_it_goes_away(self):
        issuer, process = self.start(60)
        opaque, signed = self.token(issuer=issuer), self.token(RESOURCE, issuer=issuer)
        with self.oauth(issuer=issuer, require_audience=False) as oauth, self.jwt(issuer=issuer) as jwt:
            self.assertIn("principal", oauth.ask(opaque))
            self.assertIn("principal", jwt.ask(signed))
            process.kill()
            process.wait()
            self.assertIn("validate -8:", oauth.ask(opaque))
            self.assertIn("check -8:", oauth.check())
            self.assertIn("principal", jwt.ask(signed))  # with the keys that it has
            self.assertIn("check -8:", jwt.check())
        with self.jwt(issuer=issuer) as jwt:
            self.assertIn("validate -8:", jwt.ask(signed))


class Misbehaving(unittest.TestCase):
    def setUp(self):
        self.fake = self.enterContext(Fake()) if hasattr(self, "enterContext") else self.enter(Fake())

    def enter(self, context):
        entered = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return entered

    def oauth(self, **more):
        return Plugin(OAUTH, **{"introspection_url": self.fake.url + "/introspect", "client_id": "c",
                                "client_secret": "canary-secret", "timeout_ms": 500, "require_audience": False, **more})

    def refused(self, words, **more):
        begun = time.monotonic()
        with self.oauth(**more) as plugin:
            answer = plugin.ask(CANARY)
            self.assertRegex(answer, f"^validate -8: .*{words}")
            self.assertRegex(plugin.check(), "^check -8: ")
        self.assertLess(time.monotonic() - begun, 10 * SLOWNESS)

    def test_slow(self):
        self.fake.hangs("/introspect")
        self.refused("cannot be asked")

    def test_slow_in_the_body(self):
        self.fake.hangs_in_body("/introspect")
        self.refused("cannot be asked")

    def test_dying(self):
        self.fake.dies("/introspect")
        self.refused("cannot be asked")

    def test_huge(self):
        self.fake.floods("/introspect")
        self.refused("more than 262144 bytes", timeout_ms=20000)

    def test_redirects_are_not_followed(self):
        self.fake.says("/elsewhere", {"active": True, "sub": "eve"})
        self.fake.redirects("/introspect", self.fake.url + "/elsewhere")
        self.refused("status 302")
        self.assertNotIn("/elsewhere", [path for _, path, _, _ in self.fake.asked])

    def test_lying(self):
        for document in ({"active": "true"}, {"active": 1}, {}, [], b'{"active":false,"active":true}', b"<html>"):
            self.fake.says("/introspect", document)
            self.refused("")
        self.fake.says("/introspect", {"active": True, "sub": "everybody"})
        with self.oauth() as plugin:
            self.assertRegex(plugin.check(), "^check -8: .*accepts a token that does not exist")

    def test_a_lying_document(self):
        for document, words in (({"issuer": "https://other.example.org"}, "another issuer"),
                                ({"introspection_endpoint": "http://192.0.2.1/"}, "no https:// address"),
                                ({}, "publishes no introspection_endpoint")):
            self.fake.publishes(**document)
            with Plugin(OAUTH, issuer=self.fake.url, client_id="c", client_secret="canary-secret") as plugin:
                self.assertRegex(plugin.check(), f"^check -8: .*{words}")

    def test_a_slash_behind_the_host_of_the_issuer(self):
        self.fake.says("/introspect", {"active": False})
        self.fake.publishes(issuer=self.fake.url + "/", introspection_endpoint=self.fake.url + "/introspect")
        for issuer in (self.fake.url, self.fake.url + "/"):
            with Plugin(OAUTH, issuer=issuer, client_id="c", client_secret="canary-secret") as plugin:
                self.assertEqual("check 0", plugin.check())

    def test_the_older_place_of_the_document(self):
        self.fake.says("/introspect", {"active": False})
        self.fake.says("/.well-known/oauth-authorization-server/tenant",
                       {"issuer": self.fake.url + "/tenant", "introspection_endpoint": self.fake.url + "/introspect"})
        with Plugin(OAUTH, issuer=self.fake.url + "/tenant", client_id="c", client_secret="canary-secret") as plugin:
            self.assertEqual("check 0", plugin.check())

    def test_tokeninfo(self):
        self.fake.says("/tokeninfo", {"aud": "app", "sub": "ada", "exp": str(int(time.time()) + 3600), "scope": "openid email"})
        with Plugin(OAUTH, tokeninfo_url=self.fake.url + "/tokeninfo", client_id="app") as plugin:
            self.assertIn("principal ada", plugin.ask(CANARY))
        self.assertEqual("access_token=" + CANARY, self.fake.asked[-1][3])
        self.assertNotIn(CANARY, self.fake.asked[-1][1])
        with Plugin(OAUTH, tokeninfo_url=self.fake.url + "/tokeninfo", client_id="other") as plugin:
            self.assertIn("validate -7: the token is for another audience", plugin.ask(CANARY))
        self.fake.says("/tokeninfo", {"error": "invalid_token"}, 400)
        with Plugin(OAUTH, tokeninfo_url=self.fake.url + "/tokeninfo", client_id="app") as plugin:
            self.assertEqual("check 0", plugin.check())
            self.assertIn("validate -7", plugin.ask(CANARY))

    def test_keys_that_are_none(self):
        for body, words in ((b"{", "no JSON object"), ({"keys": [{}] * 101}, "100 keys"),
                            ({"keys": []}, "has no usable key"), (b" " * 1048577, "more than 1048576 bytes")):
            self.fake.says("/keys", body)
            with Plugin(JWT, issuer=self.fake.url, jwks_uri=self.fake.url + "/keys") as plugin:
                self.assertRegex(plugin.check(), f"^check -8: .*{words}")

    def test_unknown_keys_are_asked_for_once(self):
        key = {"kty": "OKP", "crv": "Ed25519", "kid": "k", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
        self.fake.says("/keys", {"keys": [key]})
        with Plugin(JWT, issuer=self.fake.url, jwks_uri=self.fake.url + "/keys", refetch_seconds=3600) as plugin:
            for number in range(20):
                header = base64.urlsafe_b64encode(json.dumps({"alg": "EdDSA", "kid": f"u{number}"}).encode()).decode().rstrip("=")
                self.assertIn("validate -7: the issuer has no such key", plugin.ask(f"{header}.e30.AAAA"))
        self.assertEqual(1, len(self.fake.asked))

    def test_nothing_is_asked_about_what_is_no_token(self):
        with self.oauth() as plugin:
            for wrong in ("a b", "x" * 20000, "\x01", "ü"):
                self.assertIn("validate -7", plugin.ask(wrong))
        self.assertEqual([], self.fake.asked)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], {"real": "Real", "fake": "Misbehaving"}[KIND]], verbosity=2)
