#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests servers that share one index: one of them writes it, the others read it, and any of them may be killed at any
moment while skills change. Twelve kills a plugin, three in a slow build, or 200 with SKILLHOST_LONG_TESTS=1.
shared_index_test.py SERVER WRITE_MODEL"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import SLOWNESS, Checks, until  # noqa: E402
from session import Session, write_skill  # noqa: E402
from small_models import Models  # noqa: E402

SERVER, WRITE_MODEL = (str(Path(one).resolve()) for one in sys.argv[1:3])
KILLS = 200 if os.environ.get("SKILLHOST_LONG_TESTS") == "1" else 12 if SLOWNESS == 1 else 3
SEED = int(os.environ.get("SKILLHOST_TEST_SEED", str(random.randrange(1 << 32))))
SKILLS, CHANGED, SERVERS = 400, 25, 3
WORDS = ("cat", "dog", "york", "feed", "walk", "paint", "river", "copper", "lantern", "violin")
checks = Checks()
check = checks.check


class Place:
    def __init__(self, root, plugin):
        self.root, self.plugin = Path(root), plugin
        self.random = random.Random(SEED)
        self.skills, self.cache = self.root / "skills", self.root / "cache"
        self.settings = {"model": str(Models(WRITE_MODEL, self.root).good)} if plugin == "hybrid" else {}
        self.words = {}  # the word that only this skill has, by name
        self.count = 0
        for number in range(SKILLS):
            self.write(f"skill-{number}")

    def write(self, name):
        self.count += 1
        word = "".join(chr(ord("b") + int(digit)) for digit in f"{self.count:07}") + "qx"
        text = " ".join(self.random.choices(WORDS, k=self.random.randrange(4, 12)))
        write_skill(self.skills, name, f"{text} {word}", " ".join(self.random.choices(WORDS, k=60)) + "\n")
        self.words[name] = word

    def change(self):
        """Changes some skills, removes one and adds one. Returns the words that are gone, and the names that changed."""
        names = self.random.sample(sorted(self.words), CHANGED)
        gone = [self.words[name] for name in names]
        removed = names.pop()
        (self.skills / removed / "SKILL.md").unlink()
        del self.words[removed]
        names.append(f"new-{self.count}")
        for name in names:
            self.write(name)
        return gone, names

    def session(self, cache=None, within=()):
        return Session([*within, SERVER, "--no-config", "--verbose", "--skills-dir", str(self.skills), "--min-score", "0",
                        "--set", f"search.plugin={self.plugin}", "--set", "search.config=" + json.dumps(self.settings)],
                       {"XDG_CACHE_HOME": str(cache or self.cache)})

    def writers(self):
        """Returns the processes that have the lock of an index."""
        inodes = {str(path.stat().st_ino) for path in self.cache.glob("**/index/lock")}
        held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        return [int(line[4]) for line in held if line[1] == "FLOCK" and line[5].rsplit(":", 1)[1] in inodes]


def found(session, question, count=1):
    return [(one["name"], one["score"]) for one in
            session.tool("find_helpful_skills", task_description=question, top_k=count, list_documents=False)["results"]]


def settled(session, place):
    report = session.plugin("search").get("reported", {})
    return report.get("entries") == len(place.words) and (
        place.plugin != "hybrid" or (report.get("entries_embedded") == len(place.words) and report.get("entries_to_embed") == 0))


def answers_right(session, place, names, expected, questions, what):
    for name in names:
        word = place.words[name]
        until(lambda word=word, name=name: [one[0] for one in found(session, word)] == [name], f"{what}: {name} by {word}")
    until(lambda: settled(session, place), f"{what}: all is indexed: {session.plugin('search')}", 60)
    seen = [found(session, question, 20) for question in questions]
    check(seen == expected, f"{what}: as a server of its own answers: {[pair for pair in zip(seen, expected) if pair[0] != pair[1]][:1]}")


def complaints(session):
    """Returns what the log says is wrong, except that skills changed while they were read. One line sums up several such
    skills: "and 3 more skills … (unreadable 3)"."""
    return [line for line in session.server.stderr().splitlines()
            if re.search(r"\[(WARNING|ERROR)\]", line) and "since it was listed" not in line
            and not re.search(r"more skills .* \(unreadable \d+\)", line)]


def updates(session):
    """Returns the numbers of the index's updates in the log: put, removed and held."""
    return [tuple(map(int, one)) for one in re.findall(r"indexed (\d+), removed (\d+) of (\d+)", session.server.stderr())]


