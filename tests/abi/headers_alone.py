#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles every header alone, twice over, with warnings as errors and each compiler that is there.

usage: headers_alone.py public|host ROOT CACHE

What compiled is remembered in the file CACHE with the state of all files it read, so a second run
compiles only what has changed since."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-Werror"]
COMPILERS = {
    "c": ["gcc", "clang", "clang-19"],
    "c++": ["g++", "clang++", "clang++-19"],
}
PUBLIC = [  # header, language, standards
    ("skillhost/plugin.h", "c", ["c11", "c17"]),
    ("skillhost/plugin.h", "c++", ["c++20"]),
    ("skillhost/plugin.hpp", "c++", ["c++20"]),
    ("skillhost/config.hpp", "c++", ["c++20"]),
    ("skillhost/caller.h", "c", ["c11", "c17"]),
    ("skillhost/caller.h", "c++", ["c++20"]),
    ("skillhost/explain.h", "c", ["c11", "c17"]),
    ("skillhost/explain.h", "c++", ["c++20"]),
    ("skillhost/explain.hpp", "c++", ["c++20"]),
    ("skillhost/facts.h", "c", ["c11", "c17"]),
    ("skillhost/facts.h", "c++", ["c++20"]),
    ("skillhost/facts.hpp", "c++", ["c++20"]),
    ("skillhost/health.h", "c", ["c11", "c17"]),
    ("skillhost/health.h", "c++", ["c++20"]),
    ("skillhost/held.h", "c", ["c11", "c17"]),
    ("skillhost/held.h", "c++", ["c++20"]),
    ("skillhost/held.hpp", "c++", ["c++20"]),
    ("skillhost/pin.h", "c", ["c11", "c17"]),
    ("skillhost/pin.h", "c++", ["c++20"]),
    ("skillhost/state.h", "c", ["c11", "c17"]),
    ("skillhost/state.h", "c++", ["c++20"]),
    ("skillhost/state.hpp", "c++", ["c++20"]),
    ("skillhost/tools.h", "c", ["c11", "c17"]),
    ("skillhost/tools.h", "c++", ["c++20"]),
    ("skillhost/tools.hpp", "c++", ["c++20"]),
]


def compilers(language):
    """Those installed, each once even where two names lead to one program."""
    found = {}
    for name in COMPILERS[language]:
        path = shutil.which(name)
        if path:
            found.setdefault(os.path.realpath(path), name)
    return list(found.values())


def public_jobs(root):
    folder = root / "plugin-api" / "include"
    for path in sorted((folder / "skillhost").iterdir()):
        if path.relative_to(folder).as_posix() not in {header for header, _, _ in PUBLIC}:
            raise SystemExit(f"{path}: a public header this test does not know")
    for header, language, standards in PUBLIC:
        for compiler in compilers(language):
            for standard in standards:
                yield header, [compiler, "-x", language, f"-std={standard}", f"-I{folder}"]


def host_jobs(root):
    folders = sorted((root / "host").glob("*/include")) + [root / "subprojects" / "ground" / "include"]
    folders += [root / "plugin-api" / "include", root / "plugins" / "shared"]  # of these it uses some
    flags = ["-x", "c++", "-std=c++20", "-DBOOST_DLL_USE_STD_FS"] + [f"-I{one}" for one in folders]
    for path in sorted(path for one in folders[:-2] for path in one.glob("*/**/*.hpp")):
        folder = next(one for one in folders if one in path.parents)
        # One compiler: the second one has its own build of the whole tree.
        yield path.relative_to(folder).as_posix(), [compilers("c++")[0]] + flags


def state(names):
    """Size and time of each file, or None when one of them is gone."""
    try:
        return {name: [os.stat(name).st_size, os.stat(name).st_mtime_ns] for name in names}
    except OSError:
        return None


def read_files(depfile):
    text = pathlib.Path(depfile).read_text().replace("\\\n", " ")
    return [name for name in re.split(r"(?<!\\)\s+", text.split(":", 1)[1].strip())
            if name and name != "-"]


def compile_alone(job):
    """(error text or None, files read) of one header in one language with one compiler."""
    header, command = job
    text = f"#include <{header}>\n#include <{header}>\n"
    if "c" in command[1:3]:
        text += "typedef int no_empty_unit;\n"
    with tempfile.NamedTemporaryFile(suffix=".d") as depfile:
        done = subprocess.run(command + WARNINGS + ["-fsyntax-only", "-MD", "-MF", depfile.name,
                                                    "-MT", "x", "-"],
                              input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stderr or "failed without a word", []
        return None, read_files(depfile.name)


def main():
    kind, root, cache_file = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    jobs = list({"public": public_jobs, "host": host_jobs}[kind](root))
    try:
        cache = json.loads(pathlib.Path(cache_file).read_text())
    except (OSError, ValueError):
        cache = {}
    fresh = {}
    todo = []
    for job in jobs:
        key = " ".join([job[0], *job[1]])
        known = cache.get(key)
        if known and state(known) == known:
            fresh[key] = known
        else:
            todo.append((key, job))
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for (key, job), (error, files) in zip(todo, pool.map(compile_alone,
                                                             [job for _, job in todo])):
            if error:
                failures += 1
                print(f"FAILED {job[0]} with {' '.join(job[1][:4])}\n{error}")
            elif files:
                fresh[key] = state(files)
    pathlib.Path(cache_file).write_text(json.dumps(fresh))
    print(f"{len(jobs)} compilations, {len(jobs) - len(todo)} unchanged since they succeeded, "
          f"{failures} failed")
    return 1 if failures or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
