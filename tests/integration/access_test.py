#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may do and see what, on stdio: access_test.py SERVER SCRIPTED_AUTH_PLUGIN SOURCE_ROOT.
The provider is a real plugin, once in the server's process and once in one of its own."""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from session import Broken, Session, write_skill

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {}}
OPEN = {"initialize", "ping", "server/discover"}
DENIED, FORBIDDEN, AWAY = -31010, -31007, -31004
CANARY = "canary-token-of-the-test-4711"
TOKENS = {
    "reader-token": {"subject": "eve", "scopes": ["skills:read"], "expires_in": 3600},
    "staff-token": {"subject": "ada", "scopes": ["skills:read", "hr"], "expires_in": 3600},
    "manager-token": {"subject": "root", "scopes": ["skills:manage"], "expires_in": 3600},
    "stranger-token": {"subject": "mallory", "scopes": ["mail"], "expires_in": 4},
    "down-token": {"do": "UNAVAILABLE"},
    CANARY: {"do": "quote"},
}
failures = []


def check(what, good, seen=""):
    if not good:
        failures.append(f"{what}: {str(seen)[:400]}")


class House:
    """Two folders of skills with one name in both, of which only those with the scope hr see the first."""

    def __init__(self, folder, plugin, isolation):
        self.folder = folder
        for source, name, text in (("secret", "pdf", "Payroll figures."), ("open", "pdf", "Read PDF files."),
                                   ("open", "csv", "Read tables."), ("secret", "dismissal", "Payroll letters.")):
            write_skill(folder / source, name, text)
        self.audit = folder / "audit.jsonl"
        self.configuration = {
            "sources": [{"name": name, "config": {"directories": [str(folder / name)]}} for name in ("secret", "open")],
            "auth": {"plugin": plugin, "isolation": isolation, "config": {"tokens": TOKENS}},
            "access": {"visibility": [{"sources": ["sec*"], "scopes": ["hr"]}], "audit_log": str(self.audit)},
            # The question is mostly about what is hidden, so what is found fits badly.
            "search": {"min_score": 0},
        }

    def write(self, **changes):
        path = self.folder / "skillhost.yaml"
        path.write_text(json.dumps({**self.configuration, **changes}))
        return str(path)


def code(message):
    return message.get("error", {}).get("code")


def data(session, token, name, **arguments):
    answer = session.answer("tools/call", access_token=token, name=name, arguments=arguments)
    return answer.get("result", {}).get("structuredContent", {}).get("data") or answer


def walk(session, root):
    """No method of either family says anything to nobody."""
    table = re.findall(r'Method\{"([^"]+)", ProtocolFamilies::(\w+)', (root / "host/mcp/router.cpp").read_text())
    check("the table of methods is found", len(table) >= 20, table)
    for method, families in table:
        for modern in (False, True):
            if families == ("Legacy" if modern else "Modern"):
                continue
            params = {"name": "load_skill", "uri": "skill://open/csv/SKILL.md", "arguments": {"skill_name": "csv"},
                      "notifications": {}, "protocolVersion": "2025-11-25", "level": "info"}
            if modern:
                params["_meta"] = dict(MODERN)
            if method in OPEN:
                continue
            for token in (None, "", 7, "unknown"):
                message = session.answer(method, **params, **({} if token is None else {"access_token": token}))
                want = 401 if method in ("call_tool", "list_tools") else DENIED
                check(f"{method} for nobody ({token!r})", code(message) == want, message)
                check(f"{method} tells nobody anything", "csv" not in json.dumps(message), message)
    check("ping needs nothing", "result" in session.answer("ping"))


def refusals(session):
    check("an outage", code(session.answer("tools/list", access_token="down-token")) == AWAY)
    check("an outage, older", code(session.answer("list_tools", access_token="down-token")) == 503)
    check("a quoted token", code(session.answer("tools/list", access_token=CANARY)) == DENIED)
    for place in ({"access_token": "stranger-token"}, {"_meta": {"access_token": "stranger-token"}}):
        message = session.answer("tools/list", **place)
        check("no scope", code(message) == FORBIDDEN and message["error"]["data"] == {"scope": "skills:read"}, message)
    for token in ("stranger-token", "reader-token"):
        message = session.answer("tools/call", access_token=token, name="reload_skills_directory", arguments={})
        check("all scopes at once", code(message) == FORBIDDEN and
              message["error"]["data"] == {"scope": "skills:read skills:manage"}, message)
    message = session.answer("resources/read", access_token="reader-token", uri="skillhost://stats")
    check("figures are for managers", code(message) == FORBIDDEN, message)
    check("403, older", code(session.answer("list_tools", access_token="stranger-token")) == 403)


