#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small requests that each need much work, from many connections at once. long_requests_test.py SERVER

The control is the work itself: the processor time that the server took for a burst, which somebody else would have
waited for had it been done on the thread of all connections.
"""
import json
import select
import socket
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import LONGEST, RETURNED, SLOWNESS, Beside, resident  # noqa: E402
from http_server import DEADLINE, Checks, Running, legacy, until  # noqa: E402

SERVER = sys.argv[1]
FILES = 3000 if SLOWNESS == 1 else 600
SKILLS = 1500 if SLOWNESS == 1 else 300
ADDRESSES, EACH = 4, 60  # fewer than may wait of one address
checks = Checks()
check = checks.check


def tool(name, **arguments):
    return legacy("tools/call", name=name, arguments=arguments)


# `number` makes each another request: what is kept ready for one does not answer the next.
BURSTS = {
    "patterns": lambda number: tool("read_skill_document", skill_name="wide", document_path="{*,?}" * 180 + str(number)),
    "lists of files": lambda number: tool("read_skill_document", skill_name="wide"),
    "pages of skills": lambda number: tool("list_skills", limit=1000, offset=number, detail=True),
    "completions": lambda number: legacy("completion/complete", argument={"name": "path", "value": ""}, ref={
        "type": "ref/resource", "uri": "skill://{source}/{+path}"}),
}


def work(running):
    """Seconds of processor time of all threads."""
    fields = Path(f"/proc/{running.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def burst(running, make):
    """All are sent, then all are read: the answers."""
    waiting = []
    for address in range(ADDRESSES):
        for number in range(EACH):
            body = json.dumps(make(address * EACH + number)).encode()
            one = socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE * SLOWNESS,
                                           source_address=(f"127.0.0.{2 + address}", 0))
            one.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
                        b"Content-Length: %d\r\n\r\n" % len(body) + body)
            waiting.append(one)
    answers, open_ones = {one: b"" for one in waiting}, set(waiting)
    while open_ones:
        ready, _, _ = select.select(list(open_ones), [], [], DEADLINE * SLOWNESS)
        assert ready, f"{len(open_ones)} requests are not answered"
        for one in ready:
            part = one.recv(1 << 20)
            answers[one] = (answers[one] + part)[:4096]  # the head is enough
            if not part:
                open_ones.remove(one)
                one.close()
    return [text.split(b" ", 2)[1] for text in answers.values()]


def main():
    with tempfile.TemporaryDirectory() as folder:
        for number in range(SKILLS):
            path = Path(folder, f"skill-number-{number}")
            path.mkdir()
            description = f"Handles the thing of number {number} in many ways. " * 20
            (path / "SKILL.md").write_text(f"---\nname: {path.name}\ndescription: {description}\n---\nText.\n")
        wide = Path(folder, "wide")
        for number in range(FILES):
            file = wide / f"folder-{number % 50}" / f"{'a-rather-long-name-' * 3}{number}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("x")
        (wide / "SKILL.md").write_text("---\nname: wide\ndescription: Has many files.\n---\nText.\n")
        running = Running(SERVER, folder)
        until(lambda: json.loads(running.ask("GET", "/readyz")[1]).get("skills") == SKILLS + 1, "all skills are there",
              DEADLINE * SLOWNESS)
        for what, make in BURSTS.items():
            burst(running, make)  # what is made once, and memory that is kept
            before, begun, held = work(running), time.monotonic(), resident(running)
            with Beside(running) as beside:
                statuses = burst(running, make)
            took, span = work(running) - before, time.monotonic() - begun
            check(set(statuses) == {b"200"}, f"{what}: {set(statuses)}")
            check(beside.worst < LONGEST, f"beside {what}: {beside.worst:.3f} s")
            if SLOWNESS == 1 and what in ("patterns", "lists of files"):
                check(took > LONGEST, f"control: {what} are work: {took:.2f} s")
            if SLOWNESS == 1:
                until(lambda: resident(running) < held + RETURNED, f"memory goes back: {resident(running)} KiB after {held}")
            print(f"  {what}: {len(statuses)} at once, {took:.2f} s of work in {span:.2f} s; worst answer beside them "
                  f"{beside.worst * 1000:.0f} ms of {beside.count}")
        check(running.end() == 0, "the end")
    return checks.finish()


sys.exit(main())
