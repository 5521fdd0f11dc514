#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the npm packages, installed into an empty folder: the main job, signals and exit codes, and the message when
the package of the platform is missing."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from packages import (DEADLINE, ROOT, Checks, Session, build, clean_environment, commit, execute, main_job, over_http, start_times,
                      traces, until, version)


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def ends_with_it(checks: Checks, command: Path, program: Path) -> None:
    """Checks that a signal to the launcher ends the program in order; one that kills the program ends the launcher
    likewise."""
    for number, ends in ((signal.SIGTERM, "launcher"), (signal.SIGINT, "launcher"), (signal.SIGKILL, "program")):
        with tempfile.TemporaryDirectory() as skills, Session([str(command), "--skills-dir", skills]) as session:
            launcher = session.server.process
            below, = children(launcher.pid)
            checks.check(os.path.realpath(f"/proc/{below}/exe") == str(program.resolve()), "what the launcher has started")
            os.kill(launcher.pid if ends == "launcher" else below, number)
            code = launcher.wait(DEADLINE)
            until(lambda: not Path(f"/proc/{below}/exe").exists(), f"the program ends by {number.name}")
            wanted = (0,) if ends == "launcher" else (-number, 128 + number)
            checks.check(code in wanted, f"{number.name} to the {ends}: exit code {code}")


def in_empty_folder(checks: Checks, launcher: Path, platform: Path, folder: Path) -> None:
    place = folder / "project"
    place.mkdir()
    npm = ["npm", "--offline", "--cache", str(folder / "npm-cache"), "--no-audit", "--no-fund", "--no-update-notifier"]
    execute(*npm, "install", launcher, platform, cwd=place)
    command = place / "node_modules/.bin/skillhost"
    program = place / "node_modules/skillhost-mcp-linux-x64/bin/skillhost"
    environment = clean_environment(folder)
    for name in ("skillhost-mcp", "skillhost"):
        said = execute("npx", "--no-install", name, "--version", cwd=place, env=environment).stdout
        checks.check(said == f"skillhost {version()} (commit {commit()})\n", f"npx {name} --version: {said}")
    main_job(checks, "npm", [command])
    over_http(checks, "npm", command)
    wrong = execute(command, "--no-such-option", code=None).returncode
    bare = execute(program, "--no-such-option", code=None).returncode
    checks.check(wrong == bare != 0, f"exit code {wrong} for a wrong option, of the program alone {bare}")
    ends_with_it(checks, command, program)
    traces(checks, "npm", place / "node_modules")
    start_times("npm", program, [command])
    manifest = json.loads((place / "node_modules/skillhost-mcp/package.json").read_text())
    checks.check("scripts" not in manifest, f"it has install scripts: {manifest}")
    says_what_it_is(checks, manifest, json.loads((program.parents[1] / "package.json").read_text()))
    program.chmod(0o644)
    wrong = execute(command, "--version", code=None)
    checks.check(wrong.returncode == 1 and "cannot be started" in wrong.stdout,
                 f"a program that cannot be executed: {wrong.returncode} {wrong.stdout}")
    shutil.rmtree(program.parents[1])
    wrong = execute(command, "--version", code=None)
    checks.check(wrong.returncode == 1 and "skillhost-mcp-linux-x64 is not installed" in wrong.stdout,
                 f"without the platform's package: {wrong.returncode} {wrong.stdout}")


def says_what_it_is(checks: Checks, launcher: dict[str, Any], platform: dict[str, Any]) -> None:
    for manifest in (launcher, platform):
        missing = {"author", "bugs", "description", "homepage", "keywords", "license", "repository"} - {key for key, value in manifest.items() if value}
        checks.check(not missing, f"{manifest['name']}: package.json has no {missing}")
    server = json.loads((ROOT / "packaging/server.json").read_text())
    checks.check(launcher.get("mcpName") == server["name"], f"mcpName is {launcher.get('mcpName')}")
    licence = platform["license"].split(" AND ")
    checks.check({"Apache-2.0", "MIT", "curl", "LGPL-2.1-or-later"} <= set(licence), f"the licence: {licence}")


def by_npx_from_files(checks: Checks, launcher: Path, platform: Path, folder: Path) -> None:
    """Checks the packages without a registry: the platform's package alone, and the message of the launcher alone."""
    npx = ["npx", "--yes", "--offline", "--cache", str(folder / "npx-cache")]
    start = [*npx, f"./{platform.name}"]
    here = os.getcwd()
    os.chdir(platform.parent)
    try:
        main_job(checks, "npx ./platform.tgz", start)
        alone = execute(*npx, f"./{launcher.name}", "--version", code=None)
        checks.check(alone.returncode == 1 and f"npx ./{platform.name}" in alone.stdout, f"npx ./launcher.tgz: {alone.returncode} {alone.stdout}")
        said = execute(*npx, "-p", f"./{platform.name}", "-p", f"./{launcher.name}", "skillhost-mcp", "--version").stdout
        checks.check(version() in said, f"npx of both: {said}")
    finally:
        os.chdir(here)


def main() -> int:
    if shutil.which("npm") is None and not (shutil.which("apt-get") and (os.geteuid() == 0 or shutil.which("sudo"))):
        print("skipped: npm is not installed, and cannot be installed here")
        return 77
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        platform, launcher = sorted(build("npm", folder / "packages"), key=lambda path: "linux" not in path.name)
        checks.check(launcher.name == f"skillhost-mcp-{version()}.tgz", f"the name: {launcher.name}")
        checks.check(platform.name == f"skillhost-mcp-linux-x64-{version()}.tgz", f"the name: {platform.name}")
        node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
        print(f"node {node}")
        in_empty_folder(checks, launcher, platform, folder)
        by_npx_from_files(checks, launcher, platform, folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
