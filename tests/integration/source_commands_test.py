#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skillhost source list, status and refresh, with a source that works and one that cannot.
source_commands_test.py SERVER"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import Checks  # noqa: E402

SERVER = sys.argv[1]
checks = Checks()
check = checks.check


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("one", "two"):
            skill = Path(folder, "skills", name, "SKILL.md")
            skill.parent.mkdir(parents=True)
            skill.write_text(f"---\nname: {name}\ndescription: The skill {name}.\n---\nText.\n")
        directories = [str(Path(folder, "skills"))]
        configuration = Path(folder, "skillhost.json")
        configuration.write_text(json.dumps({"sources": [
            {"name": "good", "config": {"directories": directories}},
            {"name": "bad", "config": {"directories": directories, "max_files": 1}},
            {"name": "off", "enabled": False, "config": {"directories": directories}}]}))

        def source(*words):
            run = subprocess.run([SERVER, "--config", str(configuration), "source", *words], stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=60)
            return run.returncode, run.stdout, run.stderr

        code, out, _ = source("list")
        lines = out.splitlines()
        check(code == 0 and len(lines) == 2, f"list: {code} {out}")
        check(lines[0].split() == ["good", "ok", "2", "skills"], f"list: {lines[0]}")
        check(lines[1].split()[:4] == ["bad", "failed", "0", "skills"] and "max_files" in lines[1], f"list: {lines[1]}")
        for word in ("status", "refresh"):
            code, out, _ = source(word, "--json")
            states = {one["name"]: one["state"] for one in json.loads(out)["sources"]}
            check(code == 1 and states == {"good": "ok", "bad": "failed"}, f"{word} of all: {code} {out}")
            code, out, _ = source(word, "good", "--json")
            only = json.loads(out)["sources"]
            check(code == 0 and [one["name"] for one in only] == ["good"] and only[0]["skills"] == 2, f"{word} of one: {code} {out}")
            check(len(only[0]["revision"]) == 32, f"{word} shows the revision: {only}")
            code, out, err = source(word, "nobody")
            check(code == 1 and not out and 'no source is named "nobody"' in err, f"{word} of none: {code} {out} {err[-200:]}")
        _, _, err = source("refresh", "good")
        check("max_files" not in err, f"what is not named is not started: {err}")
    return checks.finish()


sys.exit(main())
