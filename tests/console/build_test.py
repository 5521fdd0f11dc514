#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the scripts that build the console's page into the server: build_test.py CONSOLE_FOLDER"""
from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(sys.argv[1])
PAGE = '<!doctype html><meta name="mcp-endpoint" content="/mcp"><title>t</title>'


def bytes_of(source: str) -> dict[str, bytes]:
    """Returns the content of each file in the C++ source."""
    found = {}
    for name, text in re.findall(r"^// (\S+)\nconstexpr char bytes\d+\[\] =\n(.*?);$", source, re.M | re.S):
        found[name] = bytes(int(digits, 8) for digits in re.findall(r"\\(\d{3})", text))
    return found


class Case(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="skillhost-console-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def run_embed(self, *words: str | Path, **variables: str) -> tuple[int, str]:
        outputs = {name: self.folder / name for name in ("output", "licences", "packages", "depfile")}
        done = subprocess.run([sys.executable, SCRIPTS / "embed_page.py", *(f"--{name}={path}" for name, path in outputs.items()), *words],
                              env={**os.environ, **variables}, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout + done.stderr

    def source(self) -> str:
        return (self.folder / "output").read_text()


class Embedding(Case):
    """A page that is already built."""

    def setUp(self) -> None:
        super().setUp()
        self.built = self.folder / "built"
        (self.built / "page/assets").mkdir(parents=True)
        (self.built / "page/index.html").write_text(PAGE)
        self.script = bytes(range(256)) * 4 + b"9\\\"\n"
        (self.built / "page/assets/index-C0ffee42.js").write_bytes(self.script)
        (self.built / "licences.txt").write_text("a licence\n")
        (self.built / "packages.json").write_text('[{"name": "p"}]\n')

    def test_every_byte_is_inside(self) -> None:
        code, said = self.run_embed("--page", self.built)
        self.assertEqual(0, code, said)
        files = bytes_of(self.source())
        self.assertEqual({"index.html", "assets/index-C0ffee42.js"}, set(files))
        self.assertEqual(PAGE.encode(), files["index.html"])
        self.assertEqual(self.script, gzip.decompress(files["assets/index-C0ffee42.js"]))
        self.assertEqual(b"\0\0\0\0", files["assets/index-C0ffee42.js"][4:8], "the time of the build is inside")
        self.assertEqual("a licence\n", (self.folder / "licences").read_text())
        self.assertEqual('[{"name": "p"}]\n', (self.folder / "packages").read_text())
        self.assertIn("index-C0ffee42.js", (self.folder / "depfile").read_text())
        first = self.source()
        os.utime(self.built / "page/index.html", (1, 1))
        self.run_embed("--page", self.built)
        self.assertEqual(first, self.source())

    def refused(self, expected: str) -> None:
        code, said = self.run_embed("--page", self.built)
        self.assertEqual(1, code, said)
        self.assertIn(expected, said)
        self.assertFalse((self.folder / "output").exists())

    def test_too_large(self) -> None:
        (self.built / "page/assets/noise-1.js").write_bytes(os.urandom(154_000))
        self.refused("bytes compressed, and 153600 is the most")

    def test_a_file_of_another_kind(self) -> None:
        (self.built / "page/assets/index.js.map").write_text("{}")
        self.refused("index.js.map: a file of the page is no link")

    def test_a_page_that_names_no_endpoint(self) -> None:
        (self.built / "page/index.html").write_text("<!doctype html>")
        self.refused("the page names the MCP endpoint once")

    def test_no_page(self) -> None:
        (self.built / "page/index.html").unlink()
        self.refused("there is no index.html")


class Building(Case):
    """Builds from sources, with something missing."""

    def setUp(self) -> None:
        super().setUp()
        self.sources = self.folder / "sources"
        self.sources.mkdir()
        self.packages = {"node_modules/missing": {"version": "1.0.0", "integrity": "sha512-AAAA",
                                                  "resolved": "https://registry.npmjs.org/missing/-/missing-1.0.0.tgz"}}
        self.write({"dependencies": {"missing": "1.0.0"}}, self.packages)

    def write(self, package: dict[str, object], packages: dict[str, object]) -> None:
        whole = {"name": "page", "version": "1.0.0", **package}
        (self.sources / "package.json").write_text(json.dumps(whole))
        (self.sources / "package-lock.json").write_text(
            json.dumps({"name": "page", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": whole, **packages}}))

    def embed(self, *words: str, **variables: str) -> tuple[int, str]:
        return self.run_embed("--sources", self.sources, "--work", self.folder / "work", *words, **variables)

    def check_left_out(self, why: str, **variables: str) -> None:
        code, said = self.embed(**variables)
        self.assertEqual(0, code, said)
        self.assertIn("the server is built without its page: " + why, said)
        self.assertEqual({}, bytes_of(self.source()))
        self.assertEqual("[]\n", (self.folder / "packages").read_text())
        code, said = self.embed("--required", **variables)
        self.assertEqual(1, code, said)
        self.assertIn(why, said)
        self.assertEqual({"package.json", "package-lock.json"}, {path.name for path in self.sources.iterdir()})

    def test_without_node(self) -> None:
        self.check_left_out("there is no Node", PATH=str(self.folder))

    def test_with_an_old_node(self) -> None:
        node = self.folder / "node"
        node.write_text("#!/bin/sh\necho v18.20.4\n")
        node.chmod(0o755)
        self.check_left_out("Node 18.20 is too old, 20.19 is needed", PATH=f"{self.folder}:/usr/bin:/bin")

    @unittest.skipUnless(shutil.which("npm") and shutil.which("node"), "there is no Node here")
    def test_without_a_registry(self) -> None:
        self.check_left_out("npm ci: ", npm_config_registry="http://127.0.0.1:1/", npm_config_replace_registry_host="always",
                            npm_config_cache=str(self.folder / "cache"))

    @unittest.skipUnless(shutil.which("npm") and shutil.which("node"), "there is no Node here")
    def test_sources_without_a_lock_are_no_reason_to_build_without(self) -> None:
        (self.sources / "package-lock.json").unlink()
        code, said = self.embed()
        self.assertEqual((1, True), (code, "console/package-lock.json is not there" in said), said)

    def fake_package(self, licence: str | None, build: str) -> None:
        """Makes a package in this folder, so that no registry is asked."""
        package = self.sources / "inside"
        package.mkdir()
        (package / "package.json").write_text(json.dumps({"name": "inside", "version": "2.0.0", "license": "MIT"}))
        if licence:
            (package / "LICENSE").write_text(licence)
        self.write({"dependencies": {"inside": "file:inside"}, "scripts": {"build": build}},
                   {"inside": {"version": "2.0.0", "license": "MIT"}, "node_modules/inside": {"resolved": "inside", "link": True}})

    @unittest.skipUnless(shutil.which("npm") and shutil.which("node"), "there is no Node here")
    def test_from_sources_to_what_is_inside(self) -> None:
        self.fake_package("Do as you like.", "mkdir dist && cp page.html dist/index.html")
        (self.sources / "page.html").write_text(PAGE)
        code, said = self.embed("--required")
        self.assertEqual(0, code, said)
        self.assertEqual({"index.html": PAGE.encode()}, bytes_of(self.source()))
        rows = json.loads((self.folder / "packages").read_text())
        self.assertEqual([("inside", "2.0.0", "MIT")], [(row["name"], row["version"], row["license"]) for row in rows])
        self.assertIn("inside 2.0.0 (MIT)\n", (self.folder / "licences").read_text())
        self.assertIn("Do as you like.", (self.folder / "licences").read_text())
        self.assertFalse((self.sources / "dist").exists())
        self.assertFalse((self.sources / "node_modules").exists())
        (self.sources / "page.html").write_text(PAGE + "changed")
        self.assertEqual(0, self.embed("--required")[0])
        self.assertEqual({"index.html": PAGE.encode() + b"changed"}, bytes_of(self.source()))

    @unittest.skipUnless(shutil.which("npm") and shutil.which("node"), "there is no Node here")
    def test_what_fails_is_told(self) -> None:
        self.fake_package(None, "mkdir dist && cp page.html dist/index.html")
        (self.sources / "page.html").write_text(PAGE)
        code, said = self.embed()
        self.assertEqual((1, True), (code, "inside 2.0.0: its package has no licence" in said), said)
        self.fake_package_fails("echo a mistake on line 7; exit 3", "a mistake on line 7")
        self.fake_package_fails("true", "has left no dist/index.html")

    def fake_package_fails(self, build: str, expected: str) -> None:
        shutil.rmtree(self.sources / "inside")
        self.fake_package("Do as you like.", build)
        code, said = self.embed()
        self.assertEqual((1, True), (code, expected in said), said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
