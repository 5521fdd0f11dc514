#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests which reports of sanitizers tests/sanitizer_reports.py regards as intended."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sanitizer_reports import is_meant, is_none  # noqa: E402

PLUGIN = "in leak /src/build/../tests/plugins/misbehaving/leaks.c:11"
HOST = "in skillhost::check::read(Probe&) /src/build/../plugin-api/check/operations.cpp:7"
MALLOC = "in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69"


def report(*stacks):
    return "==1==ERROR: AddressSanitizer: trouble\n" + "\n".join(
        "\n".join(f"    #{number} 0x7f{number}0 {frame}" for number, frame in enumerate(stack)) + "\n" for stack in stacks)


class ReportTest(unittest.TestCase):
    def test_a_fault_in_a_misbehaving_plugin_is_meant(self):
        self.assertTrue(is_meant(report([PLUGIN, HOST])))
        self.assertTrue(is_meant(report([MALLOC, PLUGIN, HOST], [PLUGIN])))
        self.assertTrue(is_meant(report(["in __pthread_kill_implementation nptl/pthread_kill.c:44",
                                         "in raise ../sysdeps/posix/raise.c:26", PLUGIN, HOST])))

    def test_a_fault_that_one_provokes_in_the_host_is_not(self):
        self.assertFalse(is_meant(report([HOST, PLUGIN, HOST])))
        self.assertFalse(is_meant(report([MALLOC, HOST, PLUGIN])))

    def test_one_that_is_not_meant_is_enough(self):
        self.assertFalse(is_meant(report([PLUGIN], [HOST])))

    def test_a_leak_check_that_fails_itself_has_found_nothing(self):
        broken = "Tracer caught signal 11: addr=0xf88\n==1==LeakSanitizer has encountered a fatal error.\n"
        self.assertTrue(is_none(broken))
        self.assertFalse(is_none(report([HOST])))
        self.assertFalse(is_none(broken + report([HOST])))

    def test_a_thread_that_ends_beside_a_leak_check_is_no_finding(self):
        unread = "==20589==Unable to get registers from thread 20584.\n"
        self.assertTrue(is_none(unread * 2))
        self.assertFalse(is_none(unread + report([HOST])))
        self.assertFalse(is_none(unread + "==1==ERROR: LeakSanitizer: detected memory leaks\n"))
        self.assertFalse(is_none(""))

    def test_what_cannot_be_read_counts(self):
        self.assertFalse(is_meant("WARNING: ThreadSanitizer: data race\n    #0 leak leaks.c:11\n"))


if __name__ == "__main__":
    program = unittest.main(exit=False, verbosity=0)
    broken = len(program.result.failures) + len(program.result.errors)
    print(f"{program.result.testsRun - broken} passed, {broken} failed")
    sys.exit(bool(broken))
