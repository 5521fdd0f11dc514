#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the counts of tests/count_results.py for every way in which a test program can end."""

import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from count_results import Count, count, count_log, read_log  # noqa: E402


def ended(result, stdout=None):
    return count({"name": "x", "result": result, "stdout": stdout})


class CountTest(unittest.TestCase):
    def test_a_program_that_says_nothing_counts_as_one(self):
        self.assertEqual(ended("OK"), Count(passed=1))
        self.assertEqual(ended("OK", "some words\n"), Count(passed=1))
        self.assertEqual(ended("FAIL"), Count(failed=1))
        self.assertEqual(ended("SKIP", "no Node here\n"), Count(skipped=1))

    def test_catch2_cases_are_counted(self):
        self.assertEqual(ended("OK", "====\nAll tests passed (57 assertions in 12 test cases)\n\n"),
                         Count(passed=12))
        self.assertEqual(ended("OK", "All tests passed (1 assertion in 1 test case)\n"), Count(passed=1))
        self.assertEqual(
            ended("FAIL", "test cases: 7 | 5 passed | 2 failed\nassertions: 9 | 7 passed | 2 failed\n"),
            Count(passed=5, failed=2))
        self.assertEqual(ended("FAIL", "test cases: 1 | 1 failed\n"), Count(failed=1))
        self.assertEqual(ended("OK", "test cases:  3 |  2 passed | 1 failed as expected\n"),
                         Count(passed=3))
        self.assertEqual(ended("OK", "test cases: 3 | 2 passed | 1 skipped\n"),
                         Count(passed=2, skipped=1))

    def test_the_plain_line_is_counted_and_the_last_one_wins(self):
        self.assertEqual(ended("OK", "9 passed, 0 failed\n4 passed, 0 failed, 2 skipped\n"),
                         Count(4, 0, 2))
        self.assertEqual(ended("OK", "transcripts: 4 passed, 0 failed\n"), Count(4))
        self.assertEqual(ended("OK", "\x1b[32m4 passed, 0 failed\x1b[0m\n"), Count(4))

    def test_a_crash_is_a_failure_whatever_was_printed(self):
        self.assertEqual(ended("FAIL", "4 passed, 0 failed\n"), Count(4, 1))
        self.assertEqual(ended("TIMEOUT", ""), Count(failed=1))
        self.assertEqual(ended("ERROR"), Count(failed=1))
        self.assertEqual(ended("INTERRUPT"), Count(failed=1))
        self.assertEqual(ended("UNEXPECTEDPASS"), Count(failed=1))

    def test_failures_count_even_when_the_program_ends_well(self):
        self.assertEqual(ended("OK", "4 passed, 1 failed\n"), Count(4, 1))

    def test_a_program_that_ran_no_case_has_failed(self):
        self.assertEqual(ended("OK", "No tests ran\n"), Count(failed=1))
        self.assertEqual(ended("OK", "0 passed, 0 failed\n"), Count(failed=1))

    def test_a_log_is_added_up_and_failures_are_named(self):
        lines = [json.dumps({"name": "good", "result": "OK", "stdout": "3 passed, 0 failed\n"}), "",
                 json.dumps({"name": "bad", "result": "FAIL"}), '{"cut off']
        total, failures, late = count_log(lines)
        self.assertEqual(total, Count(3, 2))
        self.assertIn("bad", failures[0])
        self.assertIn("unreadable", failures[1])
        self.assertEqual(late, [])

    def test_of_what_was_repeated_the_second_verdict_counts(self):
        first = [json.dumps({"name": name, "result": "FAIL"}) for name in ("late", "bad", "alone")]
        second = [json.dumps({"name": "late", "result": "OK", "stdout": "3 passed, 0 failed\n"}),
                  json.dumps({"name": "bad", "result": "FAIL", "stdout": "2 passed, 1 failed\n"})]
        total, failures, late = count_log(first, second)
        self.assertEqual(total, Count(5, 2))
        self.assertEqual([failure.split()[0] for failure in failures], ["bad", "alone"])
        self.assertEqual([one.split()[0] for one in late], ["late"])

    def test_a_crash_is_told_from_a_failure(self):
        lines = [json.dumps({"name": name, "result": "FAIL", "returncode": code})
                 for name, code in (("wrong", 1), ("aborted", -6), ("killed", 137))]
        self.assertEqual([result for _, result, *_ in read_log(lines)], ["FAIL", "CRASH", "CRASH"])

    def test_what_failed_says_why(self):
        check = "CHECK( quiet == 0 )"
        found = {"catch": {"stdout": f"x_test.cpp:3: FAILED:\n  {check}\n" + "more\n" * 99, "stderr": "log\n" * 99},
                 "unittest": {"stdout": "0 passed, 1 failed\n", "stderr": f"log\nFAIL: one\n{check}\n"},
                 "other": {"stderr": "log\n" * 99 + check}}
        for name, said in found.items():
            _, (failure,), _ = count_log([json.dumps({"name": name, "result": "FAIL"} | said)])
            lines = failure.splitlines()
            self.assertTrue(any(check in line for line in lines[1:]), failure)
            self.assertTrue(all(line.startswith("    ") for line in lines[1:]), failure)
            self.assertLessEqual(len(lines), 31)

    def test_every_check_that_failed_is_shown(self):
        said = "ok\n" * 99 + "FAILED the first\n" + "ok\n" * 99 + "FAILED the last\n" + "the log\n" * 99
        _, (failure,), _ = count_log([json.dumps({"name": "checks", "result": "FAIL", "stdout": said})])
        self.assertIn("    FAILED the first\n", failure)
        self.assertIn("    FAILED the last\n", failure)

    def test_what_passed_is_never_replaced(self):
        first = [json.dumps({"name": "x", "result": "OK", "stdout": "3 passed, 0 failed\n"})]
        second = [json.dumps({"name": "x", "result": "FAIL"})]
        self.assertEqual(count_log(first, second)[0], Count(3))


if __name__ == "__main__":
    program = unittest.main(exit=False, verbosity=0)
    broken = len(program.result.failures) + len(program.result.errors)
    print(f"{program.result.testsRun - broken} passed, {broken} failed")
    sys.exit(bool(broken))
