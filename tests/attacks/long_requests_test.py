#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests small requests that each need much work, from many connections at once. long_requests_test.py SERVER

The control is the work itself: the processor time of a burst, which others would have waited for if the thread of
all connections had done the work."""
import json
import select
import socket
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import LONGEST, RETURNED, SLOWNESS, Beside, processor_time, resident  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, LEGACY, Running, legacy  # noqa: E402

SERVER = sys.argv[1]
FILES = 3000 if SLOWNESS == 1 else 300
SKILLS = 1500 if SLOWNESS == 1 else 150
ADDRESSES, EACH = 4, 60 if SLOWNESS == 1 else 20  # fewer than may wait for one address
checks = Checks()
check = checks.check


def tool(name, **arguments):
    return legacy("tools/call", name=name, arguments=arguments)


# `number` makes each request different, so that no cached answer fits the next.
BURSTS = {
    "patterns": lambda number: tool("read_skill_document", skill_name="wide", document_path="{*,?}" * 180 + str(number)),
    "lists of files": lambda number: tool("read_skill_document", skill_name="wide"),
    "pages of skills": lambda number: tool("list_skills", limit=1000, offset=number, detail=True),
    "completions": lambda number: legacy("completion/complete", argument={"name": "path", "value": ""}, ref={
        "type": "ref/resource", "uri": "skill://{source}/{+path}"}),
}


def burst(running, make):
    """Sends all requests, then reads and returns all answers."""
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


def send(running, body, fields=()):
    one = socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE * SLOWNESS)
    body = json.dumps(body).encode()
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    one.sendall(f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n{head}"
                f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    return one


def rest(one):
    """Reads everything that still arrives; returns b"" when the connection is cut."""
    told = b""
    try:
        while part := one.recv(1 << 20):
            told += part
    except ConnectionResetError:
        pass
    one.close()
    return told


def cancelled(running):
    """Checks that a cancelled request that waits behind others is never worked on."""
    response, _ = running.post(INITIALIZE)
    session = response.headers["Mcp-Session-Id"]
    fields = (("Mcp-Session-Id", session), ("MCP-Protocol-Version", LEGACY))
    said = "tools/call: cancelled by the client"

    def cancel(number, **own):
        running.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}},
                     MCP_Protocol_Version=LEGACY, **own)

    def count():
        return sum(said in line for line in running.log)

    other, _ = running.post(INITIALIZE)
    before = [send(running, BURSTS["patterns"](5000 + number)) for number in range(EACH - 2)]
    one, after = (send(running, {**BURSTS["patterns"](6000 + number), "id": number}, fields) for number in (71, 72))
    ended = False
    while not ended:  # the cancellation may arrive before its request
        cancel(71, Mcp_Session_Id=other.headers["Mcp-Session-Id"])
        cancel(71, Mcp_Session_Id=session)
        ended = bool(select.select([one], [], [], 0.01)[0])
    told = rest(one)
    until(lambda: count() == 1, "the log says that one was cancelled while it waited", DEADLINE * SLOWNESS)
    check(b'"result"' not in told, f"what was cancelled is not answered: {told[:200]}")
    check(b'"result"' in rest(after), "control: the next one of the session is")
    check(all(b'"result"' in rest(each) for each in before), "and so are those before")
    check(count() == 1, "one alone was cancelled, by its own session")


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
        running = Running(SERVER, folder, "--set", "limits.max_list_items=10000")
        until(lambda: json.loads(running.ask("GET", "/readyz")[1]).get("skills") == SKILLS + 1, "all skills are there",
              DEADLINE * SLOWNESS)
        cancelled(running)
        for what, make in BURSTS.items():
            burst(running, make)  # fills the caches, and the memory that stays in use
            before, begun, held = processor_time(running), time.monotonic(), resident(running)
            with Beside(running) as beside:
                statuses = burst(running, make)
            took, span = processor_time(running) - before, time.monotonic() - begun
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
