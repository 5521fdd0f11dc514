#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests messages for which there is no memory: each fails alone, and the server goes on. out_of_memory_test.py
SERVER SKILLS

The server may have 700 MB of address space, or little more than it has when it is idle. The control is that it
lacks memory then: some messages are refused for that reason."""
import http.client
import json
import resource
import subprocess
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import RETURNED, resident  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, Running, legacy  # noqa: E402

SERVER, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve())
SIZE = 9_900_000  # max_request_bytes is 10 MiB
VALUES = 99_000  # a message may have 100,000
WHOLE = 700 << 20
# These are bytes of address space beyond those of the idle server, from almost none to enough for some of the messages.
BEYOND = [4 << 20, 12 << 20, 24 << 20, 40 << 20, 64 << 20, 100 << 20]
checks = Checks()
check = checks.check


def message(number, value):
    head = b'{"jsonrpc":"2.0","id":%d,"method":"ping","params":{"x":' % number
    return head + value + b"}}"


def many(item, count=VALUES):
    """Returns an array of `count` items, with blanks up to the full size."""
    text = b"[" + b",".join([item] * count)
    return text + b" " * (SIZE - 80 - len(text)) + b"]"


def nested(depth=50):
    return many(b"[" * depth + b"]" * depth, VALUES // depth - 1)


def members():
    return b"{" + b",".join(b'"%0190d":0' % number for number in range(SIZE // 200)) + b"}"


SHAPES = [many(b"1.5"), nested(), members(), many(b'"%s"' % (b"x" * 90)), b'"' + b"x" * (SIZE - 80) + b'"',
          many(b'{"k":[{}]}', VALUES // 3 - 1)]
BODIES = [message(100 + number, shape) for number, shape in enumerate(SHAPES)]


def now(process, field):
    """Returns what /proc/PID/status says, in bytes."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith(field + ":"))) << 10


def limit(process, most):
    """Limits the address space to WHOLE, or to `most` bytes more than the process has now. The allocator keeps
    reserved address space for its arenas and takes memory from it without more address space. So the test also limits
    what is writable, which the reserved space is not."""
    beyond = most != WHOLE
    for kind, field in [(resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")][:2 if beyond else 1]:
        resource.prlimit(process.pid, kind, (now(process, field) + most if beyond else most, resource.getrlimit(kind)[1]))


def small(running):
    """Returns the status of a small request, or its error."""
    try:
        response, answer = running.post(legacy("tools/list"))
        return response.status if "result" in answer else str(answer)
    except (OSError, http.client.HTTPException) as why:
        return repr(why)


def burst(running):
    """Sends all six at once; returns the status of each, "closed" where the connection has ended without an answer."""
    told = [None] * len(BODIES)

    def send(number):
        try:
            response, text = running.ask("POST", body=BODIES[number])
            told[number] = response.status
            if response.status == 200:
                check(json.loads(text)["id"] == 100 + number, f"the answer is that to this message: {text[:200]}")
        except ConnectionError:
            told[number] = "closed"
        except (TimeoutError, http.client.HTTPException) as why:  # a hang, or half an answer
            told[number] = repr(why)

    senders = [threading.Thread(target=send, args=(number,)) for number in range(len(BODIES))]
    for one in senders:
        one.start()
    for one in senders:
        one.join()
    return told


def over_http():
    refused = 0
    for most in [WHOLE] * 6 + BEYOND:
        running = Running(SERVER, SKILLS)
        check(small(running) == 200, "control: a small request before")
        check(burst(running) == [200] * 6, "control: with memory each message is answered")
        before = resident(running)
        limit(running.process, most)
        all_told = [burst(running) for _ in range(3)]
        words = f"{most >> 20} MiB{'' if most == WHOLE else ' beyond'}"
        print(f"  HTTP, {words}: {all_told}", flush=True)
        for told in all_told:
            check(set(told) <= {200, 500, 503, "closed"}, f"{words}: {told}")
            refused += len(told) - told.count(200)
        check(running.process.poll() is None, f"{words}: the server lives")
        if running.process.poll() is not None:
            print("".join(running.log[-20:]))
            continue
        until(lambda: small(running) == 200, f"{words}: a small request afterwards: {small(running)}")
        until(lambda: resident(running) < before + RETURNED, f"{words}: memory goes back: {resident(running)} KiB after {before}")
        check(running.end() == 0, f"{words}: the end")
    check(refused > 0, "control: there was too little memory for some")


class Piped:
    """A server on stdio whose lines the test reads."""

    def __init__(self):
        self.process = subprocess.Popen([SERVER, "serve", "--skills-dir", SKILLS], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.answers = {}
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            told = json.loads(line)
            if "id" in told:
                self.answers[told["id"]] = told

    def send(self, body):
        try:
            self.process.stdin.write(body + b"\n")
            self.process.stdin.flush()
        except OSError:
            pass  # it has ended: there is no answer

    def ask(self, number, body, what):
        self.answers.pop(number, None)
        self.send(body)
        until(lambda: number in self.answers or self.process.poll() is not None, what)
        return self.answers.get(number, {})


def on_stdio():
    refused = 0
    for most in [WHOLE] + BEYOND:
        piped = Piped()
        piped.ask(1, json.dumps(INITIALIZE).encode(), "the handshake")
        ping = json.dumps(legacy("ping", id=2)).encode()
        check("result" in piped.ask(2, ping, "a ping"), "control: a small request before")
        # The handshake is answered before plugins are loaded, so the test limits memory only after the start.
        listed = json.dumps(legacy("tools/call", id=3, name="list_skills", arguments={})).encode()
        check("result" in piped.ask(3, listed, "the skills"), "control: the start is over")
        limit(piped.process, most)
        words = f"{most >> 20} MiB{'' if most == WHOLE else ' beyond'}"
        told = []
        for number, body in enumerate(BODIES):
            answer = piped.ask(100 + number, body, f"stdio, {words}: message {number} is answered")
            told.append("result" if "result" in answer else answer.get("error", {}).get("code"))
        print(f"  stdio, {words}: {told}", flush=True)
        # Each failure is a lack of memory, or a line that does not fit into the memory.
        check(set(told) <= {"result", -31003, -32600}, f"{words}: {told}")
        refused += len(told) - told.count("result")
        check(piped.process.poll() is None, f"{words}: the server lives")
        check("result" in piped.ask(2, ping, f"{words}: a small request afterwards"), f"{words}: the next request is served")
        piped.process.stdin.close()
        check(piped.process.wait(DEADLINE) == 0, f"{words}: the end")
    check(refused > 0, "control: there was too little memory for some")


over_http()
on_stdio()
sys.exit(checks.finish())
