#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests sessions of the older protocol, as many and as large as one client can make them. sessions_test.py SERVER

The id of a session holds its content, so a server keeps few of them in memory and refuses nobody. The controls:
without the bound an attacker's sessions would exceed the permitted size."""
import http.client
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import RETURNED, SLOWNESS, resident  # noqa: E402
from checks import DEADLINE, Checks  # noqa: E402
from http_server import INITIALIZE, LEGACY, Running, legacy  # noqa: E402

SERVER = sys.argv[1]
SHARE = 32 << 20  # bytes of one principal's sessions, or of one address
CAPABILITIES = 60_000  # bytes of one handshake, which may have 64 KiB
checks = Checks()
check = checks.check


class Client:
    """Keeps its connection, from an address of the loopback network."""

    def __init__(self, running, address, **fields):
        self.fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **fields}
        self.connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=DEADLINE * SLOWNESS,
                                                     source_address=(address, 0))

    def post(self, message, **fields):
        try:
            self.connection.request("POST", "/mcp", json.dumps(message), {**self.fields, **fields})
            response = self.connection.getresponse()
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            self.connection.close()  # it was unused for longer than the server keeps one
            self.connection.request("POST", "/mcp", json.dumps(message), {**self.fields, **fields})
            response = self.connection.getresponse()
        return response.status, response.headers["Mcp-Session-Id"], response.read()

    def opened(self, size=0):
        message = json.loads(json.dumps(INITIALIZE))
        message["params"]["capabilities"] = {"experimental": {"x": "y" * size}}
        status, session, _ = self.post(message)
        return session if status == 200 else None

    def lives(self, session):
        status, _, text = self.post(legacy("ping"), **{"Mcp-Session-Id": session, "MCP-Protocol-Version": LEGACY})
        assert status in (200, 404), text
        return status == 200


def too_many(skills):
    running = Running(SERVER, skills, "--set", "http.max_sessions=100")
    attacker, other = Client(running, "127.0.0.2"), Client(running, "127.0.0.3")
    own = other.opened()
    made = [attacker.opened() for _ in range(300)]
    check(all(made), "each of them is begun")
    check(all(attacker.lives(one) for one in made), "each of them goes on by its id")
    check(other.lives(own), "and so does everybody else's, though it was unused for longer")
    for foreign in (made[0][:-1], made[0] + "A", made[0][: len(made[0]) // 2], "A" * 4096, "0" * 32):
        check(not attacker.lives(foreign), f"an id that nobody was given: {foreign[:40]}")
    check(running.end() == 0, "the end")


def too_large(skills):
    running = Running(SERVER, skills)
    attacker, other = Client(running, "127.0.0.2"), Client(running, "127.0.0.3")
    own, before = other.opened(), resident(running)
    count = 2 * SHARE // CAPABILITIES
    made = [attacker.opened(CAPABILITIES) for _ in range(count)]
    check(all(made), "each of them is begun")
    check(attacker.lives(made[0]) and attacker.lives(made[-1]) and other.lives(own), "each of them goes on")
    held = (resident(running) - before) << 10
    if SLOWNESS == 1:
        check(held < SHARE + (RETURNED << 10), f"{count} of {CAPABILITIES} bytes hold {held >> 20} MiB")
        check(count * CAPABILITIES > SHARE + (RETURNED << 10), "control: all of them would hold more")
        print(f"  {count} sessions of {CAPABILITIES} bytes of one address: {held >> 20} MiB")
    check(running.end() == 0, "the end")


def of_a_principal(skills):
    """Checks that a principal has the memory of one share, from all addresses together."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "tokens"))
        tokens = [subprocess.run([SERVER, "token", "add", name, "--scope", "skills:read", "--file", file], check=True,
                                 capture_output=True, text=True).stdout.strip() for name in ("ada", "bob")]
        running = Running(SERVER, skills, "--set", "auth.plugin=static", "--set", "auth.config=" + json.dumps({"file": file}))
        attackers = [Client(running, f"127.0.0.{10 + i}", Authorization=f"Bearer {tokens[0]}") for i in range(4)]
        before, count = resident(running), 2 * SHARE // CAPABILITIES
        made = [attackers[i % 4].opened(CAPABILITIES) for i in range(count)]
        check(all(made), "each of them is begun")
        check(attackers[0].lives(made[0]), "the first one goes on")
        held = (resident(running) - before) << 10
        if SLOWNESS == 1:
            check(held < SHARE + (RETURNED << 10), f"{count} of a principal hold {held >> 20} MiB")
        other = Client(running, "127.0.0.10", Authorization=f"Bearer {tokens[1]}")
        check(other.opened(CAPABILITIES) is not None, "another principal has its own")
        check(running.end() == 0, "the end")


def kept_answers(skills):
    """Checks the answers that are kept for clients that resume."""
    running = Running(SERVER, skills, "--set", "limits.max_list_items=10000")
    attacker = Client(running, "127.0.0.2")
    before, sessions, sent = resident(running), 30, 0
    for _ in range(sessions):
        session = attacker.opened()
        for number in range(9):
            call = legacy("tools/call", id=number, name="read_skill_document", arguments={"skill_name": "wide"})
            status, _, text = attacker.post(call, Accept="text/event-stream", **{
                "Mcp-Session-Id": session, "MCP-Protocol-Version": LEGACY})
            check(status == 200 and len(text) > 250_000, f"an answer as a stream: {status} {len(text)} {text[:200]}")
            sent += len(text)
    held = (resident(running) - before) << 10
    if SLOWNESS == 1:
        check(held < SHARE + (RETURNED << 10), f"{held >> 20} MiB are held of {sent >> 20} MiB that were sent")
        check(sent > 2 * SHARE, "control: more was sent than may be held")
        print(f"  {sessions} sessions with answers of {sent >> 20} MiB: {held >> 20} MiB")
    check(running.end() == 0, "the end")


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wide")
        path.mkdir()
        (path / "SKILL.md").write_text("---\nname: wide\ndescription: Has many files.\n---\nText.\n")
        for number in range(900):  # each list is built again
            (path / f"{'a-rather-long-name-' * 4}{number}.md").write_text("x")
        too_many(folder)
        too_large(folder)
        of_a_principal(folder)
        kept_answers(folder)
    return checks.finish()


sys.exit(main())
