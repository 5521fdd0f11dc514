#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Three servers that record use in files of their own: each of them tells what all have, whoever is asked, and names
those that are missing: replica_usage_test.py SERVER"""
import json
import secrets
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import MODERN, modern  # noqa: E402
from replicas import (PREFIX, Engine, Replica, new_token, skip_without, state_settings,  # noqa: E402
                      write_configuration)
from session import write_skill  # noqa: E402

SERVER = sys.argv[1]
PEOPLE = ["aardvark", "bumblebee", "cormorant"]
checks = Checks()
check = checks.check


class Fleet:
    """The servers, people who use them, and one who may manage them."""

    def __init__(self, folder):
        self.folder, self.skills = Path(folder), Path(folder) / "skills"
        for name in ("charts", "pdf-forms", "never-used"):
            write_skill(self.skills, name, f"Does {name}.")
        self.engine, self.secret, self.replicas = Engine(folder).start(), secrets.token_hex(32), []
        tokens = self.folder / "tokens.json"
        self.tokens = {person: new_token(SERVER, tokens, person) for person in PEOPLE}
        self.tokens["boss"] = new_token(SERVER, tokens, "boss", "skills:read", "skills:manage")
        self.configuration = write_configuration(folder, state_settings(self.engine, self.secret))
        self.options = ["--config", str(self.configuration), "--auth", "static",
                        "--set", "auth.config=" + json.dumps({"file": str(tokens)})]

    def replica(self, name, file=None):
        one = Replica(name, SERVER, self.skills, *self.options, "--set", f"usage.path={self.file(file or name)}").start()
        self.replicas.append(one)
        until(lambda: one.state() == (200, "ready"), f"{name} is ready")
        return one

    def file(self, name):
        return self.folder / name / "usage.sqlite"

    def ask(self, at, person, method, named, **params):
        body = modern(method, **params)
        body["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = {"name": f"client-of-{person}", "version": "1"}
        response, answer = at.running.post(body, MCP_Protocol_Version=MODERN, Mcp_Method=method, Mcp_Name=named,
                                           Authorization=f"Bearer {self.tokens[person]}")
        assert response.status == 200, (at.name, response.status, answer)
        return answer["result"]

    def load(self, at, person, skill, times=1):
        for _ in range(times):
            self.ask(at, person, "tools/call", "load_skill", name="load_skill", arguments={"skill_name": skill})

    def usage(self, at):
        uri = "skillhost://usage"
        return json.loads(self.ask(at, "boss", "resources/read", uri, uri=uri)["contents"][0]["text"])

    def until_told(self, at, holds, what):
        """The first answer for which that holds; what is recorded stands in the file a second later."""
        told = {}

        def is_so():
            told.update(self.usage(at))
            return holds(told)
        try:
            until(is_so, f"{what} at {at.name}")
        except AssertionError:
            print(json.dumps(told.get("replicas")), json.dumps(told.get("totals")))
            raise
        return told

    def command(self, *words):
        return subprocess.run([SERVER, "usage", "--no-config", *map(str, words)], capture_output=True, text=True, timeout=DEADLINE,
                              check=False)

    def end(self):
        for replica in self.replicas:
            if replica.running.process.poll() is None:
                check(replica.end() == 0, f"{replica.name}: an orderly end")
        self.engine.end()


def whole(asked):
    return {"asked": asked, "answered": asked, "missing": []}


def added_up(fleet, one, two, three):
    """Other calls at each, the same figures at all of them."""
    fleet.load(one, "aardvark", "charts", 2)
    fleet.load(two, "aardvark", "charts", 3)
    fleet.load(two, "bumblebee", "charts")
    fleet.load(three, "cormorant", "pdf-forms", 4)
    answers = [fleet.until_told(at, lambda told: told["replicas"] == whole(3) and told["totals"]["loads"] == 10,
                                "all calls are told") for at in fleet.replicas]
    for at, told in zip(fleet.replicas, answers):
        skills = {one["id"]: one for one in told["skills"]}
        check({name: (one["loads"], one["principals"], one["clients"]) for name, one in skills.items()}
              == {"skills/charts": (6, 2, 2), "skills/pdf-forms": (4, 1, 1)}, f"skills at {at.name}: {skills}")
        check(sorted(one["loads"] for one in told["principals"]) == [1, 4, 5], f"one hash a person, {at.name}: {told['principals']}")
        check([one["id"] for one in told["unused"]] == ["skills/never-used"], f"unused by any, {at.name}: {told['unused']}")
        for member in ("totals", "skills", "clients", "principals", "days"):
            check(told[member] == answers[0][member], f"{member} is the same at {at.name}: {told[member]}")
    written = fleet.engine.written()
    check(PREFIX.encode() in written, "the engine has kept something")
    for words in PEOPLE + ["pdf-forms", "client-of-aardvark"]:
        check(words.encode() not in written, f"the engine holds {words}")
    check(not [key for key in fleet.engine.keys() if b"usage/cells/" in key], "answers are taken away")


def counted_once(fleet, one):
    """A fourth server that shares the file of the first one."""
    four = fleet.replica("four", file="one")
    for at in (four, one, fleet.replicas[1]):
        told = fleet.until_told(at, lambda told: told["replicas"] == whole(4), "four servers")
        check(told["totals"]["loads"] == 10, f"a shared file counts once, at {at.name}: {told['totals']}")
    check(four.end() == 0, "it ends in order")
    fleet.replicas.remove(four)
    told = fleet.until_told(one, lambda told: told["replicas"] == whole(3), "who has ended in order is gone at once")
    check(told["totals"]["loads"] == 10, f"nothing is lost with it: {told['totals']}")


def missing(fleet, one, two, three):
    """One that is stopped is named; it is back when it goes on. One that was killed is named until it is gone."""
    name = next(line.split("this is replica ")[1].split()[0] for line in three.running.log if "this is replica " in line)
    three.running.process.send_signal(signal.SIGSTOP)
    try:
        named = {"asked": 3, "answered": 2, "missing": [name]}
        told = fleet.until_told(one, lambda told: told["replicas"] == named, "one is missing")
        check(told["totals"]["loads"] == 6, f"the figures of the others: {told['totals']}")
        until(lambda: name in one.log(), "the log says so")
    finally:
        three.running.process.send_signal(signal.SIGCONT)
    fleet.until_told(two, lambda told: told["replicas"] == whole(3) and told["totals"]["loads"] == 10, "it is back")
    three.end(signal.SIGKILL)
    fleet.until_told(one, lambda told: told["replicas"] == named, "one was killed")
    # What a minute without its word does.
    for key in fleet.engine.keys():
        if key.endswith(b"usage/replica/" + name.encode()):
            check(0 < fleet.engine.ask("PTTL", key) <= 60_000, "its word ends by itself")
            fleet.engine.ask("DEL", key)
    fleet.until_told(one, lambda told: told["replicas"] == whole(2), "then it is gone")
    three.start()
    until(lambda: three.state() == (200, "ready"), "it is ready again")
    told = fleet.until_told(two, lambda told: told["replicas"] == whole(3), "a new one of its name has its file")
    check(told["totals"]["loads"] == 10, f"with all that was in it: {told['totals']}")
    fleet.until_told(one, lambda told: told["replicas"] == whole(3), "and the first one knows it")


def alone(fleet, one):
    """Without the engine a server tells its own figures, and that the rest is not in them."""
    fleet.engine.end()
    told = fleet.until_told(one, lambda told: "problem" in told["replicas"], "there is a problem")
    check(told["totals"]["loads"] == 2, f"its own figures: {told['totals']}")
    check(len(told["replicas"]["missing"]) == 2 and told["replicas"]["answered"] == 1, f"the others are missing: {told['replicas']}")
    fleet.engine.start()
    fleet.until_told(one, lambda told: told["replicas"] == whole(3) and told["totals"]["loads"] == 10, "it is whole again")


def by_files(fleet):
    """The command adds up files that it is given, and says when it shows one machine's alone."""
    files = [fleet.file(name) for name in ("one", "two", "three")]
    done = fleet.command("--json", *files, files[0])
    check(done.returncode == 0 and done.stderr.count("or a copy of it") == 1, f"files are added up: {done.stderr}")
    rows = {row["id"]: (row["loads"], row["principals"]) for row in json.loads(done.stdout)["usage"] if row["id"]}
    check(rows == {"skills/charts": (6, 2), "skills/pdf-forms": (4, 1)}, f"each once: {rows}")
    done = fleet.command(files[0], fleet.folder / "absent.sqlite")
    check(done.returncode == 1 and "absent.sqlite" in done.stderr, f"one that is not there is an error: {done.stderr}")
    done = subprocess.run([SERVER, "usage", "--config", str(fleet.configuration), "--set", f"usage.path={files[0]}", "--json"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    check(done.returncode == 0 and "this machine" in done.stderr, f"one machine's, with a word: {done.stderr}")
    rows = {row["id"]: row["loads"] for row in json.loads(done.stdout)["usage"] if row["id"]}
    check(rows == {"skills/charts": 2}, f"its own file: {rows}")


def main():
    skip_without("redis-server")
    with tempfile.TemporaryDirectory(prefix="skillhost-replica-usage-") as folder:
        fleet = Fleet(folder)
        one, two, three = [fleet.replica(name) for name in ("one", "two", "three")]
        try:
            added_up(fleet, one, two, three)
            counted_once(fleet, one)
            missing(fleet, one, two, three)
            alone(fleet, one)
        except AssertionError as error:
            check(False, str(error))
        fleet.end()
        by_files(fleet)
        if checks.failed:
            for replica in fleet.replicas:
                print(f"--- the end of the log of {replica.name}\n" + replica.log()[-3000:])
    return checks.finish()


sys.exit(main())
