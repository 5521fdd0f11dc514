#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the example plugin in Rust with only rustc, and serves tar archives with it."""
import io
import os
import re
import shutil
import sys
import tarfile
import unittest

from sdk import (ENTRY, ROOT, WORK, check, differences, drive_source, environment, exported, installed,
                 run, served, skills_of, stage)
from tools import why_no_rust

OLDEST = (1, 63)  # from examples/source-plugin-rust/Cargo.toml
PROJECT = ROOT / "examples/source-plugin-rust"
LONG = "team/" + "long-" * 15 + "folder/" + "name-" * 18 + "end.md"
SKILL = "---\nname: {0}\ndescription: Says {0}. Use it in tests.\n---\nSay {0}.\n"


def archive(name, files, kind=tarfile.GNU_FORMAT, special=()):
    """Writes a tar archive of texts by path; `special` are further headers without data."""
    with tarfile.open(WORK / name, "w", format=kind) as out:
        for path, text in files.items():
            header = tarfile.TarInfo(path)
            data = text.encode()
            header.size, header.mode = len(data), 0o755 if path.endswith(".sh") else 0o644
            out.addfile(header, io.BytesIO(data))
        for header in special:
            out.addfile(header)
    return WORK / name


def link(name, target):
    header = tarfile.TarInfo(name)
    header.type, header.linkname = tarfile.SYMTYPE, target
    return header


FILES = {"team/SKILL.md": SKILL.format("team"), "team/run.sh": "#!/bin/sh\n", LONG: "long\n" * 20000,
         "other/deep/SKILL.md": SKILL.format("deep"), "./other/deep/né.md": "é\n", "loose.md": "-\n"}
LISTED = ["other/deep/SKILL.md", "other/deep/né.md", "team/" + LONG[5:], "team/SKILL.md",
          "team/run.sh"]


class Rust(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stage()
        run("make", "-C", PROJECT, "install", f"BUILD={WORK}/build", env=environment())
        cls.plugin = installed("tar_skills.so")

    def test_its_own_tests(self):
        run("make", "-C", PROJECT, "check", f"BUILD={WORK}/build", env=environment())

    def test_one_symbol(self):
        self.assertEqual(ENTRY, exported(self.plugin))

    def test_structs_are_as_frozen(self):
        frozen = dict()
        for line in (ROOT / "plugin-api/abi/v1.1.layout").read_text().splitlines():
            words = line.split()
            if words[0].startswith("skh_"):
                frozen.setdefault(words[0], []).append(f"{words[1]} @ {words[2]}")
            if words[0].startswith("skh_") and words[1] == "sizeof":
                frozen[words[0]] = [f"{words[0]}: {words[3]}"]
        text = (PROJECT / "src/abi.rs").read_text()
        structs = re.findall(r"c_struct!\((\w+): (\d+) \{(.*?)\n\}\);", text, re.S)
        self.assertGreater(len(structs), 8)
        for name, size, body in structs:
            fields = [f"{field} @ {at}" for field, at in re.findall(r"(\w+) @ (\d+):", body)]
            self.assertEqual(frozen[name], [f"{name}: {size}"] + fields)

    def test_every_format_of_tar(self):
        for name, kind in (("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT),
                           ("ustar", tarfile.USTAR_FORMAT)):
            with self.subTest(name):
                file = archive(f"{name}.tar", FILES, kind, [link("team/passwd", "/etc/passwd")])
                output = drive_source(self.plugin, {"archive": str(file)})
                self.assertEqual(sorted(LISTED), sorted(served(output)))

    def test_what_changes(self):
        before = archive("before.tar", FILES)
        files = {**FILES, "team/SKILL.md": SKILL.format("group"), "team/new.md": "new\n"}
        del files["other/deep/SKILL.md"]
        output = drive_source(self.plugin, {"archive": str(before)}, before,
                              archive("after.tar", files))
        self.assertEqual(["removed other/deep/SKILL.md", "removed other/deep/né.md",
                          "changed team/SKILL.md", "changed team/new.md"], differences(output))

    def test_bad_paths_are_left_out(self):
        bad = ("../up/SKILL.md", "/abs/SKILL.md", "a//SKILL.md", "a/../b/SKILL.md", "a\nb/SKILL.md")
        file = archive("paths.tar", {**FILES, **{path: SKILL.format("bad") for path in bad}})
        output = drive_source(self.plugin, {"archive": str(file)})
        self.assertEqual(sorted(LISTED), sorted(served(output)))

    def test_damaged_archives(self):
        whole = archive("whole.tar", FILES).read_bytes()
        for name, data in (("cut", whole[:1000]), ("text", b"no archive, but long enough " * 40),
                           ("huge", whole[:124] + b"77777777777 " + whole[136:]),
                           ("flipped", whole[:10] + b"X" + whole[11:])):
            with self.subTest(name):
                file = WORK / "damaged.tar"
                file.write_bytes(data)
                with self.assertRaisesRegex(AssertionError, "list: -11: .*damaged.tar"):
                    drive_source(self.plugin, {"archive": str(file)})

    def test_a_missing_archive_may_come_later(self):
        with self.assertRaisesRegex(AssertionError, "list: -8: .*none.tar: cannot be read"):
            drive_source(self.plugin, {"archive": str(WORK / "none.tar")})

    def test_refused_configurations(self):
        for configuration in ({}, {"archive": "relative.tar"}, {"archive": 1}):
            with self.assertRaisesRegex(AssertionError, "BROKEN: archive: "):
                drive_source(self.plugin, configuration)

    def test_the_host_serves_it(self):
        file = archive("served.tar", FILES)
        self.assertEqual(["deep", "team"], skills_of(self.plugin, {"archive": str(file)}))
        check(self.plugin, {"archive": str(file)})

    def test_cargo_builds_it_too(self):
        if why := why_no_rust(OLDEST, "cargo", "rustc"):
            self.skipTest(why)
        copy = WORK / "cargo"
        shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns("build*", "target"))
        run("cargo", "build", "--offline", "--quiet", "--release", cwd=copy,
            env={name: value for name, value in os.environ.items() if name != "RUSTC"})
        self.assertEqual(ENTRY, exported(copy / "target/release/libtar_skills.so"))


if __name__ == "__main__":
    if why := why_no_rust(OLDEST, "rustc") or ("" if shutil.which("make") else "there is no make"):
        print(f"skipped: {why}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
