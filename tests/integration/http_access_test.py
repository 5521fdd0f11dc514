#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that nobody passes the HTTP server's entrance without a credential: http_access_test.py SERVER SKILLS"""
import json
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, Checks  # noqa: E402
from http_server import INITIALIZE, LEGACY, MODERN, Running, legacy, modern  # noqa: E402

SERVER, SKILLS = sys.argv[1:3]
METHODS = {
    "tools/list": {}, "tools/call": {"name": "list_skills", "arguments": {}}, "prompts/list": {},
    "prompts/get": {"name": "greeter"}, "resources/list": {}, "resources/templates/list": {},
    "resources/read": {"uri": "skillhost://stats"}, "skills/list": {}, "skills/get": {"uri": "skill://x"},
    "resources/directory/read": {"uri": "skill://x"}, "completion/complete": {},
    "server/discover": {}, "subscriptions/listen": {"notifications": {}}, "no/such": {}}
LEGACY_ONLY = {"initialize": INITIALIZE["params"], "ping": {}, "logging/setLevel": {"level": "info"},
               "resources/subscribe": {"uri": "skill://x"}, "resources/unsubscribe": {"uri": "skill://x"},
               "list_tools": {}, "call_tool": {"name": "x"}}
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
checks = Checks()
check = checks.check


def token(file, name, *options):
    """Adds a token and returns it as the command prints it."""
    run = subprocess.run([SERVER, "token", "add", name, "--file", file, *options], capture_output=True, text=True,
                         timeout=DEADLINE)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def requests():
    """Yields every method in every family that has it: name, body, fields."""
    for method, params in {**METHODS, **LEGACY_ONLY}.items():
        yield f"{method}, legacy", legacy(method, **params), {}
    for method, params in METHODS.items():
        fields = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method}
        if method in NAMED:
            fields["Mcp_Name"] = params[NAMED[method]]
        yield f"{method}, modern", modern(method, **params), fields


def nobody_comes_in(server, wrong):
    before = counted(server.figures())
    for what, body, fields in requests():
        for credential, status in wrong:
            given = {**fields, **({"Authorization": credential} if credential is not None else {})}
            response, answer = server.post(body, **given)
            challenge = response.headers["WWW-Authenticate"] or ""
            check(response.status == status, f"{what} with {credential!r:.40}: {response.status} in place of {status}")
            check("resource_metadata=" in challenge, f"{what}: no challenge: {challenge}")
            check("result" not in answer, f"{what}: {answer}")
    for method in ("GET", "DELETE"):
        response, _ = server.ask(method, Accept="text/event-stream", Mcp_Session_Id="0" * 32)
        check(response.status == 401, f"{method} without a credential: {response.status}")
    response, _ = server.ask("GET", "/metrics")
    check(response.status == 401, f"/metrics without a credential: {response.status}")
    check(counted(server.figures()) == before, "a request without a credential was counted as a call")


def counted(text):
    """Counts the calls of methods."""
    return sum(float(value) for value in re.findall(r"^skillhost_request_seconds_count\S* (\S+)$", text, re.M))


def scopes(server, reader, admin):
    own = {"Authorization": f"Bearer {reader}"}
    response, answer = server.post(legacy("tools/call", name="list_skills", arguments={}), **own)
    check(response.status == 200 and answer["result"]["structuredContent"]["success"], "a reader reads")
    for body in (legacy("tools/call", name="get_server_stats", arguments={}),
                 legacy("tools/call", name="reload_skills_directory", arguments={}),
                 legacy("resources/read", uri="skillhost://stats")):
        response, answer = server.post(body, **own)
        challenge = response.headers["WWW-Authenticate"] or ""
        check(response.status == 403 and 'error="insufficient_scope"' in challenge and "skills:manage" in challenge,
              f"{body['params']}: {response.status} {challenge}")
        response, answer = server.post(body, Authorization=f"bearer {admin}")
        check(response.status == 200 and "result" in answer, f"{body['params']} by who manages: {response.status}")
    response, answer = server.post(modern("tools/list"), MCP_Protocol_Version=MODERN, Mcp_Method="tools/list", **own)
    check(answer["result"]["cacheScope"] == "private", "what depends on the caller is private")
    # A session belongs to its owner.
    response, _ = server.post(INITIALIZE, **own)
    session = {"Mcp_Session_Id": response.headers["Mcp-Session-Id"], "MCP_Protocol_Version": LEGACY}
    response, _ = server.post(legacy("ping"), **own, **session)
    check(response.status == 200, f"the owner's session: {response.status}")
    response, _ = server.post(legacy("ping"), Authorization=f"Bearer {admin}", **session)
    check(response.status == 404, f"another's session: {response.status}")
    for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
        response, text = server.ask("GET", path)
        document = json.loads(text) if response.status == 200 else {}
        check(document.get("resource", "").endswith("/mcp") and "skills:read" in document.get("scopes_supported", []),
              f"{path}: {response.status} {text}")


