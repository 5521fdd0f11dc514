#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a lack of memory at any moment of a start on stdio. start_without_memory_test.py SERVER LACKING SKILLS

LACKING lets one allocation of the program fail, or that one and all later ones. Each start ends with exit code 0
or 1, never by a signal; with exit code 1 its message is a sentence. The control is that some starts lack memory,
and that some serve."""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import DEADLINE, Checks  # noqa: E402
from http_server import INITIALIZE, legacy  # noqa: E402

SERVER, LACKING, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve()), str(Path(sys.argv[3]).resolve())
REQUESTS = "".join(json.dumps(one) + "\n" for one in (
    INITIALIZE, legacy("tools/call", id=3, name="list_skills", arguments={}))).encode()
# A start takes some 20,000 allocations; the first ones are those of the command line and the configuration.
MOMENTS = [*range(0, 200, 8), *range(200, 8_000, 350), *range(8_000, 40_000, 1_500)]
checks = Checks()
check = checks.check


def start(after, lasting):
    environment = dict(os.environ, LD_PRELOAD=LACKING, LACK_AFTER=str(after))
    if lasting:
        environment["LACK_LASTING"] = "1"
    return subprocess.run([SERVER, "serve", "--skills-dir", SKILLS], input=REQUESTS, capture_output=True,
                          env=environment, timeout=DEADLINE, check=False)


def all_moments():
    failed = served = 0
    for lasting in (False, True):
        for after in MOMENTS:
            ended = start(after, lasting)
            words = ended.stderr.decode(errors="replace")
            what = f"{'all allocations' if lasting else 'one allocation'} after {after}"
            check(ended.returncode in (0, 1), f"{what}: exit code {ended.returncode}: {words[-300:]}")
            last = words.strip().split("\n")[-1] if words.strip() else ""
            if ended.returncode == 1:
                failed += 1
                check("skillhost: " in words, f"{what}: it says why: {words[-300:]}")
                check("std::" not in last, f"{what}: it is a sentence: {last}")
            served += b'"id":3' in ended.stdout.replace(b" ", b"")
    check(failed > 0, "control: some starts have too little memory")
    check(served > 0, "control: some serve")


all_moments()
sys.exit(checks.finish())
