# SPDX-License-Identifier: Apache-2.0
"""Runs replicas behind the balancers of examples/deploy, with the addresses, ports and paths of a test."""
from __future__ import annotations

import atexit
import contextlib
import http.client
import itertools
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import Any

import yaml

from checks import DEADLINE, until
from http_server import MODERN, modern

NAME = "skills.example"
CLIENT = "127.0.0.77"  # address of the balancer's clients; the balancer connects from 127.0.0.1


def found(program: str) -> str | None:
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def free_ports(count: int) -> list[int]:
    """Returns free ports chosen by the kernel, for programs that do not accept port 0."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def substituted(text: str, changes: dict[str, str]) -> str:
    """Returns the text with `changes`. Each old text must occur, and reversing the changes must give the text."""
    changed = text
    for old, new in changes.items():
        assert old in changed and new not in changed, f"{old!r} is to become {new!r} in:\n{changed}"
        changed = changed.replace(old, new)
    back = changed
    for old, new in reversed(changes.items()):
        back = back.replace(new, old)
    assert back == text, f"more than {changes} would change"
    return changed


def wait_for_port(process: subprocess.Popen[str], port: int) -> None:
    def listens() -> bool:
        assert process.poll() is None, process.stderr.read() if process.stderr else "it ended"
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", port)) == 0
    until(listens, f"port {port} is listened to")


class Program:
    """A balancer or an engine that runs until end(), or until the test ends."""

    def __init__(self, port: int, *command: str) -> None:
        self.port = port
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        wait_for_port(self.process, port)
        self.log: list[str] = []
        assert self.process.stderr
        threading.Thread(target=lambda: self.log.extend(self.process.stderr or ()), daemon=True).start()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(DEADLINE)


class Replica:
    """A skillhost with the recipe's skillhost.yaml. It keeps its port when it is started again."""

    def __init__(self, server: str, configuration: Path, *options: str, **variables: str) -> None:
        self.command = [server, "serve", "--config", str(configuration), "--listen", "127.0.0.1", *options]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")}
        self.environment = {**kept, **variables}
        self.port = 0
        self.start()

    def start(self) -> None:
        self.log: list[str] = []
        self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=self.environment)
        atexit.register(self.process.kill)
        assert self.process.stderr
        for line in self.process.stderr:
            self.log.append(line)
            if serving := re.search(r" serving on http://[^/]*:(\d+)/", line):
                self.port = int(serving[1])
                break
        else:
            raise AssertionError("".join(self.log))
        threading.Thread(target=lambda: self.log.extend(self.process.stderr or ()), daemon=True).start()
        # Clients may connect before the first catalogue is complete.
        until(lambda: '"starting"' not in self.readiness(), "every source answers or fails")

    def readiness(self) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        with contextlib.closing(connection):
            connection.request("GET", "/readyz")
            return connection.getresponse().read().decode()

    def requests(self, mark: str) -> list[str]:
        """Returns the log lines of requests whose X-Request-Id begins with `mark`."""
        return [line for line in list(self.log) if f"request={mark}" in line]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(DEADLINE)

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(DEADLINE)


class Client:
    """A client without sessions, over TLS, that trusts the certificate of the recipe."""

    def __init__(self, port: int, certificate: Path, token: str) -> None:
        self.port, self.token = port, token
        self.certificate = certificate
        self.context = ssl.create_default_context(cafile=str(certificate))
        self.numbers = itertools.count(1)

    def connect(self) -> http.client.HTTPConnection:
        plain = socket.create_connection(("127.0.0.1", self.port), DEADLINE, source_address=(CLIENT, 0))
        connection = http.client.HTTPConnection(NAME, timeout=DEADLINE)
        connection.sock = self.context.wrap_socket(plain, server_hostname=NAME)
        return connection

    def send(self, connection: http.client.HTTPConnection, method: str, mark: str = "", fields: dict[str, str] | None = None,
             **params: Any) -> http.client.HTTPResponse:
        number = next(self.numbers)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                   "Authorization": f"Bearer {self.token}", "MCP-Protocol-Version": MODERN, "Mcp-Method": method,
                   "X-Request-Id": f"{mark}-{number}", **(fields or {})}
        if "name" in params:
            headers["Mcp-Name"] = params["name"]
        connection.request("POST", "/mcp", json.dumps(modern(method, id=number, **params)), headers)
        return connection.getresponse()

    def ask(self, method: str, mark: str = "", fields: dict[str, str] | None = None, **params: Any) -> tuple[int, Any]:
        connection = self.connect()
        response = self.send(connection, method, mark, fields, **params)
        text = response.read().decode()
        connection.close()
        isJson = "json" in response.headers.get("Content-Type", "")
        return response.status, json.loads(text) if isJson else text

    def call(self, tool: str, mark: str = "", **arguments: Any) -> tuple[int, Any]:
        return self.ask("tools/call", mark, name=tool, arguments=arguments)

    def plain(self, method: str, path: str, body: bytes | None = None, **fields: str) -> tuple[int, str]:
        connection = self.connect()
        headers = {"Authorization": f"Bearer {self.token}", **{name.replace("_", "-"): value for name, value in fields.items()}}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, text


class Readers:
    """Clients that read repeatedly in the background, and keep the wrong answers."""

    def __init__(self, client: Client, skill: str, count: int = 4) -> None:
        self.client, self.skill = client, skill
        self.right, self.wrong = 0, list[str]()
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.read, daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def once(self) -> str:
        """Returns the fault of the answer to a read; "": none."""
        try:
            status, answer = self.client.call("load_skill", "reader", skill_name=self.skill)
        except (OSError, http.client.HTTPException) as why:
            return f"{type(why).__name__}: {why}"
        if status != 200 or not isinstance(answer, dict) or self.skill not in json.dumps(answer.get("result", {})):
            return f"{status}: {str(answer)[:300]}"
        return ""

    def read(self) -> None:
        while not self.over.is_set():
            wrong = self.once()
            with self.lock:
                if wrong:
                    self.wrong.append(wrong)
                else:
                    self.right += 1

    def more(self, count: int) -> None:
        """Waits for that many more answers."""
        goal = self.right + count
        until(lambda: self.right >= goal or self.wrong, f"{count} more answers")

    def end(self) -> list[str]:
        self.over.set()
        for thread in self.threads:
            thread.join(DEADLINE)
        return self.wrong


def without_state(recipe: str) -> str:
    """Returns the recipe for a server without the plugin in `state`."""
    configuration = yaml.safe_load(recipe)
    del configuration["state"]
    return yaml.safe_dump(configuration, sort_keys=False)
