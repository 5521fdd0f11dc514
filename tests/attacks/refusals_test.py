#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests refused requests by the thousand, and an audit log that accepts nothing. refusals_test.py SERVER SKILLS

The controls: a single refusal has its line, and so has one of another address while the first one is being
counted; and the audit log really accepts nothing (its counter and /readyz say so)."""
import json
import os
import re
import socket
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import LONGEST, SLOWNESS, Beside  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve())
EACH = 2500 if SLOWNESS == 1 else 100  # refusals of a kind
LINES = 10  # lines for one address in a minute
MANAGED = 9000  # more than can wait for the audit log
checks = Checks()
check = checks.check


def request(path, fields, body=b""):
    return (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{fields}"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def send(running, message, times, address):
    """Sends the same request repeatedly over one connection; returns the statuses of the answers."""
    with socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE * SLOWNESS,
                                  source_address=(address, 0)) as one:
        statuses = []
        while len(statuses) < times:
            many = min(50, times - len(statuses))
            one.sendall(message * many)
            text = b""
            while text.count(b"HTTP/1.1 ") < many or not text.endswith((b"}", b"\n")):
                part = one.recv(1 << 16)
                assert part, f"the connection has ended after {text[-300:]!r}"
                text += part
            statuses += re.findall(rb"HTTP/1\.1 (\d+) ", text)
    return statuses


def judge(log, what, number):
    address, other = f"127.0.0.{10 + number}", f"127.0.1.{10 + number}"
    own = [line for line in log if re.search(rf"\b{re.escape(address)}\b", line)]
    # The log and the audit each report some, and a minute may end in between.
    check(LINES <= len(own) <= 4 * (LINES + 1), f"{what}: {len(own)} lines of {EACH} refusals")
    told = sum(int(found[1] or found[2]) for line in own
               if (found := re.search(r"(\d+) further requests? from|count=(\d+)", line)))
    check(EACH - 50 <= told + len(own) <= EACH + 50, f"{what}: {len(own)} lines, and {told} counted of {EACH}")
    check(any(re.search(rf"\b{re.escape(other)}\b", line) for line in log),
          f"control: {what}: another address has its lines: {other}")
    print(f"  {what}: {len(own)} lines of {EACH} refusals")


def log_of_refusals():
    running = Running(SERVER, SKILLS)
    call = json.dumps(legacy("tools/list")).encode()
    kinds = {"a foreign origin": (request("/mcp", "Origin: https://evil.example\r\n"), b"403"),
             "no such session": (request("/mcp", "Mcp-Session-Id: 0123\r\n", call), b"404"),
             "no JSON": (request("/mcp", "", b"{"), b"400"),
             "no such hook": (request("/hooks/nowhere", ""), b"401")}
    for number, (what, (message, status)) in enumerate(kinds.items()):
        with Beside(running) as beside:
            statuses = send(running, message, EACH, f"127.0.0.{10 + number}")
        check(len(statuses) == EACH and set(statuses) == {status}, f"{what}: {len(statuses)} {set(statuses)}")
        check(beside.worst < LONGEST, f"beside {what}: {beside.worst:.3f} s")
        send(running, message, 2, f"127.0.1.{10 + number}")
    check(running.end() == 0, "the end")
    for number, what in enumerate(kinds):
        judge(running.log, what, number)


def too_often():
    running = Running(SERVER, SKILLS, "--set", "rate_limit.requests_per_second=1", "--set", "rate_limit.burst=1")
    message = request("/mcp", "", json.dumps(legacy("tools/list")).encode())
    send(running, message, EACH, "127.0.0.10")
    send(running, message, 5, "127.0.1.10")
    check(running.end() == 0, "the end")
    judge(running.log, "too often", 0)


def figure(running, name):
    _, text = running.ask("GET", "/metrics")
    found = re.search(rf"^{name} (\d+)", text, re.MULTILINE)
    return int(found[1]) if found else None


def manage(running, times):
    """Sends requests that are each audited, with a line that must not be lost."""
    body = json.dumps(legacy("tools/call", name="get_server_stats", arguments={})).encode()
    statuses = send(running, request("/mcp", "", body), times, "127.0.0.1")
    return len(statuses) == times and set(statuses) == {b"200"}


def audit_takes_nothing(audit, what):
    running = Running(SERVER, SKILLS, "--set", f"access.audit_log={audit}")
    check(figure(running, "skillhost_audit_lines_lost_total") == 0, f"{what}: nothing is lost at first")
    with Beside(running) as beside:
        check(manage(running, MANAGED), f"{what}: what manages is answered")
    check(beside.worst < LONGEST, f"beside {what}: {beside.worst:.3f} s")
    lost = figure(running, "skillhost_audit_lines_lost_total")
    check(lost and lost > 0, f"control: {what}: lines are lost: {lost}")
    _, text = running.ask("GET", "/readyz")
    state = json.loads(text)
    check(state["status"] == "degraded" and state["audit"] == {"failing": True, "lost_lines": lost}, f"{what}: {text}")
    told = [line for line in running.log if "further lines are lost and counted" in line]
    check(len(told) == 1 and str(audit) in told[0], f"{what}: the log says it once: {told}")
    print(f"  {what}: {lost} of {MANAGED} lines lost, worst answer beside it {beside.worst * 1000:.0f} ms")
    return running


def full_disk():
    running = audit_takes_nothing("/dev/full", "a full disk")
    check(running.end() == 0, "a full disk: the end")
    check(any("cannot be written" in line and "No space left" in line for line in running.log), "the reason is told")


def unread_pipe():
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder, "audit")
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        running = audit_takes_nothing(pipe, "a pipe that nobody reads")
        parts = []
        os.set_blocking(reader, True)
        thread = threading.Thread(target=lambda: parts.extend(iter(lambda: os.read(reader, 1 << 16), b"")))
        thread.start()
        until(lambda: json.loads(running.ask("GET", "/readyz")[1])["status"] == "ready", "it is read again: nothing fails",
              DEADLINE * SLOWNESS)
        check(running.end() == 0, "a pipe: the end")
        thread.join()
        os.close(reader)
        lines = [json.loads(line) for line in b"".join(parts).decode().splitlines()]
        lost = sum(line["count"] for line in lines if line["event"] == "lost")
        check(lines[-1]["event"] == "stopped", f"and all is written: {lines[-1]}")
        managed = sum(line["event"] == "managed" for line in lines)
        check(lost + managed >= MANAGED, f"each line is written ({managed}) or counted ({lost})")


def main():
    log_of_refusals()
    too_often()
    full_disk()
    unread_pipe()
    return checks.finish()


sys.exit(main())
