#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests host/commit_name, which names the commit of the program, in a clone, in an archive of one, and outside of
both."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = "host/commit_name"


def execute(*words: str | Path, **more: object) -> str:
    return subprocess.run(list(map(str, words)), check=True, stdout=subprocess.PIPE, text=True, **more).stdout.strip()  # type: ignore[call-overload]


class CommitName(unittest.TestCase):
    def setUp(self) -> None:
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)
        self.clone = self.folder / "clone"
        self.copy(self.clone)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SKILLHOST_"))}
        self.environment = {**kept, "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1"}

    def copy(self, to: Path) -> None:
        (to / "host").mkdir(parents=True)
        for name in (SCRIPT, ".gitattributes"):
            shutil.copy(ROOT / name, to / name)

    def git(self, *words: str | Path) -> str:
        return execute("git", "-C", self.clone, "-c", "user.name=t", "-c", "user.email=t@example.org", *words, env=self.environment)

    def name(self, where: Path, **more: str) -> str:
        return execute(where / SCRIPT, env={**self.environment, **more}, cwd="/")

    def commit(self) -> str:
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "first")
        self.git("tag", "v1")
        return self.git("rev-parse", "HEAD")[:12]

    def test_a_clone(self) -> None:
        commit = self.commit()
        self.assertEqual(commit, self.name(self.clone))
        with (self.clone / SCRIPT).open("a") as script:
            script.write("# changed\n")
        self.assertEqual(f"{commit}-changed", self.name(self.clone))

    def test_an_archive_of_a_clone(self) -> None:
        commit = self.commit()
        tree = self.folder / "tree"
        tree.mkdir()
        self.git("archive", "--output", self.folder / "tree.tar", "HEAD")
        execute("tar", "-xf", self.folder / "tree.tar", "-C", tree)
        self.assertEqual(commit, self.name(tree))
        self.assertEqual("0123abc", self.name(tree, SKILLHOST_COMMIT="0123abc"))

    def test_no_clone(self) -> None:
        self.assertEqual("", self.name(self.clone))
        self.assertEqual("0123abc", self.name(self.clone, SKILLHOST_COMMIT="0123abc"))

    def test_without_git(self) -> None:
        self.commit()
        tools = self.folder / "tools"
        tools.mkdir()
        for tool in ("sh", "dirname"):
            (tools / tool).symlink_to(shutil.which(tool) or "/bin/sh")
        self.assertEqual("", execute("/bin/sh", self.clone / SCRIPT, env={"PATH": str(tools)}))

    def test_in_a_clone_of_something_else(self) -> None:
        self.commit()
        self.copy(self.clone / "below")
        self.assertEqual("", self.name(self.clone / "below"))

    def test_what_is_no_name_is_refused(self) -> None:
        with self.assertRaises(subprocess.CalledProcessError):
            self.name(self.clone, SKILLHOST_COMMIT='"; system("x")')


if __name__ == "__main__":
    if shutil.which("git") is None:
        print("skipped: there is no git")
        sys.exit(77)
    unittest.main(verbosity=2)
