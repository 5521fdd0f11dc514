#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests false identities: a client for a user, another issuer's subject, a hook signed with an empty key, a wrong
Host; and the answers without a token. identity_test.py SERVER"""
import hashlib
import hmac
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "integration"), str(HERE.parent / "integration/auth")]
from fake import Fake  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import LEGACY, Running, legacy  # noqa: E402

SERVER = sys.argv[1]
SECRET = "a secret of sixteen bytes or more"
checks = Checks()
check = checks.check


def skill(place, name):
    place.mkdir(parents=True)
    (place / "SKILL.md").write_text(f"---\nname: {name}\ndescription: About {name}.\n---\nText.\n")


def names(running, credential):
    response, answer = running.post(legacy("tools/call", name="list_skills", arguments={}), Authorization=f"Bearer {credential}",
                                    MCP_Protocol_Version=LEGACY)
    if response.status != 200:
        return response.status
    return {one["name"] for one in answer["result"]["structuredContent"]["data"]["skills"]}


def principals(folder):
    """Checks the principal of each token, according to its provider, and which callers each rule admits."""
    common = {"active": True, "scope": "skills:read", "exp": int(time.time()) + 3600}
    tokens = {"user": {"sub": "svc", "iss": "https://one.example"}, "client": {"client_id": "svc", "iss": "https://one.example"},
              "stranger": {"sub": "svc", "iss": "https://two.example"}, "forged": {"sub": "client_id:svc", "iss": "https://one.example"},
              "both": {"sub": "eve", "client_id": "svc", "iss": "https://one.example"}}
    for name in ("user", "client", "issuer"):
        skill(folder / name / name, name)
    skill(folder / "open/open", "open")

    def introspect(handler):
        asked = urllib.parse.parse_qs(handler.server.asked[-1][3])["token"][0]
        handler.say(200, body=json.dumps({**common, **tokens[asked]} if asked in tokens else {"active": False}).encode())

    rules = [{"sources": ["user"], "principals": ["svc"]}, {"sources": ["client"], "principals": ["client_id:svc"]},
             {"sources": ["issuer"], "principals": ["svc"], "issuers": ["https://one.example"]}]
    with Fake() as fake:
        fake.behaviours["/introspect"] = introspect
        config = {"introspection_url": fake.url + "/introspect", "client_id": "c", "client_secret": "s", "require_audience": False}
        running = Running(SERVER, str(folder / "open"), *[one for name in ("user", "client", "issuer") for one in ("--skills-dir", str(folder / name))],
                          "--set", "auth.plugin=oauth", "--set", "auth.config=" + json.dumps(config), "--results", "structured",
                          "--set", "access.visibility=" + json.dumps(rules))
        until(lambda: names(running, "user") == {"open", "user", "issuer"}, f"control: who it is has it: {names(running, 'user')}")
        check(names(running, "client") == {"open", "client"}, f"a client is no user of its name: {names(running, 'client')}")
        # A rule without issuers accepts the same subject of any issuer; a rule with issuers does not.
        check(names(running, "stranger") == {"open", "user"}, f"another issuer's subject: {names(running, 'stranger')}")
        check(names(running, "forged") == 401, f"a user is no client of its name: {names(running, 'forged')}")
        check(names(running, "both") == {"open"}, f"for whom a client acts, it is the user who counts: {names(running, 'both')}")
        check(running.end() == 0, "the end")


def start(file, source, **environment):
    """Starts with this source; returns the exit code and the output. A server that goes on is ended."""
    Path(file).write_text(json.dumps({"sources": [source]}))
    process = subprocess.Popen([SERVER, "serve", "--transport", "http", "--port", "0", "--config", file], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
    told = []
    for line in process.stderr:
        told.append(line)
        if " serving on " in line:
            process.terminate()
            break
    told.append(process.stderr.read())
    return process.wait(DEADLINE), "".join(told)


def hooks(folder):
    skills = folder / "hooked"
    skill(skills / "one", "one")
    file = str(folder / "hooks.json")
    source = {"name": "hooked", "plugin": "filesystem", "config": {"directories": [str(skills)]}}
    check(start(file, {**source, "webhook_secret": "env:HOOK"}, HOOK=SECRET)[0] == 0, "control: a start with a secret")
    for value, environment in (("env:HOOK", {"HOOK": ""}), ("${env:HOOK}", {"HOOK": ""}), ("", {}), ("env:HOOK", {"HOOK": "short"})):
        code, told = start(file, {**source, "webhook_secret": value}, **environment)
        check(code == 1 and "at least 16 bytes" in told, f"{value!r} {environment}: {code} {told[-300:]}")
    for value in (1234567890123456789, "sh0rtSECRET", ["sh0rtSECRET" * 3], {"sh0rtSECRET": 1}, 12345.6789):
        code, told = start(file, {**source, "webhook_secret": value})
        check(code == 1 and "sh0rtSECRET" not in told and "12345" not in told and "webhook_secret: " in told, f"{value!r}: {code} {told[-300:]}")
    for key, value in (("token", 1234567890123456789), ("token", ["sh0rtSECRET"]), ("token", "sh0rtSECRET\n")):
        code, told = start(file, {"name": "far", "plugin": "github", "config": {"url": "owner/name", key: value}})
        check(code == 1 and f"config.{key}" in told and "sh0rtSECRET" not in told and "12345" not in told, f"{key} {value!r}: {told[-300:]}")
    Path(file).write_text(json.dumps({"sources": [{**source, "webhook_secret": SECRET}]}))
    empty = folder / "empty"
    empty.mkdir()
    running = Running(SERVER, str(empty), "--config", file)

    def hook(key, name="hooked"):
        response, _ = running.ask("POST", f"/hooks/{name}", b"{}", X_Hub_Signature_256="sha256=" + hmac.new(key, b"{}", hashlib.sha256).hexdigest())
        return response.status

    check(hook(SECRET.encode()) == 202, "control: the secret signs")
    for key, name in ((b"", "hooked"), (b"", "nobody"), (b"", "empty"), (b"hooked", "hooked")):
        check(hook(key, name) == 401, f"{key} for {name}")
    check(running.end() == 0, "the end")


def untold(folder):
    """Checks that an answer without a token names no scopes of rules and tokens."""
    file = str(folder / "tokens")
    for scope in ("skills:read", "layoffs:2027"):
        subprocess.run([SERVER, "token", "add", f"of-{scope.split(':')[0]}", "--file", file, "--scope", scope], check=True, capture_output=True)
    running = Running(SERVER, str(folder / "open"), "--set", "auth.plugin=static", "--set", "auth.config=" + json.dumps({"file": file}),
                      "--set", "access.visibility=" + json.dumps([{"sources": ["hr*"], "scopes": ["layoffs:2027"]}]))
    response, document = running.ask("GET", "/.well-known/oauth-protected-resource")
    check(response.status == 200 and "skills:read" in document, f"control: the metadata is there: {document}")
    refused, text = running.ask("POST", body=json.dumps(legacy("tools/list")).encode())
    for told in (document, text, str(refused.headers)):
        check("layoffs" not in told, told[:300])
    check(refused.status == 401, f"{refused.status}")
    check(running.end() == 0, "the end")


def authorities(folder):
    running = Running(SERVER, str(folder / "open"))
    body = json.dumps(legacy("tools/list"))

    def status(host, origin=None):
        request = (f"POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                   + (f"Origin: {origin}\r\n" if origin else "") + f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}")
        with socket.create_connection(("127.0.0.1", running.port), DEADLINE) as connection:
            connection.sendall(request.encode())
            return int(connection.makefile("rb").readline().split()[1])

    for host in ("localhost", "127.0.0.1", f"localhost:{running.port}", "[::1]"):
        check(status(host) == 200, f"control: {host}: {status(host)}")
    for host in ("localhost/x", "localhost:80/../x", "u@localhost", "localhost@evil.example", "localhost:x", "localhost:1:2", "localhost,evil.example",
                 "localhost evil.example", "[::1", "http://localhost", "localhost?x", "localhost#x", "localhost%2f"):
        check(status(host) == 400, f"Host: {host}: {status(host)}")
    check(status("evil.example") not in (200, 400), "control: an authority that is not ours is refused otherwise")
    check(status("localhost", "http://localhost:1234") == 200, "control: a page of this machine")
    for origin in ("http://localhost/x", "http://localhost@evil.example", "http://evil.example", "http://localhost:x", "http://localhost:1:2", "null",
                   "http://localhost?x", "localhost", "http://localhost,evil.example"):
        check(status("localhost", origin) == 403, f"Origin: {origin}: {status('localhost', origin)}")
    check(running.end() == 0, "the end")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        principals(folder)
        hooks(folder)
        untold(folder)
        authorities(folder)
    return checks.finish()


sys.exit(main())
