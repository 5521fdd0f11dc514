#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `skillhost connect` with a server that restarts, is slow, refuses or lies. connect_test.py SERVER SKILLS"""
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from checks import Checks, until
from loopback import Handler, Loopback

SERVER, SKILLS = sys.argv[1:3]
DEADLINE = 60
CANARY = "canary-4711-token"
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
checks = Checks()
check = checks.check


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def asked(*arguments):
    """Returns the exit code and the output of `skillhost health`."""
    run = subprocess.run([SERVER, "health", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         timeout=DEADLINE)
    return run.returncode, run.stdout, run.stderr


class Served:
    """The real server at a port, until it is killed."""

    def __init__(self, port):
        self.process = subprocess.Popen(
            [SERVER, "serve", "--transport", "http", "--port", str(port), "--skills-dir", SKILLS],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if " serving on " in line:
                break
        self.log = []
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        self.reader.start()
        until(lambda: "starting" not in asked(f"http://127.0.0.1:{port}", "--ready")[2], "every source answers or fails")

    def end(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(DEADLINE)
        self.reader.join(DEADLINE)


class Connected:
    """`skillhost connect` with a client on stdio."""

    def __init__(self, port, *options, environment=None):
        self.process = subprocess.Popen(
            [SERVER, "connect", f"http://127.0.0.1:{port}/mcp", *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.lines, self.log, self.seen, self.acknowledged = queue.Queue(), [], [], 0
        threading.Thread(target=self.read, daemon=True).start()
        self.errors = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        self.errors.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def until(self, wanted):
        """Returns the first message that `wanted` accepts; None at the end. Earlier ones are kept in `seen`."""
        while True:
            message = self.lines.get(timeout=DEADLINE)
            self.acknowledged += (message or {}).get("method") == "notifications/subscriptions/acknowledged"
            if message is None or wanted(message):
                return message
            self.seen.append(message)

    def heard(self, wanted):
        """Does the same for messages that have arrived or will. This message and the ones before it are not found
        again."""
        for index, message in enumerate(self.seen):
            if wanted(message):
                del self.seen[:index + 1]
                return message
        return self.until(wanted)

    def ask(self, id, method, **params):
        self.send({"id": id, "method": method, "params": params})
        return self.until(lambda message: message.get("id") == id and "method" not in message)

    def initialize(self):
        answer = self.ask("i", "initialize", protocolVersion="2025-11-25", capabilities={},
                          clientInfo={"name": "t", "version": "1"})
        self.send({"method": "notifications/initialized"})
        return answer

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(DEADLINE)
        self.errors.join(DEADLINE)
        return code


def text_of(log):
    return "".join(log)


def restart():
    port = free_port()
    server = Served(port)
    client = Connected(port)
    check(client.initialize()["result"]["protocolVersion"] == "2025-11-25", "the handshake is the server's")
    load = {"name": "load_skill", "arguments": {"skill_name": "greeter"}}
    loaded = client.ask(1, "tools/call", **load)["result"]["structuredContent"]["data"]["status"]
    again = client.ask(2, "tools/call", **load)["result"]["structuredContent"]["data"]["status"]
    check((loaded, again) == ("loaded", "already_loaded"), f"one session: {loaded}, {again}")
    client.send({"id": "s", "method": "subscriptions/listen",
                 "params": {"notifications": {"toolsListChanged": True}, "_meta": META}})
    first = client.until(lambda message: message.get("method") == "notifications/subscriptions/acknowledged")
    check(first is not None, "the subscription is acknowledged")
    for number in (signal.SIGKILL, signal.SIGTERM):
        server.end(number)
        client.send({"id": f"held {number}", "method": "tools/list"})
        client.send({"id": f"modern {number}", "method": "tools/list", "params": {"_meta": META}})
        server = Served(port)
        open_ids = {f"held {number}", f"modern {number}"}
        while open_ids:
            message = client.until(lambda one: one.get("id") in open_ids)
            check(message is not None and "result" in message, f"held over a restart: {str(message)[:200]}")
            open_ids.discard((message or {}).get("id", next(iter(open_ids))))
        changed = client.heard(lambda one: one.get("method") == "notifications/tools/list_changed" and
                               "subscriptionId" in str(one.get("params")))
        check(changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "s",
              "the subscription goes on and says that something may have changed")
        loaded = client.ask(f"load {number}", "tools/call", **load)
        check(loaded["result"]["structuredContent"]["data"]["status"] == "loaded", f"a session of its own: {loaded}")
    check(client.acknowledged == 1, "the client hears of one subscription once")
    check(client.end() == 0, "the end of the input is exit code 0")
    server.end(signal.SIGTERM)
    check(any("tools/call" in line for line in server.log), "the log is the server's own")


def away():
    client = Connected(free_port(), "--connect-timeout-ms", "700")
    begin = time.monotonic()
    answer = client.initialize()
    check(answer["result"]["serverInfo"]["name"] == "skillhost" and time.monotonic() - begin < 10,
          "initialize is answered while nobody is there")
    for id, params in ((1, {}), (2, {"_meta": META})):
        error = client.ask(id, "tools/list", **params)["error"]
        check(error["code"] == -31004 and error["data"]["retryable"], f"away: {error}")
    check(client.end() == 0, "it ends without a server")


class FakeHandler(Handler):
    def any(self):
        body = self.body()
        self.server.heard.append((self.command, dict(self.headers), body))
        given = self.server.answer(self, json.loads(body) if body else None)
        if given is None:
            self.server.over.wait(DEADLINE)
            self.close_connection = True
        else:
            status, fields, text = given
            self.say(status, fields, text.encode())

    do_GET = do_POST = do_DELETE = any


class Fake(Loopback):
    """Answers with `answer(handler, body)`: (status, fields, text), or None for no answer."""

    def __init__(self, answer):
        self.heard, self.answer = [], answer
        super().__init__(FakeHandler)


def result(body, **members):
    return 200, {"Content-Type": "application/json"}, json.dumps({"jsonrpc": "2.0", "id": body["id"], "result": members})


def slow():
    fake = Fake(lambda handler, body: None)
    client = Connected(fake.port, "--connect-timeout-ms", "800")
    check("result" in client.initialize(), "initialize is answered before a server that says nothing")
    error = client.ask(1, "tools/list")["error"]
    check(error["code"] == -31004, f"what waits for a session is told so: {error}")
    client.send({"id": 2, "method": "tools/list", "params": {"_meta": META}})
    client.send({"method": "notifications/cancelled", "params": {"requestId": 2}})
    for number in range(40):
        client.send({"id": f"n{number}", "method": "tools/list", "params": {"_meta": META}})
    client.process.send_signal(signal.SIGTERM)
    check(client.process.wait(DEADLINE) == 0, "SIGTERM ends it before a server that says nothing")
    fake.end()


def unauthorized():
    def answer(handler, body):
        if handler.headers.get("Authorization") == f"Bearer {CANARY}-2":
            return result(body or {"id": 0}, tools=[])
        return 401, {"WWW-Authenticate": 'Bearer error="invalid_token", error_description="it has expired"'}, ""

    fake = Fake(answer)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "token")
        with open(path, "w") as file:
            file.write(CANARY + "-1\n")
        client = Connected(fake.port, "--token-file", path)
        error = client.ask(1, "tools/list", _meta=META)["error"]
        check(error["code"] == -31007 and "it has expired" in error["message"], f"401: {error}")
        with open(path, "w") as file:
            file.write(CANARY + "-2\n")
        check("result" in client.ask(2, "tools/list", _meta=META), "a new token in the file counts at once")
        check(client.end() == 0, "exit code 0")
        check("--token-file" in text_of(client.log), "the log says what to do")
        check(CANARY not in text_of(client.log), "no token in the log")

        client = Connected(fake.port, "--token-file", os.path.join(folder, "nosuch"),
                           "--connect-timeout-ms", "200")
        error = client.ask(1, "tools/list", _meta=META)["error"]
        check("there is no token to send: the token file" in error["message"] and "nosuch: No such file" in error["message"] and
              "reached" not in error["message"], f"the server is not blamed for a file: {error}")
        check(client.end() == 0, "exit code 0")

        count = os.path.join(folder, "count")
        client = Connected(fake.port, "--token-command", f"echo >>{count}; echo {CANARY}-$(wc -l <{count})")
        check("result" in client.ask(1, "tools/list", _meta=META), "the command is run again after a 401")
        with open(count) as file:
            check(len(file.readlines()) == 2, "and once only")
        check(client.end() == 0 and CANARY not in text_of(client.log), "no token in the log")

    client = Connected(fake.port, "--token-env", "SKH_T", environment={"SKH_T": CANARY})
    error = client.initialize()["error"]
    check("it has expired" in error["message"], f"initialize is refused with the challenge: {error}")
    check(client.end() == 0 and CANARY not in text_of(client.log), "no token in the log")
    fake.end()


def references():
    """Checks that references in a header field are resolved as in the configuration, and that no log line contains
    them."""
    fake = Fake(lambda handler, body: result(body or {"id": 0}, tools=[]))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "token")
        with open(path, "w") as file:
            file.write(CANARY + "-file\n")
        client = Connected(fake.port, "--header", "Authorization: Bearer ${env:SKH_T}", "--header", "X-Api-Key: ${file:" + path + "}",
                           "--header", "X-Plain: $${env:SKH_T} ${HOME}", "--header", "X-Path: ./a", "--log-level", "DEBUG", environment={"SKH_T": CANARY})
        check("result" in client.ask(1, "tools/list", _meta=META), "the server is asked")
        sent = fake.heard[-1][1]
        check(sent["Authorization"] == f"Bearer {CANARY}" and sent["X-Api-Key"] == f"{CANARY}-file", f"what is named is sent: {sent}")
        check(sent["X-Plain"] == "${env:SKH_T} ${HOME}" and sent["X-Path"] == "./a", f"all else is as it was written: {sent}")
        check(client.end() == 0 and CANARY not in text_of(client.log), "no token in the log")
    fake.end()


def lying():
    calls = []

    def answer(handler, body):
        name = (body or {}).get("params", {}).get("name", "") or (body or {}).get("method", "")
        calls.append(name)
        if name == "redirect":
            return 307, {"Location": f"http://127.0.0.1:{other.port}/mcp"}, ""
        if name == "break":
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:\r\n\r\n")
            handler.wfile.flush()
            handler.connection.shutdown(socket.SHUT_RDWR)
            return 200, {}, ""
        if name == "tools/list" and calls.count(name) == 1:
            handler.connection.shutdown(socket.SHUT_RDWR)
            return 200, {}, ""
        if name == "stream":
            text = "\r\n".join([
                ": hello", 'data: {"jsonrpc":"2.0","method":"notifications/progress",', 'data: "params":{}}', "",
                "data: no json", "", f'data: {{"jsonrpc":"2.0","id":{body["id"]},"result":{{"n":1}}}}', "", ""])
            return 200, {"Content-Type": "text/event-stream"}, text
        if name.startswith("503") and calls.count(name) == 1:
            error = {"jsonrpc": "2.0", "id": None, "error": {"code": -31004, "message": "stopping"}}
            return 503, {"Retry-After": "1"} if "later" in name else {}, json.dumps(error) if "words" in name else ""
        if name == "html":
            return 200, {"Content-Type": "text/html"}, "<html>"
        return result(body or {"id": 0}, ok=True)

    other = Fake(lambda handler, body: result(body, stolen=True))
    fake = Fake(answer)
    client = Connected(fake.port, "--token-env", "SKH_T", environment={"SKH_T": CANARY})

    def call(id, name):
        return client.ask(id, "tools/call", name=name, arguments={}, _meta=META)

    error = call(1, "redirect")["error"]
    check(f":{other.port}/mcp" in error["message"], f"a redirect is refused: {error}")
    check(not other.heard, "nothing went where the redirect led")
    error = call(2, "break")["error"]
    check(calls.count("break") == 1 and "not known" in error["message"], f"a call is not repeated: {error}")
    check("result" in client.ask(3, "tools/list", _meta=META), "a list is asked for again")
    check(calls.count("tools/list") == 2, "once")
    client.seen.clear()
    check(call(4, "stream")["result"]["n"] == 1, "a stream's answer comes through")
    check([one["method"] for one in client.seen] == ["notifications/progress"], f"its notification first: {client.seen}")
    check("no MCP" in call(5, "html")["error"]["message"], "what is no MCP is said to be none")
    error = call("503", "503")["error"]
    check(calls.count("503") == 1 and "not known" in error["message"], f"a bare 503 may be a proxy's: {error}")
    for name in ("503 later", "503 words"):
        check("result" in call(name, name) and calls.count(name) == 2, f"{name}: it was not tried, and is asked again")
    check("result" in call(6, "Grüße\n"), "any name goes")
    fields = fake.heard[-1][1]
    check(fields["Mcp-Name"] == "=?base64?R3LDvMOfZQo=?=" and fields["MCP-Protocol-Version"] == "2026-07-28",
          f"the header repeats the body: {fields}")
    check(fields["Authorization"] == f"Bearer {CANARY}", "the token is sent")
    check(client.end() == 0, "exit code 0")
    check(CANARY not in text_of(client.log), "no token in the log")
    fake.end()
    other.end()


def refused_starts():
    for arguments, words in (
        ([], "name the server's URL"),
        (["ftp://x/"], "expected a URL"),
        (["http://skills.example/mcp", "--token-env", "X"], "use https"),
        (["https://u:p@x/mcp"], "a name or a password"),
        (["https://x/", "--header", "x"], "Name: value"),
        (["https://x/", "--header", "Mcp-Method: x"], "set by skillhost"),
        (["https://x/", "--header", "Authorization: Bearer ${TOK}"], "--header: Authorization: the variable TOK would not be looked up"),
        (["https://x/", "--header", "Authorization: Bearer ${TOK}"], "write ${env:TOK}"),
        (["https://x/", "--header", "Authorization: Bearer $TOK"], "write ${env:TOK}"),
        (["https://x/", "--header", "X-Api-Key: $TOK"], "write ${env:TOK}"),
        (["https://x/", "--header", "Cookie: sid=${{ secrets.TOK }}"], "write ${env:TOK}"),
        (["https://x/", "--header", "X-Any: ${env:SKH_NOT_SET}"], "the environment variable SKH_NOT_SET is not set"),
        (["https://x/", "--header", "X-Any: ${file:/nosuch/token}"], "/nosuch/token"),
        (["https://x/", "--token-env", "X", "--token-file", "y"], "exclude each other"),
        (["https://x/", "--connect-timeout-ms", "0"], "whole number"),
    ):
        run = subprocess.run([SERVER, "connect", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=DEADLINE)
        check(run.returncode == 1 and words in run.stderr, f"{arguments}: {run.returncode} {run.stderr[-300:]}")


def health():
    """Checks that `skillhost health` says whether a server answers, and whether it serves."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    code, out, errors = asked(url)
    check((code, out) == (1, "") and f"{url}/healthz" in errors, f"nobody answers: {code} {out} {errors}")
    server = Served(port)
    for words in ([url], [f"{url}/mcp"], [url, "--ready"]):
        code, out, errors = asked(*words)
        check((code, errors) == (0, "") and out.strip() != "", f"{words}: {code} {out} {errors}")
    check('"ready"' in asked(url, "--ready")[1], "what it serves is said")
    server.end()

    class Unready(Handler):
        def do_GET(self):
            self.say(503, {"Content-Type": "application/json"}, b'{"status": "starting"}')

    other = Loopback(Unready)
    code, out, errors = asked(f"http://127.0.0.1:{other.port}", "--ready")
    check((code, out) == (1, "") and "/readyz: HTTP status 503" in errors and "starting" in errors, f"not ready: {errors}")
    for words, reason in ((["nowhere"], "expected a URL"), (["https://u:p@x/"], "a name or a password"),
                          ([url, "--connect-timeout-ms", "0"], "whole number")):
        code, out, errors = asked(*words)
        check((code, out) == (1, "") and reason in errors, f"{words}: {code} {errors}")


def main():
    refused_starts()
    health()
    away()
    slow()
    unauthorized()
    references()
    lying()
    restart()
    return checks.finish()


sys.exit(main())
