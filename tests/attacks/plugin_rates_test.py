#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a plugin that sends endless hints, progress, log lines and metrics. plugin_rates_test.py SERVER PLUGIN

The controls: the last hint is heard, some progress arrives, and its reported metrics are there."""
import os
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from attacking import INSIDE, ISOLATED, Attacked, soon  # noqa: E402
from checks import Checks  # noqa: E402

SERVER, PLUGIN = sys.argv[1:3]
FLOOD = 30_000
TICK = os.sysconf("SC_CLK_TCK")
checks = Checks()
check = checks.check


def spent(process):
    """Returns the seconds of processor time that it has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def endless_hints():
    """Checks that endless hints from a process of its own cost the server little. The process spends its own time: a hint
    returns at once."""
    with Attacked(SERVER, PLUGIN, "hint without end", ISOLATED) as attacked:
        check(attacked.outcome(), "it is listed")
        server = attacked.session.server.process.pid
        begun, before = time.monotonic(), spent(server)
        threading.Event().wait(3)  # the test measures a share of time
        share = (spent(server) - before) / (time.monotonic() - begun)
        print(f"  hints without end: {share:.0%} of a processor in the server")
        check(share < 0.3, f"hints without end take {share:.0%} of a processor in the server")
        check(attacked.session.call("ping") == {}, "control: it is answered beside that")
        check(attacked.runners(), "control: it is still there")


def hints(isolation):
    with Attacked(SERVER, PLUGIN, "hint", isolation, count=FLOOD) as attacked:
        check(attacked.outcome() is not None, f"{isolation}: listed")
        check(soon(lambda: "after the last hint" in str(attacked.session.listing())), f"control: {isolation}: the last hint is heard")
        told = attacked.session.tool("get_server_stats")["plugins"]
        one = next(plugin for plugin in told if plugin.get("instance") == "notes")
        print(f"  {isolation}: {FLOOD} hints, {one['calls']} calls")
        check(one["calls"] < 300, f"{isolation}: {FLOOD} hints come to {one['calls']} calls")


def figures():
    with Attacked(SERVER, PLUGIN, "figures", ISOLATED, count=FLOOD) as attacked:
        check(attacked.outcome() is not None, "figures: listed")
        reported = soon(lambda: attacked.state().get("reported", {}).get("told") == FLOOD)
        check(reported, f"control: every figure arrives: {attacked.state()}")


def progress(isolation):
    with Attacked(SERVER, PLUGIN, "progress", isolation, count=FLOOD) as attacked:
        check(attacked.outcome() is not None, "progress: listed")
        session = attacked.session
        answer = session.answer("resources/read", uri="skill://notes/outcome/notes.md", _meta={"progressToken": "much"})
        heard = sum(one["method"] == "notifications/progress" for one in session.messages)
        check("result" in answer, f"progress: answered: {answer}")
        print(f"  {isolation}: {FLOOD} reports of progress, {heard} messages")
        check(0 < heard <= 400, f"{isolation}: {FLOOD} reports come to {heard} messages")


def main():
    endless_hints()
    for isolation in (ISOLATED, INSIDE):
        hints(isolation)
        progress(isolation)
    figures()
    return checks.finish()


sys.exit(main())
