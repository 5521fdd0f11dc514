#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a start on stdio with one folder of skills loads: lean_start_test.py SERVER SKILLS. Libraries that bring many
others along are loaded by what needs them, when it does."""
import sys
from pathlib import Path

from session import Session

SERVER, SKILLS = sys.argv[1:3]
HEAVY = ("libarchive", "libcurl", "libgit2", "libxml2", "libicu", "libre2")


def main():
    session = Session([SERVER, "--skills-dir", SKILLS])
    session.tool("list_skills")
    session.tool("find_helpful_skills", task_description="anything")
    maps = Path(f"/proc/{session.server.process.pid}/maps").read_text()
    loaded = sorted({Path(line.split()[-1]).name for line in maps.splitlines() if ".so" in line})
    wrong = session.end()
    if wrong:
        print("FAILED", wrong)
        return 1
    if "libc.so.6" not in loaded:
        print("FAILED these are not its libraries:", loaded)
        return 1
    found = [name for name in loaded if name.startswith(HEAVY)]
    print("FAILED it has loaded" if found else f"{len(loaded)} files loaded, none of", *(found or HEAVY))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
