# SPDX-License-Identifier: Apache-2.0
"""Servers that share the state of sessions in an engine (redis-server), and a balancer before them (HAProxy), for
the tests beside this file."""
import atexit
import contextlib
import http.client
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from checks import DEADLINE, SLOWNESS, until
from http_server import Running
from ports import HeldPort

PREFIX = "skillhost:"  # the default prefix of every key and channel


def found(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def skip_without(*programs):
    """Ends the test with a message when a program is missing."""
    for name in programs:
        if not found(name):
            print(f"skipped: {name} is not installed (./bootstrap --tests installs it)\n0 passed, 0 failed, 1 skipped")
            sys.exit(77)


class EngineError(Exception):
    """The engine has answered with an error."""


class EngineConnection:
    """A connection to the engine's unix socket, which answers in bytes (RESP2)."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(DEADLINE)
        self.socket.connect(str(path))
        self.stream = self.socket.makefile("rb")

    def ask(self, *words):
        parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(one), one) for one in parts))
        return self.answer()

    def answer(self):
        line = self.stream.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the engine has closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise EngineError(rest.decode())
        if kind == b"+":
            return rest
        if kind == b":":
            return int(rest)
        if int(rest) < 0:
            return None
        if kind == b"*":
            return [self.answer() for _ in range(int(rest))]
        return self.stream.read(int(rest) + 2)[:-2]

    def close(self):
        self.stream.close()
        self.socket.close()


class Engine:
    """Runs redis-server in a folder of its own; its data outlives the process. The servers' user can access their
    keys alone."""

    def __init__(self, folder):
        self.folder = Path(folder) / "engine"
        self.folder.mkdir()
        self.held = HeldPort()
        self.address = f"127.0.0.1:{self.held.number}"
        self.user, self.password, self.admin_password = "skillhost", secrets.token_hex(16), secrets.token_hex(16)
        self.process = None
        (self.folder / "engine.conf").write_text("\n".join([
            "bind 127.0.0.1", f"port {self.held.number}", f"unixsocket {self.folder}/engine.sock",
            "unixsocketperm 700", f"dir {self.folder}", "logfile engine.log", 'save ""',
            # The file has plain text, so that a test can search it for secrets.
            "appendonly yes", "appendfsync everysec", "aof-use-rdb-preamble no", "rdbcompression no",
            "user default off", f"user admin on >{self.admin_password} ~* &* +@all",
            f"user {self.user} on >{self.password} ~{PREFIX}* &{PREFIX}* +@all -@admin -@dangerous"]) + "\n")

    def settings(self):
        """Returns the plugin's settings for the configuration of a server."""
        return {"address": self.address, "user": self.user, "password": self.password}

    def start(self):
        self.process = subprocess.Popen([found("redis-server"), str(self.folder / "engine.conf")],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.process.kill)  # also when a test ends by an exception
        until(self.answers, "the engine answers")
        return self

    def answers(self):
        assert self.process.poll() is None, (self.folder / "engine.log").read_text()
        try:
            return self.ask("PING") == b"PONG"
        except (OSError, EngineError):
            return False  # not started yet, or still loading its data

    def connect(self):
        connection = EngineConnection(self.folder / "engine.sock")
        connection.ask("AUTH", "admin", self.admin_password)
        return connection

    def ask(self, *words):
        """Runs one command as a user with all rights."""
        with contextlib.closing(self.connect()) as connection:
            return connection.ask(*words)

    def keys(self):
        return sorted(self.ask("KEYS", "*"))

    def sessions(self):
        """Returns the keys of the sessions' state."""
        return [key for key in self.keys() if key.startswith(PREFIX.encode() + b"notes/")]

    def end(self, number=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(number)
            self.process.wait(DEADLINE)

    def halt(self):
        """Stops the engine's process: the kernel accepts connections, but nobody answers."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def written(self):
        """Returns everything that it has written to its folder, except its own configuration."""
        return b"".join(one.read_bytes() for one in sorted(self.folder.rglob("*"))
                        if one.is_file() and one.name != "engine.conf")


class Replica:
    """A server whose address stays the same across its lives, and the logs of all its lives."""

    def __init__(self, name, program, skills, *options, environment=None):
        self.name, self.held, self.lives = name, HeldPort(), []
        self.environment = environment or {}
        self._start = lambda: Running(program, str(skills), "--listen", f"127.0.0.1:{self.held.number}", *options)

    @property
    def port(self):
        return self.held.number

    @property
    def running(self):
        return self.lives[-1]

    def start(self):
        with changed_environment(self.environment):
            self.lives.append(self._start())
        return self

    def end(self, number=signal.SIGTERM):
        return self.running.end(number)

    def log(self):
        return "".join(line for life in self.lives for line in life.log)

    def without_engine(self):
        """Returns the spans of monotonic time in which its lives could not reach the engine, by their logs. The logs
        have whole seconds, so each span has some room."""
        spans, shift = [], time.time() - time.monotonic()
        for life in self.lives:
            begin, at = None, 0
            for line in list(life.log):
                if "[state] the engine of the shared state is " not in line:
                    continue
                at = time.mktime(time.strptime(line[1:20], "%Y-%m-%d %H:%M:%S")) - shift
                if "is away" in line:
                    begin = at if begin is None else begin
                elif begin is not None:
                    spans.append((begin - 2, at + 3))
                    begin = None
            if begin is not None:
                spans.append((begin - 2, float("inf") if life is self.running else at + 3))
        return spans

    def state(self):
        """Returns the status code of /readyz and the status in its body."""
        response, text = self.running.ask("GET", "/readyz")
        return response.status, json.loads(text)["status"]

    def figure(self, name):
        """Returns the sum of a metric across its labels; None when there is none."""
        _, text = self.running.ask("GET", "/metrics")
        values = re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.M)
        return sum(map(float, values)) if values else None


@contextlib.contextmanager
def changed_environment(more):
    """Changes the environment for programs that are started meanwhile; no other thread may start one."""
    before = {name: os.environ.get(name) for name in more}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


# The balancer may repeat these requests by itself when a server dies: they belong to no session and only read.
SAFE = ("{ req.hdr(mcp-method) -m str server/discover tools/list prompts/list resources/list resources/read skills/list } "
        "or { req.hdr(mcp-name) -m str load_skill list_skills find_helpful_skills read_skill_document }")


class Balancer:
    """HAProxy before replicas; each request goes to the next one in turn. The field X-Replica of its answers names
    the replica."""

    def __init__(self, folder, replicas):
        self.held = HeldPort()
        servers = "\n".join(f"  server {one.name} 127.0.0.1:{one.port}" for one in replicas)
        configuration = Path(folder) / "haproxy.cfg"
        configuration.write_text(f"""
global
  maxconn 4096
defaults
  mode http
  timeout connect 2s
  timeout check 5s
  timeout client {int(120 * SLOWNESS)}s
  timeout server {int(120 * SLOWNESS)}s
  retries 3
  option redispatch 1
  retry-on conn-failure empty-response
listen front
  bind 127.0.0.1:{self.held.number}
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
  http-request disable-l7-retry unless {SAFE}
  http-response set-header X-Replica %s
{servers}
""")
        self.process = subprocess.Popen([found("haproxy"), "-db", "-f", str(configuration)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        until(self.listens, "the balancer listens")

    @property
    def port(self):
        return self.held.number

    def listens(self):
        assert self.process.poll() is None, self.process.stderr.read()
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self):
        self.process.terminate()
        self.process.wait(DEADLINE)
        self.process.stderr.close()


def messages_of(stream):
    """Returns the messages of an event stream that has ended."""
    return [json.loads(line[5:]) for line in stream.splitlines() if line.startswith("data:") and line[5:].strip()]


class Answer:
    """A response: its status, its fields, and the messages in it."""

    def __init__(self, response, text):
        self.status, self.fields = response.status, response.headers
        self.replica = response.headers["X-Replica"]  # None: the balancer's own answer
        kind = response.headers["Content-Type"] or ""
        if "event-stream" in kind:
            self.messages = messages_of(text)
        else:
            self.messages = [json.loads(text)] if text and "json" in kind else []


class Door:
    """A kept connection to an address; after a break the next request opens it again."""

    def __init__(self, port, token=None):
        self.port, self.connection = port, None
        self.fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if token:
            self.fields["Authorization"] = f"Bearer {token}"

    def ask(self, method, body=None, **fields):
        """Raises OSError or HTTPException when the connection breaks, TimeoutError when no answer arrives."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2 * DEADLINE)
        try:
            self.connection.request(method, "/mcp", None if body is None else json.dumps(body).encode(),
                                    {**self.fields, **{name.replace("_", "-"): value for name, value in fields.items()}})
            response = self.connection.getresponse()
            return Answer(response, response.read().decode())
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Events:
    """Reads an event stream as it arrives: pairs of an id (or None) and a message (or None)."""

    def __init__(self, port, method="GET", body=None, token=None, patience=DEADLINE, **fields):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
        self.connection.connect()
        self.socket = self.connection.sock  # kept, because the connection hands it to the response
        headers = {"Accept": "text/event-stream", **{name.replace("_", "-"): value for name, value in fields.items()}}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers.update({"Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
        self.connection.request(method, "/mcp", None if body is None else json.dumps(body).encode(), headers)
        self.response = self.connection.getresponse()
        self.status = self.response.status
        self.last = None  # the id for Last-Event-ID

    def __iter__(self):
        number, data = None, []
        while line := self.response.readline():
            line = line.rstrip(b"\r\n").decode()
            if line.startswith("id:"):
                number = self.last = line[3:].strip()
            elif line.startswith("data:"):
                data.append(line[5:].strip())
            elif not line and (number or data):
                text = "\n".join(data)
                yield number, json.loads(text) if text else None
                number, data = None, []

    def until(self, holds, what):
        """Returns the first message that `holds` accepts, and skips those before it."""
        end = time.monotonic() + DEADLINE
        for _, message in self:
            if message is not None and holds(message):
                return message
            assert time.monotonic() < end, f"not in time on the stream: {what}"
        raise AssertionError(f"the stream has ended before {what}")

    def ends(self):
        """Reads to the end of the stream and returns the messages on the way."""
        return [message for _, message in self if message is not None]

    def close(self):
        """Shuts the connection down, also while a thread reads it; that thread finds the end of the stream."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)


def state_settings(engine, secret, **more):
    """Returns the part of a configuration by which servers share their state in the engine."""
    # Each call waits for the engine on a thread of its own: with few threads, 200 clients would wait for one another.
    return {"state": {"plugin": "valkey", "config": {**engine.settings(), **more}, "secret": secret, "threads": 16}}


def write_configuration(folder, settings, name="skillhost.yaml"):
    path = Path(folder) / name
    path.write_text(json.dumps(settings))
    path.chmod(0o600)
    return path


def new_token(program, file, owner, *scopes):
    """Makes a token of the plugin static."""
    command = [program, "token", "add", owner, "--file", str(file)]
    for scope in scopes or ("skills:read",):
        command += ["--scope", scope]
    return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, check=True).stdout.strip()
