#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A plugin answers HTTP requests, in the host's process and in one of its own. Whatever it does, its client receives an answer
and nobody else waits. http_handler_test.py SERVER ROOT FIXTURES"""
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from checks import DEADLINE, SLOWNESS, Checks, until
from http_server import Running, legacy

SERVER, ROOT, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).resolve()
SKILLS = str(ROOT / "examples/skills")
ISOLATIONS = ("thread", "process")
ROUTES = [{"path": "/answer/", "folder": True, "methods": "GET, POST", "max_body": 1 << 20},
          {"path": "/read", "permission": 1}, {"path": "/manage", "permission": 2}, {"path": "/review", "permission": 3},
          {"path": "/constant", "content": "always the same\n", "type": "text/plain; charset=utf-8"}]
checks = Checks()
check = checks.check


class Answering:
    """A server with the fixture as a handler of some routes."""

    def __init__(self, isolation, *options, routes=None, config=None, more=(), settings=None, served=True):
        self.folder = tempfile.TemporaryDirectory(prefix="skillhost-http-")
        self.root = Path(self.folder.name)
        handler = {"name": "answering", "plugin": str(FIXTURES / "answering.so"), "isolation": isolation,
                   "config": {"routes": ROUTES if routes is None else routes, **(config or {})}}
        configuration = self.root / "skillhost.json"
        configuration.write_text(json.dumps({"http_handlers": [handler, *more], "search": {"plugin": "none"},
                                             "deadlines": {"query_ms": 1000, "mutation_ms": 2000}, **(settings or {})}))
        os.environ["XDG_CACHE_HOME"] = str(self.root / "cache")
        self.running = Running(SERVER, SKILLS, "--config", str(configuration), *options)
        if served:
            until(lambda: self.handler().get("routes"), f"{isolation}: its routes are served: {self.log()}")

    def ask(self, path, method="GET", body=None, **fields):
        return self.running.ask(method, path, body, **fields)

    def readiness(self, **fields):
        return json.loads(self.running.ask("GET", "/readyz", **fields)[1])

    def handler(self, name="answering"):
        return self.readiness().get("http_handlers", {}).get(name, {})

    def log(self):
        return "".join(self.running.log)

    def serves(self):
        """MCP and another path of the plugin answer."""
        _, text = self.running.post(legacy("tools/call", name="load_skill", arguments={"skill_name": "release-notes"}))
        return "Release notes" in str(text) and self.ask("/answer/echo")[0].status == 200

    def end(self):
        code = self.running.end()
        self.folder.cleanup()
        return code


def answers(isolation):
    """Requests reach the plugin with all that belongs to them, and answers the client."""
    server = Answering(isolation)
    response, text = server.ask("/answer/echo?a=1&b=%20", X_Field="yes", Authorization="Basic eDp5", Cookie="secret=1")
    said = json.loads(text)
    check(response.status == 200 and response.headers["Content-Type"] == "application/json" and response.headers["X-Answer"] == "yes" and
          response.headers["X-Content-Type-Options"] == "nosniff", f"{isolation}: {response.status} {response.headers}")
    check(said["method"] == "GET" and said["path"] == "/answer/echo" and said["query"] == "a=1&b=%20" and said["field"] == "yes" and
          said["peer"].startswith("127.0.0.1:") and said["body"] == "" and said["subject"] == "", f"{isolation}: {said}")
    check(said["authorization"] is None and said["cookie"] is None, f"{isolation}: no credential reaches it: {said}")
    response, text = server.ask("/answer/echo", "POST", b"the body")
    check(response.status == 201 and json.loads(text)["body"] == "the body", f"{isolation}: POST {response.status} {text}")
    response, text = server.ask("/answer/echo", "HEAD")
    check(response.status == 200 and text == "" and int(response.headers["Content-Length"]) > 10, f"{isolation}: HEAD {response.headers}")
    response, _ = server.ask("/answer/echo", "DELETE")
    check(response.status == 405 and response.headers["Allow"] == "GET, POST, HEAD", f"{isolation}: DELETE {response.status} {response.headers}")
    response, _ = server.ask("/answer/echo", Host="evil.example")
    check(response.status == 403, f"{isolation}: a foreign Host {response.status}")
    response, _ = server.ask("/answer/echo", Origin="https://evil.example")
    check(response.status == 403, f"{isolation}: a foreign Origin {response.status}")
    response, _ = server.ask("/answers")
    check(response.status == 404, f"{isolation}: another path {response.status}")
    for path, status in (("/read", 200), ("/manage", 200)):
        check(server.ask(path)[0].status == status, f"{isolation}: {path} without an auth plugin")
    check(server.readiness()["status"] == "ready" and server.handler() == {"failing": False, "routes": 5}, f"{isolation}: {server.readiness()}")
    check(server.end() == 0, f"{isolation}: the end")


def constants(isolation):
    """A constant is served without a call, and not sent to a client that has it."""
    server = Answering(isolation)
    response, text = server.ask("/constant")
    tag = response.headers["ETag"]
    check(response.status == 200 and text == "always the same\n" and response.headers["Content-Type"] == "text/plain; charset=utf-8" and
          re.fullmatch(r'"[0-9a-f]{32}"', tag) and response.headers["X-Content-Type-Options"] == "nosniff", f"{isolation}: {response.headers}")
    response, text = server.ask("/constant", If_None_Match=f'"other", W/{tag}')
    check(response.status == 304 and text == "" and response.headers["ETag"] == tag, f"{isolation}: 304 {response.status}")
    check(server.ask("/constant", If_None_Match='"other"')[0].status == 200, f"{isolation}: another tag")
    response, text = server.ask("/constant", "HEAD")
    check(response.status == 200 and text == "" and response.headers["Content-Length"] == "16", f"{isolation}: HEAD {response.headers}")
    check(server.ask("/constant", "POST", b"")[0].status == 405, f"{isolation}: POST")
    check(server.end() == 0, f"{isolation}: the end")


def bodies(isolation):
    """The body arrives as a stream; one that is too long, late or broken off is no fault of the plugin."""
    server = Answering(isolation)
    whole = b"x" * (1 << 20)
    response, text = server.ask("/answer/count", "POST", whole)
    counted = json.loads(text)
    check(response.status == 200 and counted["bytes"] == len(whole) and counted["reads"] >= 100, f"{isolation}: {response.status} {text}")
    connection = server.running.connect()
    connection.sendall(b"POST /answer/count HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000\r\n\r\n" + b"x" * 100_000)
    until(lambda: server.log().count("the body begins") == 2, f"{isolation}: it reads before the body is whole")
    connection.sendall(b"x" * 100_000)
    check(b'"bytes":200000' in connection.recv(10_000), f"{isolation}: the rest of the body")
    connection.close()
    response, text = server.ask("/answer/echo", "POST", b"x" * ((1 << 20) + 1))
    check(response.status == 413, f"{isolation}: a body that is too long: {response.status}")
    connection = server.running.connect()
    connection.sendall(b"POST /answer/count HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f0000\r\n" + b"x" * 0xf0000 +
                       b"\r\n" + b"20000\r\n" + b"x" * 0x20000)
    said = connection.recv(10_000)
    check(b" 413 " in said, f"{isolation}: a chunked body that is too long: {said[:200]}")
    connection.close()
    response, text = server.ask("/answer/partly", "POST", b"y" * 500_000)
    check(response.status == 200 and text == "yyyyyyyyyy", f"{isolation}: it need not read all: {response.status} {text[:50]}")
    check(server.ask("/answer/no_room", "POST", b"y")[0].status == 400, f"{isolation}: it reads without room, which is invalid")
    late = server.running.connect()
    late.sendall(b"POST /answer/count HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000\r\n\r\n" + b"x" * 100_000)
    gone = server.running.connect()
    gone.sendall(b"POST /answer/count HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000\r\n\r\n" + b"x" * 100_000)
    gone.close()
    check(server.serves(), f"{isolation}: others are served meanwhile")
    said = late.recv(10_000)
    check(b" 408 " in said, f"{isolation}: a body that is late: {said[:200]}")
    late.close()
    check(server.readiness()["status"] == "ready", f"{isolation}: that is no fault of the plugin: {server.readiness()} {server.log()[-1500:]}")
    check(server.serves(), f"{isolation}: and it works")
    check(server.end() == 0, f"{isolation}: the end")


def short_deadline(isolation):
    """A handler may wait for the body if its call has less than half a second, too."""
    server = Answering(isolation, settings={"deadlines": {"mutation_ms": 450}})
    begun = 0

    def sends_slowly():
        nonlocal begun
        with server.running.connect() as connection:
            connection.sendall(b"POST /answer/count HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000\r\n\r\n" + b"x" * 100_000)
            begun += 1
            until(lambda: server.log().count("the body begins") == begun, f"{isolation}: it reads before the body is whole")
            connection.sendall(b"x" * 100_000)
            return b'"bytes":200000' in connection.recv(10_000)

    # A busy machine may use up such a short time, so one of several requests must be answered.
    until(sends_slowly, f"{isolation}: a body in two parts is read in less than half a second")
    check(server.end() == 0, f"{isolation}: the end")


def permissions(isolation):
    """The host asks who the caller is, and the plugin learns it."""
    with tempfile.TemporaryDirectory(prefix="skillhost-http-") as folder:
        tokens = Path(folder) / "tokens"

        def token(name, *scopes):
            options = [part for scope in scopes for part in ("--scope", scope)]
            return subprocess.run([SERVER, "token", "add", name, "--file", tokens, *options], capture_output=True, text=True, timeout=DEADLINE,
                                  check=True).stdout.strip()

        reader, manager = token("reader", "skills:read"), token("manager", "skills:read", "skills:manage")
        server = Answering(isolation, settings={"auth": {"plugin": "static", "config": {"file": str(tokens)}}}, served=False)
        manages = {"Authorization": f"Bearer {manager}"}
        until(lambda: server.readiness(**manages).get("http_handlers", {}).get("answering", {}).get("routes"), f"{isolation}: it is served")
        check("http_handlers" not in server.readiness(), f"{isolation}: the short answer: {server.readiness()}")
        for path, credential, status in (("/answer/echo", None, 200), ("/read", None, 401), ("/read", "wrong", 401), ("/read", reader, 200),
                                         ("/manage", reader, 403), ("/manage", manager, 200), ("/review", manager, 403)):
            fields = {"Authorization": f"Bearer {credential}"} if credential else {}
            response, text = server.ask(path, **fields)
            check(response.status == status, f"{isolation}: {path} for {credential and credential[:8]}: {response.status} {text[:200]}")
        said = json.loads(server.ask("/read", Authorization=f"Bearer {reader}")[1])
        check(said["subject"] == "reader" and said["issuer"] == "static" and said["authorization"] is None, f"{isolation}: {said}")
        said = json.loads(server.ask("/answer/echo", Authorization=f"Bearer {reader}")[1])
        check(said["subject"] == "" and said["authorization"] is None, f"{isolation}: nobody is identified: {said}")
        check(reader not in server.log() and manager not in server.log(), f"{isolation}: no token in the log")
        check(server.end() == 0, f"{isolation}: the end")


def wrong_answers(isolation):
    """Each wrong answer becomes a status, and a line of the log that says why."""
    server = Answering(isolation)
    for number, (path, status, words) in enumerate((
            ("throw", 500, "handle: an exception of the plugin"), ("fail", 500, "handle: this one fails"),
            ("away", 503, "handle: it is away"), ("unknown", 404, None), ("invalid", 400, None),
            ("silent", 500, "it returns SKH_OK without an answer"), ("twice", 500, "it begins its answer twice"),
            ("status", 500, "the status 99 is not from 200 to 599"), ("break", 500, "the field X-Text has a control character"),
            ("name", 500, "is no token"), ("length", 500, "the field Content-Length is the server's own"),
            ("hop", 500, "the field Transfer-Encoding is the server's own"), ("early", 500, "it writes a body before it begins"),
            ("nobody", 500, "it writes a body for the status 204"), ("endless", 500, "its body has more than 8388608 bytes"),
            ("cancel", 500, "handle: it returned SKH_CANCELLED, but nobody cancelled it"), ("late", 504, "handle: no answer in time"))):
        if number == 9:  # at most ten such lines are logged in a minute
            check(server.end() == 0, f"{isolation}: the end: {server.log()[-500:]}")
            server = Answering(isolation)
        response, text = server.ask("/answer/" + path)
        check(response.status == status and "X-Two" not in response.headers and "plugin" not in text and "exception" not in text,
              f"{isolation}: {path}: {response.status} {text[:200]}")
        if words:
            until(lambda words=words: words in server.log(),
                  f"{isolation}: {path}: the log says why: {server.log()[-1500:]}")
        check(server.serves(), f"{isolation}: after {path} it works")
    check("answering: handle: no answer in time: the client receives 504" in server.log(), f"{isolation}: a clear line: {server.log()[-3000:]}")
    check(server.readiness()["status"] == "ready", f"{isolation}: it works again: {server.readiness()}")
    check(server.ask("/answer/fail")[0].status == 500, f"{isolation}: fail")
    state = server.readiness()
    check(state["status"] == "degraded" and state["http_handlers"]["answering"]["failing"], f"{isolation}: its last call failed: {state}")
    check(server.end() == 0, f"{isolation}: the end: {server.log()[-500:]}")


def goes_away(isolation):
    """A client that goes away takes nothing from the requests of others, though the plugin works on for its request."""
    server = Answering(isolation, settings={"deadlines": {"query_ms": 10_000, "mutation_ms": 10_000}})
    gone = server.running.connect()
    gone.sendall(b"GET /answer/late HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    answered = []
    asking = [threading.Thread(target=lambda: answered.append(server.ask("/answer/late")[0].status)) for _ in range(3)]
    for one in asking:
        one.start()
    gone.close()
    for one in asking:
        one.join(DEADLINE)
    check(answered == [200] * 3, f"{isolation}: the others are answered: {answered} {server.log()[-1000:]}")
    check("was ended" not in server.log() and "ended by signal" not in server.log(), f"{isolation}: {server.log()[-1000:]}")
    check(server.end() == 0, f"{isolation}: the end")


def hangs(isolation):
    """A call that does not return is answered at its deadline; others go on, and the server ends."""
    server = Answering(isolation)
    begun = time.monotonic()
    answered = []
    asking = threading.Thread(target=lambda: answered.append(server.ask("/answer/hang")[0].status))
    asking.start()
    check(server.serves(), f"{isolation}: others are served beside it")
    asking.join(DEADLINE)
    check(answered == [504] or (isolation == "process" and answered == [503]), f"{isolation}: {answered}")
    check(time.monotonic() - begun < 10 * SLOWNESS, f"{isolation}: answered in time")
    until(lambda: "handle: no answer in time" in server.log(), f"{isolation}: the log: {server.log()[-1500:]}")
    until(server.serves, f"{isolation}: it is served again")
    begun = time.monotonic()
    server.running.end()
    check(time.monotonic() - begun < 15 * SLOWNESS, f"{isolation}: the end does not wait for it")
    server.folder.cleanup()


def crashes():
    """In a process of its own it takes only that with it."""
    server = Answering("process")
    response, _ = server.ask("/answer/crash")
    check(response.status == 503 and response.headers["Retry-After"] == "1", f"its client receives {response.status}")
    until(lambda: "its process ended before it had answered" in server.log(), f"the log says so: {server.log()[-1500:]}")
    until(server.serves, "its process is started again")
    check(server.readiness()["status"] == "ready", f"all is well again: {server.readiness()}")
    # Each crash doubles the pause before the next start, also if the plugin answers in between.
    begun = time.monotonic()
    for number in range(2, 9):
        server.ask("/answer/crash")
        until(server.serves, "its process is started again")
        until(lambda number=number: server.log().count("its process was started again") == number, f"it is the start {number}")
    check(time.monotonic() - begun > 2.2, f"seven crashes in a row: {time.monotonic() - begun} s")
    check(server.end() == 0, "the end")


def claims():
    """A path that somebody else has, or a wrong one, is refused with both owners' names, and everything else is served."""
    for routes, words in (([{"path": "/mcp"}], "the plugin answering (http_handlers) claimed /mcp, and MCP (http.path) claimed /mcp"),
                          ([{"path": "/ok"}, {"path": "/healthz"}], "claimed /healthz, and the health of the server claimed /healthz"),
                          ([{"path": "/readyz", "content": "ready"}], "the health of the server"),
                          ([{"path": "/.well-known/oauth-protected-resource/x"}], "where to log in"),
                          ([{"path": "/.well-known/", "folder": True}], "where to log in"),
                          ([{"path": "/.well-known/oauth-authorization-server", "content": "{}"}], "where to log in"),
                          ([{"path": "/", "folder": True}], "where to log in"), ([{"path": "/console/"}], "the console"),
                          ([{"path": "/a/", "folder": True}, {"path": "/a/b"}], "a path cannot belong to both"),
                          ([{"path": "relative"}], "does not begin with a slash"), ([{"path": "/a b"}], "visible ASCII"),
                          ([{"path": "/a", "folder": True}], "does not end with a slash"), ([{"path": "/a", "methods": "get"}], "is no method"),
                          ([{"path": "/a", "methods": "GET, TRACE"}], "is no method"), ([{"path": "/a", "permission": 9}], "a permission that is unknown"),
                          ([{"path": "/a", "max_body": 1 << 40}], "its max_body is more than"),
                          ([{"path": "/a", "content": "x", "methods": "POST"}], "a constant is read with GET alone"),
                          ([{"path": "/a", "content": "x", "type": "a\r\nb"}], "control character"),
                          ([{"path": f"/{i}"} for i in range(300)], "more than 256 routes")):
        server = Answering("process", routes=routes, served=False)
        until(lambda: server.handler().get("failing"), f"{routes}: it is refused: {server.readiness()} {server.log()}")
        until(lambda words=words: words in server.log(), f"{routes}: the log names it: {server.log()[-1500:]}")
        check(server.readiness()["status"] == "degraded" and server.handler()["routes"] == 0, f"{routes}: {server.readiness()}")
        check(server.ask("/ok")[0].status == 404, f"{routes}: none of its paths is served")
        check("Release notes" in str(server.running.post(legacy("tools/call", name="load_skill", arguments={"skill_name": "release-notes"}))[1]),
              f"{routes}: skills are served")
        plugins = str(server.running.post(legacy("resources/read", uri="skillhost://plugins"))[1])
        check("degraded" in plugins, f"{routes}: the operator sees it")
        check(server.end() == 0, f"{routes}: the end")
    second = {"name": "second", "plugin": str(FIXTURES / "answering.so"), "isolation": "thread", "config": {"routes": [{"path": "/answer/mine"}]}}
    server = Answering("thread", more=[second])
    until(lambda: server.handler("second").get("failing"), "two plugins have one path")
    check("the plugin second (http_handlers) claimed /answer/mine, and the plugin answering (http_handlers) claimed /answer/" in server.log(), server.log())
    check(server.serves(), "the first one is served")
    check(server.end() == 0, "the end")


