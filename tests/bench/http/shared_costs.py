#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how much more a request of a known session costs if replicas share state: shared_costs.py SERVER FOLDER

It starts SERVER over HTTP with the skills of FOLDER, once alone and once with an engine (redis-server on the loopback
interface). With 1 request in flight it prints the server's processor time for one request, and the median elapsed time,
in microseconds. With 8 and 64 requests in flight it prints requests per second. The runs alternate between both
servers, so that other work on the machine affects both. Each result is the median of seven runs. It does not include
the time of the engine."""
from __future__ import annotations

import http.client
import json
import selectors
import socket
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "integration"))
from http_server import INITIALIZE, LEGACY, Running, legacy  # noqa: E402
from replicas import Engine, skip_without  # noqa: E402

RUNS, REQUESTS, WARM = 7, 4000, 500
FIELDS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": LEGACY}


@dataclass
class Cost:
    processor: float  # microseconds a request
    clock: float  # microseconds a request, the median
    rate: float  # requests a second


def processor(server: Running) -> float:
    """Returns the seconds of all its threads, by the scheduler's own count: that of /proc/PID/stat has whole ticks."""
    tasks = Path(f"/proc/{server.process.pid}/task")
    return sum(int((one / "schedstat").read_text().split()[0]) for one in tasks.iterdir()) / 1e9


class Caller:
    """A session on a connection of its own, and one request that it sends repeatedly."""

    def __init__(self, server: Running, message: dict[str, Any]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        session = self.post(connection, INITIALIZE, FIELDS)
        fields = {**FIELDS, "Mcp-Session-Id": session}
        self.post(connection, {"jsonrpc": "2.0", "method": "notifications/initialized"}, fields)
        self.connection = connection  # owns the socket
        self.socket: socket.socket = connection.sock
        body = json.dumps(message).encode()
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.request = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        self.answer = b""

    @staticmethod
    def post(connection: http.client.HTTPConnection, message: dict[str, Any], fields: dict[str, str]) -> str:
        connection.request("POST", "/mcp", json.dumps(message), fields)
        response = connection.getresponse()
        text = response.read()
        if response.status not in (200, 202):
            sys.exit(f"{message['method']}: {response.status} {text[:300]!r}")
        return response.headers["Mcp-Session-Id"] or ""

    def send(self) -> None:
        self.answer = b""
        self.socket.sendall(self.request)

    def receive(self) -> bool:
        """Receives more of the answer; returns whether it is whole."""
        part = self.socket.recv(1 << 16)
        self.answer += part
        head, gap, rest = self.answer.partition(b"\r\n\r\n")
        if not part or (gap and not head.startswith(b"HTTP/1.1 200")):
            sys.exit(f"the server answers {self.answer[:300]!r}")
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if gap and name.lower() == b"content-length":
                return len(rest) >= int(value)
        return False


def loop(callers: list[Caller], count: int) -> list[float]:
    """Sends `count` requests, one of each caller in flight; returns the seconds of each."""
    ready, took, left = selectors.DefaultSelector(), [], count
    begun: dict[int, float] = {}
    for caller in callers:
        ready.register(caller.socket, selectors.EVENT_READ, caller)

    def send(caller: Caller) -> None:
        begun[id(caller)] = time.perf_counter()
        caller.send()

    for caller in callers[:count]:
        send(caller)
        left -= 1
    while len(took) < count:
        for key, _ in ready.select():
            if not key.data.receive():
                continue
            took.append(time.perf_counter() - begun[id(key.data)])
            if left > 0:
                send(key.data)
                left -= 1
    ready.close()
    return took


def cost(server: Running, message: dict[str, Any], at_once: int) -> Cost:
    callers = [Caller(server, message) for _ in range(at_once)]
    loop(callers, WARM)
    before, begun = processor(server), time.perf_counter()
    took = loop(callers, REQUESTS)
    seconds = time.perf_counter() - begun
    spent = processor(server) - before
    for caller in callers:
        caller.connection.close()
    return Cost(spent / REQUESTS * 1e6, statistics.median(took) * 1e6, REQUESTS / seconds)


def measure(alone: Running, shared: Running, what: str, message: dict[str, Any], at_once: int) -> None:
    pairs = [(cost(alone, message, at_once), cost(shared, message, at_once)) for _ in range(RUNS)]
    middle = statistics.median
    one, other = middle(a.processor for a, _ in pairs), middle(b.processor for _, b in pairs)
    adds = middle(b.processor - a.processor for a, b in pairs)
    if at_once == 1:
        more = f"{middle(a.clock for a, _ in pairs):.0f} -> {middle(b.clock for _, b in pairs):.0f} us of the clock"
    else:
        more = f"{middle(a.rate for a, _ in pairs):.0f} -> {middle(b.rate for _, b in pairs):.0f} a second"
    print(f"{what}, {at_once} in flight: {one:.1f} -> {other:.1f} us of processor (adds {adds:.1f}), {more}", flush=True)


def first_skill(server: Running) -> str:
    """Returns the name of a skill, as soon as the server has listed any."""
    caller = Caller(server, legacy("tools/call", name="list_skills", arguments={"limit": 1}))
    while True:
        loop([caller], 1)
        envelope = json.loads(caller.answer.partition(b"\r\n\r\n")[2])["result"]["structuredContent"]
        if envelope["success"] and envelope["data"]["skills"]:
            return str(envelope["data"]["skills"][0]["name"])


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    skip_without("redis-server")
    program, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="skillhost-costs-") as scratch:
        engine = Engine(scratch).start()
        alone = Running(program, folder)
        shared = Running(program, folder, "--set", "state.plugin=valkey", "--set", "state.secret=" + "0123456789abcdef" * 4,
                         "--set", "state.config=" + json.dumps(engine.settings()))
        skill = min(first_skill(one) for one in (alone, shared))
        for what, message in (("ping", legacy("ping")),
                              ("load_skill", legacy("tools/call", name="load_skill", arguments={"skill_name": skill}))):
            for at_once in (1, 8, 64):
                measure(alone, shared, what, message, at_once)
        codes = [alone.end(), shared.end()]
        engine.end()
    return 0 if codes == [0, 0] else 1


if __name__ == "__main__":
    sys.exit(main())
