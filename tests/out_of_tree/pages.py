#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of the pages for plugin authors, so that every page shows only commands that work.

One bash for each page runs all ```sh blocks in order. A comment before a block changes that:

  <!-- file: NAME -->      the block is the content of a file in the current folder
  <!-- needs: WHAT, … -->  the block runs only with `command NAME` of skillhost, `key NAME` of its configuration,
                           or `program NAME` on the path
  <!-- not run: WHY -->    a person may run the block, a test must not"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from sdk import BUILD, ROOT, SKILLHOST, WORK, has_command, run
from tools import why_no_rust

BLOCK = re.compile(r"(?:^<!-- (?P<rule>file|needs|not run): (?P<what>.*?) -->\n)?"
                   r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
CHECKOUT, HOME = WORK / "checkout", WORK / "home"


def has(need):
    """Returns whether the requirement of a block is met."""
    kind, name = need.split()
    if kind == "command":
        return has_command(name)
    if kind == "key":
        return re.search(rf"\b{name}:", run(SKILLHOST, "--example-config")) is not None
    assert kind == "program", f"nothing can need a {kind}"
    return shutil.which(name) is not None


def script(text):
    """Returns the commands of a page, and the omitted blocks with their reasons."""
    lines, left_out = ["set -euo pipefail"], []
    for block in BLOCK.finditer(text):
        rule, what = block["rule"], block["what"]
        if rule == "file":
            lines.append(f"printf %s {shlex.quote(block['text'])} >{shlex.quote(what)}")
        elif block["language"] != "sh":
            assert rule is None, f"only commands can have a rule: {what}"
        elif rule == "not run":
            left_out.append(what)
        elif rule == "needs" and (missing := [one for one in what.split(", ") if not has(one)]):
            left_out.append("needs " + ", ".join(missing))
        else:
            lines += ["set -v", block["text"], "{ set +v; } 2>/dev/null"]
    return "\n".join(lines) + "\n", left_out


def surroundings():
    """Returns an environment with a separate home, in which tools still find their caches of the real one."""
    real = pathlib.Path.home()
    kept = {"CCACHE_DIR": real / ".cache/ccache", "RUSTUP_HOME": real / ".rustup",
            "CARGO_HOME": real / ".cargo"}
    return {**{name: str(folder) for name, folder in kept.items() if folder.is_dir()}, **os.environ,
            # Compiles quickly without optimising; other tests build the examples as released.
            "CFLAGS": "-O0", "CXXFLAGS": "-O0", "HOME": str(HOME), "SKILLHOST": str(CHECKOUT),
            "PKG_CONFIG_PATH": str(HOME / "skillhost/lib/pkgconfig"),
            "PATH": f"{pathlib.Path(SKILLHOST).parent}{os.pathsep}{os.environ['PATH']}"}


def not_of_the_source(folder, names):
    """Returns names that a fresh clone would not have."""
    return [name for name in names if name in (".git", ".cache", "target", "node_modules")
            or name.startswith("build") and os.path.isdir(os.path.join(folder, name))]


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        shutil.copytree(ROOT, CHECKOUT, ignore=not_of_the_source, symlinks=True)
        (CHECKOUT / "build").symlink_to(BUILD)
        HOME.mkdir()

    def follow(self, page, folder):
        text = (ROOT / page).read_text()
        self.assertEqual(0, text.count("\n```") % 2, "every block ends")
        commands, left_out = script(text)
        self.assertIn("set -v", commands, f"{page} has commands")
        for why in left_out:
            print(f"{page}: left out: {why}")
        done = subprocess.run(["bash", "-c", commands], cwd=folder, env=surroundings(), check=False,
                              umask=0o022, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        print(done.stdout)
        self.assertEqual(0, done.returncode, f"{page}: the last line above failed")
        return done.stdout

    # The order matters: the first page installs the headers that the others find.
    def test_1_the_page_for_authors(self):
        output = self.follow("plugin-api/README.md", CHECKOUT)
        symbols = re.findall(r"(?m)^[0-9a-f]{16} [A-Z] (.*)$", output)
        self.assertEqual(["skh_plugin_entry_v1"] * 2, symbols)
        self.assertRegex(output, r"(?m)^on-call")

    def test_2_a_plugin_in_ten_minutes(self):
        folder = WORK / "ten-minutes"
        folder.mkdir()
        self.follow("doc/first-plugin.md", folder)

    def test_3_the_pages_of_the_examples(self):
        pages = sorted(CHECKOUT.glob("examples/*/README.md"))
        followed = 0
        for page in pages:
            if "\n```sh\n" not in page.read_text():
                continue
            if page.parent.name == "deploy":  # for machines and clusters; see tests/integration/deploy_test.py
                continue
            if "rust" in page.parent.name:
                why = why_no_rust((1, 63), "rustc") or ("" if shutil.which("make") else "there is no make")
                if why:
                    print(f"{page.parent.name}: left out: {why}")
                    continue
            with self.subTest(page.parent.name):
                self.follow(page.relative_to(CHECKOUT), page.parent)
                followed += 1
        self.assertGreater(followed, 2)


if __name__ == "__main__":
    missing = [tool for tool in ("pkg-config", "g++", "meson") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: not installed: {', '.join(missing)}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
