#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that a token is nowhere once its request is answered: in no log, answer, metric or memory: canary_test.py
SERVER SKILLS

Each token is used once, each in another way, valid or not. Then the test searches for them in everything that the
server and its children print, show and remember. The memory of the kernel, libcurl and the network is not
searched."""
import contextlib
import json
import re
import secrets
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "auth")]
from fake import Fake  # noqa: E402
from checks import DEADLINE, Checks  # noqa: E402
from http_server import INITIALIZE, LEGACY, MODERN, Running, legacy, modern  # noqa: E402
from memory_scan import family, holding, open_words  # noqa: E402

SERVER, SKILLS = sys.argv[1:3]
STREAMS = {"a session", "a subscription"}  # the uses of the two tokens with open streams
ROUNDS = 20  # of searching: a thread may be about to release an answered request
checks = Checks()
check = checks.check


class Canaries:
    """The tokens by their uses, and all answers."""

    def __init__(self, server, good, tls):
        self.server, self.good, self.tls = server, good, tls
        self.used, self.answers = {}, []

    def bird(self, use, good=False):
        token = self.good() if good else "canary-" + secrets.token_urlsafe(33).replace("_", "x")
        self.used[use] = token
        return token

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.server.port), DEADLINE)
        return self.tls.wrap_socket(plain) if self.tls else plain

    def raw(self, use, pieces, status):
        """Sends the pieces one by one and reads to the end: the last request must close the connection."""
        with contextlib.closing(self.connect()) as connection:
            for piece in pieces:
                connection.sendall(piece)
            got = b""
            with contextlib.suppress(ConnectionResetError):
                while piece := connection.recv(65536):
                    got += piece
        self.answers.append(got.decode(errors="replace"))
        check(got.startswith(b"HTTP/1.1 %d" % status), f"{use}: {got[:60]}")

    def post(self, use, credential, status, body=None, target="/mcp", fields="", close=True):
        self.raw(use, [request(credential, body, target, fields, close)], status)

    def stream(self, method, credential, body=None, fields=""):
        """Opens a stream and reads its head."""
        connection = self.connect()
        connection.sendall(request(credential, body, "/mcp", fields, False, method))
        got = b""
        while b"\r\n\r\n" not in got:
            piece = connection.recv(65536)
            if not piece:
                break
            got += piece
        self.answers.append(got.decode(errors="replace"))
        check(got.startswith(b"HTTP/1.1 200") and b"text/event-stream" in got, f"a stream: {got[:60]}")
        return connection


def request(credential, body=None, target="/mcp", fields="", close=True, method="POST"):
    text = "" if method == "GET" else json.dumps(legacy("ping") if body is None else body)
    return (f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Accept: {'text/event-stream' if method == 'GET' else 'application/json, text/event-stream'}\r\n"
            + "".join(f"Authorization: {one}\r\n" for one in ([credential] if isinstance(credential, str) else credential))
            + fields + ("Connection: close\r\n" if close else "") + f"Content-Length: {len(text)}\r\n\r\n{text}").encode()


def use_them(birds):
    """Sends tokens in every possible way. Returns the streams, which stay open."""
    bird, post = birds.bird, birds.post
    post("initialize", "Bearer " + bird("initialize", True), 200, INITIALIZE)
    post("modern", "bearer " + bird("modern", True), 200, modern("tools/list"),
         fields=f"MCP-Protocol-Version: {MODERN}\r\nMcp-Method: tools/list\r\n")
    post("a call", "Bearer " + bird("a call", True), 200, legacy("tools/call", name="list_skills", arguments={}))
    post("unknown", "Bearer " + bird("unknown"), 401)
    post("Basic", "Basic " + bird("Basic"), 401)
    post("two words", f"Bearer {bird('two words')} x", 400)
    post("twice", ["Bearer " + bird("twice")] * 2, 400)
    post("query", [], 400, target="/mcp?access_token=" + bird("query"))
    post("path", [], 404, target="/" + bird("path"))
    post("nowhere", "Bearer " + bird("nowhere", True), 404, target="/nowhere")
    post("healthz", "Bearer " + bird("healthz"), 405, target="/healthz")
    post("no JSON", "Bearer " + bird("no JSON", True), 400, body=7)
    post("long", "Bearer " + bird("long") + "x" * 12_000, 401)
    post("too long", "Bearer " + bird("too long") + "x" * 100_000, 431)
    post("a wrong length", "Bearer " + bird("a wrong length"), 400, fields="Content-Length: 7\r\n")
    whole = request("Bearer " + bird("in pieces", True))
    middle = whole.index(b"Bearer") + 20
    birds.raw("in pieces", [whole[:middle], whole[middle:-20], whole[-20:]], 200)
    first = request("Bearer " + bird("the first of two", True), close=False)
    birds.raw("two at once", [first + request("Bearer " + bird("the second of two", True))], 200)
    figures = request("Bearer " + bird("the figures", True), target="/metrics", method="GET")
    birds.raw("the figures", [figures], 200)
    # This client leaves within the head.
    with contextlib.closing(birds.connect()) as gone:
        gone.sendall(request("Bearer " + bird("given up"))[:-60])
    session = birds.good()
    birds.used["a session"] = session
    birds.raw("a session", [request("Bearer " + session, INITIALIZE)], 200)
    number = re.search("(?i)^mcp-session-id: ([^\r]+)", birds.answers[-1], re.MULTILINE)[1]
    own = f"Mcp-Session-Id: {number}\r\nMCP-Protocol-Version: {LEGACY}\r\n"
    listen = modern("subscriptions/listen", notifications={"toolsListChanged": True})
    return [birds.stream("GET", "Bearer " + session, fields=own + f"X-Control: {birds.control}\r\n"),
            birds.stream("POST", "Bearer " + bird("a subscription", True), listen,
                         f"MCP-Protocol-Version: {MODERN}\r\nMcp-Method: subscriptions/listen\r\n")]


def settled(name, processes, marks, control, done):
    """Returns the tokens found in memory, once `done` accepts them or after some rounds."""
    for _ in range(ROUNDS):
        found = holding(processes, [*marks, control], 24)
        check(control in found, f"{name}: the memory was looked through in vain")
        if done({mark: places for mark, places in found.items() if mark != control}):
            break
    return {mark: places for mark, places in found.items() if mark != control}


def look(name, birds, streams, audit):
    server = birds.server
    processes = family(server.process.pid)
    # The middle 20 letters, so that a part of a token is found, too.
    marks = {token[10:30].encode(): use for use, token in birds.used.items()}
    control = birds.control.encode()
    # A stream's token is validated repeatedly, so it is there once while the stream is open.
    watched = {mark for mark, use in marks.items() if use in STREAMS}
    found = settled(name, processes, marks, control,
                    lambda found: found.keys() == watched and all(len(places) == 1 for places in found.values()))
    check(found.keys() >= watched, f"{name}: the token of an open stream is nowhere: {found}")
    for mark, places in found.items():
        check(mark in watched and len(places) == 1, f"{name}: the token of '{marks[mark]}' is in memory: {places}")
    waiting = birds.connect()
    waiting.sendall(f"GET /healthz HTTP/1.1\r\nX-Control: {birds.control}\r\n".encode())
    for stream in streams:
        stream.close()
    for mark, places in settled(name, processes, marks, control, lambda found: not found).items():
        check(False, f"{name}: the token of '{marks[mark]}' is in memory after its stream: {places}")
    waiting.close()
    shown = open_words(processes).decode(errors="replace")
    code = server.end()
    check(code == 0, f"{name}: the exit code is {code}")
    for what, text in (("the log", "".join(server.log)), ("an answer or the figures", "".join(birds.answers)),
                       ("the audit", audit.read_text()), ("a process' title or environment", shown)):
        check(text, f"{name}: {what}: there is nothing to look through")
        for mark, use in marks.items():
            check(mark.decode() not in text, f"{name}: the token of '{use}' is in {what}")


def house(name, folder, good, options, config, tls=None, certificate=()):
    audit = folder / f"audit-{name}".replace(" ", "-")
    server = Running(SERVER, SKILLS, "--log-level", "DEBUG", *options, *certificate,
                     "--set", "auth.config=" + json.dumps(config), "--set", f"access.audit_log={audit}")
    birds = Canaries(server, good, tls)
    birds.control = "control-" + secrets.token_hex(20)
    try:
        look(name, birds, use_them(birds), audit)
    except PermissionError as why:
        print(f"skipped: {name}: the memory of the server cannot be read here: {why}")
    finally:
        if server.process.poll() is None:
            server.process.kill()


def added(file):
    """Adds a token to the file and returns it as the command prints it."""
    run = subprocess.run([SERVER, "token", "add", "bird" + secrets.token_hex(8), "--scope", "skills:manage", "--file", file],
                         capture_output=True, text=True, timeout=DEADLINE, check=True)
    return run.stdout.strip()


def certificate(folder):
    """Returns options with a certificate of our own, and a context that trusts it; None without openssl."""
    if not shutil.which("openssl"):
        return None
    key, crt = folder / "key.pem", folder / "crt.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                    "/CN=localhost", "-keyout", key, "-out", crt], check=True, capture_output=True, timeout=DEADLINE)
    trust = ssl.create_default_context(cafile=crt)
    trust.check_hostname = False
    return trust, ["--tls-certificate", str(crt), "--tls-key", str(key)]


def introspection(handler):
    """Answers that every token which begins like the test's tokens is active."""
    active = "token=good-" in handler.server.asked[-1][3]
    text = {"active": True, "sub": "ada", "scope": "skills:manage", "exp": int(time.time()) + 3600}
    handler.say(200, body=json.dumps(text if active else {"active": False}).encode())


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = str(folder / "tokens")
        added(file)
        static = {"file": file, "cache_seconds": 5}
        for where in ("thread", "process"):
            house(f"static in a {where}", folder, lambda: added(file),
                  ["--set", "auth.plugin=static", "--set", f"auth.isolation={where}",
                   "--set", f"auth.allow_read={folder}"], static)
        if made := certificate(folder):
            house("static over TLS", folder, lambda: added(file), ["--set", "auth.plugin=static"], static, *made)
        else:
            print("skipped: over TLS: there is no openssl")
        with Fake() as fake:
            fake.behaviours["/introspect"] = introspection
            house("oauth", folder, lambda: "good-" + secrets.token_urlsafe(33), ["--set", "auth.plugin=oauth"],
                  {"introspection_url": fake.url + "/introspect", "client_id": "c", "client_secret": "a secret of ours",
                   "require_audience": False})
    return checks.finish()


sys.exit(main())
