#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that streams end with the tokens that opened them, and carry nothing that was meant for another caller; that
plugins' tools obey the rules of visibility; signals; the start: streams_test.py SERVER SKILLS SCRIPTED_AUTH
CONFORMANCE_TOOLS"""
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from fake import Fake  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, LEGACY, MODERN, Running, legacy, modern  # noqa: E402

SERVER, SKILLS, SCRIPTED, TOOLS = sys.argv[1:5]
checks = Checks()
check = checks.check
LONG = {"expires_in": 3600, "cache_seconds": 300}
READ = ["skills:read"]


def events(response):
    """Yields (id, data) of each event until the stream ends."""
    number, data = "", None
    for line in response:
        text = line.decode().rstrip("\n")
        if text.startswith("id:"):
            number = text[3:].strip()
        elif text.startswith("data:"):
            data = text[5:].strip()
        elif not text and (number or data is not None):
            yield number, data
            number, data = "", None


class House:
    """A provider whose script a test may change, and a server that asks it."""

    def __init__(self, folder, *options, **tokens):
        self.script = Path(folder) / "script.json"
        self.audit = Path(folder) / "audit.jsonl"
        self.says(**tokens)
        self.server = Running(SERVER, SKILLS, "--set", f"auth.plugin={SCRIPTED}", "--set", "auth.isolation=thread",
                              "--set", "auth.config=" + json.dumps({"file": str(self.script)}),
                              "--set", f"access.audit_log={self.audit}", *options)

    def says(self, **tokens):
        new = self.script.with_suffix(".new")
        new.write_text(json.dumps({"tokens": tokens}))
        new.rename(self.script)

    def subscribe(self, token):
        body = modern("subscriptions/listen", id="s", notifications={"toolsListChanged": True})
        return self.server.open("POST", body=body, MCP_Protocol_Version=MODERN, Mcp_Method="subscriptions/listen",
                                Authorization=f"Bearer {token}")

    def session(self, token):
        response, _ = self.server.post(INITIALIZE, Authorization=f"Bearer {token}")
        return {"Mcp_Session_Id": response.headers["Mcp-Session-Id"], "MCP_Protocol_Version": LEGACY}

    def get(self, token, session, **fields):
        return self.server.open("GET", Accept="text/event-stream", Authorization=f"Bearer {token}", **session, **fields)

    def tools(self, token):
        _, answer = self.server.post(legacy("tools/list"), Authorization=f"Bearer {token}")
        return {tool["name"] for tool in answer["result"]["tools"]}


def expiry(folder):
    """Checks that a client of either family is disconnected when its token expires, whatever the provider answers
    then."""
    house = House(folder, short={"subject": "ada", "scopes": READ, "expires_in": 4})
    connection, modern_stream = house.subscribe("short")
    other, legacy_stream = house.get("short", house.session("short"))
    check(modern_stream.status == 200 and legacy_stream.status == 200, "both streams are open")
    told = [json.loads(data) for _, data in events(modern_stream)]
    check(told[0]["method"] == "notifications/subscriptions/acknowledged" and told[-1].get("id") == "s",
          f"the subscription ends in order: {told}")
    check(all(not data for _, data in events(legacy_stream)), "the stream of the session ends")
    connection.close()
    other.close()
    check(house.server.end() == 0, "the end is in order")
    ended = [line for line in map(json.loads, house.audit.read_text().splitlines()) if line["event"] == "ended"]
    check([line["reason"] for line in ended] == ["the access token has expired"] * 2, f"the audit tells: {ended}")


def replay(folder):
    """Checks that a stream is replayed only to callers with the same view and the same rights."""
    scopes = {"staff": READ + ["hr"], "plain": READ, "manager": READ + ["skills:manage"]}
    house = House(folder, "--set", 'access.visibility=[{"sources": ["*"], "scopes": ["hr"]}]',
                  **{name: {"subject": "ada", "scopes": own, **LONG} for name, own in scopes.items()})

    def answered(token, tool):
        session = house.session(token)
        connection, response = house.server.open(
            "POST", body=legacy("tools/call", name=tool, arguments={}), Accept="text/event-stream",
            Authorization=f"Bearer {token}", **session)
        last = list(events(response))[-1]
        connection.close()
        return session, last

    for token, tool, others in (("staff", "list_skills", {"plain": 404, "staff": 200}),
                                ("manager", "get_server_stats", {"plain": 404, "manager": 200}),
                                ("plain", "list_skills", {"staff": 404, "plain": 200, "manager": 200})):
        session, (number, data) = answered(token, tool)
        check("result" in json.loads(data), f"{tool}: {data:.200}")
        for other, status in others.items():
            connection, response = house.get(other, session, Last_Event_ID=number.rsplit("-", 1)[0] + "-0")
            check(response.status == status, f"{tool} of {token}, asked for by {other}: {response.status}")
            if status == 200:
                check(data in [one for _, one in events(response)], f"{other} gets what was told")
            connection.close()
    check(house.server.end() == 0, "the end is in order")


def tools_of_plugins(folder):
    """Checks that a caller who does not satisfy the rule for a plugin finds nothing of it."""
    house = House(folder, "--set", 'access.visibility=[{"sources": ["work*"], "scopes": ["hr"]}]',
                  "--set", "tools=" + json.dumps([{"name": "workshop", "plugin": TOOLS, "isolation": "thread"}]),
                  staff={"subject": "ada", "scopes": READ + ["hr"], **LONG},
                  plain={"subject": "eve", "scopes": READ, **LONG})
    name = "test_simple_text"
    for _ in range(2):  # the second time, to check that no cached list goes to another caller
        check(name in house.tools("staff") and name not in house.tools("plain"), "the list of tools")
    for method, params, key in (("prompts/list", {}, "prompts"), ("resources/list", {}, "resources"),
                                ("resources/templates/list", {}, "resourceTemplates")):
        lists = {}
        for token in ("staff", "plain"):
            _, answer = house.server.post(legacy(method, **params), Authorization=f"Bearer {token}")
            lists[token] = json.dumps(answer["result"][key])
        check("test" in lists["staff"] and "test" not in lists["plain"], f"{method}: {lists['plain']:.300}")
    for method, params in (("tools/call", {"name": name, "arguments": {}}), ("prompts/get", {"name": "test_simple_prompt"}),
                           ("resources/read", {"uri": "test://static-text"}),
                           ("completion/complete", {"ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
                                                    "argument": {"name": "arg1", "value": ""}})):
        _, own = house.server.post(legacy(method, **params), Authorization="Bearer staff")
        _, foreign = house.server.post(legacy(method, **params), Authorization="Bearer plain")
        check("result" in own, f"{method} of who sees it: {own}")
        check("error" in foreign, f"{method} of who does not: {foreign}")
    check(house.server.end() == 0, "the end is in order")


def certificate(folder, name):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/key.pem",
                    "-out", f"{folder}/certificate.pem"], check=True, capture_output=True, timeout=DEADLINE)


def named(port):
    """Returns the subject of the certificate that the server shows."""
    shown = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}"], stdin=subprocess.DEVNULL, text=True,
                           capture_output=True, timeout=DEADLINE, check=False).stdout
    return next((line for line in shown.splitlines() if line.startswith("subject=")), shown)


def hang_up(folder):
    """Checks that after SIGHUP the audit goes on in a new file, and that the server shows the new certificate."""
    certificate(folder, "first")
    house = House(folder, "--tls-certificate", f"{folder}/certificate.pem", "--tls-key", f"{folder}/key.pem")
    check("first" in named(house.server.port), "the first certificate")
    moved = house.audit.with_suffix(".1")
    house.audit.rename(moved)
    certificate(folder, "second")
    house.server.process.send_signal(signal.SIGHUP)
    for _ in range(200):  # each connection takes its time; there is nothing else to wait for
        if "second" in named(house.server.port):
            break
    check("second" in named(house.server.port), "the second certificate")
    (Path(folder) / "key.pem").write_text("no key")
    house.server.process.send_signal(signal.SIGHUP)
    until(lambda: any("reconfigured" in line and "the certificate stays as it was: " in line
                      for line in house.audit.read_text().splitlines()), "the audit has that the key cannot be read")
    check("second" in named(house.server.port), "the second certificate stays")
    check(house.server.end() == 0, "the end is in order")
    check('"started"' in moved.read_text() and '"stopped"' not in moved.read_text(), "the file that was moved away")
    check('"stopped"' in house.audit.read_text(), "the new file")


def refused_start(folder):
    """Checks that a provider that is away ends the start with code 2, and that nobody could connect meanwhile."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    fifo, script = f"{folder}/fifo", Path(folder) / "away.json"
    os.mkfifo(fifo)
    script.write_text(json.dumps({"check": {"do": "block", "fifo": fifo}}))
    server = subprocess.Popen([SERVER, "serve", "--transport", "http", "--listen", f"127.0.0.1:{port}", "--listen", f"unix:{folder}/s",
                               "--skills-dir", SKILLS, "--set", f"auth.plugin={SCRIPTED}", "--set", "auth.isolation=thread",
                               "--set", "auth.config=" + json.dumps({"file": str(script)})],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    with open(fifo, "w") as hold:  # opened once the plugin asks the provider
        with socket.socket() as client:
            check(client.connect_ex(("127.0.0.1", port)) != 0, "nobody can connect before the provider was asked")
        check(not os.path.exists(f"{folder}/s"), "there is no socket file yet")
        server.kill()
        hold.close()
    server.communicate(timeout=DEADLINE)
    script.write_text(json.dumps({"check": {"do": "UNAVAILABLE"}}))
    done = subprocess.run(server.args, capture_output=True, text=True, timeout=DEADLINE, check=False)
    check(done.returncode == 2 and "serving on" not in done.stderr, f"{done.returncode}: {done.stderr[-500:]}")


def oauth_on_stdio(folder):
    """Checks --oauth-client-id and the variables of the older configuration, with a provider that counts."""
    with Fake() as fake:
        fake.publishes(introspection_endpoint=fake.url + "/introspect")
        known = json.dumps({"active": True, "sub": "ada", "aud": "client", "exp": 4_000_000_000}).encode()
        fake.behaviours["/introspect"] = lambda handler: handler.say(
            200, body=known if "canary-4711" in handler.server.asked[-1][3] else b'{"active": false}')
        lines = "".join(json.dumps(message) + "\n" for message in (
            INITIALIZE, legacy("tools/list", id=2), legacy("tools/list", id=3, access_token="canary-4711"),
            legacy("tools/list", id=4, _meta={"access_token": "canary-4711"})))
        common = {key: value for key, value in os.environ.items() if not key.startswith(("MCP_", "SKILLHOST_"))}
        common["XDG_CACHE_HOME"] = folder
        ways = ((["--oauth-client-id", "client", "--oauth-client-secret", "secret-4712", "--oauth-provider-url", fake.url], {}),
                (["--oauth-provider-url", fake.url],
                 {"MCP_OAUTH_CLIENT_ID": "client", "MCP_OAUTH_CLIENT_SECRET": "secret-4712"}))
        for words, variables in ways:
            before = sum(path == "/introspect" for _, path, _, _ in fake.asked)
            done = subprocess.run([SERVER, "serve", "--skills-dir", SKILLS, "--log-level", "DEBUG", *words], input=lines, text=True,
                                  capture_output=True, timeout=DEADLINE, check=False, env={**common, **variables})
            answers = {one["id"]: one for one in map(json.loads, done.stdout.splitlines()) if "id" in one}
            check(done.returncode == 0 and set(answers) == {1, 2, 3, 4}, f"{words}: {done.returncode} {done.stderr[-800:]}")
            check(answers.get(2, {}).get("error", {}).get("code") == -31010, f"without a token: {answers.get(2)}")
            check(all("result" in answers.get(number, {}) for number in (3, 4)), f"with one: {str(answers)[:500]}")
            asked = [one for one in fake.asked if one[1] == "/introspect"][before:]
            check(1 <= sum("canary-4711" in one[3] for one in asked) <= 2, f"the provider was asked: {len(asked)}")
            check("canary-4711" not in done.stderr and "secret-4712" not in done.stderr, "no secret is in the log")
        fake.says("/introspect", {"error": "invalid_client"}, 401)
        done = subprocess.run([SERVER, "serve", "--skills-dir", SKILLS, *ways[0][0]], input="", text=True, capture_output=True,
                              timeout=DEADLINE, check=False, env=common)
        check(done.returncode == 2, f"a provider that refuses the client: {done.returncode} {done.stderr[-300:]}")


def authority_of_its_own(folder):
    """Checks ca_file: the authority by which the plugins trust the provider."""
    certificate(folder, "house")
    file = f"{folder}/certificate.pem"
    key = {"kty": "OKP", "crv": "Ed25519", "kid": "k", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
    with Fake(file, f"{folder}/key.pem") as fake:
        fake.says("/introspect", {"active": False})
        fake.says("/keys", {"keys": [key]})
        for plugin, settings in (("oauth", {"introspection_url": fake.url + "/introspect", "client_id": "c", "client_secret": "s"}),
                                 ("jwt", {"issuer": fake.url, "jwks_uri": fake.url + "/keys"})):
            for more, code in (({}, 2), ({"ca_file": file}, 0)):
                done = subprocess.run([SERVER, "serve", "--skills-dir", SKILLS, "--set", f"auth.plugin={plugin}",
                                       "--set", "auth.config=" + json.dumps({**settings, **more})], input="", text=True,
                                      capture_output=True, timeout=60, check=False, env={**os.environ, "XDG_CACHE_HOME": folder})
                check(done.returncode == code, f"{plugin} with {more}: {done.returncode} {done.stderr[-400:]}")


for scene in (expiry, replay, tools_of_plugins, hang_up, refused_start, oauth_on_stdio, authority_of_its_own):
    with tempfile.TemporaryDirectory() as place:
        try:
            scene(place)
        except Exception as why:  # pylint: disable=broad-except
            check(False, f"{scene.__name__}: {type(why).__name__}: {why}")
sys.exit(checks.finish())
