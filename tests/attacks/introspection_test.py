#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests guesses of tokens while the provider is slow. introspection_test.py SERVER SKILLS

An address that guesses makes only itself wait. The control is the same guesses from as many addresses: each
address has its turn, so a later caller waits as everybody would wait behind one address without turns."""
import json
import socket
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "integration"))
sys.path.insert(0, str(HERE.parent / "integration" / "auth"))
from beside import SLOWNESS  # noqa: E402
from fake import Fake  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve())
SLOW = 0.5  # seconds that the provider takes for each answer
LANES = 5  # requests to it at once
MOST = 64  # validations of one address under way or waiting
FLOOD = 500  # guesses of one address
ADDRESSES = 48  # addresses of the control: few enough that each is answered within 10 s
checks = Checks()
check = checks.check


def slow_provider():
    provider = Fake()

    def introspect(handler):
        handler.server.over.wait(SLOW)
        handler.say(200, body=json.dumps({"active": "token=good" in handler.asked, "sub": "ada", "scope": "skills:read"}).encode())

    provider.behaviours["/introspect"] = introspect
    return provider


def serve(provider, folder):
    config = {"introspection_url": provider.url + "/introspect", "client_id": "c", "client_secret": "a-secret-of-a-client",
              "require_audience": False}
    file = Path(folder, "s.json")
    file.write_text(json.dumps({"auth": {"plugin": "oauth", "threads": LANES, "config": config}}))
    return Running(SERVER, SKILLS, "--config", str(file))


def send(running, token, address):
    """Sends a request from that address of the loopback network, without reading the answer."""
    body = json.dumps(legacy("tools/list")).encode()
    one = socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE * SLOWNESS, source_address=(address, 0))
    one.sendall(f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    return one


def answer(one):
    text = b""
    while part := one.recv(65536):
        text += part
    one.close()
    return int(text.split(b" ", 2)[1]), text.decode()


def waits(running, token):
    """Returns how long another caller waits, and the status of the answer."""
    begun = time.monotonic()
    status, _ = answer(send(running, token, "127.0.0.3"))
    return time.monotonic() - begun, status


def one_address(running, provider):
    alone, status = waits(running, "good0")
    check(status == 200 and alone >= SLOW, f"control: the provider is slow: {status} after {alone:.2f} s")
    begun = time.monotonic()
    guesses = [send(running, f"guess{i}", "127.0.0.2") for i in range(FLOOD)]
    until(lambda: len(provider.asked) >= LANES, "the guesses are asked about", DEADLINE * SLOWNESS)
    beside = [waits(running, f"good{i}") for i in (1, 2)]
    check(all(status == 200 for _, status in beside), f"somebody else comes in: {beside}")
    worst = max(time for time, _ in beside)
    check(worst < 2 * SLOW + SLOWNESS, f"beside {FLOOD} guesses of one address: {worst:.2f} s")
    answers = [answer(one) for one in guesses]
    own = time.monotonic() - begun
    refused = [text for status, text in answers if status == 503]
    judged = sum(status == 401 for status, _ in answers)
    check(judged + len(refused) == FLOOD, f"every guess is refused: {judged} and {len(refused)}")
    check(all("Retry-After: " in text for text in refused), "with Retry-After")
    # Places that become free during the sending are used again.
    turned = sum("too many tokens" in text for text in refused)
    check(MOST <= FLOOD - turned <= 2 * MOST, f"{judged} guesses were asked about, {turned} were refused at once")
    check(own > 2 * worst, f"control: whoever guesses waits: {own:.2f} s")
    print(f"  one address: {worst:.2f} s beside {FLOOD} guesses, which took {own:.2f} s")
    return worst


def many_addresses(running, provider, beside_one):
    asked = len(provider.asked)
    guesses = [send(running, f"other{i}", f"127.0.1.{1 + i}") for i in range(ADDRESSES)]
    until(lambda: len(provider.asked) >= asked + LANES, "the guesses are asked about", DEADLINE * SLOWNESS)
    waited, status = waits(running, "good9")
    check(waited > 2 * beside_one, f"control: behind as many addresses everybody waits: {waited:.2f} s, {status}")
    print(f"  {ADDRESSES} addresses: {waited:.2f} s behind a guess of each")
    for one in guesses:
        answer(one)


def main():
    with tempfile.TemporaryDirectory() as folder, slow_provider() as provider:
        running = serve(provider, folder)
        many_addresses(running, provider, one_address(running, provider))
        check(running.end() == 0, "the end")
        lines = [line for line in running.log if "127.0.0.2" in line]
        check(len(lines) <= 40, f"the log has {len(lines)} lines of {FLOOD} guesses")
        check(any("count=" in line or "further request" in line for line in lines), f"and says how many there were: {lines[-3:]}")
    return checks.finish()


sys.exit(main())
