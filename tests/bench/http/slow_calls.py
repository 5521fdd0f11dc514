#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures tools/list beside 64 calls of 100 ms each: slow_calls.py SERVER SLOW_SOURCE [SECONDS] (bar: p99 within 5
ms)"""
import http.client
import itertools
import json
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "integration"))
from http_server import Running, legacy  # noqa: E402

SLOW, FILES = 64, 500
FIELDS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def ask(connection, body):
    connection.request("POST", "/mcp", json.dumps(body), FIELDS)
    text = connection.getresponse().read()
    assert b'"result"' in text, text[:300]


def percentiles(spans):
    spans = sorted(spans)
    return f"p50 {spans[len(spans) // 2] * 1e3:.2f} ms, p99 {spans[len(spans) * 99 // 100] * 1e3:.2f} ms of {len(spans)}"


def measure(port, seconds):
    connection, spans, until = http.client.HTTPConnection("127.0.0.1", port, timeout=60), [], time.monotonic() + seconds
    while time.monotonic() < until:
        begin = time.perf_counter()
        ask(connection, legacy("tools/list"))
        spans.append(time.perf_counter() - begin)
    return spans


def main(server, plugin, seconds="5"):
    with tempfile.TemporaryDirectory() as folder:
        # The cache keeps nothing, so that every call reaches the source.
        running = Running(server, folder, "--set", "cache.max_entries=0", "--config", write(folder, plugin))
        over, calls, numbers = threading.Event(), [], itertools.count()

        def slow():
            connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
            while not over.is_set():
                begin = time.perf_counter()
                path = f"{next(numbers) % FILES}.md"
                ask(connection, legacy("tools/call", name="read_skill_document",
                                       arguments={"skill_name": "slow", "document_path": path}))
                calls.append(time.perf_counter() - begin)

        print("tools/list alone:            ", percentiles(measure(running.port, float(seconds) / 2)))
        threads = [threading.Thread(target=slow, daemon=True) for _ in range(SLOW)]
        for thread in threads:
            thread.start()
        print(f"beside {SLOW} slow calls:        ", percentiles(measure(running.port, float(seconds))))
        over.set()
        for thread in threads:
            thread.join()
        print("the slow calls:              ", percentiles(calls))
        running.end()


def write(folder, plugin):
    path = Path(folder) / "config.json"
    path.write_text(json.dumps({"sources": [{"name": "slow", "plugin": str(Path(plugin).resolve()), "isolation": "thread", "threads": SLOW}]}))
    return str(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
