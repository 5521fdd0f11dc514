#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests on stdio that scripts of a git source's skills can be run from a copy on this disk: copies_test.py SERVER."""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from http_server import Running, legacy
from session import DEADLINE, Broken, Session

LEAD = "Base directory for this skill: "


class Wrong(Exception):
    """A promise of the pages does not hold."""


def expect(condition, what):
    if not condition:
        raise Wrong(what)


class Place:
    """A git repository with a skill, and the cache folder of servers that serve it."""

    def __init__(self, folder):
        self.repository, self.cache = folder / "repository", folder / "cache"
        skill = self.repository / "maker"
        (skill / "scripts").mkdir(parents=True)
        (skill / "SKILL.md").write_text("---\nname: maker\ndescription: Makes.\n---\nRun `scripts/make.py`.\n")
        (skill / "scripts" / "make.py").write_text("import helper\nprint('made', helper.NUMBER)\n")
        (skill / "scripts" / "helper.py").write_text("NUMBER = 1\n")
        (skill / ".env").write_text("SECRET=1\n")
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit()

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=self.repository, check=True)

    def commit(self):
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--message", "a change")

    def options(self, *more):
        sources = json.dumps([{"name": "g", "plugin": "github", "config": {"url": str(self.repository)}}])
        return ["--set", f"sources={sources}", *more]

    def open(self, server, *more):
        return Session([server, *self.options(*more)], {"XDG_CACHE_HOME": str(self.cache)})

    def copies(self):
        folder = self.cache / "skillhost" / "copies"
        return sorted(one.name for one in folder.iterdir()) if folder.exists() else []


def loaded(session):
    """Returns the folder that load_skill names, or None."""
    answer = session.call("tools/call", name="load_skill", arguments={"skill_name": "maker"})
    text = answer["content"][0]["text"]
    found = next((line[len(LEAD):] for line in text.splitlines() if line.startswith(LEAD)), None)
    expect(found or "call read_skill_document" in text, f"neither a folder nor the tool is named: {text}")
    return found and Path(found)


def run(folder):
    return subprocess.run([sys.executable, "-B", str(folder / "scripts" / "make.py")], capture_output=True, text=True, check=True).stdout


def scripts_run(server, place):
    """Checks that a script runs from the copy with the module beside it, that the copy has no secret, and that it is
    removed with the server."""
    with place.open(server) as session:
        folder = loaded(session)
        expect(folder, "no folder is named")
        expect(run(folder) == "made 1\n", "the script does not run")
        files = sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file())
        expect(files == ["SKILL.md", "scripts/helper.py", "scripts/make.py"], f"{files}")
        writable = [one for one in [folder, *folder.rglob("*")] if one.stat().st_mode & 0o222]
        expect(not writable, f"writable: {writable}")
        (place.repository / "maker" / "scripts" / "helper.py").write_text("NUMBER = 2\n")
        place.commit()
        session.tool("reload_skills_directory")
        # The tool is answered before everybody has heard of the new catalogue. Each check is a round trip.
        until = time.monotonic() + DEADLINE
        while folder.exists():
            expect(time.monotonic() < until, "the copy of a changed skill is still there")
            session.call("ping")
        expect(run(loaded(session)) == "made 2\n", "the changed script does not run")
        if ended := session.end():
            return ended
    expect(place.copies() == [], f"left behind: {place.copies()}")
    return None


def killed(server, place):
    """Checks that the next start removes the copies of a killed server, and no copy in use."""
    with place.open(server) as other:
        used = loaded(other)
        with place.open(server) as session:
            left = loaded(session)
            expect(used and left, "no folder is named")
            session.server.process.kill()
            session.server.process.wait()
        expect(left.exists() and used.exists(), "there is no copy")
        with place.open(server) as session:
            session.listing()
            expect(not left.exists() and used.exists(), f"left: {place.copies()}")
            if ended := session.end():
                return ended
        return other.end()


def switched_off(server, place):
    """Checks that there are no copies with the setting off, without absolute paths, or over HTTP."""
    for more in (["--set", "copy_remote_skills=false"], ["--paths", "uri"]):
        with place.open(server, *more) as session:
            expect(loaded(session) is None, f"copied with {more}")
            if ended := session.end():
                return ended
    os.environ["XDG_CACHE_HOME"] = str(place.cache)
    empty = place.cache / "empty"
    empty.mkdir(parents=True)
    running = Running(server, str(empty), *place.options("--paths", "absolute"))
    _, answer = running.post(legacy("tools/call", name="load_skill", arguments={"skill_name": "maker"}))
    running.end()
    expect(LEAD not in json.dumps(answer) and "read_skill_document" in json.dumps(answer), f"{answer}")
    expect(place.copies() == [], f"copied: {place.copies()}")
    return None


def main():
    failed = 0
    for case in (scripts_run, killed, switched_off):
        with tempfile.TemporaryDirectory(prefix="skillhost-copies-") as scratch:
            try:
                wrong = case(sys.argv[1], Place(Path(scratch)))
            except (Wrong, Broken, subprocess.CalledProcessError) as error:
                wrong = str(error)
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok    '} {case.__name__} {wrong or ''}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
