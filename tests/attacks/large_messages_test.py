#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests messages of the largest permitted size. large_messages_test.py SERVER SKILLS

Another client asks beside each attack; the test prints how long its answers take, and fails only far beyond the
patience of a person. Memory is checked where no sanitizer keeps freed memory."""
import hashlib
import hmac
import json
import socket
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import LONGEST, RETURNED, SLOWNESS, Beside, resident  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, Running, legacy  # noqa: E402

SERVER, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve())
FULL = 9_900_000  # max_request_bytes is 10 MiB
SIZE = FULL if SLOWNESS == 1 else 1_500_000  # size of the parsed messages
checks = Checks()
check = checks.check


def filled(before, item, after):
    count = (SIZE - len(before) - len(after)) // len(item)
    return (before + item * count).rstrip(b",") + after


BEFORE = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":'
ATTACKS = {
    "empty objects": (filled(BEFORE + b"[", b"{},", b"]}}"), 400, "values"),
    "members": (BEFORE + b"{" + b",".join(b'"%06d":0' % n for n in range(SIZE // 11)) + b"}}}", 400, "values"),
    "one text": (filled(BEFORE + b'"', b"x", b'"}}'), 200, "result"),
    "escapes": (filled(BEFORE + b'"', b"\\u0001", b'"}}'), 200, "result"),
    "a long id": (filled(b'{"jsonrpc":"2.0","method":"ping","id":"', b"x", b'"}'), 400, "1024 bytes"),
    "a long method": (filled(b'{"jsonrpc":"2.0","id":1,"method":"', b"x", b'"}'), 400, "256 bytes"),
    "depth": (filled(BEFORE, b"[", b""), 400, "deep"),
    "white space": (filled(BEFORE, b" ", b"0}}"), 200, "result"),
    "a long name": (filled(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"', b"x", b'"}}'), 200, "error"),
    "arguments": (filled(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"load_skill","arguments":{"name":"',
                         b"x", b'"}}}'), 200, ""),
}


def messages(running):
    check(running.post(legacy("ping", x=[{}] * 50_000))[0].status == 200, "control: many values, and not too many")
    before = resident(running)
    for what, (body, status, words) in ATTACKS.items():
        check(SIZE * 0.9 < len(body) < 10 << 20, f"control: {what} is as large as it may be: {len(body)}")
        with Beside(running) as beside:
            # Four are sent at once: their costs must not add up for the others.
            answers = []
            senders = [threading.Thread(target=lambda: answers.append(running.ask("POST", body=body))) for _ in range(4)]
            for one in senders:
                one.start()
            for one in senders:
                one.join()
        for response, text in answers:
            check(response.status == status and words in text, f"{what}: {response.status} {text[:300]}")
        check(beside.worst < LONGEST, f"beside {what}: {beside.worst:.3f} s")
        print(f"  {what}: {beside.count} answers beside it, worst {beside.worst * 1000:.0f} ms, "
              f"{(resident(running) - before) / 1024:+.1f} MiB")
    if SLOWNESS == 1:
        until(lambda: resident(running) < before + RETURNED, f"memory goes back: {resident(running)} KiB after {before}")


def handshakes(running):
    """Checks that a client's description of itself is kept only as long as its session."""
    before = resident(running)
    large = json.loads(json.dumps(INITIALIZE))
    large["params"]["capabilities"] = {"experimental": {"x": "y" * SIZE}}
    body = json.dumps(large).encode()
    for _ in range(12):
        response, text = running.ask("POST", body=body)
        check("Mcp-Session-Id" not in response.headers and "65536 bytes" in text, f"{response.status} {text[:200]}")
    response, _ = running.post(INITIALIZE)
    check("Mcp-Session-Id" in response.headers, "control: a usual one has a session")
    large["params"]["capabilities"] = {"experimental": {"x": [{}] * 10_000}}
    sessions = 100
    for _ in range(sessions):
        response, _ = running.post(large)
        check("Mcp-Session-Id" in response.headers, "control: as much as may be said is kept")
    if SLOWNESS == 1:
        until(lambda: resident(running) < before + RETURNED,
              f"{sessions} sessions are within the bound: {resident(running)} KiB after {before}")


