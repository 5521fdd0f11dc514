#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tools, prompts and resources of a plugin name the permission that their callers need, and learn who calls, in the host's process
and in one of its own. tool_permissions_test.py SERVER ROOT FIXTURES"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import DEADLINE, Checks, until
from http_server import Running, legacy
from session import Session

SERVER, ROOT, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).resolve()
SKILLS = str(ROOT / "examples/skills")
CALLS = {"open": ("tools/call", {"name": "open"}), "reading": ("tools/call", {"name": "reading"}),
         "managing": ("tools/call", {"name": "managing"}), "reviewing": ("tools/call", {"name": "reviewing"}),
         "managed prompt": ("prompts/get", {"name": "managed"}), "managed resource": ("resources/read", {"uri": "test://managed"}),
         "open resource": ("resources/read", {"uri": "test://open"})}
checks = Checks()
check = checks.check


def plugin(isolation):
    return {"name": "permitting", "plugin": str(FIXTURES / "permitting.so"), "isolation": isolation}


def caller_in(result):
    """Returns what the plugin says of its caller, in any of its results."""
    texts = [part for key in ("content", "contents") for part in result.get(key, [])] + [one["content"] for one in result.get("messages", [])]
    return json.loads(texts[0]["text"])


def over_http(isolation):
    with tempfile.TemporaryDirectory(prefix="skillhost-tools-") as folder:
        tokens, configuration = Path(folder) / "tokens", Path(folder) / "skillhost.json"

        def token(name, *scopes):
            options = [part for scope in scopes for part in ("--scope", scope)]
            return subprocess.run([SERVER, "token", "add", name, "--file", tokens, *options], capture_output=True, text=True, timeout=DEADLINE,
                                  check=True).stdout.strip()

        credentials = {"reader": token("reader", "skills:read"), "manager": token("manager", "skills:read", "skills:manage")}
        configuration.write_text(json.dumps({
            "tools": [plugin(isolation)], "search": {"plugin": "none"}, "auth": {"plugin": "static", "config": {"file": str(tokens)}},
            "access": {"visibility": [{"sources": ["permitting"], "principals": ["reader", "manager"]}]}}))
        stranger = token("stranger", "skills:read")
        server = Running(SERVER, SKILLS, "--config", str(configuration))

        def ask(name, credential):
            method, params = CALLS[name]
            return server.post(legacy(method, **params), Authorization=f"Bearer {credential}")

        until(lambda: "managing" in str(server.post(legacy("tools/list"), Authorization=f"Bearer {credentials['reader']}")[1]),
              f"{isolation}: everybody is offered the tool")
        for name in CALLS:
            for who, credential in credentials.items():
                response, message = ask(name, credential)
                needed = "manage" if "manag" in name else "review" if "review" in name else ""
                if not needed or (needed == "manage" and who == "manager"):
                    said = caller_in(message["result"])
                    check(response.status == 200 and said == {"issuer": "static", "subject": who, "reads": True, "manages": who == "manager",
                                                              "reviews": False, "sees_all": True}, f"{isolation}: {name}: {who}: {said}")
                elif needed == "manage":
                    check(response.status == 403 and "skills:manage" in response.headers["WWW-Authenticate"] and "error" in message,
                          f"{isolation}: {name}: {who}: {response.status} {response.headers} {message}")
                else:
                    check("error" in message and "reviewer" in message["error"]["message"], f"{isolation}: {name}: {who}: {message}")
        for uri, status in (("test://managed", 403), ("test://none", 200)):
            response, message = server.post(legacy("resources/subscribe", uri=uri), Authorization=f"Bearer {credentials['reader']}")
            check(response.status == status and "error" in message, f"{isolation}: a subscription to {uri}: {response.status} {message}")
        # A skill takes precedence over a prompt of the same name, and so does its permission.
        response, message = server.post(legacy("prompts/get", name="release-notes"), Authorization=f"Bearer {credentials['reader']}")
        check(response.status == 200 and "Release notes" in str(message.get("result")), f"{isolation}: a skill's prompt: {response.status} {message}")
        # For a caller who does not see the plugin, a tool that needs more is as unknown as any other.
        unknown = server.post(legacy("tools/call", name="managinf"), Authorization=f"Bearer {stranger}")
        hidden = ask("managing", stranger)
        check(hidden[0].status == unknown[0].status and hidden[1]["error"]["message"] == "Unknown tool: managing",
              f"{isolation}: nothing says that it exists: {hidden[1]} {unknown[1]}")
        log = "".join(server.log)
        check("misspelt" in log and "must be read, manage or review" in log, f"{isolation}: a wrong permission withholds its tool: {log[-1500:]}")
        check(server.end() == 0, f"{isolation}: the end")


def on_stdio(isolation):
    """Without an auth plugin nobody is identified: the caller may read and manage, and nobody reviews."""
    with tempfile.TemporaryDirectory(prefix="skillhost-tools-") as folder:
        configuration = Path(folder) / "skillhost.json"
        configuration.write_text(json.dumps({"tools": [plugin(isolation)], "search": {"plugin": "none"}}))
        session = Session([SERVER, "serve", "--skills-dir", SKILLS, "--config", str(configuration)])
        for name, (method, params) in CALLS.items():
            message = session.answer(method, **params)
            if "review" in name:
                check("error" in message, f"{isolation}: {name}: {message}")
                continue
            said = caller_in(message["result"])
            check(said == {"issuer": "", "subject": "", "reads": True, "manages": True, "reviews": False, "sees_all": True},
                  f"{isolation}: {name}: {said}")
        check(session.end() is None, f"{isolation}: the end")


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-cache-") as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for isolation in ("thread", "process"):
            over_http(isolation)
            on_stdio(isolation)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
