#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What reviewers decide at one of three servers holds at all of them, by the engine that they share, whatever happens to
servers, files and engine meanwhile: replica_reviews_test.py SERVER SCRIPTED_AUTH"""
import contextlib
import json
import os
import secrets
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from checks import Checks, until
from http_server import LEGACY, legacy
from replicas import PREFIX, Engine, Replica, found, skip_without, state_settings, write_configuration
from session import write_skill

SERVER, AUTH = str(Path(sys.argv[1]).resolve()), str(Path(sys.argv[2]).resolve())
KEY = PREFIX + "reviews/decisions"
TOKENS = {name: {"subject": name, "scopes": ["skills:review", "skills:manage"], "expires_in": 3600} for name in ("ada", "bob")}
SKILLS = ["pdf", "csv", "xml", *[f"skill-{i}" for i in range(4)]]
checks = Checks()


def check(holds: object, what: str, seen: object = "") -> None:
    checks.check(holds, f"{what}: {str(seen)[:600]}")


class Desk(Replica):
    """A server with a file of approvals of its own."""

    def __init__(self, fleet: "Fleet", name: str, program: str = SERVER) -> None:
        self.folder = fleet.folder / name
        self.folder.mkdir()
        self.approvals = self.folder / "approvals.json"
        file = write_configuration(self.folder, {
            "sources": [{"name": "hub", "config": {"directories": [str(fleet.folder / "hub")]}}],
            "trust": {"rules": [{"sources": ["hub"], "action": "quarantine"}]},
            "auth": {"plugin": AUTH, "isolation": "thread", "config": {"tokens": TOKENS}},
            "startup_wait_ms": 60000, **state_settings(fleet.engine, fleet.secret)})
        environment = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        super().__init__(name, program, fleet.folder / "own", "--config", str(file), environment=environment)

    def ask(self, method: str, who: str = "ada", **params: object) -> dict[str, object]:
        return self.running.post(legacy(method, **params), MCP_Protocol_Version=LEGACY, Authorization=f"Bearer {who}")[1]

    def served(self) -> set[str]:
        return {one["name"] for one in self.ask("prompts/list")["result"]["prompts"]} & set(SKILLS)

    def review(self, action: str, name: str, who: str = "ada", **given: object) -> dict[str, object]:
        answer = self.ask("tools/call", who, name="review_skill", arguments={"action": action, "skill_name": f"hub/{name}", **given})
        return answer["result"]["structuredContent"]

    def shown(self, name: str) -> dict[str, object]:
        until(lambda: self.review("show", name).get("data"), f"{self.name}: {name} is listed")
        return self.review("show", name)["data"]["review"]

    def approve(self, name: str, who: str = "ada", **given: object) -> dict[str, object]:
        return self.review("approve", name, who, digest=self.shown(name)["digest"], **given)

    def decided(self) -> dict[str, str]:
        """The verdicts in the file, by skill."""
        if not self.approvals.exists():
            return {}
        return {name.removeprefix("hub/"): one["verdict"] for name, one in json.loads(self.approvals.read_text())["skills"].items()}

    def write(self, change: object) -> None:
        """An edit by hand."""
        all_of_it = json.loads(self.approvals.read_text())
        change(all_of_it["skills"])
        draft = self.folder / "draft"
        draft.write_text(json.dumps(all_of_it))
        draft.rename(self.approvals)

    def readiness(self) -> dict[str, object]:
        return json.loads(self.running.ask("GET", "/readyz", Authorization="Bearer ada")[1])


class Fleet:
    """Three servers over the same skills, and the engine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.secret = folder, secrets.token_hex(32)
        (folder / "own").mkdir()
        for name in SKILLS:
            write_skill(folder / "hub", name, f"Is {name}.")
        self.engine = Engine(folder).start()
        self.all = [Desk(self, name).start() for name in ("one", "two", "three")]

    def agree(self, wanted: dict[str, str], what: str) -> None:
        """Waits until every file says this and every server serves what is approved; the files are the same to the byte."""
        approved = {name for name, verdict in wanted.items() if verdict == "approve"}
        for desk in self.all:
            until(lambda: desk.decided() == wanted, f"{what}: in the file of {desk.name}: {wanted}")
            until(lambda: desk.served() == approved, f"{what}: served by {desk.name}: {approved}")
        texts = {json.dumps(json.loads(desk.approvals.read_text()), sort_keys=True) for desk in self.all}
        check(len(texts) == 1, f"{what}: the same decisions", texts)

    def end(self) -> None:
        for desk in self.all:
            check(desk.end() == 0, f"{desk.name}: an orderly end")
        self.engine.end()


