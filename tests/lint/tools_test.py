#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests tests/tools.py: a program that does not run, or is too old, is a reason to skip, and the reason is printed.
Tests also that the tests that need Rust skip with such a `rustc` or `cargo`."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
from tools import usable  # noqa: E402

# rustup's proxy prints this when no toolchain is installed.
NO_TOOLCHAIN = "error: rustup could not choose a version of rustc to run, because one wasn't specified explicitly"


class Tools(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.environment = {**os.environ, "PATH": f"{self.folder}{os.pathsep}{os.environ['PATH']}"}

    def program(self, name: str, says: str, code: int = 0) -> None:
        path = self.folder / name
        where = " >&2" if code else ""
        path.write_text(f"#!/bin/sh\ncat <<'SAYS'{where}\n{says}\nSAYS\nexit {code}\n")
        path.chmod(0o755)

    def why(self, name: str) -> str:
        path, why = usable(name, (1, 63), environment={"PATH": str(self.folder) + ":/usr/bin:/bin"})
        self.assertEqual(path is None, bool(why))
        return why

    def test_what_is_usable(self) -> None:
        self.program("rustc", "rustc 1.63.0 (4b91a6ea7 2022-08-08)")
        self.assertEqual("", self.why("rustc"))

    def test_no_such_program(self) -> None:
        self.assertEqual("there is no no-such-program", self.why("no-such-program"))

    def test_no_toolchain(self) -> None:
        self.program("rustc", NO_TOOLCHAIN, 1)
        self.assertIn(f"rustc does not run: {NO_TOOLCHAIN}", self.why("rustc"))

    def test_too_old(self) -> None:
        self.program("cargo", "cargo 1.46.0")
        self.assertIn("cargo is older than 1.63: cargo 1.46.0", self.why("cargo"))

    def skipped(self, *arguments: str) -> str:
        done = subprocess.run([sys.executable, *arguments], env=self.environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder)
        self.assertEqual(77, done.returncode, done.stdout)
        return done.stdout

    def test_the_rust_example_skips(self) -> None:
        self.program("rustc", NO_TOOLCHAIN, 1)
        self.assertIn(NO_TOOLCHAIN, self.skipped(str(TESTS / "out_of_tree/rust_example.py"), *[str(self.folder)] * 5, "meson"))

    def test_the_rust_client_skips(self) -> None:
        for name, says, code in (("cargo", "cargo 1.65.0", 0), ("cargo", NO_TOOLCHAIN, 1)):
            with self.subTest(says):
                self.program(name, says, code)
                call = f"import sys; sys.path.insert(0, {str(TESTS / 'integration/clients')!r}); import hostile; hostile.rust_client('cache')"
                self.assertIn(says, self.skipped("-c", call))


if __name__ == "__main__":
    unittest.main(verbosity=2)
