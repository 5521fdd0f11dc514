#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests connections that take all places, and answers that nobody reads. connections_test.py SERVER SKILLS

The controls: a caller with a token keeps the place, and another address is answered meanwhile."""
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import LONGEST, SLOWNESS, Beside  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve())
PLACES = 100
FEW = 10
LATER = 20
LARGE = 12 << 20  # bytes of one answer: more than the kernel takes for a client that does not read
READERS = 12
BOUND = 64 << 20  # bytes that one address may leave unread
checks = Checks()
check = checks.check


class Kept:
    """A connection that stays open."""

    def __init__(self, running, address=None):
        self.socket = running.connect(address, DEADLINE * SLOWNESS)

    def send(self, data):
        self.socket.sendall(data)

    def ask(self, token=None, path="/mcp", body=None):
        """Sends a request, reads the whole answer, and returns its status."""
        text = json.dumps(body or legacy("ping")).encode()
        field = f"Authorization: Bearer {token}\r\n" if token else ""
        self.send(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n{field}"
                  f"Content-Length: {len(text)}\r\n\r\n".encode() + text)
        return self.status()

    def status(self):
        """Reads the next answer and returns its status; 0 when the connection has ended."""
        text = b""
        while b"\r\n\r\n" not in text:
            try:
                part = self.socket.recv(1 << 16)
            except ConnectionResetError:
                part = b""
            if not part:
                return 0
            text += part
        head, body = text.split(b"\r\n\r\n", 1)
        left = int(re.search(rb"(?i)content-length: (\d+)", head)[1]) - len(body)
        while left > 0:
            part = self.socket.recv(1 << 20)
            assert part, "the answer was cut"
            left -= len(part)
        return int(head.split()[1])

    def ended(self):
        try:
            return not self.socket.recv(1)
        except ConnectionResetError:
            return True


def places(folder):
    """Checks that strangers in all places do not keep out a caller with a token, who also keeps the place."""
    tokens = f"{folder}/tokens"
    ada = subprocess.run([SERVER, "token", "add", "ada", "--scope", "skills:read", "--file", tokens], check=True,
                         capture_output=True, text=True).stdout.strip()
    file = Path(folder, "s.json")
    file.write_text(json.dumps({"transport": "http", "auth": {"plugin": "static", "config": {"file": tokens}},
                                "http": {"max_connections": PLACES}}))
    running = Running(SERVER, SKILLS, "--config", str(file))
    first = Kept(running)
    check(first.ask(ada) == 200, "control: with a token, beside nobody")
    strangers = []
    for number in range(3 * PLACES):
        one = Kept(running)
        if number % 3 == 1:
            one.send(b"POST /mcp HTTP/1.1\r\nHost")
        if number % 3 == 2:
            check(one.ask("wrong") == 401, "control: a stranger is refused, and its connection stays")
        strangers.append(one)
    check(all(one.ended() for one in strangers[:PLACES]), "those that have waited longest made room")
    check(first.ask(ada) == 200, "who has a token has kept the place")
    later = [Kept(running) for _ in range(LATER)]
    check([one.ask(ada) for one in later] == [200] * LATER, "who comes with a token finds a place")
    worst = 0.0
    for _ in range(3 * PLACES):
        strangers.append(Kept(running))
        strangers.pop(0).socket.close()
        begun = time.monotonic()
        check(first.ask(ada) == 200, "who has a token is answered beside them")
        worst = max(worst, time.monotonic() - begun)
    check(worst < LONGEST, f"beside them: {worst:.3f} s")
    check([one.ask(ada) for one in later] == [200] * LATER, "and keeps it")
    while len(later) < PLACES - 1:
        later.append(Kept(running))
        check(later[-1].ask(ada) == 200, "control: all places are taken by those who have a token")
    check(Kept(running).status() == 503, "then a further one is refused")
    check(first.ask(ada) == 200, "and none of them is closed")
    check(running.end() == 0, "the end")


def unfinished(folder):
    """Checks that incomplete bodies, and refused requests that are read to their end, hold no place."""
    tokens = f"{folder}/tokens"
    ada, bob = (subprocess.run([SERVER, "token", "add", name, "--scope", "skills:read", "--file", tokens], check=True,
                               capture_output=True, text=True).stdout.strip() for name in ("ada", "bob"))
    file = Path(folder, "s.json")
    file.write_text(json.dumps({
        "transport": "http", "auth": {"plugin": "static", "config": {"file": tokens}}, "http": {"max_connections": FEW},
        "sources": [{"name": "s", "plugin": "filesystem", "config": {"directories": [SKILLS]},
                     "webhook_secret": "0123456789abcdef0"}]}))
    running = Running(SERVER, SKILLS, "--config", str(file))
    hook = (b"POST /hooks/none HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: 4000\r\n"
            b"X-Hub-Signature-256: sha256=" + b"0" * 64 + b"\r\n\r\n")
    strangers = []
    for _ in range(FEW):
        strangers.append(Kept(running))
        strangers[-1].send(hook)
        check(b" 100 " in strangers[-1].socket.recv(1 << 10), "control: the server waits for the body of a hook")
    check(Kept(running).ask(ada) == 200, "bodies of hooks that never come make room")
    refused = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nx"
    for _ in range(FEW):
        strangers.append(Kept(running))
        strangers[-1].send(refused)
        check(strangers[-1].status() == 401, "control: without a token it is refused")
    check(Kept(running).ask(ada) == 200, "refused requests that are not whole make room")
    holders = []
    for _ in range(FEW):
        holders.append(Kept(running))
        check(holders[-1].ask(ada) == 200, "control: all places are taken with a token")
    check(Kept(running).status() == 503, "control: then a further one is refused")
    subprocess.run([SERVER, "token", "revoke", "ada", "--file", tokens], check=True, capture_output=True)
    until(lambda: holders[0].ask(ada) == 401, "the revoked token is refused", DEADLINE * SLOWNESS)
    check([one.ask(ada) for one in holders] == [401] * FEW, "and on every connection")
    check(Kept(running).ask(bob) == 200, "connections of a revoked token make room")
    check(running.end() == 0, "the end")


def unread(folder):
    """Checks large answers that their clients do not read: one address has a bound, and the others have their own."""
    skill = Path(folder, "skills", "large")
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: large\ndescription: Is large.\n---\nText.\n")
    (skill / "large.txt").write_text("x" * LARGE)
    running = Running(SERVER, str(skill.parent))
    until(lambda: json.loads(running.ask("GET", "/readyz")[1]).get("skills") == 1, "the skill is there")
    uri = running.post(legacy("resources/list"))[1]["result"]["resources"][0]["uri"].replace("SKILL.md", "large.txt")
    body = json.dumps(legacy("resources/read", uri=uri)).encode()
    request = (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
               f"Content-Length: {len(body)}\r\n\r\n").encode() + body

    def begun(one):
        one.send(request)
        return int(one.socket.recv(12).split()[1])  # the rest stays unread

    def waiting():
        return float(re.search(r"^skillhost_http_unsent_bytes (\S+)$", running.ask("GET", "/metrics")[1], re.M)[1])

    with Beside(running) as beside:
        readers = [Kept(running, "127.0.0.2") for _ in range(READERS)]
        statuses = [begun(one) for one in readers]
    check(statuses.count(503) > 0 and statuses[:2] == [200, 200], f"beyond the bound they are refused: {statuses}")
    check(LARGE < waiting() <= BOUND, f"the figure says how much waits: {waiting()}")
    check(beside.worst < LONGEST, f"beside them: {beside.worst:.3f} s")
    check(Kept(running, "127.0.0.2").ask() == 200, "control: small answers are not counted")
    other = Kept(running, "127.0.0.3")
    other.send(request)
    check(other.status() == 200, "control: another address is answered")
    for one in readers:
        one.socket.close()
    until(lambda: waiting() == 0, "what nobody waits for is let go of", DEADLINE * SLOWNESS)
    again = Kept(running, "127.0.0.2")
    again.send(request)
    check(again.status() == 200, "then there is room again")
    check(running.end() == 0, "the end")


def main():
    for what in (places, unfinished, unread):
        with tempfile.TemporaryDirectory() as folder:
            what(folder)
    return checks.finish()


sys.exit(main())
