#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the exchange between systemd and the server, with this test in systemd's place: systemd_test.py SERVER
SKILLS"""
import fcntl
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from checks import DEADLINE, Checks
from http_server import INITIALIZE

SERVER, SKILLS = (str(Path(path).resolve()) for path in sys.argv[1:3])
FIRST = 3  # the descriptor of the first socket that systemd passes
NOTHING = fcntl.fcntl(os.open("/dev/null", os.O_RDONLY), fcntl.F_DUPFD_CLOEXEC, 10)
os.dup2(NOTHING, FIRST)  # keeps the test's own descriptors away from this number
checks = Checks()
check = checks.check


class Manager:
    """A service manager: its notification socket, and a socket that it has opened for the server."""

    def __init__(self, notify: str, configuration: Path, **variables: str) -> None:
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind("\0" + notify[1:] if notify.startswith("@") else notify)
        self.notify.settimeout(DEADLINE)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listening.getsockname()[1]
        self.configuration = configuration
        self.variables = {"NOTIFY_SOCKET": notify, "LISTEN_FDS": "1", "LISTEN_FDNAMES": "skillhost.socket", **variables}

    def start(self) -> None:
        """Starts the server as a unit with `Requires=skillhost.socket`: LISTEN_PID is the number of the server
        itself."""
        os.dup2(self.listening.fileno(), FIRST, inheritable=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")}
        self.process = subprocess.Popen(
            ["sh", "-c", 'LISTEN_PID=$$ WATCHDOG_PID=${WATCHDOG_PID:-$$} exec "$@"', "sh", SERVER, "serve", "--config",
             str(self.configuration), "--transport", "http", "--listen", "systemd"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            pass_fds=(FIRST,), env={**kept, **self.variables})
        os.dup2(NOTHING, FIRST)

    def heard(self) -> str:
        """Returns the next notification that is not a sign of life."""
        while True:
            said = self.notify.recv(65536).decode()
            if said != "WATCHDOG=1":
                return said

    def heard_within(self, seconds: float) -> str:
        """Returns the next notification of any kind; "" when there is none in time."""
        self.notify.settimeout(seconds)
        try:
            return self.notify.recv(65536).decode()
        except (TimeoutError, BlockingIOError):
            return ""
        finally:
            self.notify.settimeout(DEADLINE)

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        connection.request(method, path, None if body is None else json.dumps(body).encode(),
                           {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def end(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGTERM)
        log = self.process.communicate(timeout=DEADLINE)[1]
        return self.process.returncode, log


def starts_reloads_and_stops(folder: Path, notify: str) -> None:
    configuration = folder / "skillhost.json"
    configuration.write_text(json.dumps({"skills_dirs": [SKILLS]}))
    manager = Manager(notify, configuration)
    # systemd's socket takes connections before there is a server; the server answers them once it is ready.
    early = socket.create_connection(("127.0.0.1", manager.port), timeout=DEADLINE)
    early.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    manager.start()
    check(manager.heard() == "READY=1\nSTATUS=Serving", "ready is said first")
    check(early.makefile("rb").read().startswith(b"HTTP/1.1 200 "), "who came before the start is answered")
    status, text = manager.ask("POST", "/mcp", INITIALIZE)
    check(status == 200 and "protocolVersion" in text, "the socket that was passed is served")

    def reload(new: str) -> str:
        configuration.with_suffix(".new").write_text(new)
        configuration.with_suffix(".new").rename(configuration)
        manager.process.send_signal(signal.SIGHUP)
        begun = manager.heard()
        check(re.fullmatch(r"RELOADING=1\nMONOTONIC_USEC=\d+", begun) is not None, f"a reload begins: {begun}")
        return manager.heard()

    check(reload(json.dumps({"skills_dirs": [SKILLS], "log": {"level": "DEBUG"}})) == "READY=1\nSTATUS=Serving", "and ends")
    said = reload("{wrong")
    check(said.startswith("READY=1\nSTATUS=Serving with the previous configuration: ") and "skillhost.json" in said,
          f"a wrong configuration is told: {said}")
    check(reload(json.dumps({"skills_dirs": [SKILLS]})) == "READY=1\nSTATUS=Serving", "and forgotten when it is right again")
    code, log = manager.end()
    check(code == 0, f"exit code 0, is {code}:\n{log}")
    check(manager.heard() == "STOPPING=1", "the stop is said")
    check(manager.heard_within(0) == "", "nothing else is said")
    # systemd keeps the socket: the next server gets the connections that arrive meanwhile.
    waiting = socket.create_connection(("127.0.0.1", manager.port), timeout=DEADLINE)
    waiting.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    manager.start()
    check(manager.heard().startswith("READY=1"), "a second start")
    check(waiting.makefile("rb").read().startswith(b"HTTP/1.1 200 "), "who came between two servers is answered")
    manager.end()


def watchdog(folder: Path) -> None:
    configuration = folder / "watched.json"
    configuration.write_text(json.dumps({"skills_dirs": [SKILLS]}))
    manager = Manager(str(folder / "watched"), configuration, WATCHDOG_USEC="2000000")
    manager.start()
    check(manager.heard().startswith("READY=1"), "a server that is watched starts")
    for _ in range(3):
        check(manager.heard_within(DEADLINE) == "WATCHDOG=1", "it says that it lives")
    # A server that no longer makes progress sends nothing: systemd ends it by WatchdogSec=.
    manager.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, manager.process.pid, os.WSTOPPED | os.WNOWAIT)
    while manager.heard_within(0):
        pass
    check(manager.heard_within(3) == "", "a server that has stopped says nothing")
    manager.process.send_signal(signal.SIGCONT)
    check(manager.heard_within(DEADLINE) == "WATCHDOG=1", "and says so again when it goes on")
    check(manager.end()[0] == 0, "a server that is watched ends")

    other = Manager(str(folder / "other"), configuration, WATCHDOG_USEC="2000000", WATCHDOG_PID="1")
    other.start()
    check(other.heard().startswith("READY=1"), "a server starts")
    check(other.heard_within(3) == "", "a watchdog of another process is not fed")
    check(other.end()[0] == 0, "it ends")


def no_socket(folder: Path) -> None:
    configuration = folder / "alone.json"
    configuration.write_text(json.dumps({"skills_dirs": [SKILLS]}))
    manager = Manager(str(folder / "alone"), configuration, LISTEN_FDS="0")
    manager.start()
    log = manager.process.communicate(timeout=DEADLINE)[1]
    check(manager.process.returncode == 1 and "start the server by its .socket unit" in log, f"without a socket: {log}")
    check(manager.heard_within(0) == "", "and nobody is told that it is ready")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        starts_reloads_and_stops(folder, str(folder / "notify"))
        starts_reloads_and_stops(folder, f"@skillhost-systemd-test-{os.getpid()}")
        watchdog(folder)
        no_socket(folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
