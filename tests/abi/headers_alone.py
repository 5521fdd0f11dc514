#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every header compiles alone and may be included twice, with warnings as errors.

usage: headers_alone.py public|host ROOT CACHE

`public` compiles each header of plugin-api alone, with each compiler that is installed. `host` compiles one source for
each library, which includes all headers of that library: those that include least come first, so that no header before
them declares what they forgot to include. It also compiles alone the headers that have changed in the last day, at most
20 of them: those that changed last. With SKILLHOST_ALL_CHECKS=1 `host` compiles every header alone.

The file CACHE remembers what compiled with the state of all files that the compiler read, so that a second run
compiles only what has changed since."""
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lint"))
from changed_files import changed_files, times_of_change  # noqa: E402

INCLUDED = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
MAX_ALONE = 20  # most changed headers; each takes about a second
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
    ("skillhost/http.h", "c", ["c11", "c17"]),
    ("skillhost/http.h", "c++", ["c++20"]),
    ("skillhost/http.hpp", "c++", ["c++20"]),
    ("skillhost/observer.h", "c", ["c11", "c17"]),
    ("skillhost/observer.h", "c++", ["c++20"]),
    ("skillhost/observer.hpp", "c++", ["c++20"]),
    ("skillhost/pin.h", "c", ["c11", "c17"]),
    ("skillhost/pin.h", "c++", ["c++20"]),
    ("skillhost/state.h", "c", ["c11", "c17"]),
    ("skillhost/state.h", "c++", ["c++20"]),
    ("skillhost/state.hpp", "c++", ["c++20"]),
    ("skillhost/tools.h", "c", ["c11", "c17"]),
    ("skillhost/tools.h", "c++", ["c++20"]),
    ("skillhost/tools.hpp", "c++", ["c++20"]),
    ("skillhost/upstream.h", "c", ["c11", "c17"]),
    ("skillhost/upstream.h", "c++", ["c++20"]),
    ("skillhost/upstream.hpp", "c++", ["c++20"]),
]


def compilers(language):
    """Returns the installed compilers, each once even if two names lead to one program."""
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
                yield header, [compiler, "-x", language, f"-std={standard}", f"-I{folder}"], (header,)


class Headers:
    """Holds the headers of host/, isolation/ and subprojects/ by their names in includes, and the headers that each one
    includes."""

    def __init__(self, root):
        own = sorted(path for top in ("host", "isolation", "subprojects") for path in (root / top).glob("**/include"))
        self.folders = own + [root / "plugin-api" / "include", root / "plugins" / "shared"]  # they use some of these
        self.libraries = {}
        self.files = {}
        for folder in own:
            names = {path.relative_to(folder).as_posix(): path for path in folder.glob("*/**/*.hpp")}
            self.libraries[folder.relative_to(root).as_posix()] = names
            self.files.update(names)
        self.included = {name: INCLUDED.findall(path.read_text()) for name, path in self.files.items()}

    def reached(self, name):
        """Returns the names of all headers that one header includes, directly or not."""
        seen, waiting = set(), [name]
        while waiting:
            for other in self.included.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    def least_first(self, names):
        return sorted(names, key=lambda name: (len(self.reached(name)), name))

    def those(self, changed):
        """Returns the changed headers; all if the changes are unknown."""
        return sorted(name for name, path in self.files.items() if changed is None or path.resolve() in changed)


def host_jobs(root):
    headers = Headers(root)
    # Uses one compiler, because the second one has its own build of the whole tree.
    command = [compilers("c++")[0], "-x", "c++", "-std=c++20", "-DBOOST_DLL_USE_STD_FS"]
    command += [f"-I{one}" for one in headers.folders]
    changed = changed_files(root)
    if changed is not None:
        for library, names in headers.libraries.items():
            yield library, command, tuple(headers.least_first(names))
    alone = headers.those(changed)
    if changed is not None and len(alone) > MAX_ALONE:
        times = times_of_change(root)
        alone.sort(key=lambda name: times.get(headers.files[name].resolve(), math.inf), reverse=True)
        print(f"{len(alone) - MAX_ALONE} of the {len(alone)} changed headers are not compiled alone: the others changed later")
        del alone[MAX_ALONE:]
    for name in alone:
        yield name, command, (name,)


def state(names):
    """Returns size and time of each file, or None if one of them is gone."""
    try:
        return {name: [os.stat(name).st_size, os.stat(name).st_mtime_ns] for name in names}
    except OSError:
        return None


def read_files(depfile):
    text = pathlib.Path(depfile).read_text().replace("\\\n", " ")
    return [name for name in re.split(r"(?<!\\)\s+", text.split(":", 1)[1].strip())
            if name and name != "-"]


def compile_alone(job):
    """Compiles some headers in one language with one compiler. Returns (error text or None, files read)."""
    _, command, headers = job
    text = "".join(f"#include <{header}>\n" for header in headers) * 2
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
        key = " ".join([job[0], *job[1], *job[2]])
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
