#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests an index that cannot be kept: operators see the reason, searches go on, and the index is kept once it can
be. unkept_index_test.py SERVER"""
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import Checks, until  # noqa: E402
from session import Session, write_skill  # noqa: E402

SERVER = str(Path(sys.argv[1]).resolve())
LIMIT = 16384  # largest size of a file on the full disk, in bytes: more than the log, less than a segment
checks = Checks()
check = checks.check


def state(session):
    """Returns the entry of the search plugin in get_server_stats."""
    return session.plugin("search")


def found(session, word):
    return [one["name"] for one in session.tool("find_helpful_skills", task_description=word)["results"]]


@contextmanager
def full_disk(session, _):
    """Simulates a full disk by a limit on the size of a file."""
    number = session.server.process.pid
    before = resource.prlimit(number, resource.RLIMIT_FSIZE)
    resource.prlimit(number, resource.RLIMIT_FSIZE, (LIMIT, before[1]))
    yield ".segment: cannot be written (File too large)"
    resource.prlimit(number, resource.RLIMIT_FSIZE, before)


@contextmanager
def in_the_way(_, manifest):
    """Puts a folder in the way of the file, for a plugin's process, whose limits this test cannot change."""
    manifest.unlink()
    (manifest / "folder").mkdir(parents=True)
    yield "/manifest: cannot be written: "
    shutil.rmtree(manifest)


def write_large_skill(skills, name):
    letters = random.Random(name)
    body = " ".join("".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=9)) for _ in range(6000))
    write_skill(skills, name, f"All there is to know of the {name}", body)


def of_search(plugin, skills, isolation):
    return ["--no-config", "--skills-dir", str(skills), "--set", f"search.plugin={plugin}", "--set", f"search.isolation={isolation}"]


def has_child(process):
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            if (thread / "children").read_text():
                return True
    return False


def refused(root, plugin, isolation, refusal):
    what = f"{plugin}, {isolation}"
    skills, cache = root / "skills", {"XDG_CACHE_HOME": str(root / "cache")}
    write_skill(skills, "small", "A small skill on the marmot")
    with Session([SERVER, *of_search(plugin, skills, isolation)], cache) as session:
        until(lambda: list(root.glob("cache/**/manifest")), f"{what}: the index is kept")
        seen = state(session)
        check(seen["state"] == "loaded", f"{what}: control: {seen}")
        check(has_child(session.server.process.pid) == (isolation == "process"), f"{what}: control: where the plugin is")
        with refusal(session, next(root.glob("cache/**/manifest"))) as why:
            write_large_skill(skills, "heron")
            session.tool("reload_skills_directory")
            until(lambda: found(session, "heron") == ["heron"], f"{what}: it is found though the index cannot be kept")
            until(lambda: state(session)["state"] == "degraded", f"{what}: the refusal shows")
            reason = state(session)["reason"]
            check(why in reason and "the index goes on in memory" in reason, f"{what}: {reason}")
        write_skill(skills, "otter", "A small skill on the otter")
        session.tool("reload_skills_directory")
        until(lambda: found(session, "otter") == ["otter"], f"{what}: what came after it is found")
        until(lambda: state(session)["state"] == "loaded", f"{what}: the refusal is over")
        check(not state(session).get("reason"), f"{what}: and no reason is left: {state(session)}")
        check(found(session, "heron") == ["heron"], f"{what}: what was in memory is still found")
        check(session.end() is None, f"{what}: it ends in order")
        said = [line for line in session.server.stderr().splitlines() if "goes on in memory" in line or "is kept again" in line]
        check(len(said) == 2 and "[WARNING]" in said[0] and "[INFO]" in said[1], f"{what}: the log says both once: {said}")


def link_in_its_place(root, plugin):
    skills, cache, elsewhere = root / "skills", root / "cache", root / "elsewhere"

    def listed():
        done = subprocess.run([SERVER, "plugins", "--json", *of_search(plugin, skills, "thread")], capture_output=True, text=True, timeout=60,
                              check=True, env={**os.environ, "XDG_CACHE_HOME": str(cache)})
        return next(one for one in json.loads(done.stdout) if one.get("instance") == "search")
    write_skill(skills, "small", "A small skill on the marmot")
    seen = listed()
    check(seen["state"] == "loaded", f"{plugin}: control: {seen}")
    indexes = list(cache.glob("**/index"))
    check(len(indexes) == 1, f"{plugin}: control: {indexes}")
    indexes[0].rename(elsewhere)
    before = sorted(elsewhere.iterdir())
    indexes[0].symlink_to(elsewhere)
    seen = listed()
    check(seen["state"] == "degraded" and f"{indexes[0]}: cannot be opened as a folder (" in seen["reason"], f"{plugin}: {seen}")
    check(sorted(elsewhere.iterdir()) == before, f"{plugin}: what the link leads to is left alone")


def main():
    for plugin in ("keyword", "hybrid"):
        for isolation, refusal in (("thread", full_disk), ("thread", in_the_way), ("process", in_the_way)):
            with tempfile.TemporaryDirectory(prefix="skillhost-kept-") as folder:
                refused(Path(folder), plugin, isolation, refusal)
        with tempfile.TemporaryDirectory(prefix="skillhost-kept-") as folder:
            link_in_its_place(Path(folder), plugin)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
