#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that plugins built against the headers of earlier minors still load, pass the check and serve.

usage: binary_test.py SKILLHOST. Every folder of binary/ is a minor. Exits with 77 except on x86_64."""
import json
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

SKILLHOST = sys.argv[1]
BINARIES = pathlib.Path(__file__).resolve().parent / "binary"


def run(*command, **options):
    done = subprocess.run([SKILLHOST, *map(str, command)], capture_output=True, text=True,
                          check=False, timeout=120, **options)
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def served_text(configuration):
    """Returns the text that a client reads on stdio."""
    requests = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
         "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "load_skill",
         "arguments": {"skill_name": "first"}}},
    ]
    text = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in requests)
    answers = [json.loads(line) for line in run("--config", configuration, input=text).splitlines()]
    return json.dumps(next(one["result"] for one in answers if one.get("id") == 2))


def main():
    if platform.machine() != "x86_64":
        print(f"skipped: the binaries are for x86_64, this is {platform.machine()}")
        return 77
    minors = sorted(BINARIES.iterdir())
    assert minors, f"{BINARIES} is empty"
    for minor in minors:
        # A checkout may be group-writable, which no host accepts.
        with tempfile.TemporaryDirectory(prefix="skillhost-binary-") as folder:
            plugin = pathlib.Path(folder) / "first.so"
            shutil.copyfile(minor / "first.so", plugin)
            plugin.chmod(0o644)
            report = json.loads(run("check", "--json", plugin))
            wrong = [one for one in report["checks"] if one["verdict"] not in ("ok", "skipped")]
            assert not wrong, wrong
            configuration = pathlib.Path(folder) / "skillhost.json"
            source = {"name": "old", "plugin": str(plugin), "config": {}}
            configuration.write_text(json.dumps({"project_root": "", "sources": [source]}))
            text = served_text(configuration)
            assert "Still here." in text, text
            print(f"plugin API {minor.name}: first.so loads, checks and serves")
    return 0


if __name__ == "__main__":
    sys.exit(main())