def at_one(fleet: Fleet) -> None:
    """What is decided at one server holds at all."""
    one, two, three = fleet.all
    check(all(desk.served() == set() and not desk.approvals.exists() for desk in fleet.all), "nothing is decided at first")
    told = one.approve("pdf", reason="read it")
    check(told["success"], "an approval", told)
    fleet.agree({"pdf": "approve"}, "approved at one")
    told = two.review("reject", "pdf", "bob", seen=two.shown("pdf")["decision"]["id"])
    check(told["success"] and "in place of: approve" in told["data"]["message"], "a rejection elsewhere", told)
    fleet.agree({"pdf": "reject"}, "rejected at two")
    check(three.shown("pdf")["decision"]["who"] == "bob", "the third knows whose it is", three.shown("pdf"))
    told = three.approve("pdf", seen="")
    check(told.get("error", {}).get("code", "").endswith("CONFLICT"), "what was decided elsewhere was not seen", told)
    done = subprocess.run(["env", f"XDG_CACHE_HOME={three.folder}/cache", SERVER, "review", "approve", "csv", "--config",
                           str(three.folder / "skillhost.yaml")], capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, "the command decides", done)
    fleet.agree({"pdf": "reject", "csv": "approve"}, "the command's decision")


def at_once(fleet: Fleet) -> None:
    """Two who decide of the same skill in the same moment, each of them having seen no decision."""
    one, two, _ = fleet.all
    wanted = dict(one.decided())
    for name in SKILLS[3:]:
        digest = one.shown(name)["digest"]
        two.shown(name)
        answers: dict[str, dict[str, object]] = {}

        def decide(desk: Desk, action: str, who: str) -> None:
            answers[action] = desk.review(action, name, who, digest=digest, seen="")
        threads = [threading.Thread(target=decide, args=given) for given in ((one, "approve", "ada"), (two, "reject", "bob"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        succeeded = {action for action, answer in answers.items() if answer["success"]}
        check(succeeded, f"{name}: one of two succeeds at least", answers)
        for action, answer in answers.items():
            check(action in succeeded or answer["error"]["code"].endswith("CONFLICT"), f"{name}: the other one is told", answer)
        wanted[name] = "reject" if "reject" in succeeded else "approve"
        fleet.agree(wanted, f"{name}: two at once, {succeeded} succeeded")


def away(fleet: Fleet) -> None:
    """A server that is down, and a file that is edited, meanwhile."""
    one, two, three = fleet.all
    check(three.end() == 0, "three ends")
    wanted = {name: verdict for name, verdict in one.decided().items() if name != "csv"}
    one.write(lambda skills: skills.pop("hub/csv"))
    until(lambda: two.decided() == wanted, "what is taken out of one file by hand is out of the other")
    check(two.approve("xml")["success"], "an approval while three is away")
    wanted["xml"] = "approve"
    # And by hand there, a rejection of what nobody else has decided on.
    three.write(lambda skills: skills.update({"hub/late": {"verdict": "reject", "who": "eve", "when": "2026-01-01T00:00:00Z"}}))
    wanted["late"] = "reject"
    three.start()
    served = three.served()
    log = "".join(three.running.log)
    # On a slow machine a question to the engine may be given up, or take longer than a start waits.
    if "away" not in log and "what other replicas have decided is not known yet" not in log:
        check("csv" not in served, "what was withdrawn is not served for a moment", served)
    fleet.agree(wanted, "three is back")


def without_engine(fleet: Fleet) -> None:
    """An engine that is away, and comes back empty."""
    one, two, three = fleet.all
    wanted = dict(one.decided())
    fleet.engine.end()
    for desk in fleet.all:
        until(lambda: desk.readiness()["status"] == "degraded", f"{desk.name} notices that the engine is away")
    told = one.review("reject", "xml")
    check(told["success"] and "the others do not know of it yet" in told["data"]["message"], "a decision while it is away says so", told)
    check(two.approve("csv", "bob")["success"], "another one elsewhere")
    wanted.update({"xml": "reject", "csv": "approve"})
    shutil.rmtree(fleet.engine.folder / "appendonlydir", ignore_errors=True)
    (fleet.engine.folder / "appendonly.aof").unlink(missing_ok=True)
    fleet.engine.start()
    fleet.agree(wanted, "the engine is back, and empty")
    check(fleet.engine.ask("EXISTS", KEY) == 1, "they have put it there again")
    check(b"hub/csv" not in fleet.engine.ask("GET", KEY), "and the engine cannot read it")
    for desk in fleet.all:
        until(lambda: desk.readiness()["status"] == "ready", f"{desk.name} is ready again")


def foreign(fleet: Fleet) -> None:
    """What stands in the place of decisions, and no server has put there."""
    one, two, _ = fleet.all
    wanted = dict(one.decided())
    old = fleet.engine.ask("GET", KEY)
    check(two.review("reject", "csv")["success"], "an approval is withdrawn")
    wanted["csv"] = "reject"
    fleet.agree(wanted, "before")
    # Who can write to the engine puts back what was there before.
    fleet.engine.ask("SET", KEY, old)
    check(one.approve("pdf")["success"], "a decision after that")
    wanted["pdf"] = "approve"
    fleet.agree(wanted, "an earlier value brings no approval back")
    fleet.engine.ask("SET", KEY, "what another product has written, which is long enough")
    told = one.review("reject", "pdf")
    check(told["success"] and "the others do not know of it yet" in told["data"]["message"], "the reviewer is told", told)
    until(lambda: one.readiness().get("approvals") == {"shared": False}, "readiness says it")
    check(one.state() == (200, "degraded"), "to everybody", one.state())
    told = json.loads(one.ask("resources/read", uri="skillhost://reviews")["result"]["contents"][0]["text"])
    check("no replica of this service has made" in told.get("problem", ""), "and the resource", told)
    until(lambda: any("do not reach the others" in line for line in one.running.log), "and the log")
    check(one.decided()["pdf"] == "reject" and "pdf" not in one.served(), "its own decision holds", one.decided())
    check(two.decided()["pdf"] == "approve", "and is not known elsewhere", two.decided())
    check(b"another product" in fleet.engine.ask("GET", KEY), "what is there is left as it is")
    fleet.engine.ask("DEL", KEY)
    check(one.approve("csv")["success"], "once it is gone")
    wanted.update({"pdf": "reject", "csv": "approve"})
    fleet.agree(wanted, "all is as it was")
    until(lambda: one.state() == (200, "ready"), "and said to be")


def fresh(fleet: Fleet) -> None:
    """A server whose file was made elsewhere, and one that may not write its file."""
    one = fleet.all[0]
    wanted = {**one.decided(), "other": "reject"}
    new = Desk(fleet, "new")
    now = {"verdict": "reject", "who": "eve", "when": "2026-01-01T00:00:00Z"}
    approval = json.loads(one.approvals.read_text())["skills"]["hub/csv"]
    new.approvals.write_text(json.dumps({"skillhost.approvals": 1, "skills": {"hub/other": now, "hub/withdrawn": approval}}))
    fleet.all.append(new.start())
    fleet.agree(wanted, "a new one takes over what is shared, and gives its rejections")
    until(lambda: "hub/withdrawn; approve anew" in new.log(), "the log names what is not taken over")
    program = unwritable(fleet.folder)
    if program is None:
        print("a file that may not be written: not tested, setpriv is missing or may not take anything away")
        return
    fixed = Desk(fleet, "fixed", program)
    fixed.approvals.write_text(json.dumps({"skillhost.approvals": 1, "skills": {"hub/fixed": now}}))
    (fixed.folder / "cache").mkdir()
    fixed.folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        fixed.start()
        check(sum("is not shared with the other replicas" in line for line in fixed.running.log) == 1, "the log says it once", fixed.log())
        check(one.approve("pdf")["success"], "a decision elsewhere")
        wanted["pdf"] = "approve"
        fleet.agree(wanted, "those that share")
        check(fixed.decided() == {"fixed": "reject"} and fixed.served() == set(), "is not known where the file is fixed", fixed.decided())
        until(lambda: fixed.state() == (200, "ready"), "which is no trouble")
        check(fixed.end() == 0, "its end")
    finally:
        fixed.folder.chmod(stat.S_IRWXU)


def unwritable(folder: Path) -> str | None:
    """The server as somebody whom the modes of files bind; None where there is no such."""
    if os.geteuid() != 0:
        return SERVER
    words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    if not found("setpriv") or subprocess.run([*words, "true"], capture_output=True, check=False).returncode != 0:
        return None
    program = folder / "bound"
    program.write_text(f"#!/bin/sh\nexec {' '.join(words)} {SERVER} \"$@\"\n")
    program.chmod(0o700)
    return str(program)


def main() -> int:
    skip_without("redis-server")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as last:
        fleet = Fleet(Path(folder))
        last.callback(fleet.end)
        for part in (at_one, at_once, away, without_engine, foreign, fresh):
            part(fleet)
    return checks.finish()


sys.exit(main())
