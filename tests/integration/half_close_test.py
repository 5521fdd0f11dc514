#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that a client that ends its own side of the connection after a request gets a slow answer, in the clear and
by TLS, and that a client that closes the connection ends the work: half_close_test.py SERVER"""
import json
import re
import socket
import ssl
import struct
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, SLOWNESS, Checks, until  # noqa: E402
from http_server import Running, legacy  # noqa: E402
from loopback import certificate  # noqa: E402

SERVER = sys.argv[1]
FILES = 1000 if SLOWNESS == 1 else 100
checks = Checks()
check = checks.check


def request(number, version="1.1"):
    """Returns a request that takes some time, beside others."""
    body = json.dumps(legacy("tools/call", id=number, name="read_skill_document", arguments={
        "skill_name": "wide", "document_path": "{*,?}" * 150 + str(number)})).encode()
    return (f"POST /mcp HTTP/{version}\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


class Plain:
    def __init__(self, running):
        self.socket = socket.create_connection(("127.0.0.1", running.port), DEADLINE * SLOWNESS)

    def send(self, data):
        self.socket.sendall(data)

    def finish(self):
        self.socket.shutdown(socket.SHUT_WR)

    def rest(self):
        """Returns everything until the server closes."""
        text = b""
        while part := self.socket.recv(1 << 16):
            text += part
        return text

    def close(self, hard):
        if hard:  # by a reset
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class Secure(Plain):
    """Speaks TLS by hand, because the module ssl has no half-closed connections."""

    def __init__(self, running):
        super().__init__(running)
        self.coming, self.going = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = running.context.wrap_bio(self.coming, self.going)
        self.until_done(self.tls.do_handshake)

    def until_done(self, step):
        while True:
            try:
                done = step()
                self.flush()
                return done
            except ssl.SSLWantReadError:
                self.flush()
                if part := self.socket.recv(1 << 16):
                    self.coming.write(part)
                else:
                    self.coming.write_eof()

    def flush(self):
        if data := self.going.read():
            self.socket.sendall(data)

    def send(self, data):
        self.tls.write(data)
        self.flush()

    def finish(self):
        """Ends the TLS side, too (close_notify)."""
        try:
            self.tls.unwrap()
        except ssl.SSLWantReadError:
            pass  # the server has ended its side, too
        self.flush()
        super().finish()

    def rest(self):
        text = b""
        try:
            while part := self.until_done(lambda: self.tls.read(1 << 16)):
                text += part
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            pass  # the server has ended its side, with or without the TLS alert
        return text


class Cut(Secure):
    """Ends its side without a TLS alert."""

    def finish(self):
        Plain.finish(self)


def half(running, kind):
    """Checks that one request, and several at once, get their answers, and that then the connection ends."""
    def answers(version, *numbers):
        one = kind(running)
        one.send(b"".join(request(number, version) for number in numbers))
        one.finish()
        text = one.rest()
        one.socket.close()
        return [int(number) for number in re.findall(rb'"jsonrpc":"2.0","id":(\d+),"result"', text)]

    for number in range(5):
        check(answers("1.1", number) == [number], f"{kind.__name__}: request {number} is answered")
    check(answers("1.1", 10, 11, 12) == [10, 11, 12], f"{kind.__name__}: each of several is answered, in order")
    check(answers("1.0", 20) == [20], f"{kind.__name__}: a request of HTTP/1.0 is answered")


def closed(running, kind):
    """Checks that the work of a client ends when it closes the connection in any way."""
    def given_up():
        return sum("cancelled by the client" in line for line in running.log)

    for hard in (False, True):
        before = given_up()
        busy = [kind(running) for _ in range(20)]
        for number, one in enumerate(busy):
            one.send(request(100 + number))
        gone = kind(running)
        gone.send(request(200))
        for _ in range(3):  # ensures that the server has read the request, which a reset would discard
            running.ask("GET", "/healthz")
        gone.close(hard)
        until(lambda: given_up() == before + 1, f"{kind.__name__}: the line about a request that is given up", DEADLINE * SLOWNESS)
        for one in busy:
            one.finish()
            check(b'"result"' in one.rest(), f"{kind.__name__}: control: those that wait are answered")
            one.socket.close()
        check(given_up() == before + 1, f"{kind.__name__}: and no other one is given up")


def main():
    with tempfile.TemporaryDirectory() as folder:
        wide = Path(folder, "skills", "wide")
        wide.mkdir(parents=True)
        (wide / "SKILL.md").write_text("---\nname: wide\ndescription: Has many files.\n---\nText.\n")
        for number in range(FILES):
            (wide / f"{'a-rather-long-name-' * 3}{number}.md").write_text("x")
        made = certificate(folder)
        kinds = [((), (Plain,))]
        if made:
            kinds.append((("--tls-certificate", made[0], "--tls-key", made[1]), (Secure, Cut)))
        else:
            print("TLS: not tried, openssl is not installed")
        for options, clients in kinds:
            running = Running(SERVER, str(wide.parent), *options)
            until(lambda: json.loads(running.ask("GET", "/readyz")[1]).get("skills") == 1, "the skill is there")
            for kind in clients:
                half(running, kind)
                closed(running, kind)
            check(running.end() == 0, "the end")
    return checks.finish()


sys.exit(main())
