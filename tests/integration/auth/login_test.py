#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `skillhost login`, `logout` and `connect --login` with a certified OpenID provider from npm, and with unfit
ones: login_test.py SERVER SKILLS JWT.so CACHE_DIR real|fake

Exits 77 with a message when there is no Node or no registry."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "clients")]
from checks import SLOWNESS  # noqa: E402
from http_server import Running  # noqa: E402
from loopback import Handler, Loopback  # noqa: E402
import run as npm  # noqa: E402

SERVER, SKILLS, JWT, CACHE, KIND = sys.argv[1:6]
DEADLINE = 60 * SLOWNESS


class Person:
    """A person with a home folder, and a browser that writes down the pages that it visited."""

    def __init__(self, folder):
        self.home = pathlib.Path(folder)
        self.seen = self.home / "seen"
        self.environment = {**{name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")},
                            "HOME": folder, "XDG_CONFIG_HOME": str(self.home / "config"), "BROWSER_SEEN": str(self.seen),
                            "BROWSER": str(HERE / "browser.py"), "http_proxy": "http://127.0.0.1:1"}

    def run(self, *words):
        done = subprocess.run([SERVER, *words], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=DEADLINE)
        return done.returncode, done.stdout + done.stderr

    def pages(self):
        return self.seen.read_text().splitlines() if self.seen.exists() else []

    def kept(self):
        files = list((self.home / "config/skillhost/logins").glob("*.json"))
        return files[0] if files else None

    def talk(self, url, *options, token=("--login",)):
        """Runs `connect` as a client that lists the tools; returns the answers and the log."""
        process = subprocess.Popen([SERVER, "connect", url, *token, *options], env=self.environment, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        lines = [{"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                                             "clientInfo": {"name": "t", "version": "1"}}},
                 {"method": "notifications/initialized"}, {"id": 2, "method": "tools/list"}]
        said, log = process.communicate("".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines),
                                        timeout=DEADLINE)
        return {message["id"]: message for message in map(json.loads, said.splitlines()) if "id" in message}, log


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="skillhost-login-")
        self.addCleanup(scratch.cleanup)
        self.person = Person(scratch.name)


class Real(Case):
    """Tests with access tokens that are about to expire when they are new, so that every start refreshes."""

    @classmethod
    def setUpClass(cls):
        folder = npm.installed(CACHE, HERE)
        cls.script = folder / f"sign-in-{os.getpid()}.mjs"
        shutil.copy(HERE / "sign_in.mjs", cls.script)
        cls.provider = subprocess.Popen([npm.node(folder), str(cls.script), "50"], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        cls.issuer = json.loads(cls.provider.stdout.readline())["issuer"]
        cls.addClassCleanup(cls.end_provider)
        cls.server = Running(SERVER, SKILLS, "--auth", JWT, "--set", "auth.config=" + json.dumps({"issuer": cls.issuer}),
                             "--set", "auth.isolation=thread")
        cls.addClassCleanup(cls.server.end)
        cls.url = f"http://127.0.0.1:{cls.server.port}/mcp"

    @classmethod
    def end_provider(cls):
        cls.provider.kill()
        cls.provider.communicate()
        cls.script.unlink()

    def test_sign_in_use_refresh_and_sign_out(self):
        code, words = self.person.run("login", self.url)
        self.assertEqual(0, code, words)
        self.assertIn("Signed in to " + self.url, words)
        self.assertEqual(["200 /callback"], self.person.pages())
        kept = self.person.kept()
        self.assertEqual(0o600, kept.stat().st_mode & 0o777)
        self.assertEqual(0o700, kept.parent.stat().st_mode & 0o777)
        first = json.loads(kept.read_text())
        self.assertTrue(first["refresh_token"])
        answers, log = self.person.talk(self.url)
        self.assertIn("result", answers[2], log)
        second = json.loads(kept.read_text())
        # The program regards the 50 seconds as nearly over: it refreshed the token, and asked nobody again.
        self.assertNotEqual(first["access_token"], second["access_token"])
        self.assertNotEqual(first["refresh_token"], second["refresh_token"])
        self.assertEqual(["200 /callback"], self.person.pages())
        for secret in (first, second):
            for name in ("access_token", "refresh_token"):
                self.assertNotIn(secret[name], words + log)
        code, words = self.person.run("logout", self.url)
        self.assertEqual((0, True), (code, "Signed out" in words), words)
        self.assertIsNone(self.person.kept())
        # The provider has revoked the refresh token, and gives nothing for it.
        form = {"grant_type": "refresh_token", "refresh_token": second["refresh_token"], "client_id": second["client_id"]}
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                self.issuer + "/token", urllib.parse.urlencode(form).encode(), timeout=DEADLINE)
        self.assertIn("invalid_grant", refused.exception.read().decode())
        self.assertIn("Nobody was signed in", self.person.run("logout", self.url)[1])

    def test_a_program_signs_in_as_itself(self):
        secret = self.person.home / "secret"
        for client, text in (("robot arm", "canary/secret+of=robot&"), ("poster", "canary-secret-of-poster")):
            secret.write_text(text + "\n")
            self.person.environment["ROBOT_SECRET"] = text
            for option in ("--client-secret-file", str(secret)), ("--client-secret-env", "ROBOT_SECRET"):
                with self.subTest(client=client, option=option[0]):
                    answers, log = self.person.talk(self.url, token=("--client-id", client, "--issuer", self.issuer, *option))
                    self.assertIn("result", answers[2], log)
                    self.assertNotIn(text, log)
        folder = self.person.home / "skills"
        words = ("sync", "--folder", str(folder), "--url", self.url, "--client-id", "poster", "--client-secret-env", "ROBOT_SECRET", "--issuer", self.issuer)
        code, said = self.person.run(*words)
        self.assertIn("written: greeter", said)
        self.assertTrue((folder / "greeter/SKILL.md").exists(), said)
        self.assertNotIn("canary", said)
        self.assertIn("unchanged", self.person.run(*words)[1])
        self.assertEqual([], self.person.pages())
        self.assertIsNone(self.person.kept())

    def test_a_source_signs_in_as_itself(self):
        for client, text in (("robot arm", "canary/secret+of=robot&"), ("poster", "canary-secret-of-poster")):
            for address in ({"issuer": self.issuer}, {"grant_url": self.issuer + "/token", "scope": "skills:read"}):
                with self.subTest(client=client, address=address), tempfile.TemporaryDirectory() as folder:
                    self.person.environment.update(ROBOT_SECRET=text, XDG_CACHE_HOME=folder)
                    file = pathlib.Path(folder) / "skillhost.json"
                    file.write_text(json.dumps({"sources": [{"name": "other", "plugin": "mcp", "config": {
                        "url": self.url, "client_id": client, "client_secret": "env:ROBOT_SECRET", **address}}]}))
                    code, said = self.person.run("source", "status", "--json", "--config", str(file))
                    self.assertEqual(0, code, said)
                    self.assertIn('"skills":', said)
                    self.assertNotIn('"failure"', said)
                    self.assertNotIn('"skills":0,', said.replace(" ", ""))
                    self.assertNotIn(text, said)
        file.parent.mkdir(exist_ok=True)
        wrong = {"url": self.url, "client_id": "poster", "client_secret": "canary-wrong", "issuer": self.issuer}
        file.write_text(json.dumps({"sources": [{"name": "other", "plugin": "mcp", "config": wrong}]}))
        code, said = self.person.run("source", "status", "--json", "--config", str(file))
        self.assertIn("refuses: invalid_client", said)
        shutil.rmtree(file.parent)

    def test_a_source_uses_the_login_of_a_person(self):
        """A source whose program is `connect --login` uses and refreshes the login that `skillhost login` has kept."""
        code, words = self.person.run("login", self.url)
        self.assertEqual(0, code, words)
        first = json.loads(self.person.kept().read_text())
        file = self.person.home / "skillhost.json"
        file.write_text(json.dumps({"sources": [{"name": "other", "plugin": "mcp", "config": {
            "command": [str(pathlib.Path(SERVER).resolve()), "connect", self.url, "--login"],
            "env": {"XDG_CONFIG_HOME": self.person.environment["XDG_CONFIG_HOME"]}}}]}))
        code, said = self.person.run("source", "status", "--json", "--config", str(file))
        self.assertEqual(0, code, said)
        self.assertNotIn('"failure"', said)
        self.assertNotIn('"skills":0,', said.replace(" ", ""))
        second = json.loads(self.person.kept().read_text())
        self.assertNotEqual(first["refresh_token"], second["refresh_token"])
        self.assertNotIn(second["access_token"], said)
        self.assertEqual(["200 /callback"], self.person.pages())

    def test_a_program_that_is_refused(self):
        secret = self.person.home / "secret"
        secret.write_text("canary-secret-wrong")
        folder = self.person.home / "skills"
        issuer = ("--issuer", self.issuer)
        for options, words in ((("--client-id", "robot arm", *issuer), "invalid_client"), (("--client-id", "nobody", *issuer), "invalid_client"),
                               (("--client-id", "robot arm", *issuer, "--scope", "no:such"), "invalid_"),
                               (("--client-id", "robot arm"), "goes with --issuer"),
                               (("--client-id", "robot arm", "--issuer", "https://id.example.org"), f'names the authorization server "{self.issuer}"'),
                               ((), "goes with --client-id"),
                               (("--client-id", "a", "--client-secret-env", "A"), "exclude each other"),
                               (("--client-id", "a", *issuer, "--token-env", "A"), "exclude each other")):
            with self.subTest(options):
                code, said = self.person.run("sync", "--folder", str(folder), "--url", self.url, "--client-secret-file", str(secret), *options)
                self.assertEqual((1, True), (code, words in said), said)
                self.assertNotIn("canary", said)
                self.assertFalse(folder.exists())
        for text, words in (("", "is empty"), ("a\x01b", "cannot be a client secret"), (None, "No such file")):
            secret.write_text(text) if text is not None else secret.unlink()
            with self.subTest(words):
                code, said = self.person.run("sync", "--folder", str(folder), "--url", self.url, "--client-secret-file", str(secret), "--client-id", "x", *issuer)
                self.assertEqual((1, True), (code, f"the file of the client secret, {secret}" in said and words in said), said)

    def test_connect_opens_the_browser_when_nobody_is_signed_in(self):
        answers, log = self.person.talk(self.url)
        self.assertIn("result", answers[2], log)
        self.assertEqual(["200 /callback"], self.person.pages())
        kept = self.person.kept()
        changed = json.loads(kept.read_text())
        client = changed["client_id"]
        # For a refresh token that the provider does not know, the person is asked again and the client stays the same.
        kept.write_text(json.dumps({**changed, "refresh_token": "gone", "expires": 1}))
        answers, log = self.person.talk(self.url)
        self.assertIn("result", answers[2], log)
        self.assertEqual(2, len(self.person.pages()))
        self.assertEqual(client, json.loads(kept.read_text())["client_id"])

    def test_two_at_once_ask_once(self):
        clients = [subprocess.Popen([SERVER, "connect", self.url, "--login"], env=self.person.environment, text=True,
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for _ in range(2)]
        for client in clients:
            client.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}) + "\n")
            client.stdin.flush()
        for client in clients:
            self.assertIn("result", json.loads(client.stdout.readline()))
            client.communicate()
        self.assertEqual(["200 /callback"], self.person.pages())

    def test_kept_tokens_that_others_may_read(self):
        self.assertEqual(0, self.person.run("login", self.url)[0])
        self.person.kept().chmod(0o644)
        answers, log = self.person.talk(self.url, "--connect-timeout-ms", "1500")
        self.assertIn("others may read", log)
        self.assertIn("error", answers[2])

    def test_another_state_is_refused(self):
        process = subprocess.Popen([SERVER, "login", self.url, "--no-browser"], env=self.person.environment, text=True,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        address = next(line.strip() for line in process.stderr if line.strip().startswith("http"))
        fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
        self.assertEqual(("S256", self.url), (fields["code_challenge_method"], fields["resource"]))
        self.assertIn("offline_access", fields["scope"].split())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for forged in ("?code=x&state=forged", "?code=x"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                opener.open(fields["redirect_uri"] + forged, timeout=DEADLINE)
            self.assertEqual(400, refused.exception.code)
        self.assertIsNone(process.poll())
        wrong = urllib.parse.urlencode({"code": "x", "state": fields["state"], "iss": "https://evil.example"})
        opener.open(fields["redirect_uri"] + "?" + wrong, timeout=DEADLINE).close()
        self.assertIn('came from "https://evil.example"', process.communicate(timeout=DEADLINE)[1])
        self.assertEqual(1, process.returncode)
        self.assertIsNone(self.person.kept())

    def test_interrupted(self):
        process = subprocess.Popen([SERVER, "login", self.url, "--no-browser"], env=self.person.environment, text=True,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        next(line for line in process.stderr if line.strip().startswith("http"))
        process.send_signal(signal.SIGINT)
        self.assertIn("stopped", process.communicate(timeout=DEADLINE)[1])
        self.assertEqual(1, process.returncode)

    def test_a_client_that_the_provider_does_not_know(self):
        code, words = self.person.run("login", self.url, "--client-metadata", "https://client.example/metadata.json")
        self.assertEqual(1, code)
        self.assertIn("takes no client metadata documents", words)


SECRET = "canary/secret+of=robot"


class RobotServer(Handler):
    """An MCP server that names the authorization server `named`, and an authorization server with the token endpoint
    `endpoint`. It only accepts the token from /new, and /echo refuses with the text of the request."""

    def tell(self, status, answer, **fields):
        self.say(status, {"Content-Type": "application/json", **fields}, json.dumps(answer).encode())

    def do_POST(self):
        body = self.body().decode()
        if self.path != "/mcp":
            self.server.asked.append(self.path)
            if self.path == "/echo":
                found = f"found {body} and {self.headers.get('Authorization')}"
                return self.tell(400, {"error": "invalid_request", "error_description": found})
            self.server.endpoint = self.server.url + "/new"
            return self.tell(200, {"access_token": "token-of-" + self.path[1:], "token_type": "Bearer"})
        if self.headers.get("Authorization") != "Bearer token-of-new":
            return self.say(401, {"WWW-Authenticate": "Bearer"})
        request = json.loads(body)
        if "id" not in request:
            return self.say(202)
        first = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "robot", "version": "1"}}
        self.tell(200, {"jsonrpc": "2.0", "id": request["id"], "result": first if request["method"] == "initialize" else {"tools": []}})

    def do_GET(self):
        url = self.server.url
        found = {"/.well-known/oauth-protected-resource/mcp": {"resource": url + "/mcp", "authorization_servers": [self.server.named]},
                 "/.well-known/oauth-authorization-server":
                 {"issuer": url, "token_endpoint": self.server.endpoint,
                  "token_endpoint_auth_methods_supported": ["client_secret_post"]}}.get(self.path)
        self.tell(405 if self.path == "/mcp" else 404 if found is None else 200, found)


class Unfit(Case):
    """Tests servers and providers at which nobody can sign in safely."""

    def refusal(self, document, metadata=None):
        """Returns the output of `login` for a server that names a provider with this document."""
        class Protected(Handler):
            def do_POST(self):
                self.body()
                self.say(401, {"WWW-Authenticate": 'Bearer error="invalid_token", scope="skills:read"'})

            def do_GET(self):
                here = f"http://127.0.0.1:{self.server.server_address[1]}"
                own = {"resource": here + "/mcp", "authorization_servers": [here]}
                found = {"/.well-known/oauth-protected-resource/mcp": {**own, **(metadata or {})},
                         "/.well-known/oauth-authorization-server":
                         {"issuer": here, "authorization_endpoint": here + "/authorize", "token_endpoint": here + "/token",
                          "code_challenge_methods_supported": ["S256"], **document}}.get(self.path)
                self.say(404 if found is None else 200, body=json.dumps(found).encode())

        with Loopback(Protected) as server:
            code, words = self.person.run("login", f"http://127.0.0.1:{server.port}/mcp")
        self.assertEqual(1, code, words)
        self.assertEqual([], self.person.pages())
        return words

    def test_documents(self):
        for document, metadata, expected in (
                ({"code_challenge_methods_supported": ["plain"]}, None, "does not offer PKCE with S256"),
                ({"issuer": "https://other.example"}, None, 'calls itself "https://other.example"'),
                ({}, {"resource": "https://other.example/mcp"}, 'says that it is "https://other.example/mcp"'),
                ({}, {"authorization_servers": ["http://192.0.2.1"]}, "https is needed"),
                ({"authorization_endpoint": "http://192.0.2.1/authorize"}, None, "no https address for signing in"),
                ({"token_endpoint": None}, None, "offers no sign-in by browser"),
                ({}, None, "registers no clients by itself")):
            with self.subTest(expected):
                self.assertIn(expected, self.refusal(document, metadata))

    def as_a_program(self, issuer):
        secret = self.person.home / "secret"
        secret.write_text(SECRET)
        return "--client-id", "ci", "--client-secret-file", str(secret), "--issuer", issuer

    def test_the_secret_of_a_program(self):
        with Loopback(RobotServer) as server, Loopback(RobotServer) as thief:
            server.asked, thief.asked = [], []
            thief.endpoint = server.endpoint = thief.url + "/steal"
            thief.named = server.named = thief.url
            words = ("sync", "--folder", str(self.person.home / "skills"), "--url", server.url + "/mcp", *self.as_a_program(server.url))
            code, said = self.person.run(*words)
            self.assertEqual((1, True), (code, f'names the authorization server "{thief.url}"' in said), said)
            server.named, server.endpoint = server.url, server.url + "/echo"
            code, said = self.person.run(*words)
            self.assertEqual((1, True), (code, "found" in said and "***masked***" in said), said)
            for secret in (SECRET, urllib.parse.quote(SECRET, safe="")):
                self.assertNotIn(secret, said)
            self.assertEqual(({"/echo"}, set()), (set(server.asked), set(thief.asked)))

    def test_a_provider_whose_tokens_are_refused_is_looked_for_again(self):
        with Loopback(RobotServer) as server:
            server.asked = []
            server.named, server.endpoint = server.url, server.url + "/old"
            answers, log = self.person.talk(server.url + "/mcp", token=self.as_a_program(server.url))
            self.assertEqual({"tools": []}, answers[2].get("result"), log)
            self.assertEqual(["/old", "/new"], server.asked)

    def test_a_server_that_asks_for_no_token(self):
        server = Running(SERVER, SKILLS)
        self.addCleanup(server.end)
        code, words = self.person.run("login", f"http://127.0.0.1:{server.port}/mcp")
        self.assertEqual(1, code)
        self.assertIn("does not ask for a token", words)

    def test_usage(self):
        for words, expected in ((("login",), "name the server's URL"),
                                (("login", "http://192.0.2.1/mcp"), "use https"),
                                (("connect", "https://a.example", "--login", "--token-env", "T"), "exclude each other"),
                                (("login", "https://a.example", "--client-metadata", "x"), "expected an https address")):
            code, said = self.person.run(*words)
            self.assertEqual(1, code, said)
            self.assertIn(expected, said)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], {"real": "Real", "fake": "Unfit"}[KIND]], verbosity=2)