def starts():
    """A plugin whose start takes long delays neither the server nor others; its paths are not there yet."""
    slow = {"config": {"on_create": "hang"}}
    server = Answering("process", config=slow["config"], served=False)
    response, _ = server.ask("/answer/echo")
    check(response.status == 503 and response.headers["Retry-After"] == "1", f"a path that may be its own: {response.status}")
    check(server.ask("/.well-known/oauth-authorization-server")[0].status == 404, "clients look for metadata")
    check("Release notes" in str(server.running.post(legacy("tools/call", name="load_skill", arguments={"skill_name": "release-notes"}))[1]), "skills")
    server.running.end()
    server.folder.cleanup()
    for what, isolation in (("fail", "thread"), ("fail", "process"), ("crash", "process")):
        server = Answering(isolation, config={"on_routes": what}, served=False)
        until(lambda: server.handler().get("failing"), f"{isolation}: routes() that {what}s: {server.readiness()}")
        check(server.ask("/answer/echo")[0].status == 404, f"{isolation}: it is not served")
        until(lambda: "answering: routes: " in server.log(), f"{isolation}: {server.log()[-800:]}")
        check(server.end() == 0, f"{isolation}: the end")


def wrong():
    """What is configured wrongly ends the start with what to write."""
    good = {"name": "answering", "plugin": str(FIXTURES / "answering.so")}
    for entry, words in (({**good, "plugin": "no-such-plugin"}, ("http_handlers[0].plugin", "no-such-plugin")),
                         ({**good, "plugin": str(FIXTURES / "good.so")}, ("http_handlers[0].plugin", "good.so holds no http plugin")),
                         ({**good, "name": "skills"}, ("http_handlers[0].name", 'named "skills" too')),
                         ({**good, "isolation": "sometimes"}, ("http_handlers[0].isolation", "sometimes")),
                         ({"name": "answering"}, ("http_handlers[0]", "a plugin is missing"))):
        with tempfile.TemporaryDirectory(prefix="skillhost-http-") as folder:
            file = Path(folder) / "skillhost.json"
            file.write_text(json.dumps({"http_handlers": [entry], "search": {"plugin": "none"}}))
            done = subprocess.run([SERVER, "plugins", "--config", file, "--skills-dir", SKILLS], capture_output=True, text=True,
                                  check=False, timeout=DEADLINE, env={**os.environ, "XDG_CACHE_HOME": folder})
            said = done.stdout + done.stderr
            check(done.returncode == 1 and all(one in said for one in words), f"{entry}: {done.returncode} {said[-600:]}")
    with tempfile.TemporaryDirectory(prefix="skillhost-http-") as folder:
        file = Path(folder) / "skillhost.json"
        file.write_text(json.dumps({"http_handlers": [{**good, "config": {"routes": ROUTES}}], "search": {"plugin": "none"}}))
        done = subprocess.run([SERVER, "plugins", "--json", "--config", file, "--skills-dir", SKILLS], capture_output=True, text=True, check=False,
                              timeout=DEADLINE, env={**os.environ, "XDG_CACHE_HOME": folder})
        check(done.returncode == 0 and '"answering"' in done.stdout and "skh.http/1" in done.stdout, f"skillhost plugins: {done.stdout[-800:]} {done.stderr[-400:]}")


