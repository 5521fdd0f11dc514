#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that sixty copies of one skill are one result, which names only a few of them: alike_skills_test.py SERVER."""
import sys
import tempfile
from pathlib import Path

from checks import Checks, until
from http_server import LEGACY, Running, legacy
from session import write_skill

checks = Checks()
check = checks.check


def find(server, top):
    request = legacy("tools/call", name="find_helpful_skills", arguments={"task_description": "Read a PDF file", "top_k": top})
    return server.post(request, MCP_Protocol_Version=LEGACY)[1]["result"]


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-alike-") as folder:
        for number in range(60):
            write_skill(Path(folder) / f"place-{number}", "pdf", "Reads PDF files.")
        server = Running(sys.argv[1], folder, "--set", "limits.max_list_items=10")
        until(lambda: find(server, 3)["structuredContent"]["data"]["total"], "the skills are indexed")
        result = find(server, 3)
        envelope, text = result["structuredContent"], result["content"][0]["text"]
        found = envelope["data"]["results"]
        check(len(found) == 1 and len(found[0]["copies"]) == 10, f"one result with ten copies: {found}")
        check(envelope["metadata"].get("truncated") is True, f"it says that there are more: {envelope['metadata']}")
        line = next((one for one in text.splitlines() if "Also: " in one), "")
        check(line.count("place-") == 3 and line.endswith(", and 56 more"), f"three are named: {line}")
        check(server.end() == 0, "the end")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
