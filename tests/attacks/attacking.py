# SPDX-License-Identifier: Apache-2.0
"""A server with the plugin tests/plugins/attacking.cpp, whose one skill, "outcome", reports the result of the
attack."""
import json
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from session import DEADLINE, Session  # noqa: E402

ISOLATED, INSIDE = "process", "thread"
# Every line that the host writes to its log begins like this.
LINE = re.compile(r"\[[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}\] \[(DEBUG|INFO|WARNING|ERROR)\] \[([^\]]+)\] (.*)")


def soon(holds, seconds=DEADLINE):
    end = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


class Attacked:
    """A server whose source "notes" runs the attack, in a process of its own or inside the server."""

    def __init__(self, program, plugin, attack, isolation=ISOLATED, count=0, skills=None, level="INFO", **source):
        self.folder = tempfile.TemporaryDirectory(prefix="skillhost-attack-")
        self.cache = Path(self.folder.name) / "cache"
        self.file = Path(self.folder.name) / "configuration.json"
        sources = [{"name": "notes", "plugin": str(Path(plugin).resolve()), "isolation": isolation,
                    "config": {"attack": attack, "count": count}, **source}]
        if skills:
            sources.append({"name": "neighbour", "config": {"directories": [str(Path(skills).resolve())]}})
        self.file.write_text(json.dumps({"sources": sources}))
        self.environment = {"XDG_CACHE_HOME": str(self.cache), "SKILLHOST_STARTUP_WAIT_MS": "0"}
        self.command = [program, "--config", str(self.file), "--log-level", level]
        self.session = Session(self.command, self.environment)

    def again(self):
        """Starts the server again with the same options."""
        self.session = Session(self.command, self.environment)

    def outcome(self, seconds=DEADLINE * 3):
        """Returns the result of the attack; None when the attack does not end."""
        def described():
            skills = self.session.listing()["skills"]
            return next((one["description"] for one in skills if one["name"] == "outcome"), None)
        return soon(described, seconds)

    def log(self):
        return self.session.server.stderr()

    def said(self, words, seconds=DEADLINE):
        """Returns the first line of the log with these words, once it is there."""
        return soon(lambda: next((line for line in self.log().splitlines() if words in line), None), seconds)

    def state(self):
        """Returns the operator's view of the instance."""
        plugins = self.session.tool("get_server_stats")["plugins"]
        return next((one for one in plugins if one.get("instance") == "notes"), {})

    def kept(self):
        """Returns the cache folder of the instance."""
        return next(path for path in (self.cache / "skillhost" / "instances").glob("notes*") if path.is_dir())

    def runners(self):
        """Returns the processes that the server has started."""
        found = []
        for task in Path(f"/proc/{self.session.server.process.pid}/task").iterdir():
            found += (task / "children").read_text().split()
        return found

    def end(self):
        return self.session.end()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session.server.kill()
        self.folder.cleanup()
