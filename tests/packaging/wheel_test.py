#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python wheel, installed into an empty environment by pip and by uv: the main job, what runs, what is left."""
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from packages import (ROOT, Checks, Session, build, clean_environment, execute, main_job, over_http, start_times,
                      traces, version)


def whose_process(checks: Checks, command: list[str], program: Path) -> None:
    """The process that was started is the program itself: no Python is left."""
    with tempfile.TemporaryDirectory() as skills, Session([*command, "--skills-dir", skills]) as session:
        runs = os.path.realpath(f"/proc/{session.server.process.pid}/exe")
        checks.check(runs == str(program.resolve()), f"{command}: {runs} runs, and not {program}")


def by_pip(checks: Checks, wheel: Path, folder: Path) -> None:
    place = folder / "environment"
    venv.create(place, with_pip=True)
    before = {path for path in place.rglob("*")}
    execute(place / "bin/pip", "install", "--no-index", "--disable-pip-version-check", wheel)
    command, python = place / "bin/skillhost", place / "bin/python"
    program = next(place.glob("lib/python*/site-packages/skillhost/tree/bin/skillhost"))
    main_job(checks, "wheel", [command])
    main_job(checks, "wheel, python -m", [python, "-m", "skillhost"])
    over_http(checks, "wheel", command)
    for start in ([str(command)], [str(python), "-m", "skillhost"]):
        whose_process(checks, start, program)
        said = execute(*start, "--version", env=clean_environment(folder)).stdout
        checks.check(version() in said, f"{start} --version: {said}")
        wrong = execute(*start, "--no-such-option", code=None)
        checks.check(wrong.returncode not in (0, 127), f"{start}: exit code {wrong.returncode} for a wrong option")
    skills = ROOT / "examples/skills"
    count = len(list(skills.rglob("SKILL.md")))
    validated = execute(command, "validate", skills, env=clean_environment(folder)).stdout
    checks.check(count > 0 and validated.splitlines()[-1:] == [f"{count} skills checked: 0 errors, 0 warnings"], f"validate: {validated}")
    # A command that is a program of its own.
    token = execute(command, "token", "--help", env=clean_environment(folder)).stdout
    checks.check("add" in token, f"token --help: {token}")
    traces(checks, "wheel", program.parents[1])
    start_times("wheel", program, [command])
    program.chmod(0o644)
    wrong = execute(command, "--version", code=None)
    checks.check(wrong.returncode == 1 and "cannot be started: Permission denied" in wrong.stdout,
                 f"a program that cannot be executed: {wrong.returncode} {wrong.stdout}")
    execute(place / "bin/pip", "uninstall", "--yes", "--disable-pip-version-check", "skillhost")
    left = [str(path) for path in place.rglob("*") if path not in before and "__pycache__" not in path.parts]
    checks.check(not left, f"left by pip uninstall: {left}")


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
    start = [place / "bin/uvx", "--from", wheel, "skillhost"]
    said = execute(*start, "--version").stdout
    checks.check(version() in said, f"uvx --version: {said}")
    main_job(checks, "uvx", start)
    program = next(Path(cache["UV_CACHE_DIR"]).rglob("skillhost/tree/bin/skillhost"))
    start_times("uvx", program, start)


def main() -> int:
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        wheel, = build("wheel", folder / "packages")
        checks.check(wheel.name == f"skillhost-{version()}-py3-none-manylinux_2_36_{os.uname().machine}.whl",
                     f"the name: {wheel.name}")
        by_pip(checks, wheel, folder)
        by_uv(checks, wheel, folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
