#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs examples/quickstart with only the targets of `./bootstrap --minimal`. quickstart_test.py BUILD"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import Checks  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(sys.argv[1]).resolve()
checks = Checks()
check = checks.check


def targets(*options):
    done = subprocess.run([ROOT / "bootstrap", *options, "--targets", BUILD], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


def quickstart(folder):
    """Makes a checkout in `folder` whose bootstrap records its call: build/ has the minimal targets already."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name in targets("--minimal"):
        to = folder / "build" / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(BUILD / name, to)
    (folder / "bootstrap").write_text('#!/bin/sh\necho "called with $*"\n')
    (folder / "bootstrap").chmod(0o755)
    home = folder / "home"
    home.mkdir()
    return subprocess.run([folder / "examples/quickstart"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")})


minimal, whole = targets("--minimal"), targets()
check("host/skillhost" in minimal and set(minimal) < set(whole), f"{len(minimal)} targets of {len(whole)}: {minimal}")
with tempfile.TemporaryDirectory(prefix="skillhost-quickstart-") as made:
    done = quickstart(Path(made))
check(done.returncode == 0, f"exit code {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
check("called with --minimal" in done.stdout, done.stdout[:500])
for client in ("claude-code", "vscode", "cursor"):
    check(f"To use it in {client}" in done.stdout, f"{client}: {done.stdout[-2000:]}")
check("mcpServers" in done.stdout or "claude mcp add" in done.stdout, done.stdout[-2000:])
sys.exit(checks.finish())
