# SPDX-License-Identifier: Apache-2.0
"""A small HTTP/1.1 client for many connections in one thread, with the parts that the soak over HTTP needs."""
import asyncio
import json

PATIENCE = 60  # seconds until an answer is given up


class Connection:
    """A connection, opened at its first use."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def send(self, method, token, body=None, fields=None, target="/mcp"):
        """Sends a request; returns the status, the fields and whether a stream follows. text() reads the
        text."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        text = b"" if body is None else json.dumps(body).encode()
        accepted = "application/json, text/event-stream" if method == "POST" else "text/event-stream, */*"
        head = {"Host": "localhost", "Accept": accepted, "Authorization": f"Bearer {token}", **(fields or {})}
        if body is not None:
            head.update({"Content-Type": "application/json", "Content-Length": str(len(text))})
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        self.writer.write(f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode() + text)
        got = (await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode().split("\r\n")
        answered = {name.lower(): value for name, _, value in (line.partition(": ") for line in got[1:] if line)}
        return int(got[0].split()[1]), answered

    async def text(self, fields):
        text = await asyncio.wait_for(self.reader.readexactly(int(fields.get("content-length", 0))), PATIENCE)
        if fields.get("connection") == "close":
            self.drop()
        return text.decode()

    def drop(self):
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None