def shares(file, reader, admin):
    """Checks that nobody takes the memory of all sessions: above a share, the session unused for longest is dropped,
    and made again when its client returns. An ended session does not return."""
    server = Running(SERVER, SKILLS, "--set", "auth.plugin=static", "--set", "auth.config=" + json.dumps({"file": file}),
                     "--set", "http.max_sessions=20")

    def opened(who):
        response, _ = server.post(INITIALIZE, Authorization=f"Bearer {who}")
        return response.status, response.headers["Mcp-Session-Id"]

    own = [opened(reader) for _ in range(30)]
    check([status for status, _ in own] == [200] * 30, f"more than all there is room for: {own}")
    check(opened(admin)[0] == 200, "which is nothing to another")
    for _, session in own:
        for status in (204, 404):
            response, _ = server.ask("DELETE", Authorization=f"Bearer {reader}", Mcp_Session_Id=session)
            check(response.status == status, f"each ends, once: {response.status}")
    check(server.end() == 0, "the server ends in order")


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "tokens")
        reader = token(file, "reader", "--scope", "skills:read")
        admin = token(file, "admin", "--scope", "skills:manage")
        gone = token(file, "gone", "--scope", "skills:manage")
        audit = Path(folder) / "audit.jsonl"
        server = Running(SERVER, SKILLS, "--log-level", "DEBUG", "--set", "auth.plugin=static",
                         "--set", "auth.config=" + json.dumps({"file": file, "cache_seconds": 0}),
                         "--set", f"access.audit_log={audit}")
        server.figures = lambda: server.ask("GET", "/metrics", Authorization=f"Bearer {admin}")[1]
        scopes(server, reader, admin)
        subprocess.run([SERVER, "token", "revoke", "gone", "--file", file], check=True, capture_output=True)
        nobody_comes_in(server, [
            (None, 401), ("", 401), (f"Basic {admin}", 401), ("Bearer", 400), ("Bearer ", 400), ("Bearer a b", 400),
            (f"Bearer {admin}x", 401), (f"Bearer {admin[:-1]}", 401), (f"Bearer {gone}", 401)])
        response, _ = server.ask("POST", f"/mcp?access_token={admin}", legacy("ping"))
        check(response.status == 400, f"a token in the query: {response.status}")
        for _ in range(5):  # as a polling page does
            response, _ = server.post(legacy("resources/read", uri="skillhost://audit"), MCP_Protocol_Version=LEGACY, Authorization=f"Bearer {admin}")
            check(response.status == 200, f"a manager reads the audit: {response.status}")
        shares(file, reader, admin)
        code = server.end(signal.SIGTERM)
        check(code == 0, f"the exit code is {code}")
        told = "".join(server.log) + audit.read_text()
        for name, secret in (("reader", reader), ("admin", admin), ("gone", gone)):
            check(secret not in told and secret[4:24] not in told, f"the token of {name} is in the log")
        lines = [json.loads(line) for line in audit.read_text().splitlines()]
        looks = [one for one in lines if one.get("subject") == "skillhost://audit" and one["event"] == "managed"]
        check([one.get("count") for one in looks] == [None, 4] and all(one["principal"] == "admin" for one in looks),
              f"five reads of one manager are one line, and one that counts the others: {looks}")
        check(lines[-1]["event"] == "stopped", f"which stands before the end: {lines[-2:]}")
        check('"refused"' in audit.read_text() and '"managed"' in audit.read_text(), "the audit tells")
    return checks.finish()


sys.exit(main())