def unfinished(running):
    """Checks that bodies without an end take bounded memory, and that others are served."""
    # White space delays parsing until the whole body is there.
    head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % FULL
    before, open_ones, refused = resident(running), [], 0
    for _ in range(20):
        one = socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE)
        open_ones.append(one)
        try:
            one.sendall(head + b" " * (FULL - 1))
        except OSError:
            pass  # refused while it sends
    with Beside(running) as beside:
        for one in open_ones:
            one.setblocking(False)
            try:
                refused += one.recv(100).startswith(b"HTTP/1.1 503 ")
            except OSError:
                pass
        until(lambda: beside.count > 3, "others are served")
    held = (resident(running) - before) >> 10
    check(10 <= refused <= 16, f"beyond 64 MiB of one peer they are refused: {refused} of {len(open_ones)}")
    # A growing buffer has up to twice the size of its content.
    if SLOWNESS == 1:
        check(30 < held < 150, f"control: some are held, and not all: {held} MiB")
    check(beside.worst < LONGEST, f"beside unfinished bodies: {beside.worst:.3f} s")
    for one in open_ones:
        one.close()
    if SLOWNESS == 1:
        until(lambda: resident(running) < before + RETURNED, f"memory goes back: {resident(running)} KiB after {before}")


def abandoned(running):
    """Checks that requests a little too large to be read at once, whose clients have gone, delay nobody."""
    before = resident(running)
    call = json.dumps(legacy("tools/call", name="read_skill_document",
                             arguments={"skill_name": "x", "document_path": "{*,?}" * 190})).encode()
    body = call + b" " * (65_600 - len(call))
    head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 65600\r\n\r\n"
    with Beside(running) as beside:
        for _ in range(1000):
            with socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE) as one:
                one.sendall(head + body)
        response, text = running.ask("POST", body=json.dumps(legacy("ping", x="y" * 70_000)).encode())
        check(response.status in (200, 503), f"a large request is answered or refused: {response.status} {text[:200]}")
    check(beside.worst < LONGEST, f"beside requests that were given up: {beside.worst:.3f} s")
    until(lambda: running.ask("POST", body=body)[0].status == 200, "control: such a request is one that is answered")
    if SLOWNESS == 1:
        until(lambda: resident(running) < before + RETURNED, f"memory goes back: {resident(running)} KiB after {before}")


def hooks():
    """Checks that a caller without the secret learns of no hook, and cannot send a large body to one."""
    with tempfile.TemporaryDirectory() as folder:
        secret = "a-secret-of-a-hook"
        Path(folder, "s.yaml").write_text(
            f"transport: http\nskills_dirs: [{SKILLS}]\nsources:\n"
            f"  - {{name: hidden, plugin: filesystem, webhook_secret: {secret}, config: {{directories: [{SKILLS}]}}}}\n")
        running = Running(SERVER, SKILLS, "--config", f"{folder}/s.yaml")

        def said(path, fields, body=b""):
            with socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE) as one:
                one.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}\r\n\r\n".encode() + body)
                text = one.recv(4096).decode()
                while "\r\n\r\n" not in text:
                    text += one.recv(4096).decode()
                return "\n".join(line for line in text.splitlines() if not line.startswith("Date:"))

        wrong = "X-Hub-Signature-256: sha256=" + "0" * 64
        for fields, body in ((f"{wrong}\r\nContent-Length: 5\r\nExpect: 100-continue", b""), (f"{wrong}\r\nContent-Length: 5", b"hello"),
                             ("Content-Length: 5\r\nExpect: 100-continue", b""), ("Content-Length: 5", b"hello"),
                             ("X-Hub-Signature-256: sha256=0\r\nContent-Length: 5\r\nExpect: 100-continue", b""),
                             (f"{wrong}\r\nContent-Length: 8000000", b""), (f"{wrong}\r\nTransfer-Encoding: chunked", b"800000\r\n")):
            there, nowhere = said("/hooks/hidden", fields, body), said("/hooks/nowhere", fields, body)
            check(there == nowhere, f"{fields}: {there} is not {nowhere}")
            if wrong not in fields:
                check(there.startswith("HTTP/1.1 401 "), f"without a signature the body is not read: {there}")
            if "8000000" in fields or "chunked" in fields:
                check(there.startswith("HTTP/1.1 413 "), f"a large body: {there}")
        right = hmac.new(secret.encode(), b"hello", hashlib.sha256).hexdigest()
        text = said("/hooks/hidden", f"X-Hub-Signature-256: sha256={right}\r\nContent-Length: 5", b"hello")
        check(text.startswith("HTTP/1.1 202 "), f"control: the hook is there: {text}")
        check(running.end() == 0, "the end")


def main():
    running = Running(SERVER, SKILLS)
    messages(running)
    handshakes(running)
    unfinished(running)
    abandoned(running)
    check(running.end() == 0, "the end")
    hooks()
    return checks.finish()


sys.exit(main())
