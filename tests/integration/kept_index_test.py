#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a search while its index grows, and with a kept index: kept_index_test.py SERVER KEEPING

The backend (tests/plugins/keeping.cpp) commits when the test allows it, so nothing here depends on time."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import DEADLINE, Checks
from session import Session

SERVER, KEEPING = sys.argv[1], str(Path(sys.argv[2]).resolve())
COUNT = 600  # several pieces
checks = Checks()
check = checks.check


class Site:
    """A folder of skills, and a server with its index in its own cache."""

    def __init__(self, folder, isolation, count=COUNT):
        self.folder, self.isolation = Path(folder), isolation
        self.allowed = self.folder / "allowed"
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}
        for number in range(count):
            self.skill(f"s{number:03}", "tools")
        self.allow(0)

    def skill(self, name, category, text="Paints walls."):
        folder = self.folder / "skills" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {text}\ncategory: {category}\n---\nBody of {name}.\n")

    def allow(self, commits):
        (self.folder / "next").write_text(str(commits))
        os.replace(self.folder / "next", self.allowed)

    def options(self, *options, **more):
        search = {"plugin": KEEPING, "isolation": self.isolation, "config": {"allowed": str(self.allowed)}}
        file = self.folder / "configuration.json"
        file.write_text(json.dumps({"sources": [{"name": "here", "plugin": "filesystem", "config": {"directories": [str(self.folder / "skills")]}}],
                                    "search": {**search, "allow_read": [str(self.folder)]}, **more}))
        return ["--config", str(file), "--verbose", *options]

    def session(self, *options, **more):
        return Session([SERVER, *self.options(*options, **more)], self.environment)


def find(session, text="paints walls", **arguments):
    result = session.call("tools/call", name="find_helpful_skills", arguments={"task_description": text, **arguments})
    return result["structuredContent"], "\n".join(block["text"] for block in result["content"])


def until(ask, holds):
    """Returns the first answer that `holds` accepts."""
    end = time.monotonic() + 3 * DEADLINE
    while not holds(answer := ask()):
        assert time.monotonic() < end, f"not within {3 * DEADLINE} s; the last answer: {answer}"
    return answer


def indexed(session):
    """Returns the numbers of the index's updates in the log: put, removed and held."""
    return [tuple(map(int, found)) for found in re.findall(r"indexed (\d+), removed (\d+) of (\d+)", session.server.stderr())]


def growing(site):
    # A caller who would wait longer than a call may take is informed before that.
    with site.session("--set", "startup_wait_ms=600000", deadlines={"query_ms": 3000}) as session:
        until(lambda: session.call("tools/call", name="list_skills", arguments={})["structuredContent"], lambda e: e["success"])
        envelope, text = find(session)
        check(envelope.get("error", {}).get("code") == "SERVICE_UNAVAILABLE" and envelope["error"]["retryable"], f"no timeout: {envelope}")
        check(f"still indexing: 0 of {COUNT}" in text, text)
        site.allow(1)
        envelope, text = until(lambda: find(session), lambda answer: answer[0]["success"])
        metadata = envelope["metadata"]
        check(metadata.get("partial") is True and metadata.get("indexed") == {"done": 256, "total": COUNT}, f"counts: {metadata}")
        check(len(envelope["data"]["results"]) == 3, f"what is there: {envelope}")
        check(f"still indexing: 256 of {COUNT} skills so far; list_skills has them all. Ask again" in text, text)
        envelope, text = find(session, "zzyzx")
        check(envelope["success"] and envelope["data"]["total"] == 0 and envelope["metadata"]["partial"] is True, f"nothing yet: {envelope}")
        check("indexed already" in text and "No skill fits" not in text, text)
        site.allow(1000)
        envelope, text = until(lambda: find(session, top_k=1), lambda answer: "partial" not in answer[0]["metadata"])
        check("indexed" not in envelope["metadata"] and "indexing" not in text, f"all is there: {envelope}")
        check("No skill fits" in find(session, "zzyzx")[1], "now it is sure")
        check(session.end() is None, "an orderly end")


