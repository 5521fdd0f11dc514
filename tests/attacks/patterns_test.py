#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests how much work a few bytes can cause: patterns for many files, and placeholders in prompts. patterns_test.py
SERVER"""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import LONGEST, SLOWNESS, Beside, resident  # noqa: E402
from checks import Checks  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER = sys.argv[1]
FILES = 3000
checks = Checks()
check = checks.check


def call(running, name, **arguments):
    return running.post(legacy("tools/call", name=name, arguments=arguments))[1]


def text_of(answer):
    return answer["result"]["content"][0]["text"] if "result" in answer else answer["error"]["message"]


def patterns(running):
    answer = call(running, "read_skill_document", skill_name="wide", document_path="folder-7/**/*-7.md")
    check("folder-7/" in text_of(answer), f"control: a pattern finds files: {text_of(answer)[:300]}")
    # Each pattern makes the matcher try most of itself at each of some 250,000 characters.
    for pattern in ("**/" * 333 + "x", "*?" * 499, "**/*" * 240, "{*,?}" * 190, "*[!" + "b" * 900 + "]" + "*" + "?" * 50,
                    "**/*" + "[!x]*" * 190, "{" + "**/,*" * 180 + "}"):
        with Beside(running) as beside:
            answer = call(running, "read_skill_document", skill_name="wide", document_path=pattern)
        check(answer.get("result", {}).get("isError") or "error" in answer or "folder-" in text_of(answer), f"{pattern[:20]}: {answer}")
        check(beside.worst < LONGEST, f"beside {pattern[:20]}: {beside.worst:.3f} s")
        print(f"  {pattern[:12]:12} worst {beside.worst * 1000:.0f} ms beside it: {text_of(answer)[:90]!r}")
    given_up = text_of(call(running, "read_skill_document", skill_name="wide", document_path="{*,?}" * 190))
    check("too many steps with the 3001 files" in given_up, f"control: the matcher gives up: {given_up[:300]}")


def prompts(running):
    before = resident(running)
    usual = running.post(legacy("prompts/get", name="many", arguments={"arguments": "abc"}))[1]
    check("result" in usual and "abc abc" in str(usual), f"control: placeholders are filled: {str(usual)[:300]}")
    with Beside(running) as beside:
        answer = running.post(legacy("prompts/get", name="many", arguments={"arguments": "x" * 9000}))[1]
    check("error" in answer, f"too large a result is refused: {str(answer)[:300]}")
    check(beside.worst < LONGEST, f"beside it: {beside.worst:.3f} s")
    if SLOWNESS == 1:
        check(resident(running) < before + (100 << 10), "and never made")


def main():
    with tempfile.TemporaryDirectory() as folder:
        wide, many = Path(folder, "wide"), Path(folder, "many")
        for path, body in ((wide, "Text."), (many, "$ARGUMENTS " * 20_000)):
            path.mkdir()
            (path / "SKILL.md").write_text(f"---\nname: {path.name}\ndescription: Has much of one thing.\n---\n{body}\n")
        for number in range(FILES):
            file = wide / f"folder-{number % 50}" / f"{'a-rather-long-name-' * 3}{number}.md"
            file.parent.mkdir(exist_ok=True)
            file.write_text("x")
        running = Running(SERVER, folder)
        patterns(running)
        prompts(running)
        check(running.end() == 0, "the end")
    return checks.finish()


sys.exit(main())
