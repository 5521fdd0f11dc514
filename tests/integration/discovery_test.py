#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the log about a folder of skills, and which rules serve which skills: discovery_test.py SERVER"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks, until
from session import Session

SERVER = sys.argv[1]
checks = Checks()
check = checks.check

# The first is the example from the document that defines the basic rules: its folder has another name.
EXAMPLE = '---\nname: "init-ideas"\ndescription: "Initialize project ideas"\ncategory: project-setup\n---\n\n# Ideas\n'
BROKEN = {
    "noname": (b"---\ndescription: No name.\n---\nx\n", "1:1", "name-missing"),
    "oddname": (b"---\nname: odd name.v2\ndescription: Odd.\n---\nx\n", "2:1", "name-invalid"),
    "latin": (b"---\nname: latin\ndescription: Latin.\n---\nline\ncaf\xe9\n", "6:4", "encoding-invalid"),
    "openquote": (b'---\nname: openquote\ndescription: "a: b\n---\nx\n', "3:14", "yaml-quote"),
}


def write(root, name, content):
    folder = Path(root) / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / "SKILL.md"


def names(session):
    return {skill["name"] for skill in session.listing()["skills"]}


def lines(session, part):
    return [line for line in session.server.stderr().splitlines() if part in line]


def awaited(session, part, count=1):
    """Waits until the log has `count` lines with this part, and returns them. Some lines are written after the
    answer."""
    until(lambda: len(lines(session, part)) >= count, f"{count} lines of the log with {part!r}: {session.server.stderr()[-2000:]}")
    return lines(session, part)


def serve(root, *options):
    return Session([SERVER, "--no-config", "--skills-dir", str(root), *options])


def rules():
    with tempfile.TemporaryDirectory() as root:
        write(root, "dev-swarms-init-ideas", EXAMPLE)
        for name, (content, _, _) in BROKEN.items():
            write(root, name, content)
        (Path(root) / "nothing" / "deeper").mkdir(parents=True)
        with serve(root) as session:
            check(names(session) == {"init-ideas", "noname", "odd-name-v2", "latin", "openquote"}, f"lenient: {names(session)}")
            check(awaited(session, "break a rule"), "the line that counts")
            for name, (_, place, code) in BROKEN.items():
                said = awaited(session, f"/{name}/SKILL.md:{place}: ")
                check(any("[WARNING]" in line and f"[{code}]" in line for line in said), f"{name} is named with its line: {said}")
            check(not lines(session, "init-ideas/SKILL.md"), "what breaks no rule is not named")
            took = awaited(session, "catalogue 1: ")
            check(len(took) == 1 and re.search(r"5 skills from 1 source in \d+ ms", took[0]), f"how long it took: {took}")
            check(not lines(session, "there is no SKILL.md"), "folders without a skill are for DEBUG alone")
        with serve(root, "--skill-rules", "basic") as session:
            check(names(session) == {"init-ideas"}, f"basic: {names(session)}")
            for name, (_, place, code) in BROKEN.items():
                said = awaited(session, f"/{name} is not served: ")
                check(len(said) == 1 and "[WARNING]" in said[0] and f":{place}: " in said[0] and code in said[0], f"{name} is skipped: {said}")
        with serve(root, "--strict") as session:
            check(names(session) == set(), f"strict refuses the document's own example: {names(session)}")
        with serve(root, "--log-level", "DEBUG") as session:
            names(session)
            said = awaited(session, "the folder has no SKILL.md, so it is not a skill", 2)
            check([line.split("/")[-1].split(":")[0] for line in said] == ["nothing", "deeper"] and all("[DEBUG]" in line for line in said),
                  f"folders without a skill: {said}")


# Skills that the document allows, with the names that they have there.
TAKEN = {
    "a": "---\nname: Under_Score\ndescription: Has capital letters and an underscore.\n---\nx\n",
    "b": f"---\nname: {'n' * 65}\ndescription: Is longer than the format allows.\n---\nx\n",
    "c": f"---\nname: {'n' * 99}\ndescription: Is as long as the document allows.\n---\nx\n",
    "d": "---\nname: -two--hyphens-\ndescription: Has hyphens everywhere.\n---\nx\n",
    "twice": "---\nname: twice\ndescription: Comes first, for its folder has the name.\n---\nx\n",
}


