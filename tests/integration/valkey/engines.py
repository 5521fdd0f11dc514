# SPDX-License-Identifier: Apache-2.0
"""Real engines (redis-server) on loopback, and the plugin's driver. The kernel chooses each port."""
from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import DEADLINE, until  # noqa: E402
from ports import HeldPort  # noqa: E402

STATUS = {0: "ok", -1: "failed", -2: "cancelled", -3: "deadline", -4: "invalid", -5: "not_found", -6: "stale",
          -7: "denied", -8: "unavailable", -9: "too_large", -11: "corrupt"}
PATIENCE = max(30.0, DEADLINE)  # seconds


def skip_without_engine() -> None:
    for program in ("redis-server", "redis-cli"):
        if shutil.which(program) is None:
            print(f"skipped: {program} is not installed (Debian: redis-server, redis-tools)")
            sys.exit(77)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


class Redis:
    """Runs one redis-server in a folder of its own; `options` are lines of its configuration."""

    def __init__(self, folder: Path, *options: str, sentinel: bool = False, tls: bool = False, bus: bool = False) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.tls, self.sentinel, self.bus = tls, sentinel, bus
        self.options = options
        self.process: subprocess.Popen[bytes] | None = None
        self.port, self.bus_port = 0, HeldPort()
        for _ in range(5):  # another process may have taken the port meanwhile
            self.held = HeldPort()  # a restart uses the same port
            self.port = self.held.number
            lines = [f"tls-port {self.port}" if tls else f"port {self.port}", *(["port 0"] if tls else []), "bind 127.0.0.1",
                     f"dir {folder}", "daemonize no", "logfile engine.log", *([] if sentinel else ['save ""']),
                     *([f"cluster-port {self.bus_port.number}"] if bus else []), *options]
            self.file = folder / "engine.conf"
            self.file.write_text("\n".join(lines) + "\n")
            if self.start():
                return
        raise AssertionError("no engine starts:\n" + (folder / "engine.log").read_text()[-2000:])

    def start(self) -> bool:
        self.process = subprocess.Popen(["redis-server", str(self.file), *(["--sentinel"] if self.sentinel else [])],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: self.process is None or self.process.poll() is not None or self.listens(), "the engine listens", PATIENCE)
        return self.process.poll() is None

    def listens(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1):
                return True
        except OSError:
            return False

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def cli(self, *words: str, check: bool = True) -> str:
        run = subprocess.run(["redis-cli", "-p", str(self.port), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=PATIENCE, check=False)
        if check and (run.returncode != 0 or run.stdout.startswith("ERR ")):
            raise AssertionError(f"redis-cli {words}: {run.stdout}{run.stderr}")
        return run.stdout.strip()

    def send(self, number: int) -> None:
        assert self.process is not None
        os.kill(self.process.pid, number)

    def end(self, number: int = signal.SIGKILL) -> None:
        if self.process is not None and self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.send(number)
            self.process.wait(PATIENCE)

    def __enter__(self) -> Redis:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


class Driver:
    """Runs the plugin in a process of its own. Answers arrive in any order."""

    def __init__(self, program: str, **configuration: Any) -> None:
        self.process = subprocess.Popen([program, json.dumps(configuration)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.logs: list[str] = []
        self.metrics: dict[str, float] = {}
        self.answers: dict[int, dict[str, Any]] = {}
        self.come = threading.Condition()
        self.ended = False  # the driver has ended; no more answers come
        self.numbers = itertools.count(1)
        assert self.process.stdout is not None
        first = json.loads(self.process.stdout.readline())
        while "created" not in first:
            first = json.loads(self.process.stdout.readline())
        self.created, self.why = STATUS[first["created"]], first["why"]
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            with self.come:
                if "log" in said:
                    self.logs.append(said["text"])
                elif "metric" in said:
                    self.metrics[said["metric"]] = self.metrics.get(said["metric"], 0) + said["value"]
                else:
                    self.answers[said["id"]] = said
                self.come.notify_all()
        with self.come:
            self.ended = True
            self.come.notify_all()

    def begin(self, op: str, key: str | bytes = "", value: str | bytes = "", **more: Any) -> int:
        number = next(self.numbers)
        line: dict[str, Any] = {"id": number, "op": op, **more}
        for name, text in (("key", key), ("value", value), ("expected", more.get("expected"))):
            if text is not None:
                line[name] = (text.encode() if isinstance(text, str) else text).hex()
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        return number

    def finish(self, number: int) -> dict[str, Any]:
        with self.come:
            come = self.come.wait_for(lambda: number in self.answers or self.ended, PATIENCE)
            assert come, "no answer of the driver"
            assert number in self.answers, "the driver has ended without an answer"
            answer = self.answers.pop(number)
        answer["status"] = STATUS[answer["status"]]
        for name in ("value",):
            if name in answer:
                answer[name] = bytes.fromhex(answer[name])
        for message in answer.get("messages", []):
            message["channel"], message["payload"] = (bytes.fromhex(message[name]) for name in ("channel", "payload"))
        return answer

    def ask(self, op: str, key: str | bytes = "", value: str | bytes = "", **more: Any) -> dict[str, Any]:
        return self.finish(self.begin(op, key, value, **more))

    def status(self, op: str, key: str | bytes = "", value: str | bytes = "", **more: Any) -> str:
        return str(self.ask(op, key, value, **more)["status"])

    def get(self, key: str | bytes, **more: Any) -> bytes | str:
        answer = self.ask("get", key, **more)
        return answer["value"] if answer["status"] == "ok" else answer["status"]

    def works_again(self, seconds: float = PATIENCE) -> None:
        until(lambda: self.status("put", "probe", "x") == "ok", "the engine is used again", seconds)

    def receive(self, count: int, deadline: int = 10_000) -> list[dict[str, Any]]:
        """Returns at least `count` messages, or fewer when the deadline has passed."""
        all_of_them: list[dict[str, Any]] = []
        while len(all_of_them) < count:
            answer = self.ask("receive", deadline=deadline)
            assert answer["status"] == "ok", answer
            if not answer["messages"]:
                break
            all_of_them += answer["messages"]
        return all_of_them

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return code

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end()