def reports():
    """`doctor` and `plugins` report a path that another handler or the server has, and a create() that hangs."""
    def run(*words, **entries):
        with tempfile.TemporaryDirectory(prefix="skillhost-http-") as folder:
            file = Path(folder) / "skillhost.json"
            file.write_text(json.dumps({"search": {"plugin": "none"}, "http_handlers": [
                {"name": name, "plugin": str(FIXTURES / "answering.so"), "config": config} for name, config in entries.items()]}))
            done = subprocess.run([SERVER, *words, "--config", file, "--skills-dir", SKILLS], capture_output=True, text=True, check=False,
                                  timeout=2 * DEADLINE, env={**os.environ, "XDG_CACHE_HOME": folder, "HOME": folder})
            return done.returncode, done.stdout + done.stderr

    mine, other = {"routes": [{"path": "/mine"}]}, {"routes": [{"path": "/other"}]}
    code, said = run("doctor", first=mine, second=other)
    check(code == 0 and "claimed" not in said, f"control: doctor: {code} {said}")
    for second, words in ((mine, "the plugin second (http_handlers) claimed /mine, and the plugin first (http_handlers) claimed /mine"),
                          ({"routes": [{"path": "/mcp"}]}, "the plugin second (http_handlers) claimed /mcp, and MCP (http.path) claimed /mcp")):
        code, said = run("doctor", first=mine, second=second)
        check(code == 1 and "plugin second" in said and words in said, f"doctor: {code} {said}")
        code, said = run("plugins", first=mine, second=second)
        check(code == 0 and "degraded" in said and words in said, f"plugins: {code} {said}")
    code, said = run("doctor", first=mine, hanging={**other, "on_create": "hang"})
    check(code == 1 and "plugin hanging" in said and "create" in said, f"doctor of a create() that hangs: {code} {said}")


wrong()
reports()
claims()
starts()
for each in ISOLATIONS:
    answers(each)
    constants(each)
    bodies(each)
    short_deadline(each)
    permissions(each)
    wrong_answers(each)
    goes_away(each)
    hangs(each)
crashes()
sys.exit(checks.finish())
