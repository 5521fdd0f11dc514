#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests on stdio who may do and see what: access_test.py SERVER SCRIPTED_AUTH_PLUGIN SOURCE_ROOT. The provider is a
real plugin, once in the server's process and once in its own."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks, until
from session import DEADLINE, Broken, Session, write_skill

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
checks = Checks()


def check(holds, what, seen=""):
    checks.check(holds, f"{what}: {str(seen)[:600]}")


class House:
    """Two folders of skills that share a name. Only callers with the scope hr see the first folder."""

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
            # The question is mostly about hidden skills, so the visible ones match it badly.
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
    """Checks that no method of either family answers a caller without a credential."""
    table = re.findall(r'Method\{"([^"]+)", ProtocolFamilies::(\w+)', (root / "host/mcp/router.cpp").read_text())
    check(len(table) >= 20, "the table of methods is found", table)
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
                check(code(message) == want, f"{method} for nobody ({token!r})", message)
                check("csv" not in json.dumps(message), f"{method} tells nobody anything", message)
    check("result" in session.answer("ping"), "ping needs nothing")


def refusals(session):
    check(code(session.answer("tools/list", access_token="down-token")) == AWAY, "an outage")
    check(code(session.answer("list_tools", access_token="down-token")) == 503, "an outage, older")
    check(code(session.answer("tools/list", access_token=CANARY)) == DENIED, "a quoted token")
    for place in ({"access_token": "stranger-token"}, {"_meta": {"access_token": "stranger-token"}}):
        message = session.answer("tools/list", **place)
        check(code(message) == FORBIDDEN and message["error"]["data"] == {"scope": "skills:read"}, "no scope", message)
    for token in ("stranger-token", "reader-token"):
        message = session.answer("tools/call", access_token=token, name="reload_skills_directory", arguments={})
        check(code(message) == FORBIDDEN and message["error"]["data"] == {"scope": "skills:read skills:manage"}, "all scopes at once", message)
    message = session.answer("resources/read", access_token="reader-token", uri="skillhost://stats")
    check(code(message) == FORBIDDEN, "figures are for managers", message)
    check(code(session.answer("list_tools", access_token="stranger-token")) == 403, "403, older")


def views(session):
    for token in ("reader-token", "manager-token"):
        seen = data(session, token, "list_skills")
        check([one["name"] for one in seen["skills"]] == ["csv", "pdf"] and seen["total"] == 2, f"what {token} sees", seen)
        check(data(session, token, "load_skill", skill_name="pdf", force_reload=True)["uri"] == "skill://open/pdf/SKILL.md", "the bare name")
        message = session.answer("resources/read", access_token=token, uri="skill://secret/dismissal/SKILL.md")
        check(code(message) == -32002, "a hidden file", message)
        found = data(session, token, "find_helpful_skills", task_description="payroll figures and letters, or a PDF", top_k=1)
        check([one["source"] for one in found["results"]] == ["open"], "the search fills its answer", found)
        completion = session.answer("completion/complete", access_token=token, argument={"name": "source", "value": ""},
                                    ref={"type": "ref/resource", "uri": "skill://{source}/{+path}"})
        check(completion["result"]["completion"]["values"] == ["open"], "completion", completion)
        listed = session.answer("skills/list", access_token=token)
        check([one["uri"] for one in listed["result"]["skills"]] == ["skill://open/csv/SKILL.md", "skill://open/pdf/SKILL.md"], "the extension", listed)
    seen = data(session, "staff-token", "list_skills")
    check(sorted(one["name"] for one in seen["skills"]) == ["csv", "dismissal", "open/pdf", "pdf"], "what staff sees", seen)
    data(session, "staff-token", "load_skill", skill_name="dismissal")
    for tool in ("list_skills", "get_loaded_skills_info"):
        seen = data(session, "reader-token", tool)
        check("dismissal" not in json.dumps(seen), f"{tool} names what others have loaded", seen)
    seen = data(session, "reader-token", "unload_skill", skill_name="dismissal")
    check("NOT_FOUND" in json.dumps(seen), "unloading what is hidden", seen)
    figures = data(session, "manager-token", "get_server_stats")
    check([one["name"] for one in figures["sources"]] == ["open"], "figures follow", figures["sources"])
    listed = session.answer("tools/list", _meta={**MODERN, "access_token": "reader-token"})
    check(listed["result"]["cacheScope"] == "private", "a private list", listed["result"].keys())