def kills(place):
    what = place.plugin
    sessions, killed = [], {"writer": 0, "reader": 0}
    try:
        for _ in range(SERVERS):
            sessions.append(place.session())
        for number in range(KILLS):
            place.random.shuffle(sessions)
            victim = sessions[-1]
            writers = place.writers()
            if number % 2 == 0 and writers:  # every other time the writer, if it is known
                victim = next((one for one in sessions if one.server.process.pid in writers), victim)
            killed["writer" if victim.server.process.pid in writers else "reader"] += 1
            after = threading.Timer(place.random.uniform(0, 0.6) * SLOWNESS, victim.server.process.kill)
            after.start()
            gone, names = place.change()
            after.join()
            victim.server.process.wait()
            check(not complaints(victim), f"{what}, kill {number}: no complaint before it: {complaints(victim)}")
            sessions.remove(victim)
            victim.server.kill()
            sessions.append(place.session())
            with place.session(place.root / f"own-{number}") as own:
                until(lambda own=own: settled(own, place), "the server of its own has all", 60)
                questions = gone[:3] + [" ".join(place.random.choices(WORDS, k=place.random.randrange(1, 9))) for _ in range(6)]
                expected = [found(own, question, 20) for question in questions]
                check(any(expected), "control: something is found")
            for index, session in enumerate(sessions):
                answers_right(session, place, names, expected, questions, f"{what}, kill {number}, server {index} (seed {SEED})")
            # The next commit of one of them has taken over.
            living = {one.server.process.pid for one in sessions}
            until(lambda living=living: len(place.writers()) == 1 and place.writers()[0] in living, f"{what}, kill {number}: one writes")
        states = [session.plugin("search")["state"] for session in sessions]
        check(states == ["loaded"] * SERVERS, f"{what}: none is degraded: {states}")
        check(sum(killed.values()) == KILLS and killed["writer"] > 0 and killed["reader"] > 0, f"{what}: control: {killed}")
        folders = [path for path in place.cache.glob("skillhost/instances/search@*") if path.is_dir()]
        check(len(folders) == 1, f"{what}: one folder for all: {folders}")
        for session in sessions:
            check(session.server.finish()[1] == 0, f"{what}: it ends in order")
            check(not complaints(session), f"{what}: no complaint: {complaints(session)}")
        with place.session() as session:
            until(lambda: settled(session, place), "all is there")
            until(lambda: updates(session), f"{what}: the first update")
            check(all(one[:2] == (0, 0) for one in updates(session)), f"{what}: everything was kept: {updates(session)}")
        print(f"{what}: {killed}")
    finally:
        for session in sessions:
            session.server.kill()


def beside(place):
    """Tests that a second server takes everything from the first one."""
    plugin = place.plugin

    def takes_all():
        with place.session() as second:
            until(lambda: settled(second, place), f"{plugin}: the second has all", 60)
            check("another process writes the index" in second.server.stderr(), f"{plugin}: it says so: {second.server.stderr()}")
            check(not complaints(second), f"{plugin}: it does not complain: {complaints(second)}")
            until(lambda: updates(second), f"{plugin}: the first update of the second")
            return all(one[:2] == (0, 0) for one in updates(second))
    with place.session() as first:
        until(lambda: settled(first, place), f"{plugin}: the first has all", 60)
        until(takes_all, f"{plugin}: once all is kept, a second server indexes nothing", 60)


def read_only(place):
    """Tests a cache folder on a file system that may only be read."""
    command = ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"', str(place.cache)]
    try:
        can = subprocess.run([*command, "true"], capture_output=True, timeout=60).returncode == 0
    except FileNotFoundError:
        can = False
    if not can:
        print("skipped: a cache folder that may only be read, because this user may not mount one")
        return
    manifest = next(place.cache.glob("**/manifest"))
    before = manifest.read_bytes()
    _, names = place.change()
    with place.session(within=command) as session:
        until(lambda: settled(session, place), f"{place.plugin}: all is there", 60)
        until(lambda: updates(session), f"{place.plugin}: the first update")
        text = session.server.stderr()
        check("its lock cannot be opened (Read-only file system); the index is read" in text, f"{place.plugin}: the log says so: {text}")
        check(sum(put for put, _, _ in updates(session)) < SKILLS / 2, f"{place.plugin}: what is kept is used: {updates(session)}")
        for name in names:
            check([one[0] for one in found(session, place.words[name])] == [name], f"{place.plugin}: {name} is found")
        check(session.plugin("search")["state"] == "loaded", f"{place.plugin}: {session.plugin('search')}")
    check(manifest.read_bytes() == before, f"{place.plugin}: nothing is written")


def main():
    print(f"SKILLHOST_TEST_SEED={SEED}")
    for plugin in ("keyword", "hybrid"):
        with tempfile.TemporaryDirectory(prefix="skillhost-shared-") as root:
            place = Place(root, plugin)
            beside(place)
            read_only(place)
            kills(place)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
