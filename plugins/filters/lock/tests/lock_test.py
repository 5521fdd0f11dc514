#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skillhost lock and --locked: lock_test.py SERVER. It locks a folder and a git repository, changes them behind
the lock's back, and serves them. It damages the lock, and kills the program that writes it (500 times with
SKILLHOST_LONG_TESTS=1)."""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from git_servers import Repository  # noqa: E402
from checks import Checks  # noqa: E402
from session import Session, write_skill  # noqa: E402

SERVER = sys.argv[1]
checks = Checks()
check = checks.check


class Place:
    """A configuration with a folder and, if git is installed, a repository."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.skills, self.lock = self.folder / "skills", self.folder / "skills.lock"
        for name in ("one", "two"):
            write_skill(self.skills, name, f"The skill {name}.")
        (self.skills / "one" / "notes.md").write_text("Notes.\n")
        self.sources = [{"name": "mine", "config": {"directories": [str(self.skills)]}}]
        self.repository = None
        if shutil.which("git"):
            (self.folder / "root").mkdir()
            self.repository = Repository(self.folder / "root", "team")
            self.repository.skill("alpha", "Does alpha.", "First.")
            self.commit = self.repository.push()
            self.sources.append({"name": "team", "plugin": "github", "config": {"url": f"file://{self.repository.bare}"}})
        self.write()

    def write(self, **more):
        (self.folder / "skillhost.json").write_text(json.dumps({"sources": self.sources, **more}))

    def command(self, *words, cache="cache"):
        return ["env", f"HOME={self.folder}", f"XDG_CACHE_HOME={self.folder}/{cache}", "SKILLHOST_STARTUP_WAIT_MS=60000",
                SERVER, "--config", str(self.folder / "skillhost.json"), *words]

    def run(self, *words, code=0, **more):
        done = subprocess.run(self.command(*words, **more), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120)
        check(done.returncode == code, f"{words} ends with {code}: {done.returncode} {done.stdout} {done.stderr}")
        return done.stdout + done.stderr

    def locked(self, **more):
        return Session(self.command("--locked", **more))


def names(session):
    return sorted(skill["name"] for skill in session.listing()["skills"])


def refusal(session, skill):
    answer = session.call("tools/call", name="load_skill", arguments={"skill_name": skill})
    return answer["structuredContent"].get("error", {}).get("message", "")


def writes_and_compares(place):
    said = place.run("lock")
    check("is written" in said, said)
    written = json.loads(place.lock.read_text())
    check(written["skills.lock"] == 1 and list(written["sources"]) == sorted(written["sources"]), written)
    check(written["sources"]["mine"]["skills"]["one"]["notes.md"]["size"] == 7, written)
    check(len(written["sources"]["mine"]["skills"]["one"]["SKILL.md"]["blake3"]) == 64, written)
    check("snapshot" not in written["sources"]["mine"], "a folder cannot go back, so no snapshot is pinned")
    if place.repository:
        check(written["sources"]["team"]["snapshot"] == place.commit, written["sources"]["team"])
    before = place.lock.stat().st_mtime_ns, place.lock.stat().st_ino
    check("up to date" in place.run("lock"), "nothing has changed")
    check((place.lock.stat().st_mtime_ns, place.lock.stat().st_ino) == before, "so the file is not touched")
    check("fits" in place.run("lock", "--check"), "and it fits")
    place.run("lock", "--file", str(place.folder / "other.lock"))
    check((place.folder / "other.lock").read_bytes() == place.lock.read_bytes(), "equal sources are equal bytes")
    check(sorted(path.name for path in place.folder.glob(".*lock*")) == [], "no draft is left")


def serves_what_is_locked(place):
    everything = ["one", "two"] + (["alpha"] if place.repository else [])
    with place.locked() as session:
        check(names(session) == sorted(everything), f"{names(session)} {session.server.stderr()}")
        (place.skills / "one" / "notes.md").write_text("Nodes.\n")  # the size stays the same
        write_skill(place.skills, "three", "Nobody has looked at it.")
        session.tool("reload_skills_directory")
        check("one" not in names(session) and "three" not in names(session), f"{names(session)}")
        check("two" in names(session), "what fits is served")
        check("notes.md has 7 bytes with BLAKE3" in refusal(session, "one"), refusal(session, "one"))
        check("is not in" in refusal(session, "three") and "skillhost lock" in refusal(session, "three"),
              refusal(session, "three"))
        check("mine/one is not served" in session.server.stderr(), session.server.stderr())
        (place.skills / "one" / "notes.md").write_text("Notes.\n")
        session.tool("reload_skills_directory")
        check("one" in names(session), f"as it was, it is back: {names(session)}")
        write_skill(place.skills, "two", "Changed after the lock.")
        session.tool("reload_skills_directory")
        check("SKILL.md has" in refusal(session, "two"), refusal(session, "two"))
    for name, why in (("three", "it is not in skills.lock"), ("mine/two", "SKILL.md has")):
        said = place.run("skill", "info", name, "--locked", code=1)
        check("not served: " in said and why in said, f"the command says why {name} is not served: {said}")
    check("no skill is named" in place.run("skill", "info", "nobody", "--locked", code=1), "control: there is no such skill")
    said = place.run("lock", "--check", code=1)
    check("mine/three: is new" in said and "mine/two: SKILL.md has other bytes" in said, said)
    with Session(["env", "SKILLHOST_LOCKED=true", *place.command()]) as session:
        check("two" not in names(session) and "one" in names(session), f"by the environment: {names(session)}")
    place.run("lock")
    with place.locked() as session:
        check(names(session) == sorted(everything + ["three"]), f"accepted: {names(session)}")


