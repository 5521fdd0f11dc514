# SPDX-License-Identifier: Apache-2.0
"""Measures the effect of an attack on others: how long they wait beside it, and the memory that the server takes."""
import threading
import time
from pathlib import Path

from checks import SLOWNESS
from http_server import legacy

LONGEST = 1.0 * SLOWNESS  # seconds that another client may wait beside an attack; the aim is 0.1
RETURNED = 20 << 10  # KiB that may remain in use afterwards


def resident(running):
    """Returns the server's resident memory in KiB."""
    text = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("VmRSS")))


def processor_time(running):
    """Returns the seconds of processor time that all threads of the server have taken."""
    fields = Path(f"/proc/{running.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


class Beside:
    """A client that asks all the time, with these fields; `worst` is in seconds. Its failures are raised at the end."""

    def __init__(self, running, **fields):
        self.fields = fields
        self.running, self.worst, self.count, self.ended, self.failure = running, 0.0, 0, False, None
        self.thread = threading.Thread(target=self.work)

    def ask(self):
        begun = time.monotonic()
        try:
            response, _ = self.running.ask("GET", "/healthz")
            answer = self.running.post(legacy("tools/list"), **self.fields)[1]
            assert response.status == 200 and "result" in answer, f"{response.status} {answer}"
            self.count += 1
        finally:
            self.worst = max(self.worst, time.monotonic() - begun)

    def work(self):
        try:
            while not self.ended:
                self.ask()
        except BaseException as why:  # for the thread of the test
            self.failure = why

    def __enter__(self):
        self.ask()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended = True
        self.thread.join()
        if self.failure:
            raise self.failure
