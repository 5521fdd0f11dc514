#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that a caller without a credential gets the same answers about existing, hidden and missing things.
before_credential_test.py SERVER

The test compares whole answers byte for byte, except for their Date. The controls: with a credential they differ."""
import hashlib
import hmac
import json
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import SLOWNESS  # noqa: E402
from checks import DEADLINE, Checks  # noqa: E402
from http_server import INITIALIZE, LEGACY, Running, legacy  # noqa: E402

SERVER = sys.argv[1]
SECRET = "a-secret-of-a-hook"
INDEX = "/.well-known/agent-skills/"
checks = Checks()
check = checks.check


def said(running, method, path, fields=(), body=b""):
    """Sends a request; returns everything received, up to the end of the connection or of the expected answer."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *fields, f"Content-Length: {len(body)}"]
    waits = any(line.startswith("Expect:") for line in lines)
    with socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE * SLOWNESS) as one:
        one.sendall("\r\n".join([*lines, "", ""]).encode() + (b"" if waits else body))
        text = b""
        while part := one.recv(65536):
            text += part
            if waits and text.endswith(b"100 Continue\r\n\r\n"):
                one.sendall(body)
    return "\n".join(line for line in text.decode().splitlines() if not line.startswith("Date:"))


def same(running, what, method, paths, fields=(), body=b"", status=None):
    """Checks that the answers for all paths are equal. `paths` may have fields of their own, as (path, fields)."""
    answers = [said(running, method, path, (*fields, *own), body)
               for path, own in (path if isinstance(path, tuple) else (path, ()) for path in paths)]
    check(all(answer == answers[0] for answer in answers), f"{what}: {answers} differ")
    check(answers[0].startswith("HTTP/1.1 ") and (status is None or f" {status} " in answers[0].split("\n")[0]),
          f"{what}: {answers[0]}")


def skill(folder, name):
    path = Path(folder, name)
    path.mkdir(parents=True)
    (path / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Is about {name}.\n---\nText.\n")


def serve(folder, tokens, **http):
    sources = [{"name": name, "plugin": "filesystem", "webhook_secret": SECRET, "config": {"directories": [f"{folder}/{name}"]}}
               for name in ("open", "hidden")]
    file = Path(folder, "s.json")
    file.write_text(json.dumps({
        "transport": "http", "sources": sources, "auth": {"plugin": "static", "config": {"file": tokens}},
        "access": {"visibility": [{"sources": ["hidden"], "principals": ["ada"]}]}, "http": {"publish": ["*"], **http}}))
    return Running(SERVER, f"{folder}/open", "--config", str(file))


def published(running, ada, bob):
    for kind in ("{}/SKILL.md", "{}.tar.gz", "{}"):
        paths = [INDEX + kind.format(name) for name in ("alpha", "secret", "nothing")]
        same(running, "published, without a token", "GET", paths, status=401)
        same(running, "published, with a wrong token", "GET", paths, ("Authorization: Bearer wrong",), status=401)
        same(running, "published, hidden from who asks", "GET", paths[1:], (f"Authorization: Bearer {bob}",), status=404)
    same(running, "the index", "GET", [INDEX + "index.json", INDEX + "nothing.json"], status=401)
    for name, who, status in (("alpha", bob, 200), ("secret", bob, 404), ("secret", ada, 200), ("nothing", ada, 404)):
        text = said(running, "GET", f"{INDEX}{name}/SKILL.md", (f"Authorization: Bearer {who}",))
        check(text.startswith(f"HTTP/1.1 {status} "), f"control: {name}: {text[:200]}")


def sessions(running, ada, bob):
    own = {}
    for who in (ada, bob):
        response, _ = running.post(INITIALIZE, Authorization=f"Bearer {who}")
        own[who] = response.headers["Mcp-Session-Id"]
        check(own[who] is not None, "control: a session")
    ids = [*own.values(), "0" * 32, "x"]
    paths = [("/mcp", (f"Mcp-Session-Id: {one}", f"MCP-Protocol-Version: {LEGACY}")) for one in ids]
    body = json.dumps(legacy("ping")).encode()
    form = ("Content-Type: application/json", "Accept: application/json, text/event-stream")
    for method, given in (("POST", body), ("GET", b""), ("DELETE", b""), ("POST", b"{"), ("PUT", b"")):
        for fields in ((), ("Authorization: Bearer wrong",), ("Authorization: Basic wrong",), ("Expect: 100-continue",)):
            same(running, f"sessions, {method} {fields}", method, paths, (*form, *fields), given)
    # For a principal, another's session does not exist.
    same(running, "another's session", "POST", [paths[0], *paths[2:]], (*form, f"Authorization: Bearer {bob}"), body, 404)
    for who, one in own.items():
        response, _ = running.post(legacy("ping"), Authorization=f"Bearer {who}", Mcp_Session_Id=one, MCP_Protocol_Version=LEGACY)
        check(response.status == 200, f"control: a session is there after all that: {response.status}")


def hooks(running):
    paths = [f"/hooks/{name}" for name in ("open", "hidden", "nothing", "")]
    wrong = "X-Hub-Signature-256: sha256=" + "0" * 64
    for fields in ((), (wrong,), ("Expect: 100-continue",), (wrong, "Expect: 100-continue")):
        same(running, f"hooks, {fields}", "POST", paths, fields, b"hello", 100 if len(fields) == 2 else 401)
    same(running, "hooks, by GET", "GET", paths, status=405)
    right = "X-Hub-Signature-256: sha256=" + hmac.new(SECRET.encode(), b"hello", hashlib.sha256).hexdigest()
    for path, status in ((paths[1], 202), (paths[2], 401)):
        text = said(running, "POST", path, (right,), b"hello")
        check(text.startswith(f"HTTP/1.1 {status} "), f"control: {path} with the secret: {text}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        skill(f"{folder}/open", "alpha")
        skill(f"{folder}/hidden", "secret")
        tokens = f"{folder}/tokens"
        ada, bob = (subprocess.run([SERVER, "token", "add", name, "--scope", "skills:read", "--file", tokens], check=True,
                                   capture_output=True, text=True).stdout.strip() for name in ("ada", "bob"))
        running = serve(folder, tokens)
        published(running, ada, bob)
        sessions(running, ada, bob)
        hooks(running)
        check(running.end() == 0, "the end")
        running = serve(folder, tokens, publish_openly=True)
        same(running, "published openly", "GET", [f"{INDEX}secret/SKILL.md", f"{INDEX}nothing/SKILL.md"], status=404)
        text = said(running, "GET", f"{INDEX}alpha/SKILL.md")
        check(text.startswith("HTTP/1.1 200 "), f"control: what is for all: {text}")
        check(running.end() == 0, "the end")
    return checks.finish()


sys.exit(main())