def basic_names():
    with tempfile.TemporaryDirectory() as root:
        for name, content in TAKEN.items():
            write(root, name, content)
        write(root, "e/second", TAKEN["twice"])
        write(root, "f", f"---\nname: {'n' * 100}\ndescription: Is one character too long.\n---\nx\n")
        wanted = {"Under_Score", "n" * 65, "n" * 99, "-two--hyphens-", "twice"}
        with serve(root, "--skill-rules", "basic") as session:
            check(names(session) == wanted, f"names are as they are written: {names(session)}")
            for name in wanted:
                result = session.call("tools/call", name="load_skill", arguments={"skill_name": name})
                check(not result.get("isError"), f"{name} is loaded: {result}")
            for other in ("under-score", "e/second", "skills/e/second"):
                result = session.call("tools/call", name="load_skill", arguments={"skill_name": other})
                check(result.get("isError"), f"{other} is the name of nothing: {result}")
            said = awaited(session, "/e/second/SKILL.md: ")
            check(len(said) == 1 and "[WARNING]" in said[0] and 'the name "twice" is claimed by ' in said[0] and "/twice/SKILL.md" in said[0],
                  f"the second of a name: {said}")
            said = awaited(session, "/f is not served: ")
            check(len(said) == 1 and "[WARNING]" in said[0] and "/f/SKILL.md:2:1: " in said[0], f"a name that is too long: {said}")
            write(root, "g", TAKEN["twice"])
            said = awaited(session, "/g/SKILL.md: ")
            check(len(said) == 1 and "[WARNING]" in said[0] and names(session) == wanted, f"one that comes later: {said} {names(session)}")
        with serve(root) as session:
            check(len(names(session)) == 8 and "under-score" in names(session) and any(name.endswith("/e/second") for name in names(session)),
                  f"lenient: {names(session)}")
        done = subprocess.run([SERVER, "validate", "--skill-rules", "basic", root], capture_output=True, text=True, check=False)
        check(done.returncode == 1 and "by skill_rules: basic does not serve the other" in done.stdout, f"validate: {done.stdout}")


def many():
    with tempfile.TemporaryDirectory() as root:
        for number in range(30):
            write(root, f"skill-{number:02}", f"---\nname: Skill {number}\ndescription: d\n---\nx\n")
        with serve(root) as session:
            check(len(names(session)) == 30, "all are served")
            counted = awaited(session, "and 10 more broken rules of skills that are served nevertheless (name-invalid 10)")
            check(len(counted) == 1, f"the rest is counted: {lines(session, ' more ')}")
            check(len(awaited(session, "[name-invalid]", 20)) == 20, "20 are named")
        with serve(root, "--skill-rules", "basic") as session:
            names(session)
            check(len(awaited(session, "and 10 more skills of")) == 1, f"the rest is counted: {lines(session, ' more ')}")
            check(len(awaited(session, "[name-invalid]", 20)) == 20, "20 that are not served are named")


def unknown():
    with tempfile.TemporaryDirectory() as root:
        write(root, "dev-swarms-init-ideas", EXAMPLE)
        with serve(root) as session:
            session.tool("load_skill", skill_name="nosuch")
            session.answer("call_tool", name="nosuch")
            said = awaited(session, "nosuch", 2)
            check(len(said) == 2 and all("[WARNING]" in line for line in said), f"a skill that is not there: {said}")
        with serve(root, "--expose", "skills") as session:
            answer = session.answer("tools/call", name="nosuch", arguments={})
            check(answer["error"]["code"] == -32602, f"an unknown tool: {answer}")
            check(any("[WARNING]" in line for line in awaited(session, "nosuch")), "where skills are tools, too")


def unprivileged():
    """Returns a command prefix for another user, because root ignores permissions; None if that is impossible."""
    if os.geteuid() != 0:
        return []
    prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    try:
        done = subprocess.run([*prefix, SERVER, "--version"], capture_output=True, check=False)
    except OSError:
        return None
    return prefix if done.returncode == 0 else None


def unreadable():
    prefix = unprivileged()
    if prefix is None:
        print("skipped: nobody else may start the server here")
        return
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755)
        command = [*prefix, SERVER, "--no-config", "--skills-dir", root]
        write(root, "fine", "---\nname: fine\ndescription: d\n---\nx\n")
        closed = write(root, "closed", "---\nname: closed\ndescription: d\n---\nx\n")
        closed.chmod(0)
        with Session(command) as session:
            check(names(session) == {"fine"}, f"the rest is served: {names(session)}")
            said = awaited(session, "closed is not served")
            check(len(said) == 1 and "[WARNING]" in said[0] and "Permission denied" in said[0], f"the reason: {said}")
            envelope = session.call("tools/call", name="load_skill", arguments={"skill_name": "closed"})["structuredContent"]
            check(envelope["error"]["code"] == "INTERNAL_ERROR" and "Unable to read SKILL.md file: " in envelope["error"]["message"]
                  and "Permission denied" in envelope["error"]["message"], f"asked for: {envelope}")
            older = session.answer("call_tool", name="closed")["error"]
            check(older["code"] == 500 and older["message"].startswith("Internal server error: Unable to read SKILL.md file: "), f"the older dialect: {older}")
        closed.chmod(0o644)
        with Session([*command, "--watch", "off"]) as session:
            check(names(session) == {"fine", "closed"}, f"all can be read: {names(session)}")
            closed.chmod(0)
            older = session.answer("call_tool", name="closed")["error"]
            check(older["code"] == 500 and "Permission denied" in older["message"], f"closed after it was listed: {older}")
            said = awaited(session, "call_tool closed")
            check(len(said) == 1 and "[ERROR]" in said[0], f"the log: {said}")


rules()
basic_names()
many()
unknown()
unreadable()
sys.exit(checks.finish())
