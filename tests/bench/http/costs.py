#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what one replica costs: costs.py SERVER FOLDER

It starts SERVER over HTTP with the skills of FOLDER, and sends requests from one client on the loopback interface. It
prints for each call the processor time in microseconds and the elapsed time in milliseconds. It prints the resident
bytes for each session, connection and stream, and the bytes of the JSON log for each request. Finally it prints the
threads, descriptors, inotify watches and memory of the process. Other work on the machine affects processor time less
than elapsed time."""
from __future__ import annotations

import http.client
import json
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "integration"))
from http_server import INITIALIZE, LEGACY, MODERN, Running, modern  # noqa: E402

SESSIONS, CONNECTIONS, STREAMS = 5000, 2000, 1000


class Costs:
    def __init__(self, program: str, folder: str) -> None:
        # The limit allows an address a tenth of the sessions.
        self.server = Running(program, folder, "--set", f"http.max_sessions={20 * SESSIONS}", "--log-format", "json")
        self.process = Path(f"/proc/{self.server.process.pid}")
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=600)

    def resident(self) -> int:
        return int((self.process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def processor(self) -> float:
        """Returns the seconds of processor time of all its threads."""
        fields = (self.process / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def post(self, body: dict[str, Any], **fields: str) -> tuple[http.client.HTTPResponse, bytes]:
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        self.connection.request("POST", "/mcp", json.dumps(body), {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers})
        response = self.connection.getresponse()
        text = response.read()
        if response.status != 200:
            sys.exit(f"{body['method']}: {response.status} {text[:300]!r}")
        return response, text

    def ask(self, method: str, **params: Any) -> Any:
        named = {"Mcp_Name": params["name"]} if "name" in params else {}
        return json.loads(self.post(modern(method, **params), MCP_Protocol_Version=MODERN, Mcp_Method=method, **named)[1])

    def tool(self, name: str, **arguments: Any) -> Any:
        return self.ask("tools/call", name=name, arguments=arguments)["result"]["structuredContent"]

    def wait_for_index(self) -> None:
        while True:
            envelope = self.tool("find_helpful_skills", task_description="merge two pdf files")
            if envelope["success"] and "partial" not in envelope["metadata"]:
                return

    def calls(self, what: str, one: Callable[[int], object], seconds: float = 4.0) -> None:
        one(0)
        count, processor, begun = 0, self.processor(), time.monotonic()
        while time.monotonic() < begun + seconds:
            one(count)
            count += 1
        print(f"{what}: {(self.processor() - processor) / count * 1e6:.0f} us of processor, "
              f"{(time.monotonic() - begun) / count * 1e3:.2f} ms ({count} calls)")

    def memory(self, what: str, count: int, one: Callable[[int], object]) -> list[object]:
        """Prints the resident kB for each of `count` objects; returns the objects, which hold the memory."""
        one(0)
        before = self.resident()
        held = [one(number) for number in range(count)]
        print(f"{what}: {(self.resident() - before) / count / 1000:.2f} kB ({count} of them)")
        return held

    def open(self, request: bytes) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.server.port))
        connection.sendall(request)
        if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
            sys.exit("a connection was refused")
        return connection

    def process_has(self) -> None:
        numbers = list((self.process / "fdinfo").iterdir())
        watches = sum(each.read_text().count("inotify wd:") for each in numbers)
        print(f"the process: {len(list((self.process / 'task').iterdir()))} threads, {len(numbers)} descriptors, "
              f"{watches} watches, {self.resident() / 1e6:.0f} MB")


def stream_request() -> bytes:
    body = json.dumps(modern("subscriptions/listen", notifications={"toolsListChanged": True}))
    return (f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {MODERN}\r\n"
            f"Mcp-Method: subscriptions/listen\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode()


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    costs = Costs(sys.argv[1], sys.argv[2])
    costs.wait_for_index()
    names = [skill["name"] for skill in costs.tool("list_skills", limit=50)["data"]["skills"]]
    costs.calls("tools/list", lambda _: costs.ask("tools/list"))
    costs.calls("load_skill", lambda turn: costs.tool("load_skill", skill_name=names[turn % len(names)]))
    costs.calls("find_helpful_skills", lambda _: costs.tool("find_helpful_skills", task_description="merge two pdf files"))
    costs.calls("skills/list, a page of 200", lambda _: costs.ask("skills/list"))
    lines = [line for line in costs.server.log if "tools/call" in line]
    print(f"the log: {sum(map(len, lines)) / len(lines):.0f} bytes a request")
    sessions = costs.memory("a session", SESSIONS, lambda _: costs.post(INITIALIZE)[0].headers["Mcp-Session-Id"])

    def load_three(number: int) -> None:
        for name in names[:3]:
            costs.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "load_skill", "arguments": {"skill_name": name}}},
                       Mcp_Session_Id=str(sessions[number]), MCP_Protocol_Version=LEGACY)
    costs.memory("three loaded skills of a session", SESSIONS // 5, load_three)
    idle = costs.memory("an idle connection", CONNECTIONS, lambda _: costs.open(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    streams = costs.memory("a stream", STREAMS, lambda _: costs.open(stream_request()))
    costs.process_has()
    for connection in idle + streams:
        connection.close()  # type: ignore[attr-defined]
    return 0 if costs.server.end() == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
