#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints forty production files, drawn with a fixed seed. sample.py [COMMIT]"""
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SEED = 20261129
PRODUCTION = re.compile(r"(host|subprojects|plugins|programs|isolation|plugin-api/check)/.*\.[ch]pp|plugin-api/include/.*")

listed = subprocess.run(["git", "-C", ROOT, "ls-tree", "-r", "--name-only", sys.argv[1] if len(sys.argv) > 1 else "HEAD"],
                        capture_output=True, text=True, check=True).stdout.split()
names = sorted(name for name in listed if PRODUCTION.fullmatch(name) and "/tests/" not in name)
random.seed(SEED)
print("\n".join(sorted(random.sample(names, 40))))
