#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests limits and their messages for a client on stdio: limits_test.py SERVER"""
import json
import sys
import tempfile
from pathlib import Path

from checks import Checks
from session import Session, write_skill

SERVER = sys.argv[1]
checks = Checks()
check = checks.check


def serve(root, **settings):
    options = [word for key, value in settings.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]
    return Session([SERVER, "--no-config", "--skills-dir", str(root), *options])


def envelope(session, tool, **arguments):
    return session.call("tools/call", name=tool, arguments=arguments)["structuredContent"]


def violations(root):
    with serve(root) as session:
        error = envelope(session, "list_skills", limit=2000, offset=-1, source=5, nonsense=True)["error"]
        found = {one["path"]: one for one in error["context"]["errors"]}
        check(set(found) == {"arguments.nonsense", "arguments.limit", "arguments.offset", "arguments.source"}, f"all of them: {error}")
        check((found["arguments.limit"]["limit"], found["arguments.limit"]["actual"]) == (1000, 2000), f"too large: {found}")
        check((found["arguments.offset"]["limit"], found["arguments.offset"]["actual"]) == (0, -1), f"too small: {found}")
        check(all(one["code"] == "INVALID_INPUT" and one["message"] in error["message"] for one in found.values()), f"code and message: {error}")
        error = envelope(session, "list_skills", source={"a": [0] * 101, "b": {"c": "x" * 100001}})["error"]
        found = {one["path"]: one for one in error["context"]["errors"]}
        check(error["code"] == "ARRAY_TOO_LARGE" and set(found) == {"arguments.source.a", "arguments.source.b.c"}, f"limits: {error}")
        check((found["arguments.source.a"]["limit"], found["arguments.source.a"]["actual"]) == (100, 101), f"items: {found}")
        check((found["arguments.source.b.c"]["limit"], found["arguments.source.b.c"]["actual"]) == (100000, 100001), f"characters: {found}")
        deep = {}
        for _ in range(10):
            deep = {"d": deep}
        error = envelope(session, "list_skills", source=deep)["error"]
        check("a depth of 11 is more than the limit of 10" in error["message"], f"words: {error}")
        error = envelope(session, "load_skill")["error"]
        check(error["code"] == "MISSING_REQUIRED_FIELD" and error["context"]["errors"][0]["path"] == "arguments.skill_name", f"missing: {error}")


def lists(root):
    for number in range(7):
        write_skill(root, f"skill-{number}", f"Does the thing number {number}.")
    folder = Path(root) / "skill-0" / "references"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.md").write_text("x\n")
    with serve(root, limits__max_list_items=3) as session:
        whole = envelope(session, "list_skills", limit=1000)
        check((len(whole["data"]["skills"]), whole["data"]["limit"], whole["data"]["total"], whole["data"]["hasMore"]) == (3, 3, 7, True)
              and whole["metadata"]["truncated"], f"list_skills: {whole}")
        last = envelope(session, "list_skills", limit=1000, offset=6)
        check(len(last["data"]["skills"]) == 1 and not last["metadata"]["truncated"], f"the last page: {last}")
        check(len(envelope(session, "list_skills", limit=2)["data"]["skills"]) == 2, "what is asked for within the limit")
        found = envelope(session, "find_helpful_skills", task_description="does the thing", top_k=20)
        check(len(found["data"]["results"]) == 3, f"find_helpful_skills: {found}")
        listed = envelope(session, "read_skill_document", skill_name="skill-0")
        check(len(listed["data"]["documents"]) == 3 and listed["data"]["total"] == 7 and listed["metadata"]["truncated"], f"files: {listed}")
        for number in range(5):
            envelope(session, "load_skill", skill_name=f"skill-{number}")
        loaded = envelope(session, "get_loaded_skills_info")
        check((len(loaded["data"]["loaded_skills"]), loaded["data"]["count"]) == (3, 5) and loaded["metadata"]["truncated"], f"loaded: {loaded}")


def pressure(root):
    with serve(root, limits__max_memory_mb=1) as session:
        refused = envelope(session, "list_skills")
        check(refused["error"]["code"] == "MEMORY_PRESSURE" and refused["error"]["retryable"], f"memory is short: {refused}")
        figures = envelope(session, "get_server_stats")
        check(figures["success"] and figures["data"]["limits"]["max_memory_mb"] == 1, "the figures are told all the same")
        check(figures["data"]["cache"]["lastCleanupAt"] > 0, f"when the cache was cleaned last: {figures['data']['cache']}")


def long_messages(root):
    with serve(root, limits__max_request_bytes=10000) as session:
        large = "x" * 200_000
        for message, wanted in (({"jsonrpc": "2.0", "id": 70, "method": "ping", "params": {"a": large}}, 70),
                                ({"method": "tools/call", "params": {"id": 5, "a": large}, "jsonrpc": "2.0", "id": "last"}, "last"),
                                ({"jsonrpc": "2.0", "method": "ping", "params": {"a": large}}, None),
                                ({"jsonrpc": "2.0", "id": 9, "result": {"a": large}}, None)):
            session.server.send(message)
            answer = session.server.receive()
            check(answer["id"] == wanted and answer["error"]["code"] == -32600 and "10000 bytes" in answer["error"]["message"],
                  f"too long, {wanted}: {json.dumps(answer)[:300]}")
        check(session.answer("ping")["result"] == {}, "the conversation goes on")


for case in (violations, lists, pressure, long_messages):
    with tempfile.TemporaryDirectory() as place:
        if case is not lists:
            write_skill(place, "alone", "Is alone.")
        case(place)
sys.exit(checks.finish())