def goes_back(place):
    first = place.commit
    place.repository.skill("alpha", "Does alpha.", "Second.")
    place.repository.skill("later", "Came later.")
    second = place.repository.push()
    with Session(place.command("--set", "locked=false")) as session:
        while "later" not in names(session):
            session.wait_for("notifications/resources/list_changed")
    for cache in ("cache", "cold"):
        with place.locked(cache=cache) as session:
            check("alpha" in names(session) and "later" not in names(session),
                  f"{cache}: {names(session)} {session.server.stderr()}")
            loaded = session.call("tools/call", name="load_skill", arguments={"skill_name": "alpha"})
            check("First." in json.dumps(loaded), f"{cache}: the locked commit is served")
    said = place.run("lock", "--check", code=1)
    check(f"team: the snapshot is {second}, locked is {first}" in said and "team/later: is new" in said, said)
    place.run("lock")
    with place.locked() as session:
        check("later" in names(session), f"accepted: {names(session)} {session.server.stderr()}")


def refuses_to_start(place):
    def refused(what, says):
        said = place.run("--locked", "skill", "list", code=1)
        check(says in said and "skillhost lock" in said, f"{what}: {said}")
        check(does_not_start(place), f"{what}: the server does not start")

    good = place.lock.read_text()
    place.lock.write_text(good[:-20])
    refused("half a lock", "the file is damaged")
    place.lock.write_text(good.replace('"blake3": "', '"blake3": "x', 1))
    refused("a digest that is none", "is not as skillhost lock writes it")
    place.lock.write_text(good.replace('"skills.lock": 1', '"skills.lock": 2', 1))
    said = place.run("--locked", "skill", "list", code=1)
    check("newer skillhost (version 2)" in said, said)
    place.lock.unlink()
    refused("no lock", "No such file")
    place.lock.write_text(good)
    place.sources[0]["name"] = "renamed"
    place.write()
    refused("a source that is not locked", 'does not name the source "renamed"')
    place.sources[0].update(name="mine", plugin="store")
    place.write()
    refused("another plugin", 'the plugin of the source "mine" is store')
    place.sources[0]["plugin"] = "filesystem"
    place.write(locked=True, skills_lock=str(place.folder / "elsewhere.lock"))
    refused("by the configuration", "elsewhere.lock")
    place.lock.rename(place.folder / "elsewhere.lock")
    check("one" in place.run("skill", "list"), "by the configuration, with its lock")
    (place.folder / "elsewhere.lock").rename(place.lock)
    place.sources.append({"name": "gone", "config": {"directories": [str(place.skills)], "max_files": 1}})
    place.write()
    before = place.lock.read_bytes()
    check("max_files" in place.run("lock", code=1), "a source that cannot be asked is no reason for half a lock")
    check(place.lock.read_bytes() == before, "and the lock stays")
    place.sources.pop()
    place.write()


def does_not_start(place):
    done = subprocess.run(place.command("--locked"), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.returncode == 1 and not done.stdout


def killed_while_locking(place):
    """At any moment the lock is the old or the new one, and the next attempt writes it."""
    place.sources = place.sources[:1]
    place.write()
    texts = []
    for text in ("Even.\n", "Odd.\n"):
        (place.skills / "one" / "notes.md").write_text(text)
        begun = time.monotonic()
        place.run("lock")
        took = time.monotonic() - begun
        texts.append(place.lock.read_bytes())
    rounds = 500 if os.environ.get("SKILLHOST_LONG_TESTS") == "1" else 20
    luck = random.Random(int(os.environ.get("SKILLHOST_TEST_SEED", time.time_ns())))
    ended, new = 0, 0
    for number in range(rounds):
        (place.skills / "one" / "notes.md").write_text(("Even.\n", "Odd.\n")[number % 2])
        process = subprocess.Popen(place.command("lock")[4:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=str(place.folder)))
        try:
            process.wait(luck.uniform(0, took))
            ended += 1
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        now = place.lock.read_bytes()
        check(now in texts, f"round {number}: half a lock: {now}")
        new += now == texts[number % 2]
    place.run("lock")
    check(place.lock.read_bytes() == texts[(rounds - 1) % 2], "what was left is no hindrance")
    check(not list(place.folder.glob(".*lock*")), "and it is cleared away")
    with place.locked() as session:
        check("one" in names(session), f"served: {names(session)}")
    print(f"  {rounds} starts, {rounds - ended} killed, {new} locks written")


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-lock-") as folder:
        place = Place(folder)
        writes_and_compares(place)
        serves_what_is_locked(place)
        if place.repository:
            goes_back(place)
        refuses_to_start(place)
        killed_while_locking(place)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
