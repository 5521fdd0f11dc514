# SPDX-License-Identifier: Apache-2.0
"""Finds the tools of this machine that a test can use. A name on the path is not enough: rustup has a `rustc`
without a compiler."""
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence


def usable(program: str, oldest: tuple[int, int], arguments: Sequence[str] = ("--version",),
           environment: Mapping[str, str] | None = None) -> tuple[str | None, str]:
    """Returns the path of a program that runs and is of this version or newer, and ""; otherwise None and the
    reason."""
    path = shutil.which(program, path=None if environment is None else environment.get("PATH"))
    if path is None:
        return None, f"there is no {program}"
    try:
        asked = subprocess.run([path, *arguments], capture_output=True, text=True, timeout=60, check=False,
                               stdin=subprocess.DEVNULL, env=environment)
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, f"{path} does not run: {error}"
    said = (asked.stderr.strip() or asked.stdout.strip() or "it says nothing").splitlines()[0]
    if asked.returncode != 0:
        return None, f"{path} does not run: {said}"
    version = re.search(r"(\d+)\.(\d+)", asked.stdout)
    if version is None:
        return None, f"{path} does not say its version: {said}"
    if (int(version[1]), int(version[2])) < oldest:
        return None, f"{path} is older than {oldest[0]}.{oldest[1]}: {asked.stdout.strip().splitlines()[0]}"
    return path, ""


def why_no_rust(oldest: tuple[int, int], *programs: str) -> str:
    """Returns the reason why one of `rustc` and `cargo` cannot be used; "" when all can."""
    return next((why for program in programs for path, why in [usable(program, oldest)] if path is None), "")
