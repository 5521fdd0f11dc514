#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests many requests at once, noise, and a reader that lets the server wait: stress_test.py SERVER SOURCE_ROOT.
Every request is answered exactly once, every good line after a bad one is served, the end is in order."""
import json
import random
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from session import DEADLINE, Broken, Server, Session, write_skill

CALLS = [
    ("ping", {}),
    ("tools/list", {}),
    ("tools/call", {"name": "list_skills", "arguments": {}}),
    ("tools/call", {"name": "find_helpful_skills", "arguments": {"task_description": "greet a visitor"}}),
    ("tools/call", {"name": "load_skill", "arguments": {"skill_name": "greeter", "force_reload": True}}),
    ("tools/call", {"name": "read_skill_document", "arguments": {"skill_name": "greeter", "document_path": "**"}}),
    ("skills/list", {}),
    ("prompts/get", {"name": "greeter", "arguments": {"arguments": "Ada"}}),
    ("resources/templates/list", {}),
]


def line(number):
    method, params = CALLS[number % len(CALLS)]
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def collect(session, count):
    """Returns answers by id as soon as there are `count`; raises Broken when one arrives twice."""
    answers = {}
    deadline = time.monotonic() + 3 * DEADLINE
    while len(answers) < count:
        message = session.server.receive(deadline)
        if message is None:
            raise Broken(f"the server ended after {len(answers)} of {count} answers")
        if "method" in message:
            continue
        if message["id"] in answers:
            raise Broken(f"the request {message['id']} was answered twice")
        answers[message["id"]] = message
    return answers


def burst(session, _):
    """Sends 1,000 requests in one write, three times. A session refuses more requests than may run at once, and where the
    plugin's threads are slow, most of 3,000 would run at once."""
    answers = {}
    for begin in range(1000, 4000, 1000):
        session.server.send_bytes(b"".join(line(n) for n in range(begin, begin + 1000)))
        answers.update(collect(session, 1000))
    refused = [m for m in answers.values() if "error" in m]
    failed = [m for m in answers.values() if m.get("result", {}).get("isError")]
    if refused or failed:
        return f"{len(refused)} refused, {len(failed)} failed, the first: {json.dumps((refused + failed)[0])[:500]}"
    return None


def slow_reader(session, _):
    """Leaves answers unread that fill many pipes; requests meanwhile are not lost."""
    session.server.send_bytes(b"".join(
        json.dumps({"jsonrpc": "2.0", "id": n, "method": "skills/list"}).encode() + b"\n" for n in range(5000, 6000)))
    answers = collect(session, 1000)
    wrong = [m for m in answers.values() if "error" in m]
    return f"{len(wrong)} refused: {wrong[0]}" if wrong else None


def noise(session, _):
    """Sends 3,000 damaged lines, each followed by a good one, and expects at most one answer for each damaged line."""
    source = random.Random(20261121)
    damaged = 0
    for number in range(3000):
        bad = bytearray(line(source.randrange(len(CALLS)))[:-1])
        for _ in range(source.randrange(1, 6)):
            at = source.randrange(len(bad) or 1)
            match source.randrange(5):
                case 0: bad[at:at + 1] = bytes([source.randrange(256)])
                case 1: del bad[at:at + source.randrange(1, 20)]
                case 2: bad[at:at] = bytes(source.choices(b'{}[]",:\\0123456789eE+-.nulltruefas\x00\x7f\xff\xc3\xa9', k=source.randrange(1, 8)))
                case 3: bad[at:at] = bad[source.randrange(len(bad) or 1):][:source.randrange(1, 40)]
                case 4: del bad[at:]
            if not bad:
                bad = bytearray(b"x")
        damaged += 1 + bytes(bad).count(b"\n")
        session.server.send_bytes(bytes(bad) + b"\n" + json.dumps(
            {"jsonrpc": "2.0", "id": f"good-{number}", "method": "ping"}).encode() + b"\n")
    good, others = set(), 0
    deadline = time.monotonic() + 3 * DEADLINE
    while len(good) < 3000:
        message = session.server.receive(deadline)
        if message is None:
            raise Broken(f"the server ended after {len(good)} good lines")
        if "method" in message:
            continue
        if isinstance(message["id"], str) and message["id"].startswith("good-"):
            if message["id"] in good:
                raise Broken(f"{message['id']} was answered twice")
            if "result" not in message:
                return f"a good line was refused: {message}"
            good.add(message["id"])
        else:
            others += 1
    return f"{others} answers to {damaged} damaged lines" if others > damaged else None


def churn(session, root):
    """Changes skills all the time in a thread; every answer shows each steady skill, and only whole descriptions."""
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            write_skill(root, f"churn-{number % 20}", f"Version {number} of it, {number}.")
            if number % 7 == 0:
                shutil.rmtree(Path(root) / f"churn-{(number + 3) % 20}", ignore_errors=True)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(300):
            skills = session.tool("list_skills")["skills"]
            if not any(skill["name"] == "greeter" for skill in skills):
                return "a skill that nobody touched was missing"
            for skill in skills:
                words = skill["description"].split()
                if skill["name"].startswith("churn-") and words[1] + "." != words[-1]:
                    return f"half a description: {skill}"
            found = session.tool("find_helpful_skills", task_description="greet a visitor warmly")["results"]
            if not any(skill["name"] == "greeter" for skill in found):
                return "the search lost a skill that nobody touched"
    finally:
        stop.set()
        writer.join()
    return None


def sudden_end(session, root):
    """Ends the input while the server still starts: 40 short lives, each with an orderly end."""
    ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_skills"}}).encode()
    for number in range(40):
        with Server([session.command[0], "--skills-dir", str(root)]) as server:
            server.send_bytes((b"", b"", ask + b"\n", ask)[number % 4])
            said, code = server.finish()
            if code != 0:
                return f"life {number} ended with {code}: {server.stderr()[-600:]}"
            if len(said) != (0 if number % 4 < 2 else 1):
                return f"life {number} said {said}"
            if server.alarms():
                return f"life {number}: {server.alarms()[:5]}"
    return None


def main():
    server, root = sys.argv[1:3]
    cases = [burst, slow_reader, noise, churn, sudden_end]
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="skillhost-stress-") as scratch:
            skills = Path(scratch) / "skills"
            shutil.copytree(Path(root) / "tests/conformance/skills", skills)
            start = time.monotonic()
            try:
                with Session([server, "--skills-dir", str(skills)]) as session:
                    wrong = case(session, skills) or session.end()
            except Broken as error:
                wrong = str(error)
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok    '} {case.__name__} ({time.monotonic() - start:.1f} s) {wrong or ''}", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
