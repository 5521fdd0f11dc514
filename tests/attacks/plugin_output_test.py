#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests plugins that print, log and claim anything. plugin_output_test.py SERVER ATTACKING SKILLS

The controls are the same plugins inside the server, where nothing is between them and its log."""
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from attacking import INSIDE, LINE, Attacked, soon

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import SLOWNESS, Checks  # noqa: E402

SERVER, PLUGIN, SKILLS = sys.argv[1:4]
FLOOD = 100 if SLOWNESS == 1 else 20  # MiB
checks = Checks()
check = checks.check
FORGED = "[2026-01-01 00:00:00] [INFO] [audit] forged"


def start(attack, **more):
    return Attacked(SERVER, PLUGIN, attack, **more)


def forged(log):
    return [line for line in log.splitlines() if line.startswith(FORGED)]


def printing():
    with start("print", isolation=INSIDE) as inside:
        check(inside.outcome() == "printed", "control: it prints inside the server")
        check(len(forged(inside.log())) == 3, f"control: there its lines are the log's: {forged(inside.log())}")
        check("\x1b[2J" in inside.log(), "control: and a terminal would obey it")
    with start("print") as apart:
        check(apart.outcome() == "printed", "it prints")
        check(apart.said("after the long one"), "what it prints is in the log")
        apart.end()
        log = apart.log()
        check(not forged(log), f"forged lines of the audit: {forged(log)}")
        strangers = [line for line in log.splitlines() if not LINE.fullmatch(line)]
        check(not strangers, f"every line is the host's: {[line[:80] for line in strangers[:3]]}")
        said = [LINE.fullmatch(line) for line in log.splitlines() if "forged on standard" in line]
        check(len(said) == 2 and all(one[2] == "notes" and one[3].startswith("the process of notes wrote: [2026") for one in said),
              f"its lines are under its name: {[one[0] for one in said]}")
        check("the process that looks into " in log and "wrote: " + FORGED + " at load" in log,
              "so is what is printed while the file is looked into")
        check(not [c for c in log if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 or c == "\ufffd"],
              "control characters and broken UTF-8 are written out")
        check(r"\x1b[2J\x1b]0;title\x07 colours \x9b 31m \xff\xfe broken" in log, "for people to see")
        longest = max(log.splitlines(), key=len)
        check(len(longest) < 4200 and longest.endswith("... [truncated]"), f"a long line is cut: {len(longest)}")
        check("wrote: no end of line" in log, "the last words need no end of line")


def emptying():
    with start("empty", count=1024, isolation=INSIDE) as inside:
        outcome = inside.outcome()
        check(outcome and outcome != "emptied 0", f"control: inside the server it empties the log: {outcome}")
    with start("empty", count=1024) as apart:
        apart.said("skillhost")
        before = apart.log()
        check(apart.outcome() == "emptied 0", f"it has a file of the host open: {apart.outcome()}")
        check(before and apart.log().startswith(before), "the log is as it was")


def flooding():
    with start("flood", count=5, isolation=INSIDE) as inside:
        check(inside.outcome() == "flooded" and len(inside.log()) > 5 << 20, f"control: {len(inside.log())} bytes of log")
    with start("flood", count=FLOOD, skills=SKILLS) as apart:
        soon(lambda: any(one["name"] == "greeter" for one in apart.session.listing()["skills"]))
        worst, outcome = 0.0, None
        while outcome is None and worst < 60:
            begun = time.monotonic()
            apart.session.tool("read_skill_document", skill_name="greeter", document_path="**")
            worst = max(worst, time.monotonic() - begun)
            outcome = apart.outcome(0)
        check(outcome == "flooded", f"it is not kept from its work: {outcome}")
        check(worst < 1 * SLOWNESS, f"another client waits {worst * 1000:.0f} ms at most")
        check(apart.said("the process of notes: ") and " lines dropped: it logs too much" in apart.log(), "what is dropped is said")
        kept = sum(len(line) for line in apart.log().splitlines() if "[notes]" in line)
        check(0 < kept < 1 << 20, f"{kept} bytes of it are in the log")
        check(apart.end() is None, "and the end is in order")


def logging():
    for isolation in ("process", "thread"):
        with start("log", count=500, isolation=isolation) as few:
            check(few.outcome() == "log" and soon(lambda: few.log().count("[notes] logged ") == 500),
                  f"control: 500 lines are logged in a {isolation}: {few.log().count('[notes] logged ')}")
        with start("log", count=100_000, isolation=isolation) as many:
            check(many.outcome() == "log", f"{isolation}: it gets to its end")
            many.end()
            log = many.log()
            kept = log.count("[notes] logged ")
            dropped = sum(int(count) for count in re.findall(r"\[plugin\] notes: (\d+) lines? dropped", log))
            check(500 <= kept < 20_000 * SLOWNESS and kept + dropped == 100_000, f"{isolation}: {kept} kept, {dropped} dropped")
            check("\x1b" not in log and "\n[audit]" not in log, f"{isolation}: a line is one line")
        with start("log long", isolation=isolation) as long:
            line = long.said("yyyy")
            check(line and len(line) < 4200 and line.endswith("... [truncated]"), f"{isolation}: a long one is cut: {len(line or '')}")


def closing():
    with start("close") as apart:
        check(apart.outcome() == "closed", "it closes its output")
        answer = apart.session.tool("load_skill", skill_name="outcome")
        check(answer and answer.get("status") == "loaded", f"and goes on working: {answer}")
        check(apart.end() is None, "to its end")


def listed(attacked):
    """Returns the entry of the instance in `skillhost plugins`, and the log."""
    done = subprocess.run([SERVER, "plugins", "--json", "--config", str(attacked.file)], capture_output=True, timeout=120,
                          env={**attacked.environment, "PATH": "/usr/bin:/bin"}, text=True)
    return next(one for one in json.loads(done.stdout) if one.get("instance") == "notes"), done.stderr


def claiming():
    with start("claim", level="DEBUG") as apart:
        check(apart.outcome() == "claim", "it claims to be confined by something else")
        said = [LINE.fullmatch(line) for line in apart.log().splitlines() if " confined by " in line]
        check([(one[2], "fort knox" in one[3]) for one in said] == [("plugin", False), ("notes", True)],
              f"whose word it is can be seen: {[one[0] for one in said]}")
        true_one = listed(apart)[0]["confinement"]
        check("limits" in true_one and "fort knox" not in true_one, f"what the operator is shown: {true_one}")
    with start("forge", level="DEBUG") as apart:
        line = apart.said("sent a malformed frame")
        check(line and "[plugin] notes: its process (" in line and "SIGKILL" in line, f"who forges the host's words is ended: {line}")
        check("fort knox" not in apart.log(), "and not believed")
        shown, log = listed(apart)
        # Each server has a cache of its own, from which the user's number is derived.
        alike = [re.sub(r"user \d+|/\S+", "", one["confinement"]) for one in (shown, {"confinement": true_one}) if "confinement" in one]
        check("fort knox" not in json.dumps(shown) + log and len(set(alike)) == 1,
              f"what the operator is shown: {shown}")


def main():
    for part in (printing, emptying, flooding, logging, closing, claiming):
        part()
    return checks.finish()


sys.exit(main())
