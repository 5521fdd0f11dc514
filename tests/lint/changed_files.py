# SPDX-License-Identifier: Apache-2.0
"""Finds the files that differ from the newest commit that is older than a day.

The default run of .ci/run checks only these where checking everything takes long. Its option --all checks
everything."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

ALL_CHECKS = "SKILLHOST_ALL_CHECKS"  # tests/run sets it to 1 for --all


def git(root: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(["git", "-c", "safe.directory=*", *words], cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def changed_files(root: Path) -> set[Path] | None:
    """Returns the absolute paths of the files that were added or changed since, committed or not. A file that was
    only moved has not changed. None means that every file counts as changed: because all checks are wanted, or
    because no such commit is known here."""
    if os.environ.get(ALL_CHECKS) == "1":
        return None
    base = (git(root, "rev-list", "-1", "--first-parent", "--before=1 day ago", "HEAD") or "").strip()
    if not base:
        return None
    differing = git(root, "diff", "--name-only", "-z", "--find-renames=100%", "--diff-filter=dr", base)
    untracked = git(root, "ls-files", "-z", "--others", "--exclude-standard")
    if differing is None or untracked is None:
        return None
    return {(root / name).resolve() for name in (differing + untracked).split("\0") if name}


def times_of_change(root: Path) -> dict[Path, int]:
    """Returns the time of each file's last commit, in seconds since 1970, by its absolute path. A file with changes
    that are not committed is missing, and the result is empty where the history is not known."""
    log = git(root, "log", "--first-parent", "-m", "--format=%x00%ct", "--name-only")
    times: dict[Path, int] = {}
    for commit in (log or "").split("\0")[1:]:
        time, *names = commit.split("\n")
        for name in filter(None, names):
            times.setdefault((root / name).resolve(), int(time))
    pending = {(root / name).resolve() for name in (git(root, "diff", "--name-only", "-z", "HEAD") or "").split("\0")}
    return {path: time for path, time in times.items() if path not in pending}
