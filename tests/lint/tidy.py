#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on the sources that have changed in the last day, or on all.

It skips a source that has passed before. Without --all it reads each source that differs from the newest commit older
than a day. For each header that differs it reads one source that includes it, preferably the source of the same name.

The compile commands are those of build-tidy/, which this script configures and which compiles nothing, because build/
compiles several sources as one.

Parsing third-party headers takes most of the time. Therefore the sources of a target are read as units, which are files
in the build folder that include up to sixteen sources. If a unit has no finding, all of its sources pass. If it has
one, the sources that the finding names (or all, if it names other files) are read again one by one, and those findings
count. Three checks ignore included files, so each source with a line that they could judge is read alone.

With --within SECONDS, no further unit begins after that much processor time. The sources that changed last are read
first, and the last line counts those that were left out.

A source stays passed until .clang-tidy, its command, the source itself or a header of the tree that it includes
changes. A cache folder has one empty file for each source that has passed.
"""

import argparse
import hashlib
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from changed_files import changed_files, times_of_change

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("host", "isolation", "plugins", "plugin-api", "programs", "subprojects", "examples")
# These flags belong to GCC alone, or matter only for the generation of code.
DROPPED = ("-fno-gnu-unique",)
# These options name outputs: a name that differs from source to source follows each.
OUTPUTS = ("-MQ", "-MF", "-o", "-c")
# More sources save little: by then the sources take longer than the headers. A unit has fewer when processors would
# idle.
LARGEST_UNIT = 16
# The static analyser regards a file of this name as made of sources, not of headers.
UNIT_NAME = "UnifiedSource"
# These checks see the main file only; the pattern matches sources in which one of them can find something.
MAIN_FILE_CHECKS = "-*,misc-unused-alias-decls,misc-unused-using-decls,modernize-deprecated-headers"
JUDGED_THERE = re.compile(
    r"""^\s*(?:using\s+(?!namespace\b)[\w:]*::\w+\s*[;,]|namespace\s+\w+\s*=|\#\s*include\s*<(?:assert|complex|
    ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdbool|stddef|stdint|
    stdio|stdlib|string|tgmath|time|uchar|wchar|wctype)\.h>(?!.*NOLINT))""", re.MULTILINE | re.VERBOSE)
INCLUDED = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
FINDING = re.compile(r"^(/[^:\n]+):\d+:\d+: (?:warning|error): ", re.MULTILINE)


@dataclass
class Source:
    """A source that has not passed yet: its file, its flags, their folder, its mark in the cache, and the time of the
    change for which it is read."""
    file: Path
    directory: str
    flags: tuple
    mark: Path
    changed: float


def entries(build):
    """Returns the compile commands of the delivered sources, each source once."""
    seen = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = (Path(entry["directory"]) / entry["file"]).resolve()
        parts = file.relative_to(ROOT).parts if file.is_relative_to(ROOT) else ("",)
        if parts[0] in FOLDERS and not {"tests", "testing"} & set(parts):
            seen.setdefault(file, entry)
    return seen


@lru_cache(maxsize=None)
def names_included(file):
    return INCLUDED.findall(file.read_text())


@lru_cache(maxsize=None)
def in_tree(path):
    """Returns the file of the tree that a path means, or None."""
    found = path.resolve()
    return found if found.is_relative_to(ROOT) and found.is_file() else None


def headers(entry, file):
    """Returns the headers of the tree that a source includes. It ignores conditions: a few too many do no harm."""
    folders = [Path(entry["directory"], word[2:]) for word in shlex.split(entry["command"]) if word.startswith("-I")]
    seen, unread_files = set(), [file]
    while unread_files:
        current = unread_files.pop()
        for name in names_included(current):
            found = next(filter(None, (in_tree(folder / name) for folder in (current.parent, *folders))), None)
            if found and found not in seen:
                seen.add(found)
                unread_files.append(found)
    return seen


def digest(paths, *words):
    total = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def flags_of(entry):
    """Returns the flags of a compile command, without the compiler, its input and its output."""
    words = [word for word in shlex.split(entry["command"]) if word not in DROPPED + ("-MD",)]
    # A cache in front of the compiler is no part of the command.
    while Path(words[0]).name in ("ccache", "sccache"):
        words.pop(0)
    return tuple(word for before, word in zip(words, words[1:])
                 if word not in OUTPUTS and before not in OUTPUTS)


def sources_of(commands, changed, times):
    """Returns the changed sources, and a source for each changed header, which is read with it: the command and the
    time of the change. A file that `times` lacks has changed just now."""
    found = {}
    readers = defaultdict(list)
    for file, entry in commands.items():
        if file in changed:
            found[file] = (entry, times.get(file, math.inf))
        for header in headers(entry, file) & changed:
            readers[header].append((header.stem not in (file.stem, f"{file.stem}_private"), file not in found, str(file), entry))
    for header, candidates in readers.items():
        *_, name, entry = min(candidates, key=lambda candidate: candidate[:3])
        _, known = found.get(Path(name), (entry, 0))
        found[Path(name)] = (entry, max(known, times.get(header, math.inf)))
    return found


def unread(build, wanted, version, cache):
    """Returns the sources among the wanted (all, when that is None) that have no mark."""
    times = times_of_change(ROOT)
    commands = entries(build)
    if wanted is None:
        found = {file: (entry, times.get(file, 0)) for file, entry in commands.items()}
    else:
        found = sources_of(commands, wanted, times)
    for file, (entry, changed) in found.items():
        flags = flags_of(entry)
        read = [ROOT / ".clang-tidy", file, *sorted(headers(entry, file))]
        mark = cache / digest([path for path in read if path.is_file()], version,
                              *(word.replace(str(ROOT), "") for word in flags))
        if not mark.exists():
            yield Source(file, entry["directory"], flags, mark, changed)


def units(sources, jobs, newest_first):
    """Groups the sources into lists that are read as one: of one folder of commands, one language, the same flags."""
    alike = defaultdict(list)
    for source in sorted(sources, key=lambda source: source.changed, reverse=True):
        alike[source.directory, source.file.suffix, source.flags].append(source)
    largest = max(1, min(LARGEST_UNIT, -(-sum(map(len, alike.values())) // jobs)))
    result = [group[at:at + largest] for group in alike.values() for at in range(0, len(group), largest)]
    if newest_first:
        return sorted(result, key=lambda unit: unit[0].changed, reverse=True)
    # The longest go first, so that no processor waits for one at the end.
    return sorted(result, key=len, reverse=True)


class Reader:
    """Reads by clang-tidy; several threads may use one. It writes units to a folder, and removes them. It begins no
    unit after its runs of clang-tidy have taken `within` seconds of processor time."""

    def __init__(self, tidy, folder, within):
        self.tidy = tidy
        self.folder = folder
        self.within = within
        folder.mkdir(exist_ok=True)

    def run(self, file, like, *options):
        return subprocess.run([self.tidy, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", *options, str(file),
                               "--", *like.flags], cwd=like.directory, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def alone(self, source, *options):
        """Reads one source and prints the findings; returns true when it passes."""
        done = self.run(source.file, source, *options)
        if done.returncode == 0:
            source.mark.touch()
            return True
        print(f"{source.file.relative_to(ROOT)}:\n{done.stdout}{done.stderr}", flush=True)
        return False

    def acquit(self, source):
        """Checks a source without a finding in its unit for findings that a unit cannot show; returns true when it
        passes."""
        if JUDGED_THERE.search(source.file.read_text()):
            return self.alone(source, f"--checks={MAIN_FILE_CHECKS}")
        source.mark.touch()
        return True

    def suspects(self, sources):
        """Reads the sources as a unit; returns those that must be read alone."""
        if len(sources) == 1:
            return sources
        names = "".join(f'#include "{source.file}"\n' for source in sources)
        unit = self.folder / f"{UNIT_NAME}-{digest([], names)[:16]}{sources[0].file.suffix}"
        # A unit includes files that end in .cpp on purpose.
        unit.write_text(f"// NOLINTBEGIN(bugprone-suspicious-include)\n{names}"
                        "// NOLINTEND(bugprone-suspicious-include)\n")
        done = self.run(unit, sources[0])
        unit.unlink()
        if done.returncode == 0:
            return []
        # Names clash, or there is a real error: clang-tidy has not read everything. The halves are, in a full run, the
        # eight sources that the builds with a sanitizer compile as one.
        if "[clang-diagnostic-error" in done.stdout:
            half = (len(sources) + 1) // 2
            return self.suspects(sources[:half]) + self.suspects(sources[half:])
        named = {Path(name).resolve() for name in FINDING.findall(done.stdout)}
        found = [source for source in sources if source.file in named]
        return found if found and len(found) == len(named) else sources

    def read(self, sources):
        """Reads a unit and prints the findings; returns the number of sources read, and of those that do not pass."""
        spent = os.times()
        if self.within is not None and spent.children_user + spent.children_system >= self.within:
            return 0, 0
        suspects = self.suspects(sources)
        return len(sources), sum(not (self.alone(source) if source in suspects else self.acquit(source)) for source in sources)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build-tidy")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--all", action="store_true", help="read every source instead of those that have changed in the last day")
    parser.add_argument("--within", type=float, metavar="SECONDS", help="begin no further unit after this much processor time")
    parser.add_argument("files", nargs="*", type=Path, help="read only these sources, or a source for each of these headers")
    options = parser.parse_args()
    build = options.build.resolve()

    tidy = shutil.which("clang-tidy-19")
    if not tidy:
        print("skipped: clang-tidy-19 is not installed", file=sys.stderr)
        return 77
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    cache = base / "skillhost" / "tidy"
    cache.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([tidy, "--version"], check=True, text=True, stdout=subprocess.PIPE).stdout

    if not (build / "build.ninja").exists():
        subprocess.run(["meson", "setup", build], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    # Ninja adds the targets that are newer than the configuration.
    subprocess.run(["ninja", "-C", build, "build.ninja"], check=True, stdout=subprocess.DEVNULL)
    changed = None if options.all else changed_files(ROOT)
    # Changed rules require a reading of every source.
    if changed is not None and ROOT / ".clang-tidy" in changed:
        changed = None
    wanted = {file.resolve() for file in options.files} or changed
    sources = list(unread(build, wanted, version, cache))
    reader = Reader(tidy, build / "tidy-units", options.within)
    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        counts = list(pool.map(reader.read, units(sources, options.jobs, options.within is not None)))
    read = sum(count for count, _ in counts)
    bad = sum(count for _, count in counts)
    left_out = f", {len(sources) - read} left out because the time was up" if read < len(sources) else ""
    if left_out:
        print(f"left out: {len(sources) - read} changed sources that clang-tidy has not read; tests/lint/tidy.py reads them")
    print(f"clang-tidy: {read} of the {'whole tree' if wanted is None else 'changed'} sources read, {bad} with findings{left_out}, "
          "the rest passed before")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
