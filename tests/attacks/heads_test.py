#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests heads of requests that two readers could take differently, and a page under a foreign name. heads_test.py
SERVER SKILLS

The controls: the same request without the attack is answered."""
import json
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import SLOWNESS  # noqa: E402
from checks import DEADLINE, Checks  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve())
checks = Checks()
check = checks.check


def said(running, line, fields, body=b""):
    """Sends a request unchanged; returns the status and the body of its answer."""
    head = [line, *fields, "Connection: close", *([f"Content-Length: {len(body)}"] if body else [])]
    with socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE * SLOWNESS) as one:
        one.sendall("\r\n".join([*head, "", ""]).encode() + body)
        text = b""
        while part := one.recv(65536):
            text += part
    return int(text.split(b" ")[1]), text.partition(b"\r\n\r\n")[2].decode()


def lists(running, line="POST /mcp HTTP/1.1", fields=(), host=None):
    body = json.dumps(legacy("tools/list")).encode()
    return said(running, line, [f"Host: {host or f'127.0.0.1:{running.port}'}", "Content-Type: application/json",
                                "Accept: application/json, text/event-stream", *fields], body)


def two_origins(running):
    own, evil = f"Origin: http://127.0.0.1:{running.port}", "Origin: https://evil.example"
    check(lists(running, fields=[own])[0] == 200, "control: the own origin may ask")
    check(lists(running, fields=[evil])[0] == 403, "control: a foreign one may not")
    for fields in ([own, evil], [evil, own], [own, own], [own, "X: y", "oRIGIN: https://evil.example"]):
        status, text = lists(running, fields=fields)
        check(status == 400 and "twice" in text, f"{fields}: {status} {text}")


def another_target(running):
    host = f"127.0.0.1:{running.port}"
    check(lists(running, f"POST http://{host}/mcp HTTP/1.1")[0] == 200, "control: an absolute target with the name of Host")
    for target in ("http://evil.example/mcp", f"http://127.0.0.1:{running.port + 1}/mcp", "https://evil.example/mcp", f"http://evil.example@{host}/mcp"):
        status, text = lists(running, f"POST {target} HTTP/1.1")
        check(status == 400 and "tools" not in text, f"{target}: {status} {text[:200]}")
    # In reverse, the name in the target must not satisfy the check of Host.
    status, text = lists(running, f"POST http://{host}/mcp HTTP/1.1", host="evil.example")
    check(status == 400, f"Host of another server: {status} {text[:200]}")


def readiness(running):
    """Checks that a page of evil.example whose name leads here cannot read the numbers."""
    _, text = said(running, "GET /readyz HTTP/1.1", [f"Host: 127.0.0.1:{running.port}"])
    check("skills" in json.loads(text), f"control: the own name has the numbers: {text}")
    status, text = said(running, "GET /readyz HTTP/1.1", ["Host: evil.example"])
    check(status == 200 and json.loads(text) == {"status": "ready"}, f"a foreign Host: {status} {text}")
    status, text = said(running, "GET /readyz HTTP/1.1", [f"Host: 127.0.0.1:{running.port}", "Origin: https://evil.example"])
    check(json.loads(text) == {"status": "ready"}, f"a foreign Origin: {status} {text}")


def main():
    running = Running(SERVER, SKILLS)
    two_origins(running)
    another_target(running)
    readiness(running)
    check(running.end() == 0, "the end")
    return checks.finish()


sys.exit(main())
