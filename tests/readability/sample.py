#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints forty production files, drawn with a fixed seed. sample.py [COMMIT]

It takes the forty files with the smallest hash of seed and path. A new, removed or moved file therefore changes only its
own place in the sample, and most files stay from commit to commit."""
import hashlib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SEED = "20261129"
FILES = 40
PRODUCTION = re.compile(r"(host|subprojects|plugins|programs|isolation|plugin-api/check)/.*\.[ch]pp|plugin-api/include/.*")


def rank(name):
    return hashlib.sha256(f"{SEED} {name}".encode()).digest()


listed = subprocess.run(["git", "-C", ROOT, "ls-tree", "-r", "--name-only", sys.argv[1] if len(sys.argv) > 1 else "HEAD"],
                        capture_output=True, text=True, check=True).stdout.split()
names = [name for name in listed if PRODUCTION.fullmatch(name) and "/tests/" not in name]
print("\n".join(sorted(sorted(names, key=rank)[:FILES])))
