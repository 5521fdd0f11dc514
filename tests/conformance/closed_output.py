#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a client that goes away without a word: closed_output.py SERVER SOURCE_ROOT. Nobody reads the server's
stdout any more, while it has much to send, or sends it later. It must end by itself, not by a signal, in time,
and without a sanitizer's report on stderr."""
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from server import ALARMS, DEADLINE

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def line(identifier):
    return json.dumps(dict(LIST, id=identifier)).encode() + b"\n"


def start(server, skills, errors, **streams):
    return subprocess.Popen([server, "--skills-dir", str(skills)], stderr=errors, bufsize=0, **streams)


def closed_before(server, skills, errors):
    """Gives it a pipe without a reader as stdout from the first byte on."""
    reader, writer = os.pipe()
    os.close(reader)
    process = start(server, skills, errors, stdin=subprocess.PIPE, stdout=writer)
    os.close(writer)
    return process, line(1)


def closed_while_answering(server, skills, errors):
    """Reads one answer, then closes the reader while thousands are under way."""
    process = start(server, skills, errors, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(line(0))
    process.stdout.read(1)
    process.stdout.close()
    return process, b"".join(line(n) for n in range(1, 3000))


def no_descriptor(server, skills, errors):
    """Starts it without an open file descriptor 1."""
    command = 'exec "$0" --skills-dir "$1" >&-'
    process = subprocess.Popen(["/bin/sh", "-c", command, server, str(skills)], stdin=subprocess.PIPE,
                               stderr=errors, bufsize=0)
    return process, line(1)


def check(case, server, skills):
    with tempfile.TemporaryFile() as errors:
        process, rest = case(server, skills, errors)
        watch = threading.Timer(DEADLINE, process.kill)
        watch.start()
        try:
            while rest:
                rest = rest[process.stdin.write(rest):]
            process.stdin.close()
        except BrokenPipeError:
            pass  # it has gone already, as it may
        code = process.wait()
        watch.cancel()
        errors.seek(0)
        alarms = [text for text in errors.read().decode("utf-8", "replace").splitlines() if any(a in text for a in ALARMS)]
        if alarms:
            return "on stderr: " + " / ".join(alarms[:5])
        return None if code >= 0 else f"ended by signal {-code}, or was still running after {DEADLINE} s"


def main():
    skills = Path(sys.argv[2]) / "tests/conformance/skills"
    cases = [closed_before, closed_while_answering, no_descriptor]
    failed = 0
    for case in cases:
        wrong = check(case, sys.argv[1], skills)
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok    '} {case.__name__} {wrong or ''}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
