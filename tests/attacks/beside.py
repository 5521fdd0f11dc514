# SPDX-License-Identifier: Apache-2.0
"""What an attack does to others: how long they wait beside it, and the memory that the server takes."""
import os
import threading
import time
from pathlib import Path

from http_server import legacy

SLOWNESS = float(os.environ.get("SKILLHOST_TEST_SLOWNESS", "1"))
LONGEST = 1.0 * SLOWNESS  # seconds that another client may wait beside an attack; 0.1 is the aim
RETURNED = 20 << 10       # KiB more than before, afterwards


def resident(running):
    """KiB."""
    text = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("VmRSS")))


class Beside:
    """A client that asks all the time; `worst` is in seconds."""

    def __init__(self, running):
        self.running, self.worst, self.count, self.ended = running, 0.0, 0, False
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        while not self.ended:
            begun = time.monotonic()
            response, _ = self.running.ask("GET", "/healthz")
            answer = self.running.post(legacy("tools/list"))[1]
            assert response.status == 200 and "result" in answer
            self.worst = max(self.worst, time.monotonic() - begun)
            self.count += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended = True
        self.thread.join()
