#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that three servers share the decisions of reviewers through an engine. A decision at one server applies at all
of them, whatever fails meanwhile: replica_reviews_test.py SERVER SCRIPTED_AUTH"""
import contextlib
import json
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import Checks, until  # noqa: E402
from http_server import LEGACY, legacy  # noqa: E402
from replicas import PREFIX, Engine, Replica, skip_without, state_settings, write_configuration  # noqa: E402
from session import write_skill  # noqa: E402

SERVER, AUTH = str(Path(sys.argv[1]).resolve()), str(Path(sys.argv[2]).resolve())
TOKENS = {name: {"subject": name, "scopes": ["skills:review", "skills:manage"], "expires_in": 3600} for name in ("ada", "bob")}
SKILLS = ["pdf", "csv", "xml", *[f"skill-{i}" for i in range(4)]]
checks = Checks()


def check(holds: object, what: str, seen: object = "") -> None:
    checks.check(holds, f"{what}: {str(seen)[:600]}")


class Desk(Replica):
    """A server with its own file of approvals."""

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

    def command(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(["env", f"XDG_CACHE_HOME={self.folder}/cache", SERVER, "review", *words, "--config",
                               str(self.folder / "skillhost.yaml")], capture_output=True, text=True, timeout=120, check=False)

    def exported(self) -> dict[str, str]:
        """Returns the exported verdicts, by skill."""
        done = self.command("export")
        check(done.returncode == 0, f"{self.name}: an export", done)
        return {name.removeprefix("hub/"): one["verdict"] for name, one in json.loads(done.stdout)["skills"].items()}

    def readiness(self) -> dict[str, object]:
        return json.loads(self.running.ask("GET", "/readyz", Authorization="Bearer ada")[1])


def places_of(engine: Engine, part: str) -> list[str]:
    """Returns the engine's keys for shared decisions: an index, and one key for each skill."""
    return sorted(key.decode() for key in engine.ask("KEYS", f"{PREFIX}reviews/{part}/*"))


