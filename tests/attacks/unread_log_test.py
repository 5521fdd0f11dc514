#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a log that nobody reads: stdio, HTTP, the end of the program. unread_log_test.py SERVER SKILLS

The control is the pipe: it is full (FIONREAD), so a server that waited for its reader would have stopped."""
import array
import fcntl
import json
import os
import re
import select
import signal
import subprocess
import sys
import termios
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import DEADLINE, Checks  # noqa: E402
from http_server import INITIALIZE, Running, legacy  # noqa: E402

SERVER, SKILLS = sys.argv[1], sys.argv[2]
# These are more lines than a pipe (64 KiB) and the server's buffer (1 MiB) hold.
CALLS = 6000
LOST = re.compile(r"\[log\] (\d+) lines could not be written and are lost")
checks = Checks()
check = checks.check


def bytes_in(pipe):
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def is_full(pipe):
    return bytes_in(pipe) > 52 << 10  # writes of whole lines leave a little of each page


def environment():
    return {name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")}


def start(*options, stderr):
    return subprocess.Popen([SERVER, "--skills-dir", SKILLS, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=stderr, env=environment())


def ask(server, message):
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    if "id" not in message:
        return None
    ready, _, _ = select.select([server.stdout], [], [], DEADLINE)
    return json.loads(server.stdout.readline()) if ready else None


def unknown(number):
    """Returns a request whose answer costs a line of the log."""
    return legacy("no/such/method/" + "x" * 200, id=number)


def over_stdio():
    server = start("--log-level", "DEBUG", stderr=subprocess.PIPE)
    check(ask(server, INITIALIZE) is not None, "the first answer")
    ask(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    answered = 0
    for number in range(CALLS):
        answer = ask(server, unknown(number))
        if answer is None or answer.get("id") != number:
            break
        answered += 1
    check(answered == CALLS, f"answers while nobody reads the log: {answered} of {CALLS}")
    check(is_full(server.stderr), f"control: nobody has read the pipe, which holds {bytes_in(server.stderr)} bytes")
    # The log is read again: first the kept lines arrive, then the number of lost ones, then everything.
    log = b""
    while not LOST.search(log.decode()):
        ready, _, _ = select.select([server.stderr], [], [], DEADLINE)
        part = os.read(server.stderr.fileno(), 1 << 16) if ready else b""
        if not part:
            break
        log += part
    lost = LOST.search(log.decode())
    check(lost is not None, "lines that are lost are told of: " + log.decode()[-300:])
    told = log.decode().count("Method not found")
    # The handshake has a line or two of its own.
    check(lost and CALLS <= told + int(lost[1]) <= CALLS + 5, f"each line is written ({told}) or counted ({lost and lost[1]})")
    check(len(log) < 3 << 20, f"what is kept is bounded: {len(log)} bytes")
    check(all(re.match(r"\[[0-9: -]+\] \[", line) for line in log.decode().splitlines()), "whole lines")
    check(ask(server, unknown("after"))["id"] == "after", "an answer afterwards")
    server.stdin.close()
    check(server.wait(DEADLINE) == 0, "the end of input ends it")
    check("no/such/method" in server.stderr.read().decode(), "lines afterwards are written")


def end_of_input():
    server = start("--log-level", "DEBUG", stderr=subprocess.PIPE)
    ask(server, INITIALIZE)
    number = 0
    while not is_full(server.stderr) and number < CALLS:
        ask(server, unknown(number))
        number += 1
    check(is_full(server.stderr), "control: the pipe is full")
    for number in range(200):
        ask(server, unknown(number))
    server.stdin.close()
    check(server.wait(DEADLINE) == 0, "it ends although nobody reads")


def nobody_there():
    """Checks a log whose reader has gone, and a full disk."""
    reader, writer = os.pipe()
    server = start("--log-level", "DEBUG", stderr=writer)
    os.close(writer)
    ask(server, INITIALIZE)
    os.close(reader)
    check(all(ask(server, unknown(number)) for number in range(50)), "answers without a reader")
    server.stdin.close()
    check(server.wait(DEADLINE) == 0, "a closed log ends nothing")
    with open("/dev/full", "wb") as full:
        server = start("--log-level", "DEBUG", stderr=full)
        check(all(ask(server, unknown(number)) for number in range(50)), "answers with a full disk")
        server.stdin.close()
        check(server.wait(DEADLINE) == 0, "and the end is in order")


def over_http():
    running = Running(SERVER, SKILLS, "--log-level", "DEBUG", read_log=False)
    sent = 0
    while sent < CALLS and not (is_full(running.process.stderr) and sent >= 1500):
        running.post(unknown(sent))
        sent += 1
    check(is_full(running.process.stderr), "control: the pipe is full")
    response, _ = running.ask("GET", "/healthz")
    check(response.status == 200, f"/healthz: {response.status}")
    response, answer = running.post(legacy("tools/list"))
    check(response.status == 200 and "result" in answer, f"tools/list: {answer}")
    os.kill(running.process.pid, signal.SIGTERM)
    try:
        check(running.process.wait(DEADLINE) == 0, "SIGTERM ends it although nobody reads")
    except subprocess.TimeoutExpired:
        check(False, "SIGTERM ends it although nobody reads")
        running.process.kill()
    running.read_the_rest()


def main():
    over_stdio()
    end_of_input()
    nobody_there()
    over_http()
    return checks.finish()


sys.exit(main())
