#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests kill -9 at random moments of indexing and embedding: the next start serves, finds what a fresh server finds,
and continues with the vectors. Runs ten times, three in a slow build, or 200 with SKILLHOST_LONG_TESTS=1.
hybrid_kill_test.py SERVER WRITE_MODEL"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import SLOWNESS, Checks, until  # noqa: E402
from session import Broken, Session, write_skill  # noqa: E402
from small_models import Models  # noqa: E402

SERVER, WRITE_MODEL = (str(Path(one).resolve()) for one in sys.argv[1:3])
KILLS = 200 if os.environ.get("SKILLHOST_LONG_TESTS") == "1" else 10 if SLOWNESS == 1 else 3
SEED = int(os.environ.get("SKILLHOST_TEST_SEED", str(random.randrange(1 << 32))))
SKILLS, CHANGED = 1000, 400
WORDS = ("a", "b", "cat", "cats", "dog", "dogs", "new", "york", "bob", "的", "!", "feed", "walk")
checks = Checks()
check = checks.check


class Place:
    def __init__(self, root):
        self.root = Path(root)
        self.random = random.Random(SEED)
        self.model = Models(WRITE_MODEL, self.root).good
        self.skills, self.cache = self.root / "skills", self.root / "cache"
        self.change(range(SKILLS))

    def change(self, numbers):
        for number in numbers:
            text = " ".join(self.random.choices(WORDS, k=self.random.randrange(8, 60)))
            write_skill(self.skills, f"skill-{number}", f"'{number}: {text}'")

    def session(self, cache):
        # Without a floor every question has hits to compare.
        return Session([SERVER, "--no-config", "--skills-dir", str(self.skills), "--min-score", "0", "--set", "search.plugin=hybrid",
                        "--set", "search.config=" + json.dumps({"model": str(self.model)})], {"XDG_CACHE_HOME": str(cache)})

    def questions(self):
        return [" ".join(self.random.choices(WORDS, k=self.random.randrange(1, 30))) for _ in range(8)] + ["dogs. A cat! In new york? b.", "number 17"]


def reported(session):
    return session.plugin("search").get("reported", {})


def finished(session):
    """Returns the report once every skill is indexed and has its vector."""
    seen = []

    def holds():
        seen.append(reported(session))
        return seen[-1].get("entries") == SKILLS and seen[-1].get("entries_embedded") == SKILLS and seen[-1].get("entries_to_embed") == 0
    until(holds, "all is embedded", 120)
    return seen[-1]


def found(session, questions):
    return [session.tool("find_helpful_skills", task_description=one, top_k=20, list_documents=False) for one in questions]


def killed_after(place, seconds):
    """Starts a server, kills it after that many seconds, and returns the number of skills with a vector in its
    cache."""
    try:
        with place.session(place.cache) as session:
            process = session.server.process
            try:
                process.wait(timeout=seconds)
                check(False, f"it ended by itself: {session.server.stderr()[-500:]}")
            except subprocess.TimeoutExpired:
                process.kill()
            process.wait()
    except Broken as why:
        check(False, f"it does not start: {why}")
    return sum(file.stat().st_size for file in place.cache.glob("skillhost/instances/search@*/vectors"))


def main():
    print(f"SKILLHOST_TEST_SEED={SEED}")
    with tempfile.TemporaryDirectory(prefix="skillhost-kills-") as root:
        place = Place(root)
        begun = time.monotonic()
        with place.session(place.cache) as session:
            finished(session)
            whole = time.monotonic() - begun
        sizes = set()
        for number in range(KILLS):
            place.change(place.random.sample(range(SKILLS), CHANGED))
            if number % 4 == 3:
                shutil.rmtree(place.cache)  # also from an empty cache
            for _ in range(place.random.randrange(1, 3)):
                sizes.add(killed_after(place, place.random.uniform(0, whole)))
            questions = place.questions()
            with place.session(place.root / f"fresh-{number}") as fresh:
                finished(fresh)
                expected = found(fresh, questions)
            with place.session(place.cache) as session:
                # The kept vectors are searched at once, and updated in the background.
                check(len(found(session, questions)) == len(questions), f"{number}: it serves")
                until(lambda: found(session, questions) == expected, f"{number}: found as by a fresh server (seed {SEED})", 120)
                finished(session)
                check(session.end() is None, f"{number}: the end is in order")
            check(any(len(one["results"]) == 20 for one in expected), f"{number}: control: something is found")
            shutil.rmtree(place.root / f"fresh-{number}")
        # Otherwise it was never killed with something to lose; three kills are too few to tell.
        check(SLOWNESS > 1 or len(sizes) > min(KILLS, 10) / 3, f"control: the kills fell at different instants: {sorted(sizes)}")
        print(f"{KILLS} rounds of at most {whole:.1f} s; sizes of the cache when it was killed: {sorted(sizes)[:20]}")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
