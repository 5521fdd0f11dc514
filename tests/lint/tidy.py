#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over our sources as build/ compiles them; what passed once is not read again.

A source passes as long as .clang-tidy, its command, itself and every header of the tree that it
includes stay the same; the marks of what passed lie in a cache folder, one empty file each.
"""

import argparse
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("host", "plugins", "plugin-api", "examples")
# Flags of GCC alone, and what only matters when code is generated.
DROPPED = ("-fno-gnu-unique",)


def sources(build):
    """The compile commands of our own sources, each source once."""
    seen = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = (Path(entry["directory"]) / entry["file"]).resolve()
        if file.is_relative_to(ROOT) and file.relative_to(ROOT).parts[0] in FOLDERS:
            seen.setdefault(file, entry)
    return seen


def headers(build):
    """Object file to the headers of the tree that it was compiled from, as Ninja noted them."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    result, current = {}, []
    for line in text.splitlines():
        if line.startswith("    "):
            path = (build / line.strip()).resolve()
            if path.is_relative_to(ROOT):
                current.append(path)
        elif ": #deps" in line:
            current = result.setdefault(line.split(": #deps")[0], [])
    return result


def digest(paths, *words):
    total = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=Path, help="only these (all when none is named)")
    options = parser.parse_args()
    build = options.build.resolve()

    tidy = shutil.which("clang-tidy-19")
    if not tidy:
        print("skipped: clang-tidy-19 is not installed", file=sys.stderr)
        return 77
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    cache = base / "skillhost" / "tidy"
    cache.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([tidy, "--version"], check=True, text=True, stdout=subprocess.PIPE)
    includes = headers(build)
    wanted = {file.resolve() for file in options.files}

    work = []
    for file, entry in sources(build).items():
        if wanted and file not in wanted:
            continue
        command = [word for word in shlex.split(entry["command"]) if word not in DROPPED]
        # A cache in front of the compiler is no part of the command.
        while Path(command[0]).name in ("ccache", "sccache"):
            command.pop(0)
        read = [ROOT / ".clang-tidy", file, *sorted(set(includes.get(entry["output"], [])))]
        key = digest([path for path in read if path.is_file()], version.stdout,
                     *(word.replace(str(ROOT), "") for word in command))
        if not (cache / key).exists():
            work.append((file, entry["directory"], command[1:], key))

    def check(item):
        file, directory, arguments, key = item
        done = subprocess.run([tidy, "--quiet", str(file), "--", *arguments], cwd=directory,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode == 0:
            (cache / key).touch()
            return True
        print(f"{file.relative_to(ROOT)}:\n{done.stdout}{done.stderr}", flush=True)
        return False

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        results = list(pool.map(check, work))
    bad = results.count(False)
    print(f"clang-tidy: {len(results)} sources read, {bad} with findings, the rest passed before")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
