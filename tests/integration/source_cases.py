# SPDX-License-Identifier: Apache-2.0
"""Common parts of the tests of remote sources, and of those of github alone: a place for each case, and the running
of cases."""
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from checks import SLOWNESS
from git_servers import BACKEND, Repository
from session import DEADLINE, Broken, Session

SERVER = os.path.realpath(sys.argv[1])
TOKEN = "s3cr3t-f0r-g1t"
CHANGED = "notifications/resources/list_changed"


class Missed(Exception):
    """A promise that was not kept."""


def expect(holds, what):
    if not holds:
        raise Missed(what)


class Place:
    """A folder for one case: repositories, and a cache that outlives a server."""

    def __init__(self, folder):
        self.folder, self.root, self.cache = Path(folder), Path(folder) / "root", Path(folder) / "cache"
        self.root.mkdir()
        self.sessions = []

    def repository(self, name="r", skills=("alpha", "beta")):
        made = Repository(self.root, name)
        for skill in skills:
            made.skill(skill, f"Does {skill}.")
        made.push()
        return made

    def command(self, config, wait_ms=60000, others=(), cache=None):
        sources = [{"name": "remote", "plugin": "github", "config": config}, *others]
        file = self.folder / "skillhost.json"
        file.write_text(json.dumps({"sources": sources}))
        return ["env", f"XDG_CACHE_HOME={cache or self.cache}", f"SKILLHOST_STARTUP_WAIT_MS={wait_ms}",
                "SKILLHOST_LOG_LEVEL=DEBUG", SERVER, "--config", str(file)]

    def start(self, config, **options):
        session = Session(self.command(config, **options))
        self.sessions.append(session)
        return session

    def locked(self, config, cache):
        return Session([*self.command(config, cache=cache), "--locked"])

    def end(self, session):
        wrong = session.end()
        expect(not wrong, wrong)


def names(session):
    """Returns the names of the listed skills; an empty list when their sources failed."""
    return sorted(skill["name"] for skill in session.listing(limit=100)["skills"])


def text(session, skill):
    return json.dumps(session.call("tools/call", name="load_skill", arguments={"skill_name": skill, "force_reload": True}))


def reported(session, instance, figure):
    """Returns a counter or gauge that an instance of a plugin reports of itself; 0 until it reports one."""
    plugins = session.tool("get_server_stats")["plugins"]
    return next((one for one in plugins if one.get("instance") == instance), {}).get("reported", {}).get(figure, 0)


def soon(what, seconds=DEADLINE * SLOWNESS):
    """Waits until what() holds; each look is one round trip, and there is a deadline."""
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            return False
    return True


def told(session, *parts):
    return soon(lambda: session.listing() is not None and all(p in session.server.stderr() for p in parts))


def run_cases(cases):
    """Runs the cases that the command line names, or all; returns the exit code."""
    if not shutil.which("git") or not Path(BACKEND).exists():
        print("skipped: git and its http-backend are not installed")
        return 77
    os.environ["GIT_SOURCE_TOKEN"] = TOKEN
    chosen = [case for case in cases if not sys.argv[2:] or case.__name__ in sys.argv[2:]]
    failed = 0
    for case in chosen:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="skillhost-git-", ignore_cleanup_errors=True) as scratch:
            place, wrong = Place(scratch), ""
            try:
                case(place)
            except (Missed, Broken) as error:
                wrong = "\n".join(line[:1000] for line in str(error).splitlines() if "[mcp] tools/call" not in line)
            finally:
                for session in place.sessions:
                    session.server.kill()
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok    '} {case.__name__} {time.monotonic() - begun:.1f} s {wrong}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0
