#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that a wrong plugin or a wrong setting of one ends the start, with file, line, column and the text to write;
--keep-going serves the rest. wrong_configuration_test.py SERVER SKILLS"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import Checks  # noqa: E402
from session import Session  # noqa: E402

SERVER, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve())
checks = Checks()
check = checks.check

WRONG = f"""sources:
  - name: misspelt
    plugin: githb
  - name: settings
    plugin: github
    config:
      urll: https://example.org/a/b
      refresh_minutes: often
  - name: folder
    config:
      directories: [{SKILLS}, /nowhere/skills]
  - {{name: good, config: {{directories: [{SKILLS}]}}}}
  - {{name: own, plugin: /nowhere/own.so}}
tools:
  - {{name: notes, plugin: nots}}
search: {{config: {{k2: 1}}}}
"""
MESSAGES = (
    '3:13: sources[0].plugin: there is no source plugin "githb" - did you mean "github"?',
    '7:7: sources[1].config.urll: unknown key "urll" - did you mean "url"?',
    '8:7: sources[1].config.refresh_minutes: expected a number from 0 to 10080, found "often"',
    '7:7: sources[1].config: "url" is missing (The repository: ',
    f"11:{len(SKILLS) + 23}: sources[2].config.directories[1]: /nowhere/skills does not exist: create the folder, or write the path "
    "of one that is there",
    "13:25: sources[4].plugin: there is no file /nowhere/own.so: write the path of its .so",
    '15:27: tools[0].plugin: there is no tools plugin "nots"',
    '16:19: search.config.k2: unknown key "k2" - did you mean "k1"?')


def run(*words, **variables):
    done = subprocess.run([SERVER, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          env={**os.environ, **variables})
    return done.returncode, done.stdout, done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "skillhost.yaml")
        file.write_text(WRONG)
        for command in ([], ["--transport", "http", "--port", "0"], ["plugins"], ["source", "status"], ["skill", "list"]):
            code, out, err = run("--config", str(file), *command)
            check(code == 1 and not out and "valijson" not in err, f"{command}: {code} {out} {err}")
            # A command that needs skills alone makes no plugin with tools.
            needed = [one for one in MESSAGES if command[:1] not in (["source"], ["skill"]) or "tools[0]" not in one]
            for message in needed:
                check(f"{file}:{message}" in err, f"{command}: {message}\n{err}")
        with Session([SERVER, "--config", str(file), "--keep-going"]) as session:
            check(len(session.tool("list_skills")["skills"]) > 0, "the rest is served")
            # A list does not wait for the search plugin; a search does, and reports that there is none.
            session.tool("find_helpful_skills", task_description="anything")
            for message in MESSAGES:
                check(f"{file}:{message}" in session.server.stderr(), f"the log: {message}\n{session.server.stderr()}")
        alone = Path(folder, "alone.yaml")
        alone.write_text("sources: [{name: misspelt, plugin: githb}]\n")
        with Session([SERVER, "--config", str(alone), "--keep-going"]) as session:
            for tool in ("list_skills", "reload_skills_directory"):
                error = session.call("tools/call", name=tool, arguments={})["structuredContent"].get("error", {})
                check(error.get("retryable") is False and "retryAfterMs" not in error and "tried again" not in error["message"] and
                      "The operator has to fix the configuration" in error["message"] and "githb" in error["message"],
                      f"{tool}: nobody tries again what is written wrongly: {error}")
            failures = session.call("skills/list")["_meta"]["org.skillhost/failures"]
            check(failures[0]["source"] == "misspelt" and failures[0]["retryable"] is False, f"skills/list: {failures}")
        code, out, _ = run("--config", str(file), "--keep-going", "source", "status", "--json")
        states = {one["name"]: one for one in json.loads(out)["sources"]}
        check(code == 1 and states["good"]["state"] == "ok" and states["misspelt"]["state"] == "failed", out)
        check(f"{file}:3:13: " in states["misspelt"]["failure"], out)
        for words, variables, message in (
                (["--set", 'search.config={"k1": "x"}'], {},
                 '--set search.config:1:2: search.config.k1: expected a number from 0 to 10, found "x"'),
                (["--search", "keywrd"], {},
                 '--search: search.plugin: there is no search plugin "keywrd" - did you mean "keyword"?'),
                ([], {"SKILLHOST_SEARCH_PLUGIN": "x"}, 'SKILLHOST_SEARCH_PLUGIN: search.plugin: there is no search plugin "x"; known here: '
                                                       "hybrid, keyword"),
                ([], {"SKILLHOST_SKILLS_DIR": "/nowhere"}, "SKILLHOST_SKILLS_DIR: /nowhere does not exist: create the folder")):
            code, _, err = run("--no-config", *words, **variables)
            check(code == 1 and f"skillhost: {message}" in err, f"{words} {variables}: {code} {err}")
        file.write_text("auth:\n  plugin: jwtt\n")
        code, _, err = run("--config", str(file), "--keep-going", "--skills-dir", SKILLS)
        check(code == 1 and f'{file}:2:11: auth.plugin: there is no auth plugin "jwtt" - did you mean "jwt"?' in err, f"auth: {code} {err}")
        file.write_text("auth:\n  plugin: jwt\n  config: {issuer: https://x.example, cache_seconds: 301}\n")
        code, _, err = run("--config", str(file), "--skills-dir", SKILLS)
        check(code == 1 and f"{file}:3:39: auth.config.cache_seconds: expected a number from 0 to 300, found the number 301" in err, err)
        code, _, err = run("--config", str(file), "--set", "auth.config={issuer: env:MY_ISSUER}", MY_ISSUER="ftp://hush-hush")
        check(code == 1 and "***masked***" in err and "hush" not in err, f"a secret is masked: {err}")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
