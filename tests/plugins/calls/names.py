#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the system calls that the headers of this machine define, one CALL(name) a line: names.py
COMPILER..."""
import re
import subprocess
import sys

macros = subprocess.run([*sys.argv[1:], "-E", "-dM", "-x", "c", "-include", "sys/syscall.h", "/dev/null"],
                        check=True, stdout=subprocess.PIPE, text=True).stdout
names = sorted(set(re.findall(r"^#define SYS_(\w+) ", macros, re.MULTILINE)))
if "read" not in names:
    sys.exit("names.py: the compiler tells of no system call")
for name in names:
    print(f"CALL({name})")