def kept(site):
    with site.session() as session:
        find(session)
        until(lambda: indexed(session), bool)
        check(indexed(session)[0] == (0, 0, COUNT), f"nothing is put again: {indexed(session)}")
        check(session.end() is None, "an orderly end")
    # Only an attribute differs, another text, one more, one less.
    site.skill("s001", "others")
    site.skill("s002", "tools", "Plants trees.")
    site.skill("s900", "tools")
    (site.folder / "skills" / "s003" / "SKILL.md").unlink()
    site.allow(0)
    with site.session("--set", "startup_wait_ms=0") as session:
        # The kept index answers, although this process has committed nothing yet.
        envelope, _ = until(lambda: find(session), lambda answer: answer[0]["success"] and answer[0]["data"]["results"])
        check("indexed" not in envelope["metadata"], f"hardly anything is missing: {envelope}")
        names = [result["name"] for result in envelope["data"]["results"]]
        check("s003" not in names, f"what is gone is not named: {names}")
        site.allow(1000)
        until(lambda: indexed(session), bool)
        check(indexed(session)[0] == (3, 1, COUNT), f"what differs is put: {indexed(session)}")
        check([r["name"] for r in find(session, "trees")[0]["data"]["results"]] == ["s002"], "the new text is found")
        check(session.end() is None, "an orderly end")
    for file in (site.folder / "cache").rglob("kept.json"):
        file.write_text(file.read_text()[:1000])
    # The command waits until everything is indexed, even if the index was damaged.
    run = subprocess.run([SERVER, *site.options(), "search", "trees"], env=site.environment, stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, timeout=120)
    check(run.returncode == 0 and "s002" in run.stdout, f"the command: {run}")
    check(f"indexed {COUNT}, removed 0 of {COUNT}" in run.stderr, f"a damaged one is made anew: {run.stderr[-2000:]}")


def others(site):
    """Checks that a server's kept index survives searches of other skills, or with other options."""
    def search(*words):
        run = subprocess.run([SERVER, "search", *words], env=site.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=120)
        check(run.returncode == 0, f"search {words}: {run}")
        return re.findall(r"indexed (\d+), removed (\d+) of (\d+)", run.stderr)

    site.allow(1000)
    options = site.options()
    few = str(COUNT - 99)
    with site.session() as session:
        until(lambda: indexed(session), bool)
        check(session.end() is None, "an orderly end")
    check(search("trees", *options) == [("0", "0", str(COUNT))], "the command finds what the server has kept")
    check(search("trees", *options, "--set", 'exclude_skills=["here/s0*"]')[0][0] == few, "control: other skills, none of them kept")
    check(search("trees", *options, "--set", 'exclude_skills=["here/s0*"]') == [("0", "0", few)], "these are kept too")
    questions = site.folder / "questions.jsonl"
    questions.write_text(json.dumps({"text": "trees", "skills": ["s002"]}) + "\n")
    search("--evaluate", str(site.folder / "skills"), str(questions), *options)
    against = site.folder / "other.json"
    against.write_text(json.dumps({"search": {"plugin": "keyword"}}))
    search("--evaluate", str(site.folder / "skills"), str(questions), "--against", str(against), *options)
    with site.session() as session:
        until(lambda: indexed(session), bool)
        check(indexed(session)[0] == (0, 0, COUNT), f"nothing is put again: {indexed(session)}")
        check(session.end() is None, "an orderly end")


def views(site):
    """Checks that the index for callers who do not see everything is kept, too, and that one unused for long is
    removed."""
    instances = site.folder / "cache" / "skillhost" / "instances"
    rules = {"visibility": [{"categories": ["others"], "scopes": ["hr"]}]}  # only s001
    old, recent = (instances / f"search-{name}@0123-4567" for name in ("old", "recent"))
    for folder, age in ((old, 8 * 24 * 3600), (recent, 3600)):
        folder.mkdir()
        (folder / "index").write_text("of a view that was")
        lock = Path(f"{folder}.lock")
        lock.touch()
        os.utime(lock, (lock.stat().st_mtime - age,) * 2)
    for put in (COUNT - 1, 0):
        with site.session(access=rules) as session:
            find(session)
            # At the start there may be an update before the skills are known.
            told = until(lambda: [one for one in indexed(session) if one[2] > 0], lambda all: len(all) == 2)
            check(sorted(told) == sorted([(0, 0, COUNT), (put, 0, COUNT - 1)]), f"the view's: {indexed(session)}")
            check(all(one[:2] == (0, 0) for one in indexed(session) if one[2] == 0), f"and nothing is removed before: {indexed(session)}")
            check(session.end() is None, "an orderly end")
    kept = [path for path in instances.glob("search-*@*") if path.is_dir() and path != recent]
    check(len(kept) == 1, f"one view, one folder: {kept}")
    check(recent.exists() and not old.exists() and not Path(f"{old}.lock").exists(), f"what is old is gone: {list(instances.iterdir())}")


def main():
    for isolation in ("thread", "process"):
        with tempfile.TemporaryDirectory() as folder:
            site = Site(folder, isolation)
            growing(site)
            kept(site)
            others(site)
            views(site)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
