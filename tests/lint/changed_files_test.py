#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests changed_files in a repository of its own, tidy.py's choice of the first sources to read, and
headers_alone.py on a small tree: the default check finds a header that does not compile alone, whether it has
changed in the last day or not."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from changed_files import ALL_CHECKS, changed_files, times_of_change
from tidy import Reader, Source, sources_of, units

HEADERS_ALONE = Path(__file__).resolve().parent.parent / "abi" / "headers_alone.py"
TWO_DAYS = 2 * 86400


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q")

    def git(self, *words: str, age: int = 0) -> None:
        moment = f"{int(time.time()) - age} +0000"
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org",
                        "-c", "commit.gpgsign=false", *words], cwd=self.folder, check=True,
                       env={**os.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment})

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self, age: int) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "c", age=age)


class ChangedFiles(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name).resolve()
        os.environ.pop(ALL_CHECKS, None)

    def names(self) -> set[str] | None:
        found = changed_files(self.root)
        return None if found is None else {str(path.relative_to(self.root)) for path in found}

    def test_names_what_changed_in_the_last_day(self) -> None:
        repository = Repository(self.root)
        for name in ("old.cpp", "edited.cpp", "removed.cpp", "later.cpp"):
            repository.write(name, "old")
        repository.commit(age=TWO_DAYS)
        repository.write("later.cpp", "committed an hour ago")
        repository.commit(age=3600)
        repository.write("edited.cpp", "not committed")
        repository.write("new/untracked.cpp", "not known to git")
        (self.root / "removed.cpp").unlink()
        self.assertEqual(self.names(), {"later.cpp", "edited.cpp", "new/untracked.cpp"})

    def test_what_was_only_moved_has_not_changed(self) -> None:
        repository = Repository(self.root)
        repository.write("moved.cpp", "moved as it is")
        repository.write("edited.cpp", "a line\n" * 20)
        repository.commit(age=TWO_DAYS)
        repository.git("mv", "moved.cpp", "elsewhere.cpp")
        repository.git("mv", "edited.cpp", "edited_elsewhere.cpp")
        repository.write("edited_elsewhere.cpp", "a line\n" * 20 + "another line\n")
        repository.commit(age=3600)
        self.assertEqual(self.names(), {"edited_elsewhere.cpp"})

    def test_work_that_was_merged_today_has_changed_however_old_it_is(self) -> None:
        repository = Repository(self.root)
        repository.write("main.cpp", "main")
        repository.commit(age=TWO_DAYS)
        repository.git("checkout", "-q", "-b", "side")
        repository.write("side.cpp", "side")
        repository.commit(age=TWO_DAYS - 3600)
        repository.git("checkout", "-q", "-")
        repository.git("merge", "-q", "--no-ff", "--no-edit", "side")
        self.assertEqual(self.names(), {"side.cpp"})

    def test_everything_without_an_older_commit(self) -> None:
        self.assertIsNone(self.names(), "outside a repository")
        repository = Repository(self.root)
        repository.write("a.cpp", "a")
        repository.commit(age=3600)
        self.assertIsNone(self.names(), "every commit is younger than a day")

    def test_everything_when_all_checks_are_wanted(self) -> None:
        repository = Repository(self.root)
        repository.write("a.cpp", "a")
        repository.commit(age=TWO_DAYS)
        self.assertEqual(self.names(), set())
        os.environ[ALL_CHECKS] = "1"
        self.addCleanup(os.environ.pop, ALL_CHECKS)
        self.assertIsNone(self.names())

    def test_tells_when_each_file_was_committed_last(self) -> None:
        repository = Repository(self.root)
        for name in ("old.cpp", "later.cpp", "edited.cpp"):
            repository.write(name, "old")
        repository.commit(age=TWO_DAYS)
        repository.write("later.cpp", "committed an hour ago")
        repository.commit(age=3600)
        repository.write("edited.cpp", "not committed")
        times = times_of_change(self.root)
        self.assertEqual({path.name for path in times}, {"old.cpp", "later.cpp"})
        self.assertAlmostEqual(times[self.root / "later.cpp"] - times[self.root / "old.cpp"], TWO_DAYS - 3600, delta=60)
        self.assertEqual(times_of_change(Path("/")), {}, "outside a repository")


