#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that programs that measure print their usage, and end. usage_test.py PROGRAM..."""
import subprocess
import sys
from pathlib import Path


def call(program, *words):
    try:
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=20, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, "", ""
    return done.returncode, done.stdout, done.stderr


def main(programs):
    failed = 0
    wrong = {"bench-http": [["65536"], ["80x"], ["0", "-1"], ["0", "many"], []], "bench-process": [["one"]], "bench-access": [["one"]],
             "bench-store": [["one", "two"]], "bench-usage": [["many"], ["1", "2", "server"]], "embedding_bench": [["one"]], "keyword_scale_bench": [["none"], ["0"], []]}
    for program in programs:
        name = Path(program).name
        cases = [(["--help"], 0)] + [(words, 2) for words in [["--no-such-option"], ["0", "--no-such-option"], *wrong.get(name, [])]]
        for words, code in cases:
            got, out, err = call(program, *words)
            told = out if code == 0 else err
            good = got == code and f"usage: {name}" in told and (code != 0 or not err)
            failed += not good
            print(f"{'ok  ' if good else 'FAIL'} {name} {' '.join(words)}: {'it goes on' if got is None else got} {'' if good else (out + err)[-300:]}")
    return 1 if failed or not programs else 0


sys.exit(main(sys.argv[1:]))
