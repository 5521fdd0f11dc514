#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the Python wheel, installed into an empty environment by pip and by uv: the main job, the running process,
the remains."""
import email
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from packages import (ROOT, Checks, Session, build, clean_environment, commit, execute, main_job, over_http, start_times,
                      traces, version)


def whose_process(checks: Checks, command: list[str], program: Path) -> None:
    """Checks that the process that was started is the program itself, without Python."""
    with tempfile.TemporaryDirectory() as skills, Session([*command, "--skills-dir", skills]) as session:
        runs = os.path.realpath(f"/proc/{session.server.process.pid}/exe")
        checks.check(runs == str(program.resolve()), f"{command}: {runs} runs, and not {program}")


def by_pip(checks: Checks, wheel: Path, folder: Path) -> None:
    place = folder / "environment"
    venv.create(place, with_pip=True)
    before = {path for path in place.rglob("*")}
    execute(place / "bin/pip", "install", "--no-index", "--disable-pip-version-check", wheel)
    command, python = place / "bin/skillhost", place / "bin/python"
    program = next(place.glob("lib/python*/site-packages/skillhost_mcp/tree/bin/skillhost"))
    main_job(checks, "wheel", [command])
    main_job(checks, "wheel, python -m", [python, "-m", "skillhost_mcp"])
    over_http(checks, "wheel", command)
    for start in ([str(command)], [str(place / "bin/skillhost-mcp")], [str(python), "-m", "skillhost_mcp"]):
        whose_process(checks, start, program)
        said = execute(*start, "--version", env=clean_environment(folder)).stdout
        checks.check(said == f"skillhost {version()} (commit {commit()})\n", f"{start} --version: {said}")
        wrong = execute(*start, "--no-such-option", code=None)
        checks.check(wrong.returncode not in (0, 127), f"{start}: exit code {wrong.returncode} for a wrong option")
    skills = ROOT / "examples/skills"
    count = len(list(skills.rglob("SKILL.md")))
    validated = execute(command, "validate", skills, env=clean_environment(folder)).stdout
    checks.check(count > 0 and validated.splitlines()[-1:] == [f"{count} skills checked: 0 errors, 0 warnings"], f"validate: {validated}")
    # This command is a program of its own.
    token = execute(command, "token", "--help", env=clean_environment(folder)).stdout
    checks.check("add" in token, f"token --help: {token}")
    says_what_it_is(checks, program.parents[3])
    traces(checks, "wheel", program.parents[1])
    start_times("wheel", program, [command])
    program.chmod(0o644)
    wrong = execute(command, "--version", code=None)
    checks.check(wrong.returncode == 1 and "cannot be started: Permission denied" in wrong.stdout,
                 f"a program that cannot be executed: {wrong.returncode} {wrong.stdout}")
    execute(place / "bin/pip", "uninstall", "--yes", "--disable-pip-version-check", "skillhost-mcp")
    left = [str(path) for path in place.rglob("*") if path not in before and "__pycache__" not in path.parts]
    checks.check(not left, f"left by pip uninstall: {left}")


def says_what_it_is(checks: Checks, packages: Path) -> None:
    """Checks the metadata, and the licence of every library inside."""
    about = packages / f"skillhost_mcp-{version()}.dist-info"
    said = email.message_from_string((about / "METADATA").read_text())
    urls = {line.split(",")[0] for line in said.get_all("Project-URL", [])}
    checks.check(said["Name"] == "skillhost-mcp" and said["Author"] and urls == {"Homepage", "Repository", "Issues"}, f"the metadata: {said.items()}")
    files = said.get_all("License-File", [])
    missing = [name for name in files if not (about / "licenses" / name).is_file()]
    checks.check(len(files) > 30 and "LICENSE" in files and not missing, f"{len(files)} licences, not there: {missing}")
    libraries = [line for line in (about / "licenses/packages.txt").read_text().splitlines() if "a shared library" in line]
    checks.check(len(libraries) > 20 and all("; licence: " in line for line in libraries), f"packages.txt: {libraries}")
    checks.check("LGPL-2.1-or-later" in said["License-Expression"], said["License-Expression"])
    text = said.get_payload()
    name = json.loads((ROOT / "packaging/server.json").read_text())["name"]
    checks.check(f"mcp-name: {name}" in text and '"mcpServers"' in text, "the page has a client's configuration and the registry's name")


def by_uv(checks: Checks, wheel: Path, folder: Path) -> None:
    place = folder / "uv"
    venv.create(place, with_pip=True)
    got = subprocess.run([place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "uv"],
                         capture_output=True, text=True, timeout=600)
    if got.returncode != 0:
        print(f"uvx: not tried, uv cannot be had: {got.stderr[-300:]}")
        return
    cache = {"UV_CACHE_DIR": str(folder / "uv-cache"), "UV_OFFLINE": "1", "UV_PYTHON": sys.executable}
    os.environ.update(cache)
    start = [place / "bin/uvx", "--from", wheel, "skillhost-mcp"]
    said = execute(*start, "--version").stdout
    checks.check(version() in said, f"uvx --version: {said}")
    main_job(checks, "uvx", start)
    program = next(Path(cache["UV_CACHE_DIR"]).rglob("skillhost_mcp/tree/bin/skillhost"))
    start_times("uvx", program, start)


def main() -> int:
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        wheel, = build("wheel", folder / "packages")
        checks.check(wheel.name == f"skillhost_mcp-{version()}-py3-none-manylinux_2_34_{os.uname().machine}.whl",
                     f"the name: {wheel.name}")
        by_pip(checks, wheel, folder)
        by_uv(checks, wheel, folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
