#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that deadlines hold whatever a plugin does: deadlines_test.py SERVER SCRIPTED_PLUGIN SKILLS [ROUNDS]. A
plugin that hangs costs its caller the deadline, the fourth caller nothing, and nobody else anything."""
import errno
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from session import DEADLINE, Broken, Session

LIMIT_MS = 100
OTHERS = 64
FILES = 200


class Stuck:
    """A source of one skill with many files, whose reads can hang on a named pipe."""

    def __init__(self, folder, plugin, isolation):
        self.script = folder / "script.json"
        self.pipe = folder / "pipe"
        os.mkfifo(self.pipe)
        self.say({})
        self.source = {"name": "stuck", "plugin": str(Path(plugin).resolve()), "config": {"file": str(self.script)},
                       "isolation": isolation, "allow_read": [str(folder)]}

    def say(self, more):
        text = "---\nname: tarpit\ndescription: Sinks whoever reads it.\n---\nBody.\n"
        documents = [{"skill": "tarpit", "text": text}]
        documents += [{"skill": "tarpit", "path": f"{i}.md", "text": f"File {i}."} for i in range(FILES)]
        beside = self.script.with_suffix(".new")
        beside.write_text(json.dumps({"documents": documents, **more}))
        beside.replace(self.script)

    def hang(self):
        self.say({"read": {"do": "block", "fifo": str(self.pipe)}})

    def release(self):
        """Releases every hanging reader. A thread still exists then; a process may be gone."""
        wait = 0 if self.source["isolation"] == "thread" else os.O_NONBLOCK
        try:
            os.close(os.open(self.pipe, os.O_WRONLY | wait))
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise


class Conversation(Session):
    """Sends requests side by side, and keeps the time of each answer."""

    def ask(self, name, **arguments):
        self._count += 1
        self.server.send({"jsonrpc": "2.0", "id": self._count, "method": "tools/call",
                          "params": {"name": name, "arguments": arguments}})
        return self._count, time.monotonic()

    def collect(self, wanted):
        answers = {}
        deadline = time.monotonic() + DEADLINE
        while len(answers) < len(wanted):
            message = self.server.receive(deadline)
            if message is None:
                raise Broken(f"the server ended:\n{self.server.stderr()[-2000:]}")
            if "id" not in message:
                continue
            if message["id"] in answers or message["id"] not in wanted:
                raise Broken(f"answered twice or unasked: {message['id']}")
            answers[message["id"]] = (time.monotonic(), message["result"]["structuredContent"])
        return answers


def read(session, number):
    return session.ask("read_skill_document", skill_name="tarpit", document_path=f"{number}.md")


def hanging_call(session, stuck, number):
    """Makes one hanging call among many others. Returns its envelope and its duration in milliseconds."""
    stuck.hang()
    tarpit, begun = read(session, number)
    others = [session.ask("read_skill_document", skill_name="greeter", document_path="**")[0]
              for _ in range(OTHERS)]
    answers = session.collect({tarpit, *others})
    failed = [answers[i][1] for i in others if not answers[i][1]["success"]]
    if failed:
        raise Broken(f"a neighbour failed: {failed[0]}")
    when, envelope = answers[tarpit]
    return envelope, (when - begun) * 1000


def expect(envelope, code, retryable=True):
    error = envelope.get("error", {})
    if envelope["success"] or error["code"] != code or error["retryable"] is not retryable:
        raise Broken(f"expected {code}: {envelope}")
    if not isinstance(envelope["metadata"]["durationMs"], int):
        raise Broken(f"no durationMs: {envelope}")


def well_again(session, number):
    """Waits for a killed process to start again, which may take longer than a call may."""
    until = time.monotonic() + DEADLINE
    while not (envelope := session.collect({read(session, number)[0]}).popitem()[1][1])["success"]:
        if not envelope["error"]["retryable"] or time.monotonic() > until:
            raise Broken(f"not well again: {envelope}")


def deadline_holds(session, stuck, rounds):
    """Checks INV-MCP-TIMEOUT-001, -004 and -005: a timely end, its code, its duration."""
    spans = []
    for number in range(rounds):
        envelope, span = hanging_call(session, stuck, number)
        expect(envelope, "TOOL_TIMEOUT")
        if envelope["metadata"]["durationMs"] < LIMIT_MS:
            raise Broken(f"timed out before its time: {envelope}")
        spans.append(span)
        stuck.say({})
        stuck.release()
        well_again(session, number)
    spans.sort()
    print(f"deadline of {LIMIT_MS} ms among {OTHERS} calls, {rounds} times: answered after "
          f"{spans[rounds // 2]:.1f} ms at the median, {spans[int(rounds * 0.99)]:.1f} ms at p99")


def circuit_opens(session, stuck):
    """Checks that after three calls that never return, the fourth is refused at once."""
    for _ in range(3):
        envelope, _ = hanging_call(session, stuck, FILES - 1)
        expect(envelope, "TOOL_TIMEOUT")
    deadline = time.monotonic() + DEADLINE
    while True:  # until the third thread is given up, shortly after its deadline
        envelope, _ = hanging_call(session, stuck, FILES - 1)
        if envelope["error"]["code"] == "SERVICE_UNAVAILABLE":
            break
        if time.monotonic() > deadline:
            raise Broken(f"the circuit does not open: {envelope}")
    expect(envelope, "SERVICE_UNAVAILABLE")
    stuck.say({})
    stuck.release()
    while True:  # half open after a pause of one second
        envelope = session.collect({read(session, FILES - 1)[0]}).popitem()[1][1]
        if envelope["success"]:
            break
        if time.monotonic() > deadline:
            raise Broken(f"the circuit does not close: {envelope}")
    print("circuit: opened after three, closed again by the first call that came back")


def conversation(server, plugin, skills, isolation, rounds):
    with tempfile.TemporaryDirectory() as folder:
        stuck = Stuck(Path(folder), plugin, isolation)
        configuration = Path(folder) / "configuration.json"
        configuration.write_text(json.dumps({
            "sources": [{"name": "neighbour", "plugin": "filesystem", "config": {"directories": [skills]}},
                        stuck.source],
            "deadlines": {"tools": {"read_skill_document": LIMIT_MS}}}))
        print(f"isolation {isolation}:")
        with Conversation([server, "--config", str(configuration), "--log-level", "ERROR"]) as session:
            session.tool("list_skills")  # is answered when both sources have been read
            deadline_holds(session, stuck, rounds)
            if isolation == "thread":  # a hanging process is ended, so none is lost
                circuit_opens(session, stuck)
            session.server.finish()


def main():
    server, plugin, skills = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    for isolation in ("thread", "process"):
        conversation(server, plugin, skills, isolation, rounds)


if __name__ == "__main__":
    try:
        main()
    except Broken as broken:
        print(f"FAILED: {broken}")
        sys.exit(1)
    print("3 passed, 0 failed")
