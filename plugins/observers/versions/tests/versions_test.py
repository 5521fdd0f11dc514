#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that managers can see earlier versions of a skill, and that recording them never fails a request:
versions_test.py SERVER SCRIPTED_AUTH"""
from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import LEGACY, Running, legacy  # noqa: E402
from session import write_skill  # noqa: E402

SERVER, AUTH = str(Path(sys.argv[1]).resolve()), str(Path(sys.argv[2]).resolve())
TOKENS = {"reader": {"subject": "eve", "scopes": ["skills:read"], "expires_in": 3600},
          "manager": {"subject": "root", "scopes": ["skills:manage"], "expires_in": 3600},
          "reviewer": {"subject": "root", "scopes": ["skills:manage", "skills:review"], "expires_in": 3600},
          "elsewhere": {"subject": "mia", "scopes": ["skills:manage"], "expires_in": 3600}}
MARK = "zebrafish"  # a word that only withheld content contains
checks = Checks()


def check(holds: bool, what: str, seen: object = "") -> None:
    checks.check(holds, f"{what}: {str(seen)[:800]}")


class House:
    """Skills of two sources. Readers and one of the managers see only one source."""

    def __init__(self, folder: Path, **more: object) -> None:
        self.folder = folder
        self.file = folder / "cache" / "versions.sqlite"
        (folder / "none").mkdir(parents=True)
        write_skill(folder / "own", "pdf", "Read PDF files.")
        write_skill(folder / "hub", "csv", "Read tables.", "First.\n")
        self.configuration = folder / "skillhost.json"
        self.configuration.write_text(json.dumps({
            "sources": [{"name": name, "config": {"directories": [str(folder / name)]}} for name in ("own", "hub")],
            "auth": {"plugin": AUTH, "isolation": "thread", "config": {"tokens": TOKENS}},
            "access": {"visibility": [{"sources": ["hub"], "principals": ["root"]}]},
            "versions": {"path": str(self.file)}, "usage": {"enabled": False}, "startup_wait_ms": 60000, **more}))

    def serve(self, *options: str) -> Running:
        return Running(SERVER, str(self.folder / "none"), "--config", str(self.configuration), *options)


def ask(server: Running, token: str, method: str, **params: object) -> tuple[int, Any]:
    response, answer = server.post(legacy(method, **params), MCP_Protocol_Version=LEGACY, Authorization=f"Bearer {token}")
    return response.status, answer


def read(server: Running, uri: str, token: str = "manager") -> Any:
    answer = ask(server, token, "resources/read", uri=uri)[1]
    return json.loads(answer["result"]["contents"][0]["text"]) if "result" in answer else answer


def versions(server: Running, skill: str = "hub/csv", token: str = "manager") -> list[dict[str, Any]]:
    return list(read(server, f"skillhost://versions/{skill}", token).get("versions", []))


def comes_to(server: Running, number: int, skill: str = "hub/csv") -> list[dict[str, Any]]:
    until(lambda: len(versions(server, skill)) == number, f"{number} versions of {skill}")
    return versions(server, skill)


def text_of(server: Running, version: dict[str, Any], skill: str = "hub/csv") -> str | None:
    told = read(server, f"skillhost://versions/{skill}?version={version['version']}")
    text = told.get("content", {}).get("text")  # the version may have been removed meanwhile
    return text.split("---\n", 2)[2] if text is not None else None


def newest(server: Running) -> str | None:
    return next((text_of(server, one) for one in versions(server)), None)


def history(folder: Path) -> None:
    """Checks three changes with a restart in between: versions are in order, and each has its text and files."""
    house = House(folder)
    server = house.serve()
    comes_to(server, 1)
    write_skill(folder / "hub", "csv", "Read tables.", "Second.\n")
    comes_to(server, 2)
    server.end()
    write_skill(folder / "hub", "csv", "Read tables.", "Third.\n")  # while no server runs
    server = house.serve()
    comes_to(server, 3)
    (folder / "hub" / "csv" / "notes.md").write_text("Notes.\n")
    seen = comes_to(server, 4)
    check([text_of(server, one) for one in seen] == ["Third.\n", "Third.\n", "Second.\n", "First.\n"], "the texts, in order", seen)
    check([one["files"] for one in seen] == [2, 1, 1, 1], "the files are counted", seen)
    check("until" not in seen[0] and all(one["until"] >= one["since"] for one in seen[1:]), "one is served, the others ended", seen)
    check(all(newer["since"] >= older["until"] for newer, older in zip(seen, seen[1:])), "one after the other", seen)
    whole = read(server, f"skillhost://versions/hub/csv?version={seen[0]['version']}")
    check([file["path"] for file in whole["content"]["file_list"]] == ["SKILL.md", "notes.md"], "the files are named", whole)
    check(len(versions(server, "own/pdf")) == 1, "what did not change has one version")
    # A removed skill is still known; an unknown one is not.
    (folder / "hub" / "csv" / "SKILL.md").rename(folder / "gone.md")
    until(lambda: "until" in versions(server)[0], "it has ended")
    told = read(server, "skillhost://versions/hub/csv")
    check(told["served"] is False and len(told["versions"]) == 4, "what it was is told", told)
    told = read(server, "skillhost://versions/hub/nobody")
    check(told["versions"] == [], "nothing is known of what was never there", told)
    for uri in ("skillhost://versions/hub/csv?version=999999", "skillhost://versions/hub/csv?version=x", "skillhost://versions/hub",
                "skillhost://versions/hub/csv?text=1", f"skillhost://versions/own/pdf?version={seen[0]['version']}"):
        told = read(server, uri)
        check("error" in told and told["error"]["code"] != -32603, f"{uri} is no resource", told)
    server.end()


def permissions(folder: Path) -> None:
    """Checks that only managers who see all skills can read versions, and that withheld content is no version."""
    house = House(folder, trust={"rules": [{"sources": ["own"], "action": "quarantine"}]})

    def approve() -> None:
        subprocess.run([SERVER, "review", "approve", "own/pdf", "--config", str(house.configuration)], check=True,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE * 3)

    server = house.serve()
    comes_to(server, 1)
    check(versions(server, "own/pdf") == [], "what waits for a decision is no version")
    approve()
    comes_to(server, 1, "own/pdf")
    write_skill(folder / "own", "pdf", f"Looks after a {MARK}.", f"The {MARK}.\n")
    until(lambda: "until" in versions(server, "own/pdf")[0], "the other content is withheld")
    # This change follows in the same source and is reported, so the earlier one was handled.
    write_skill(folder / "hub", "csv", "Read tables.", "Second.\n")
    comes_to(server, 2)
    check(len(versions(server, "own/pdf")) == 1, "a content that was withheld is no version", versions(server, "own/pdf"))
    for token, status in (("reader", 403), ("nobody", 401)):
        for uri in ("skillhost://versions/hub/csv", "skillhost://versions/own/pdf?version=1"):
            seen, answer = ask(server, token, "resources/read", uri=uri)
            check(seen == status and "Second" not in json.dumps(answer), f"{token} may not read {uri}", (seen, answer))
    number = versions(server, "own/pdf")[0]["version"]
    for uri in ("skillhost://versions/hub/csv", "skillhost://versions/own/pdf", f"skillhost://versions/own/pdf?version={number}"):
        told = read(server, uri, "elsewhere")
        check(told == {"enabled": True, "withheld": True}, f"a manager who does not see all is told nothing by {uri}", told)
    # The version may have been rejected since.
    uri = f"skillhost://versions/own/pdf?version={number}"
    for token, told in (("manager", False), ("reviewer", True)):
        content = read(server, uri, token)["content"]
        check(("text" in content) == told and content.get("text_withheld", False) != told, f"{token} reads the text: {told}", content)
    server.end()
    check(MARK not in house.file.read_bytes().decode("latin-1") or MARK not in json.dumps(rows(house.file)), "nor is it in a version")


def rows(file: Path) -> list[Any]:
    with sqlite3.connect(file) as database:
        return database.execute("SELECT versions.*, texts.text FROM versions LEFT JOIN texts USING (digest)").fetchall()


def nobody_known(folder: Path) -> None:
    """Checks a server without authentication: it shows versions unless there are rules of trust."""
    for trust, told in (({}, True), ({"rules": [{"sources": ["hub"], "action": "warn"}]}, False)):
        below = folder / ("open" if told else "withheld")
        house = House(below, trust=trust, auth={"plugin": "none"}, access={})
        server = house.serve()
        until(lambda: house.file.exists(), "there is a file")
        seen = read(server, "skillhost://versions/hub/csv")
        check(("versions" in seen) == told, f"a history is told: {told}", seen)
        server.end()


def trouble(folder: Path) -> None:
    """Checks that an unusable file is reported in the log and fails no request."""
    house = House(folder)

    def load(server: Running) -> str:
        return json.dumps(ask(server, "manager", "tools/call", name="load_skill", arguments={"skill_name": "csv"})[1])

    server = house.serve("--set", "versions.enabled=false")
    check(read(server, "skillhost://versions/hub/csv") == {"enabled": False} and not house.file.exists(), "switched off")
    server.end()
    house.file.parent.mkdir()
    for what, said in (("newer", "a newer skillhost has written it"), ("other", "is not a database"), ("folder", "unable to open")):
        for one in house.file.parent.glob("versions*"):
            one.rmdir() if one.is_dir() else one.unlink()
        if what == "newer":
            house.serve().end()
            with sqlite3.connect(house.file) as database:
                database.execute(f"PRAGMA application_id={0x736b7665}")
                database.execute("PRAGMA user_version=99")
        elif what == "other":
            house.file.write_text("listen: 127.0.0.1\n" + "#" * 8192)
        else:
            house.file.mkdir()
        server = house.serve()
        told = read(server, "skillhost://versions/hub/csv")
        check("error" in told, f"{what}: who asks is told that it is not there", told)
        check("First." in load(server), f"{what}: skills are served")
        until(lambda: any("[versions]" in line and said in line for line in server.log), f"{what}: the log says {said!r}")
        server.end()
    house.file.rmdir()
    server = house.serve()
    comes_to(server, 1)
    with sqlite3.connect(house.file, isolation_level=None) as database:
        database.execute("BEGIN IMMEDIATE")
        write_skill(folder / "hub", "csv", "Read tables.", "Second.\n")
        until(lambda: "Second." in load(server), "locked: the change is served")
        database.execute("COMMIT")
    seen = comes_to(server, 2)
    check([text_of(server, one) for one in seen] == ["Second.\n", "First.\n"], "locked: it is kept afterwards", seen)
    server.end()


def bounds(folder: Path) -> None:
    house = House(folder)
    server = house.serve("--set", "versions.per_skill=2")
    for i in range(4):
        write_skill(folder / "hub", "csv", "Read tables.", f"Text {i}.\n")
        until(lambda: newest(server) == f"Text {i}.\n", f"text {i}")
    seen = versions(server)
    check([text_of(server, one) for one in seen] == ["Text 3.\n", "Text 2.\n"], "the newest two are kept", seen)
    server.end()


with tempfile.TemporaryDirectory() as scratch:
    for part in (history, permissions, nobody_known, trouble, bounds):
        below = Path(scratch) / part.__name__
        below.mkdir()
        part(below)
sys.exit(checks.finish())
