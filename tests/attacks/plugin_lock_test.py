#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a plugin file that changes places with another while the server starts: under plugins.lock the other never
runs.

plugin_lock_test.py SERVER GOOD EVIL"""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import Checks  # noqa: E402

SERVER, GOOD, EVIL = sys.argv[1:4]
STARTS, MAX_STARTS = 12, 80  # starts for each isolation
LEAST_SWAPS = 10  # exchanges during a start that counts
EXCHANGE, HERE = 2, -100      # RENAME_EXCHANGE, AT_FDCWD
checks = Checks()
check = checks.check
library = ctypes.CDLL(None, use_errno=True)


class Swapping:
    """Exchanges two files all the time; `count` is the number of exchanges."""

    def __init__(self, one, other):
        self.names, self.count, self.ended = (os.fsencode(one), os.fsencode(other)), 0, False
        self.exchange()
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def exchange(self):
        if library.renameat2(HERE, self.names[0], HERE, self.names[1], EXCHANGE) != 0:
            raise OSError(ctypes.get_errno(), "renameat2")
        self.count += 1

    def work(self):
        while not self.ended:
            self.exchange()

    def end(self):
        """Ends the exchanges, with each file at its first place."""
        self.ended = True
        self.thread.join()
        if self.count % 2:
            self.exchange()


class Plugins:
    def __init__(self, folder):
        self.folder = Path(folder)
        (self.folder / "plugins").mkdir(mode=0o755)
        self.served, self.other = self.folder / "plugins" / "swapped.so", self.folder / "plugins" / "other"
        for source, to in ((GOOD, self.served), (EVIL, self.other)):
            shutil.copy(source, to)
            to.chmod(0o755)
        self.lock = self.folder / "plugins.lock"
        self.run("plugins", "--write-lock", self.lock)

    def run(self, *arguments):
        """Returns the output of both streams. A new cache each time keeps a start from using the knowledge of an
        earlier one."""
        # The output of a plugin's process is a line of the log at INFO.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")}
        with tempfile.TemporaryDirectory(dir=self.folder) as cache:
            done = subprocess.run([SERVER, *map(str, arguments), "--plugins-dir", self.served.parent], text=True,
                                  capture_output=True, check=False, timeout=120, env={**inherited, "XDG_CACHE_HOME": cache, "SKILLHOST_LOG_LEVEL": "INFO"})
        return done.stdout + done.stderr

    def start(self, isolation, *options):
        file = self.folder / f"{isolation}.json"
        file.write_text(json.dumps({"search": {"plugin": "none"}, "sources": [
            {"name": "mine", "plugin": str(self.served), "isolation": isolation}]}))
        return self.run("skill", "list", "--config", file, "--keep-going", *options)


def starts(plugins, isolation, *options, until=None):
    """Returns the output of the starts during which the files changed places: on a busy machine that may not happen
    during each."""
    said, swapping = [], Swapping(plugins.served, plugins.other)
    try:
        for _ in range(MAX_STARTS):
            before = swapping.count
            text = plugins.start(isolation, *options)
            if swapping.count < before + LEAST_SWAPS:
                continue
            said.append(text)
            if until in text if until else len(said) == STARTS:
                break
    finally:
        swapping.end()
    check(until or len(said) == STARTS, f"{isolation}: the files change places during {len(said)} starts only")
    return said or [""]


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-attack-") as folder:
        plugins = Plugins(folder)
        locked = plugins.lock.read_text()
        check(str(plugins.served) in locked, f"a plugin from elsewhere is listed by --write-lock: {locked}")
        for isolation in ("process", "thread"):
            quiet = plugins.start(isolation, "--plugins-lock", plugins.lock)
            check("hello" in quiet and "the code of good runs" in quiet, f"what is locked is served: {quiet}")
            said = starts(plugins, isolation, "--plugins-lock", plugins.lock)
            check(not any("the code of evil runs" in one for one in said),
                  f"{isolation}: the other one runs: {[one for one in said if 'evil' in one][:1]}")
            for one in said:
                check("hello" in one or "not the file listed in" in one, f"{isolation}: it is served, or refused with the reason: {one}")
            unlocked = starts(plugins, isolation, until="the code of evil runs")
            check("the code of evil runs" in unlocked[-1], f"control: {isolation}: without a lock it runs")
            print(f"  {isolation}: {sum('hello' in one for one in said)} of {len(said)} starts served it, "
                  f"without a lock the other ran at start {len(unlocked)}")
    return checks.finish()


sys.exit(main())
