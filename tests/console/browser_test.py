#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the console in Debian's Chromium: browser_test.py SERVER CACHE_DIR [--screenshots DIR] [--pictures DIR] CASE...

browser.mjs has the cases. `--pictures doc/console pages tokens manager` makes the pictures of the manual again. The
exit code is 77, with the reason, if there is no Chromium, no Node or no npm registry, or if the server was built
without the console."""
from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "integration"), str(HERE.parent / "integration/clients")]
from http_server import Running  # noqa: E402
import run as npm  # noqa: E402
import skills_to_show  # noqa: E402

MANY = 61_000


def has_console(server: str, skills: Path) -> bool:
    running = Running(server, str(skills))
    try:
        return running.ask("GET", "/console/")[0].status == 200
    finally:
        running.end()


def run(server: str, cache: str, script: str, words: list[str], needs_many: bool, more: dict[str, str]) -> int:
    """Runs a script of this folder with skills to show, the packages that it needs, and the environment variables in
    `more`."""
    chromium = shutil.which("chromium")
    if not chromium:
        npm.skip("there is no Chromium: the Debian package chromium has it")
    with tempfile.TemporaryDirectory(prefix="skillhost-console-") as scratch:
        skills = Path(scratch)
        skills_to_show.plain(skills / "plain")
        if not has_console(server, skills / "plain"):
            npm.skip("this server was built without the console, for which Node 20.19 or newer and the registry of npm are needed")
        packages = npm.installed(cache, HERE)
        skills_to_show.hostile(skills / "hostile")
        skills_to_show.hub(skills / "hub")
        if needs_many:
            skills_to_show.many(skills / "many", MANY)
        environment = {**os.environ, "SKILLHOST": server, "CHROMIUM": chromium, "CONSOLE_SKILLS": str(skills), "HOME": scratch, **more}
        with npm.scripts(packages, HERE) as folder:
            shutil.copy(HERE.parent / "integration/auth/sign_in.mjs", folder)
            return subprocess.run([npm.node(packages), str(folder / script), *words], env=environment).returncode


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("cache")
    parser.add_argument("--screenshots", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("cases", nargs="+")
    given = parser.parse_args()
    more = {}
    for name, folder in (("CONSOLE_SCREENSHOTS", given.screenshots), ("CONSOLE_PICTURES", given.pictures)):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            more[name] = str(folder.resolve())
    return run(os.path.abspath(given.server), given.cache, "browser.mjs", given.cases, "many" in given.cases, more)


if __name__ == "__main__":
    sys.exit(main())
