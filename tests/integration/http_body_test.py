#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that a request's body is read only after the check of its sender: http_body_test.py SERVER
SCRIPTED_AUTH_PLUGIN SKILLS"""
import concurrent.futures
import json
import os
import re
import socket
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, Checks  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER, PLUGIN, SKILLS = sys.argv[1:4]
LARGE = 10 << 20
BODY = b"x" * LARGE
FLOOD = 32  # simultaneous clients with bodies to hold
checks = Checks()
check = checks.check


class Client:
    """Sends given bytes."""

    def __init__(self, server, *fields, token=None, path="/mcp", content="application/json", body=b""):
        self.socket = socket.create_connection(("127.0.0.1", server.port), DEADLINE)
        self.reader = self.socket.makefile("rb")
        lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Type: {content}", *fields]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        self.send("\r\n".join([*lines, "", ""]).encode() + body)

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # the server has closed; its answer can still be read

    def answer(self):
        """Returns the status, the fields in lower case, and the body."""
        status = int(self.reader.readline().split()[1])
        fields = {}
        while line := self.reader.readline().strip().decode():
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        return status, fields, self.reader.read(int(fields.get("content-length", 0)))

    def close(self):
        self.reader.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def memory(server):
    """Returns the server's peak memory in bytes."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())[1]) << 10


def connections(server):
    """Returns the number of open connections, including this one."""
    figures = server.ask("GET", "/metrics", Authorization="Bearer manager")[1]
    return int(re.search(r"^skillhost_http_connections (\d+)$", figures, re.M)[1])


def refused_by_the_head(server):
    length, chunked = f"Content-Length: {LARGE}", "Transfer-Encoding: chunked"
    for what, status, fields, more in (
            ("no token", 401, [length], {}),
            ("no token, in chunks", 401, [chunked], {}),
            ("no token, asking first", 401, [length, "Expect: 100-continue"], {}),
            ("a wrong token", 401, [length], {"token": "nobody"}),
            ("another Content-Type", 415, [length], {"token": "reader", "content": "text/plain"}),
            ("a token in the query", 400, [length], {"path": "/mcp?access_token=reader"}),
            ("a foreign page", 403, [length, "Origin: https://evil.example"], {"token": "reader"}),
            ("no such path", 404, [chunked], {"path": "/nothing"}),
            ("a path for reading", 405, [length], {"path": "/healthz"})):
        with Client(server, *fields, **more) as client:
            got, given, _ = client.answer()
            check(got == status, f"{what}: {got} in place of {status}")
            check(given.get("connection") == "close", f"{what}: the connection ends with the answer: {given}")
    with Client(server, f"Content-Length: {LARGE}") as client:
        client.send(BODY)
        check(client.answer()[0] == 401, "who sends it all before it reads hears why, too")
    body = json.dumps(legacy("ping")).encode()
    behind = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with Client(server, f"Content-Length: {len(body)}", body=body + behind) as client:
        got, given, _ = client.answer()
        check(got == 401 and "connection" not in given, f"a small body that is there does not end the connection: {got} {given}")
        check(client.answer()[0] == 200, "what is behind it is a request of its own")
    with Client(server, f"Content-Length: {len(body) + len(behind) + 1}", body=body + behind) as client:
        check(client.answer()[0] == 401 and client.reader.read() == b"", "a body of which a byte is missing ends it")


def nobody_fills_the_memory(server):
    before = memory(server)

    def flood(_):
        with Client(server, f"Content-Length: {LARGE}") as client:
            client.send(BODY[1:])
            return client.answer()[0]

    with concurrent.futures.ThreadPoolExecutor(FLOOD) as pool:
        statuses = list(pool.map(flood, range(FLOOD)))
    check(statuses == [401] * FLOOD, f"each hears 401: {statuses}")
    grown = memory(server) - before
    check(grown < FLOOD * LARGE / 8, f"{FLOOD} bodies of {LARGE} bytes cost {grown} bytes")


def slow_provider(server, fifo):
    body = json.dumps(legacy("tools/call", name="list_skills", arguments={"padding": "x" * (LARGE // 2)})).encode()
    before = memory(server)
    with Client(server, f"Content-Length: {len(body)}", token="slow") as client, \
            concurrent.futures.ThreadPoolExecutor(1) as pool, open(fifo, "wb", buffering=0) as release:
        sent = pool.submit(client.send, body)  # opening the pipe has waited until the provider was asked
        for _ in range(20):
            check(server.ask("GET", "/healthz")[0].status == 200, "the others are served")
        grown = memory(server) - before
        check(grown < LARGE // 4, f"while the provider is asked a body of {len(body)} bytes costs {grown} bytes")
        release.write(b"x")
        status, _, text = client.answer()
        sent.result(DEADLINE)
        check(status == 200 and json.loads(text)["id"] == 1, f"then it is read: {status} {text[:200]}")
    with Client(server, "Content-Length: 40", token="slow-again") as client, open(fifo, "wb", buffering=0) as release:
        client.send(b'{"jsonrpc"')
        client.close()
        until = time.monotonic() + DEADLINE
        while connections(server) != 1 and time.monotonic() < until:
            pass
        check(connections(server) == 1, "a client that goes while the provider is asked is noticed")
        release.write(b"x")
    with Client(server, f"Content-Length: {len(body)}", token="slow-third") as client, \
            open(fifo, "wb", buffering=0) as release:
        release.write(b"x")
        client.send(body)
        check(client.answer()[0] == 200, "a client that goes while the provider is asked costs nobody else anything")


def main():
    with tempfile.TemporaryDirectory() as folder:
        fifo = str(Path(folder) / "fifo")
        os.mkfifo(fifo)
        slow = {"do": "block", "fifo": fifo, "scopes": ["skills:read"]}
        tokens = {"reader": {"scopes": ["skills:read"]}, "manager": {"scopes": ["skills:manage"]},
                  "slow": slow, "slow-again": slow, "slow-third": slow}
        server = Running(SERVER, SKILLS, "--set", f"auth.plugin={PLUGIN}", "--set", "auth.isolation=thread",
                         "--set", "auth.config=" + json.dumps({"tokens": tokens}))
        refused_by_the_head(server)
        nobody_fills_the_memory(server)
        slow_provider(server, fifo)
        code = server.end()
        check(code == 0, f"the exit code is {code}")
    return checks.finish()


sys.exit(main())