def changes(session, house):
    """Checks that a caller hears nothing of changes that the caller may not see."""
    def settle():
        """Waits for the second answer, which follows everything that the first look at the sources announced."""
        for _ in range(2):
            session.call("tools/call", access_token="manager-token", name="reload_skills_directory", arguments={})
        session.call("tools/list", access_token="reader-token")

    settle()
    session.notifications.clear()  # those of the start, when the sources arrived one by one
    write_skill(house.folder / "secret", "bonus", "Payroll again.")
    write_skill(house.folder / "secret", "pdf", "Other payroll figures.")
    settle()
    check(not session.notifications, "no notification", session.notifications)
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
        check(wrong is None, f"the end ({isolation})", wrong)
        log += session.server.stderr()
    lines = [json.loads(line) for line in house.audit.read_text().splitlines()]
    for secret in TOKENS:
        check(secret not in log and secret not in json.dumps(lines), f"{secret} is nowhere")
    check([lines[0]["event"], lines[-1]["event"]] == ["started", "stopped"], "started and stopped", lines)
    check(any(one.get("principal") == "mallory" and one["status"] == 403 for one in lines), "a refusal names whom", lines[:5])
    check(any(one["event"] == "managed" and one["principal"] == "root" and one["subject"] == "reload_skills_directory" for one in lines), "managing is written down")
    check(house.audit.stat().st_mode & 0o777 == 0o600, "the audit is its owner's")


def exit_code(server, house, **auth):
    command = [server, "--config", house.write(auth={**house.configuration["auth"], **auth})]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=environment)
    return done.returncode, done.stderr


def hang_up(server, folder):
    """Checks that SIGHUP makes the audit continue in a new file, and ends a server without an audit file."""
    audit, moved = folder / "audit.jsonl", folder / "audit.1"
    write_skill(folder / "skills", "pdf", "Read PDF files.")
    options = [server, "--no-config", "--skills-dir", str(folder / "skills"), "--set", "usage.enabled=false"]
    with Session([*options, "--set", f"access.audit_log={audit}"]) as session:
        until(lambda: "started" in audit.read_text(), "the audit begins")
        audit.rename(moved)
        session.server.process.send_signal(signal.SIGHUP)
        check(session.end() is None, "it serves on, and ends in order")
    check("stopped" in audit.read_text() and "stopped" not in moved.read_text(), "the last line is in the new file", moved.read_text())
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the parent of the tests may ignore it, as nohup does
    with Session(options) as session:
        session.server.process.send_signal(signal.SIGHUP)
        check(session.server.process.wait(DEADLINE) == -signal.SIGHUP, "without a file it is the end")


def main():
    server, plugin, root = sys.argv[1], str(Path(sys.argv[2]).resolve()), Path(sys.argv[3])
    for isolation in ("thread", "process"):
        with tempfile.TemporaryDirectory(prefix="skillhost-access-") as folder:
            house = House(Path(folder), plugin, isolation)
            try:
                converse(server, house, root, isolation)
            except Broken as why:
                check(False, isolation, why)
            status, text = exit_code(server, house, config={"check": {"do": "UNAVAILABLE", "message": "nobody there"}})
            check(status == 2 and "nobody there" in text, "a provider that is away", (status, text))
            status, text = exit_code(server, house, config={"metadata": "[]"})
            check(status == 2 and "JSON object" in text, "metadata that are none", (status, text))
            status, text = exit_code(server, house, plugin="nobody-has-this")
            check(status == 1 and "nobody-has-this" in text, "a plugin that is missing", (status, text))
            unwritable = house.write(access={"audit_log": str(house.folder / "none" / "audit.jsonl")})
            for words, status in ((["doctor"], 1), ([], 1)):
                done = subprocess.run([server, *words, "--config", unwritable], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                      timeout=DEADLINE, check=False)
                said = done.stdout + done.stderr
                check(done.returncode == status and "the audit log" in said, f"an audit log that cannot be opened: {words}", said)
    with tempfile.TemporaryDirectory(prefix="skillhost-access-") as folder:
        hang_up(server, Path(folder))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