def views(session):
    for token in ("reader-token", "manager-token"):
        seen = data(session, token, "list_skills")
        check(f"what {token} sees", [one["name"] for one in seen["skills"]] == ["csv", "pdf"] and seen["total"] == 2, seen)
        check("the bare name", data(session, token, "load_skill", skill_name="pdf", force_reload=True)["uri"]
              == "skill://open/pdf/SKILL.md")
        message = session.answer("resources/read", access_token=token, uri="skill://secret/dismissal/SKILL.md")
        check("a hidden file", code(message) == -32002, message)
        found = data(session, token, "find_helpful_skills", task_description="payroll figures and letters, or a PDF", top_k=1)
        check("the search fills its answer", [one["source"] for one in found["results"]] == ["open"], found)
        completion = session.answer("completion/complete", access_token=token, argument={"name": "source", "value": ""},
                                    ref={"type": "ref/resource", "uri": "skill://{source}/{+path}"})
        check("completion", completion["result"]["completion"]["values"] == ["open"], completion)
        listed = session.answer("skills/list", access_token=token)
        check("the extension", [one["uri"] for one in listed["result"]["skills"]] ==
              ["skill://open/csv/SKILL.md", "skill://open/pdf/SKILL.md"], listed)
    seen = data(session, "staff-token", "list_skills")
    check("what staff sees", sorted(one["name"] for one in seen["skills"]) == ["csv", "dismissal", "open/pdf", "pdf"], seen)
    data(session, "staff-token", "load_skill", skill_name="dismissal")
    for tool in ("list_skills", "get_loaded_skills_info"):
        seen = data(session, "reader-token", tool)
        check(f"{tool} names what others have loaded", "dismissal" not in json.dumps(seen), seen)
    seen = data(session, "reader-token", "unload_skill", skill_name="dismissal")
    check("unloading what is hidden", "NOT_FOUND" in json.dumps(seen), seen)
    figures = data(session, "manager-token", "get_server_stats")
    check("figures follow", [one["name"] for one in figures["sources"]] == ["open"], figures["sources"])
    listed = session.answer("tools/list", _meta={**MODERN, "access_token": "reader-token"})
    check("a private list", listed["result"]["cacheScope"] == "private", listed["result"].keys())


def changes(session, house):
    """Who cannot see what has changed hears nothing of it."""
    def settle():
        """The second answer comes after all that the first look at the sources made the server tell."""
        for _ in range(2):
            session.call("tools/call", access_token="manager-token", name="reload_skills_directory", arguments={})
        session.call("tools/list", access_token="reader-token")

    settle()
    session.notifications.clear()  # of the start, when the sources came one after the other
    write_skill(house.folder / "secret", "bonus", "Payroll again.")
    write_skill(house.folder / "secret", "pdf", "Other payroll figures.")
    settle()
    check("no notification", not session.notifications, session.notifications)
    write_skill(house.folder / "open", "xml", "Read trees.")
    session.wait_for("notifications/tools/list_changed")


def converse(server, house, root, isolation):
    with Session([server, "--config", house.write()]) as session:
        walk(session, root)
        refusals(session)
        views(session)
        changes(session, house)
        log = session.server.stderr()
        wrong = session.end()
        check(f"the end ({isolation})", wrong is None, wrong)
        log += session.server.stderr()
    lines = [json.loads(line) for line in house.audit.read_text().splitlines()]
    for secret in TOKENS:
        check(f"{secret} is nowhere", secret not in log and secret not in json.dumps(lines))
    check("started and stopped", [lines[0]["event"], lines[-1]["event"]] == ["started", "stopped"], lines)
    check("a refusal names whom", any(one.get("principal") == "mallory" and one["status"] == 403 for one in lines), lines[:5])
    check("managing is written down", any(one["event"] == "managed" and one["principal"] == "root" and
                                          one["subject"] == "reload_skills_directory" for one in lines))
    check("the audit is its owner's", house.audit.stat().st_mode & 0o777 == 0o600)


def exit_code(server, house, **auth):
    command = [server, "--config", house.write(auth={**house.configuration["auth"], **auth})]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=environment)
    return done.returncode, done.stderr


def main():
    server, plugin, root = sys.argv[1], str(Path(sys.argv[2]).resolve()), Path(sys.argv[3])
    for isolation in ("thread", "process"):
        with tempfile.TemporaryDirectory(prefix="skillhost-access-") as folder:
            house = House(Path(folder), plugin, isolation)
            try:
                converse(server, house, root, isolation)
            except Broken as why:
                failures.append(f"{isolation}: {why}")
            status, text = exit_code(server, house, config={"check": {"do": "UNAVAILABLE", "message": "nobody there"}})
            check("a provider that is away", status == 2 and "nobody there" in text, (status, text))
            status, text = exit_code(server, house, config={"metadata": "[]"})
            check("metadata that are none", status == 2 and "JSON object" in text, (status, text))
            status, text = exit_code(server, house, plugin="nobody-has-this")
            check("a plugin that is missing", status == 1 and "nobody-has-this" in text, (status, text))
    for failure in failures:
        print(f"FAILED {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
