# SPDX-License-Identifier: Apache-2.0
"""Common parts of the tests of the source `mcp`: a place for each case, what a session serves, and the running of cases."""
import json
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

from http_server import Running
from session import Session
from source_cases import SERVER, SLOWNESS


class Place:
    """A folder for one case, and a cache that outlives a server."""

    def __init__(self, folder):
        self.folder, self.cache = Path(folder), Path(folder) / "cache"
        self.others = []

    def other(self, *options):
        """Starts this server over HTTP as the other one; it ends when the case ends, however that ends."""
        self.others.append(Running(SERVER, *options))
        return self.others[-1]

    def command(self, config, *words, isolation="auto", **environment):
        file = self.folder / "skillhost.json"
        config = {"subscribe": False, **config}
        file.write_text(json.dumps({"sources": [{"name": "other", "plugin": "mcp", "isolation": isolation, "config": config}]}))
        more = [f"{name}={value}" for name, value in environment.items()]
        return ["env", f"XDG_CACHE_HOME={self.cache}", "SKILLHOST_STARTUP_WAIT_MS=60000", *more,
                SERVER, "--config", str(file), *words]

    def start(self, config, **environment):
        return Session(self.command(config, **environment))

    def run(self, config, **environment):
        """Runs `source status` to its end."""
        return subprocess.run(self.command(config, "source", "status", "--json", **environment), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60 * SLOWNESS)

    def status(self, config, **environment):
        """Returns the status of the source, and the log."""
        run = self.run(config, **environment)
        status = json.loads(run.stdout)["sources"][0]
        return status, run.stderr + "\n".join(status.get("warnings", []))


def manifests(session, source="other"):
    """Returns the served files by skills/list: the skill's path below its source → path → digest."""
    found, cursor = {}, {}
    while True:
        page = session.call("skills/list", **cursor)
        for skill in page["skills"]:
            root = skill["uri"].removesuffix("SKILL.md")
            found[urllib.parse.unquote(root.removeprefix(f"skill://{source}/").rstrip("/"))] = {
                urllib.parse.unquote(one["uri"].removeprefix(root)): one["digest"] for one in skill["resources"]}
        if "nextCursor" not in page:
            return found
        cursor = {"cursor": page["nextCursor"]}


def text_of(session, skill):
    return json.dumps(session.call("tools/call", name="load_skill", arguments={"skill_name": skill, "force_reload": True}))


def run_cases(checks, cases):
    """Runs the cases that the command line names, or all; returns the exit code."""
    wanted = sys.argv[3:]
    for case in cases:
        if wanted and case.__name__ not in wanted:
            continue
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="skillhost-mcp-source-", ignore_cleanup_errors=True) as folder:
            place = Place(folder)
            try:
                case(place)
            finally:
                for one in place.others:
                    one.process.kill()
                    one.process.wait()
        print(f"{case.__name__} {time.monotonic() - begun:.1f} s", flush=True)
    return checks.finish()