class TidyWithin(unittest.TestCase):
    def source(self, name: str, changed: float) -> Source:
        return Source(Path(name), "/build", ("-O1",), Path("/nowhere"), changed)

    def test_reads_what_changed_last_first(self) -> None:
        sources = [self.source(f"{age}.cpp", -age) for age in (40, 3, 30, 1, 2)]
        sources.append(Source(Path("newest.c"), "/build", ("-O1",), Path("/nowhere"), 0))
        read = units(sources, 2, newest_first=True)
        self.assertEqual([[source.file.name for source in unit] for unit in read],
                         [["newest.c"], ["1.cpp", "2.cpp", "3.cpp"], ["30.cpp", "40.cpp"]])

    def test_the_source_of_a_changed_header_is_as_new_as_the_header(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch("tidy.ROOT", Path(folder).resolve()):
            header, source = Path(folder).resolve() / "a.hpp", Path(folder).resolve() / "a.cpp"
            header.write_text("")
            source.write_text('#include "a.hpp"\n')
            entry = {"directory": folder, "file": "a.cpp", "command": "c++ -c a.cpp"}
            found = sources_of({source: entry}, {header, source}, {header: 20, source: 10})
            self.assertEqual(found, {source: (entry, 20)})
            self.assertEqual(sources_of({source: entry}, {header}, {source: 10}), {source: (entry, float("inf"))})

    def test_begins_nothing_when_the_time_is_up(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            reader = Reader("/no/such/clang-tidy", Path(folder), 0)
            self.assertEqual(reader.read([self.source("a.cpp", 1)]), (0, 0))


class HeadersAlone(unittest.TestCase):
    WHOLE = '#pragma once\n#include <string>\ninline std::string whole() { return {}; }\n'
    NEEDY = '#pragma once\ninline std::string needy() { return {}; }\n'
    # This header includes the missing part of needy.hpp, and then needy.hpp.
    INCLUDES_IT = '#pragma once\n#include "part/whole.hpp"\n#include "part/needy.hpp"\n'

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name).resolve()
        (self.root / "plugin-api/include/skillhost").mkdir(parents=True)
        self.repository = Repository(self.root)
        self.repository.write("host/part/include/part/whole.hpp", self.WHOLE)
        self.repository.write("host/part/include/part/both.hpp", self.INCLUDES_IT)

    def run_check(self) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name != ALL_CHECKS}
        return subprocess.run([sys.executable, HEADERS_ALONE, "host", self.root, self.root / "cache.json"],
                              capture_output=True, text=True, check=False, env=environment)

    def test_finds_an_old_one(self) -> None:
        self.repository.write("host/part/include/part/needy.hpp", self.NEEDY)
        self.repository.commit(age=TWO_DAYS)
        done = self.run_check()
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("needy.hpp", done.stdout)

    def test_finds_a_changed_one(self) -> None:
        self.repository.commit(age=TWO_DAYS)
        self.repository.write("host/part/include/part/needy.hpp", self.NEEDY)
        done = self.run_check()
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("FAILED part/needy.hpp", done.stdout)

    def test_of_many_it_compiles_those_alone_that_changed_last(self) -> None:
        for number in range(61):
            self.repository.write(f"host/part/include/part/a{number}.hpp", f"#pragma once\ninline int a{number}() {{ return 0; }}\n")
        self.repository.write("host/part/include/part/needy.hpp", self.NEEDY)
        self.repository.commit(age=2 * TWO_DAYS)
        self.repository.git("commit", "-q", "--allow-empty", "-m", "base", age=TWO_DAYS)
        for number in range(61):
            self.repository.write(f"host/part/include/part/a{number}.hpp", f"#pragma once\ninline long a{number}() {{ return 0; }}\n")
        self.repository.commit(age=3600)
        self.repository.write("host/part/include/part/needy.hpp", self.NEEDY + "// changed last\n")
        done = self.run_check()
        self.assertIn("2 of the 62 changed headers are not compiled alone", done.stdout)
        self.assertIn("FAILED part/needy.hpp", done.stdout)

    def test_passes_whole_ones(self) -> None:
        self.repository.write("host/part/include/part/needy.hpp", self.WHOLE.replace("whole", "needy"))
        self.repository.commit(age=TWO_DAYS)
        done = self.run_check()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
