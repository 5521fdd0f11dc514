# SPDX-License-Identifier: Apache-2.0
"""Runs a server under test: it is started, fed with lines, and read without ever waiting longer than a deadline."""
import json
import os
import queue
import shlex
import subprocess
import tempfile
import threading
import time

# The deadline is in seconds for one answer, and for the end. Sanitizer and emulated runs set a larger value.
DEADLINE = float(os.environ.get("SKILLHOST_TEST_DEADLINE", "20"))
ALARMS = (
    "AddressSanitizer", "LeakSanitizer", "ThreadSanitizer", "MemorySanitizer", "runtime error:",
    "terminate called", "pure virtual method", "double free", "stack smashing", "Assertion `",
)


class Broken(Exception):
    """The server did something that no client needs to tolerate."""


def reject(text):
    raise ValueError(f"{text} is not JSON")


def once(pairs):
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"duplicate key {key!r}")
    return dict(pairs)


def read_messages(line, batches=False):
    """Returns the messages of one line of the server's output: strict UTF-8, no doubled keys, no NaN; one message a
    line, or an array of them where the revision has batches."""
    try:
        messages = json.loads(line.decode("utf-8"), parse_constant=reject, object_pairs_hook=once)
    except ValueError as error:
        raise Broken(f"not a JSON line on stdout ({error}): {line[:200]!r}") from None
    if not (batches and isinstance(messages, list) and messages):
        messages = [messages]
    for message in messages:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise Broken(f"not a JSON-RPC 2.0 message on stdout: {line[:200]!r}")
    return messages


class Server:
    """Runs one process over stdio. A thread of its own reads messages, in order, into a queue."""

    def __init__(self, command, environment=None, batches=False):
        self._batches = batches
        self._ready = []
        self._home = tempfile.TemporaryDirectory(prefix="skillhost-home-")
        self._errors = tempfile.TemporaryFile()
        # On a slow machine too, the answers must wait for the skills; and the server must not see the variables of the
        # tests themselves, nor a model that the user has fetched.
        inherited = {name: value for name, value in os.environ.items()
                     if not name.startswith("SKILLHOST_")}
        environment = {**inherited, "SKILLHOST_STARTUP_WAIT_MS": "60000", "HOME": self._home.name,
                       "XDG_CONFIG_HOME": self._home.name, "XDG_CACHE_HOME": self._home.name, "XDG_DATA_HOME": self._home.name, **(environment or {})}
        command = command + shlex.split(os.environ.get("SKILLHOST_TEST_OPTIONS", ""))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self._errors, env=environment, bufsize=0)
        self._lines = queue.Queue()
        self._outgoing = queue.Queue()
        for work in (self._read, self._write):
            threading.Thread(target=work, daemon=True).start()

    def _read(self):
        with os.fdopen(os.dup(self.process.stdout.fileno()), "rb", buffering=1 << 16) as stream:
            for line in stream:
                self._lines.put(line)
        self._lines.put(None)

    def _write(self):
        """Writes in a thread of its own, so that a server which reads nothing cannot block the test."""
        while (data := self._outgoing.get()) is not None:
            try:
                while data:
                    data = data[os.write(self.process.stdin.fileno(), data):]
            except OSError:
                break
        self.process.stdin.close()

    def send_bytes(self, data):
        self._outgoing.put(data)

    def send(self, message):
        self.send_bytes(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def receive(self, deadline=None):
        """Returns the next message; None at the end of its output. Raises Broken when none arrives in time."""
        if self._ready:
            return self._ready.pop(0)
        seconds = max(0.0, deadline - time.monotonic()) if deadline else DEADLINE
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise Broken("no message in time") from None
        if line is None:
            self._lines.put(None)
            return None
        self._ready = read_messages(line, self._batches)
        return self._ready.pop(0)

    def end_input(self):
        self._outgoing.put(None)

    def finish(self):
        """Ends the input, takes the remaining messages and returns (messages, exit code)."""
        self.end_input()
        rest = []
        deadline = time.monotonic() + DEADLINE
        try:
            while (message := self.receive(deadline)) is not None:
                rest.append(message)
            code = self.process.wait(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Broken("still running after the end of its input") from None
        return rest, code

    def stderr(self):
        """Returns the log so far. It is read without a seek, because the process writes at the position that both share."""
        file = self._errors.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode("utf-8", "replace")

    def alarms(self):
        """Returns lines of stderr that no healthy process writes."""
        return [line for line in self.stderr().splitlines() if any(a in line for a in ALARMS)]

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._outgoing.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
