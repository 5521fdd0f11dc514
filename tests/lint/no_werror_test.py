#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no project of this tree turns warnings into errors, because packages are compiled by compilers that we
have not seen."""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class NoWerror(unittest.TestCase):
    def test_every_project_is_named(self) -> None:
        done = subprocess.run([ROOT / "packaging/no-werror"], cwd="/", check=True, stdout=subprocess.PIPE, text=True)
        strict = {path.parent.name for path in ROOT.glob("subprojects/*/meson.build") if re.search(r"'werror=true'", path.read_text())}
        self.assertGreater(len(strict), 5)
        self.assertEqual(set(done.stdout.split()), {"-Dwerror=false", *(f"-D{name}:werror=false" for name in strict)})

    def test_packages_use_that_list(self) -> None:
        for script in ("packaging/stage", "packaging/deb/debian/rules"):
            text = (ROOT / script).read_text()
            self.assertIn("packaging/no-werror)", text, script)
            self.assertNotIn("werror=", text, f"{script} has a list of its own")


if __name__ == "__main__":
    unittest.main()
