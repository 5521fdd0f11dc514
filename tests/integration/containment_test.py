#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves beside every plugin that misbehaves, in a process of its own and in a thread of the host:
containment_test.py SERVER FIXTURES SKILLS TABLE. TABLE gives the fate of each plugin's skill in either mode. A
plugin that ends its host is not served in a thread."""
import concurrent.futures
import json
import sqlite3
import sys
import tempfile
import threading
import time
from pathlib import Path

from session import DEADLINE, Broken, Session

LIMIT_MS = 300
NEIGHBOUR_CALLS = 100


def outcome(session):
    """Returns "served", or a short reason why not."""
    deadline = time.monotonic() + DEADLINE
    while True:
        if any(one["name"] == "hello" for one in session.listing()["skills"]):
            envelope = session.call("tools/call", name="load_skill", arguments={"skill_name": "hello"})
            envelope = envelope["structuredContent"]
            return "served" if envelope["success"] else envelope["error"]["code"]
        statistics = session.tool("get_server_stats")
        failures = [one.get("failure") for one in statistics["sources"] if one["name"] == "bad"]
        failures += [one.get("reason") for one in statistics["plugins"] if one.get("instance") == "bad"]
        if any(failures) or statistics["catalogue"]["findings"] > 9:  # nine are the neighbour's
            return "not served"
        if time.monotonic() > deadline:
            return "nothing is said of it"


def neighbour(session, spans):
    """Makes calls to another source one after another; all must succeed."""
    for _ in range(NEIGHBOUR_CALLS):
        begun = time.monotonic()
        data = session.tool("read_skill_document", skill_name="greeter", document_path="**")
        spans.append((time.monotonic() - begun) * 1000)
        if not data or len(data["documents"]) != 5:
            raise Broken(f"the neighbour was answered {data}")


def serve(server, plugin, skills, isolation, expected):
    with tempfile.TemporaryDirectory() as folder:
        configuration = Path(folder) / "configuration.json"
        configuration.write_text(json.dumps({
            "startup_wait_ms": 1000,
            "sources": [{"name": "neighbour", "plugin": "filesystem", "config": {"directories": [skills]}},
                        {"name": "bad", "plugin": str(plugin), "isolation": isolation}],
            "cache": {"max_entries": 0},
            "deadlines": {"scan_ms": LIMIT_MS, "tools": {"load_skill": LIMIT_MS}}}))
        with Session([server, "--config", str(configuration), "--log-level", "ERROR"]) as session:
            spans = []
            became = outcome(session)
            neighbour(session, spans)
            again = outcome(session)
            if again != became and expected != "*":
                raise Broken(f"first {became}, then {again}")
            begun = time.monotonic()
            _, code = session.server.finish()
            # Reports of a plugin's process at its own end are no fault of the host.
            alarms = session.server.alarms() if isolation == "thread" else []
            if code != 0 or alarms:
                raise Broken(f"ended with {code}: {alarms or session.server.stderr()[-500:]}")
            if time.monotonic() - begun > DEADLINE:
                raise Broken("the end took too long")
            return became, spans


def keeps_figures(server, fixtures, skills):
    """Checks that the usage of calls is in the file even if a plugin ends the process when it is destroyed."""
    with tempfile.TemporaryDirectory() as folder:
        configuration, usage = Path(folder) / "configuration.json", Path(folder) / "usage.sqlite"
        configuration.write_text(json.dumps({
            "sources": [{"name": "neighbour", "plugin": "filesystem", "config": {"directories": [skills]}},
                        {"name": "bad", "plugin": str((Path(fixtures) / "misbehaving_crashes_in_destroy.so").resolve()), "isolation": "thread"}],
            "usage": {"enabled": True, "path": str(usage)}}))
        with Session([server, "--config", str(configuration)]) as session:
            session.tool("load_skill", skill_name="greeter")
            _, code = session.server.finish()
        if code == 0:
            return "control: the plugin did not end the process"
        if not usage.is_file():
            return "there is no file of usage"
        database = sqlite3.connect(usage)
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        texts = [str(row) for name in tables for row in database.execute(f'SELECT * FROM "{name}"')]
        database.close()
        return None if any("greeter" in text for text in texts) else f"the call is not in the file: {texts}"


def rows(table):
    for line in Path(table).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def main():
    server, fixtures, skills, table = sys.argv[1:5]
    jobs = []
    for fault, process, thread in rows(table):
        jobs += [(fault, mode, expected) for mode, expected in (("process", process), ("thread", thread))
                 if expected != "-"]
    failed, lock, all_spans = [], threading.Lock(), {"process": [], "thread": []}

    def run(job):
        fault, mode, expected = job
        try:
            became, spans = serve(server, (Path(fixtures) / f"misbehaving_{fault}.so").resolve(), skills, mode, expected)
            problem = None if expected in (became, "*") else f"{became}, expected {expected}"
        except Broken as broken:
            problem, spans = str(broken), []
        with lock:
            all_spans[mode] += spans
            if problem:
                failed.append(job)
                print(f"FAILED {fault} in a {mode}: {problem}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(run, jobs))
    for mode, spans in all_spans.items():
        spans.sort()
        print(f"a neighbour's call beside them, in a {mode}: median {spans[len(spans) // 2]:.2f} ms, "
              f"p99 {spans[int(len(spans) * 0.99)]:.2f} ms, worst {spans[-1]:.2f} ms of {len(spans)}")
    if problem := keeps_figures(server, fixtures, skills):
        failed.append("figures")
        print(f"FAILED figures of usage: {problem}", flush=True)
    print(f"{len(jobs) + 1 - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
