#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that compare_layout notices every way of breaking the promise, each on a tampered copy."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import compare_layout

LAYOUTS = pathlib.Path(__file__).parents[2] / "plugin-api" / "abi"
FROZEN = (LAYOUTS / "v1.0.layout").read_text()
NEXT = FROZEN.replace("SKH_ABI_MINOR 0", "SKH_ABI_MINOR 1")


def tampered(text, old, new):
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
    return text.replace(old, new)


class CompareLayout(unittest.TestCase):
    def assert_found(self, present, frozen, expected, header=""):
        found = list(compare_layout.problems(present, frozen, header))
        self.assertTrue([one for one in found if expected in one], f"{expected!r} not in {found}")

    def test_same_is_accepted(self):
        self.assertEqual([], list(compare_layout.problems(FROZEN, {"v1.0.layout": FROZEN}, "")))

    def test_spaces_in_types_do_not_count(self):
        spaced = FROZEN.replace("skh_status(*)", "skh_status (*)")
        self.assertEqual([], list(compare_layout.problems(spaced, {"v1.0.layout": FROZEN}, "")))

    def test_moved_field(self):
        golden = tampered(FROZEN, "skh_document revision 40 16", "skh_document revision 48 16")
        self.assert_found(FROZEN, {"v1.0.layout": golden}, "skh_document revision: was frozen")

    def test_resized_field(self):
        golden = tampered(FROZEN, "skh_document flags 4 4", "skh_document flags 4 8")
        self.assert_found(FROZEN, {"v1.0.layout": golden}, "skh_document flags: was frozen")

    def test_retyped_field(self):
        golden = tampered(FROZEN, "skh_hit score 24 8 double", "skh_hit score 24 8 int64_t")
        self.assert_found(FROZEN, {"v1.0.layout": golden}, "skh_hit score: was frozen")

    def test_removed_field(self):
        golden = FROZEN + "skh_hit colour 48 8 double\n"
        self.assert_found(FROZEN, {"v1.0.layout": golden}, "skh_hit colour: was frozen")

    def test_shrunk_struct(self):
        golden = tampered(NEXT, "skh_plugin sizeof - 88", "skh_plugin sizeof - 96")
        self.assert_found(NEXT, {"v1.0.layout": golden}, "skh_plugin sizeof: was frozen")

    def test_changed_constant(self):
        golden = tampered(FROZEN, "SKH_STALE -6", "SKH_STALE -5")
        self.assert_found(FROZEN, {"v1.0.layout": golden}, "SKH_STALE: was frozen")

    def test_changed_symbol(self):
        golden = FROZEN.replace("skh_plugin_entry_v1", "skh_plugin_entry_v2")
        self.assert_found(FROZEN, {"v1.0.layout": golden}, "symbol skh_plugin_entry_v2: was frozen")

    def test_growth_needs_a_new_minor(self):
        grown = tampered(FROZEN, "skh_hit sizeof - 48", "skh_hit sizeof - 56")
        grown += "skh_hit colour 48 8 double\n"
        self.assert_found(grown, {"v1.0.layout": FROZEN}, "raise SKH_ABI_MINOR")

    def test_growth_under_a_new_minor_is_accepted(self):
        grown = tampered(NEXT, "skh_hit sizeof - 48", "skh_hit sizeof - 56")
        grown = tampered(grown, "skh_hit snippet 32 16 skh_str\n",
                         "skh_hit snippet 32 16 skh_str\nskh_hit colour 48 8 double\n")
        frozen = {"v1.0.layout": FROZEN, "v1.1.layout": grown}
        self.assertEqual([], list(compare_layout.problems(grown, frozen, "")))

    def test_new_minor_needs_its_file(self):
        self.assert_found(NEXT, {"v1.0.layout": FROZEN}, "v1.1.layout: missing")

    def test_field_that_is_not_printed(self):
        present = tampered(FROZEN, "skh_hit score 24 8 double\n", "")
        self.assert_found(present, {"v1.0.layout": FROZEN}, "bytes before it are not printed")

    def test_last_field_that_is_not_printed(self):
        present = tampered(FROZEN, "skh_hit snippet 32 16 skh_str\n", "")
        self.assert_found(present, {"v1.0.layout": FROZEN}, "a field is not printed")

    def test_declarations_that_are_not_printed(self):
        header = "typedef struct skh_new {\n} skh_new; enum { SKH_BRAND_NEW = 3 };"
        self.assert_found(FROZEN, {"v1.0.layout": FROZEN}, "struct skh_new", header)
        self.assert_found(FROZEN, {"v1.0.layout": FROZEN}, "SKH_BRAND_NEW", header)

    def test_the_program_fails(self):
        moved = tampered(FROZEN, "skh_hit score 24 8 double", "skh_hit score 32 8 double")
        for golden, expected in ((FROZEN, 0), (moved, 1)):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / "v1.0.layout").write_text(golden)
                (folder / "plugin.h").write_text("")
                probe = folder / "probe"
                probe.write_text(f"#!/bin/sh\ncat '{LAYOUTS / 'v1.0.layout'}'\n")
                probe.chmod(0o700)
                done = subprocess.run([sys.executable, compare_layout.__file__, probe, folder,
                                       folder / "plugin.h"], capture_output=True, check=False)
                self.assertEqual(expected, done.returncode, done.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