class Fleet:
    """Three servers that serve the same skills, and their engine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.secret = folder, secrets.token_hex(32)
        (folder / "own").mkdir()
        for name in SKILLS:
            write_skill(folder / "hub", name, f"Is {name}.")
        self.engine = Engine(folder).start()
        self.all = [Desk(self, name).start() for name in ("one", "two", "three")]

    def agree(self, wanted: dict[str, str], what: str) -> None:
        """Waits until every server serves the approved skills. Then it checks that the engine has exactly these
        decisions."""
        approved = {name for name, verdict in wanted.items() if verdict == "approve"}
        for desk in self.all:
            until(lambda: desk.served() == approved, f"{what}: served by {desk.name}: {approved}")
        check(self.all[0].exported() == wanted, f"{what}: in the engine", self.all[0].exported())

    def end(self) -> None:
        for desk in self.all:
            check(desk.end() == 0, f"{desk.name}: an orderly end")
        self.engine.end()


def at_one(fleet: Fleet) -> None:
    """Checks that a decision at one server applies at all servers."""
    one, two, three = fleet.all
    check(all(desk.served() == set() for desk in fleet.all), "nothing is decided at first")
    told = one.approve("pdf", reason="read it")
    check(told["success"], "an approval", told)
    fleet.agree({"pdf": "approve"}, "approved at one")
    told = two.review("reject", "pdf", "bob", seen=two.shown("pdf")["decision"]["id"])
    check(told["success"] and "in place of: approve" in told["data"]["message"], "a rejection elsewhere", told)
    fleet.agree({"pdf": "reject"}, "rejected at two")
    check(three.shown("pdf")["decision"]["who"] == "bob", "the third knows whose it is", three.shown("pdf"))
    told = three.approve("pdf", seen="")
    check(told.get("error", {}).get("code", "").endswith("CONFLICT"), "what was decided elsewhere was not seen", told)
    done = three.command("approve", "csv")
    check(done.returncode == 0 and "engine" in done.stdout, "the command decides in the engine", done)
    fleet.agree({"pdf": "reject", "csv": "approve"}, "the command's decision")
    check(not any(desk.approvals.exists() for desk in fleet.all), "no file is written")


def at_once(fleet: Fleet) -> None:
    """Checks two reviewers who decide on the same skill at the same moment, before either has seen the other's
    decision: one gets an error."""
    one, two, _ = fleet.all
    wanted = one.exported()
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
        succeeded = [action for action, answer in answers.items() if answer["success"]]
        check(len(succeeded) == 1, f"{name}: one of two succeeds", answers)
        for action, answer in answers.items():
            check(action in succeeded or answer["error"]["code"].endswith("CONFLICT"), f"{name}: the other one is told", answer)
        wanted[name] = succeeded[0]
        fleet.agree(wanted, f"{name}: two at once, {succeeded} succeeded")


def away(fleet: Fleet) -> None:
    """Checks that a server that was down learns the decisions made meanwhile before it serves anything."""
    one, two, three = fleet.all
    wanted = one.exported()
    check(three.end() == 0, "three ends")
    check(two.review("reject", "csv")["success"] and two.approve("xml")["success"], "decisions while three is away")
    wanted.update({"csv": "reject", "xml": "approve"})
    three.start()
    served = three.served()
    # On a slow machine a request to the engine may time out, or the start does not wait for the engine's answer.
    log = "".join(three.running.log)
    if "away" not in log and "is not known yet" not in log:
        check("csv" not in served, "what was withdrawn is not served for a moment", served)
    fleet.agree(wanted, "three is back")


def without_engine(fleet: Fleet) -> None:
    """Checks that no decision is possible while the engine is down, and that earlier ones still apply. The servers
    restore the decisions to an engine that returns empty."""
    one, two, three = fleet.all
    wanted = one.exported()
    fleet.engine.end()
    for desk in fleet.all:
        until(lambda: desk.readiness()["status"] == "degraded", f"{desk.name} notices that the engine is away")
    told = one.review("reject", "xml")
    check(not told["success"] and "nothing was decided" in told["error"]["message"] and told["error"]["retryable"],
          "a decision while it is away is refused", told)
    done = two.command("reject", "xml")
    check(done.returncode == 1 and "nothing was decided" in done.stderr, "so is that of the command", done)
    check(three.end() == 0, "three ends")
    three.start()
    until(lambda: three.served() == one.served(), "a start without the engine knows what was decided")
    shutil.rmtree(fleet.engine.folder / "appendonlydir", ignore_errors=True)
    (fleet.engine.folder / "appendonly.aof").unlink(missing_ok=True)
    fleet.engine.start()
    for desk in fleet.all:
        until(lambda: desk.readiness()["status"] == "ready", f"{desk.name} is ready again")
    until(lambda: len(places_of(fleet.engine, "decision")) == len(wanted), "the engine has all decisions again")
    fleet.agree(wanted, "the engine is back, and empty")
    for place in places_of(fleet.engine, "*"):
        check(b"hub/" not in fleet.engine.ask("GET", place), "and the engine cannot read them")


def foreign(fleet: Fleet) -> None:
    """Checks values under the keys of decisions that no server has written."""
    one, two, _ = fleet.all
    wanted = one.exported()
    old = {place: fleet.engine.ask("GET", place) for place in places_of(fleet.engine, "*")}
    check(two.review("reject", "xml")["success"], "an approval is withdrawn")
    wanted["xml"] = "reject"
    fleet.agree(wanted, "before")
    # Somebody who can write to the engine restores older values.
    for place, value in old.items():
        fleet.engine.ask("SET", place, value)
    check(one.approve("pdf")["success"], "a decision after that")
    wanted["pdf"] = "approve"
    fleet.agree(wanted, "an earlier value brings no approval back")
    [index] = places_of(fleet.engine, "index")
    kept = fleet.engine.ask("GET", index)
    fleet.engine.ask("SET", index, "what another product has written, which is long enough")
    told = one.review("reject", "pdf")
    check(not told["success"] and "no replica of this service wrote" in told["error"]["message"], "the reviewer is told", told)
    check("pdf" in one.served() and "pdf" in two.served(), "what was known holds")
    check(b"another product" in fleet.engine.ask("GET", index), "what is there is left as it is")
    fleet.engine.ask("SET", index, kept)
    check(one.review("reject", "pdf")["success"], "once it is gone")
    wanted["pdf"] = "reject"
    fleet.agree(wanted, "all is as it was")


def fresh(fleet: Fleet) -> None:
    """Checks a server whose file of approvals was made elsewhere, and tests export and import."""
    one = fleet.all[0]
    # The servers decided concurrently before, so perhaps no approval is left. This makes one.
    check(one.approve("pdf")["success"], "an approval")
    wanted = one.exported()
    copy = fleet.folder / "copy.json"
    done = one.command("export", str(copy))
    check(done.returncode == 0, "an export to a file", done)
    decisions = json.loads(copy.read_text())["skills"]
    approval = decisions["hub/pdf"]
    now = {"verdict": "reject", "who": "eve", "when": "2026-01-01T00:00:00Z"}
    new = Desk(fleet, "new")
    new.approvals.write_text(json.dumps({"skillhost.approvals": 1, "skills": {"hub/other": now, "hub/withdrawn": approval}}))
    fleet.all.append(new.start())
    wanted["other"] = "reject"
    fleet.agree(wanted, "a new one takes over what is in the engine, and gives its rejections")
    until(lambda: "hub/withdrawn; approve anew" in new.log(), "the log names what is not taken over")
    more = fleet.folder / "more.json"
    more.write_text(json.dumps({"skillhost.approvals": 1, "skills": {"hub/third": now, "hub/csv": approval}}))
    done = one.command("import", str(more))
    check(done.returncode == 1 and "hub/csv has another decision, which stays" in done.stderr, "an import names what stays", done)
    wanted["third"] = "reject"
    fleet.agree(wanted, "an import")


def main() -> int:
    skip_without("redis-server")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as last:
        fleet = Fleet(Path(folder))
        last.callback(fleet.end)
        for part in (at_one, at_once, away, without_engine, foreign, fresh):
            part(fleet)
    return checks.finish()


sys.exit(main())
