#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replays transcripts against a server over stdio: replay.py SERVER SOURCE_ROOT GROUP|FILE.jsonl... A group is the
beginning of a name: bad, both, legacy, modern. README.md describes the lines of a transcript. Ends with `N
passed, N failed`."""
import base64
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

import invariants
from patterns import Matcher
from server import DEADLINE, Broken, Server

CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
HEADER_KEYS = {
    "transcript", "family", "version", "skills", "copy", "generate", "options", "exit", "stderr", "handshake", "ignore",
    "client",
}


class Mismatch(Exception):
    """The server did not meet a step."""


class Replay:
    """Replays one transcript against one fresh server."""

    def __init__(self, command, root, header):
        if unknown := set(header) - HEADER_KEYS:
            raise ValueError(f"unknown keys in the header: {sorted(unknown)}")
        self.header = header
        self.client = {"name": header.get("client", "transcript"), "version": "1"}
        self.scratch = tempfile.TemporaryDirectory(prefix="skillhost-replay-")
        self.folder = self._prepare(root)
        options = [option.replace("{folder}", str(self.folder)) for option in header.get("options", [])]
        self.server = Server(command + ["--skills-dir", str(self.folder)] + options,
                             batches=header.get("version") == "2025-03-26")
        self.matcher = Matcher(self.folder, {})
        self.requests = {}  # requests by the id as JSON text
        self.pending = []  # messages that no step has taken yet
        self.answered = set()
        self.count = 0
        self.ended = False

    def _prepare(self, root):
        source = Path(root) / self.header.get("skills", "tests/conformance/skills")
        if "generate" in self.header:
            target = Path(self.scratch.name) / "skills"
            for number in range(self.header["generate"]):
                folder = target / f"made-{number:04}"
                folder.mkdir(parents=True)
                (folder / "SKILL.md").write_text(
                    f"---\nname: made-{number:04}\ndescription: The made skill number {number}.\n---\nBody {number}.\n")
            return target
        if not self.header.get("copy"):
            return source
        return shutil.copytree(source, Path(self.scratch.name) / "skills", symlinks=True)

    # ---- talking

    def transmit(self, message, exactly):
        message = self.matcher.fill(message)
        if not exactly:
            message = {"jsonrpc": "2.0", **message}
            if self.header.get("family") == "modern" and "id" in message:
                params = dict(message.get("params", {}))
                params["_meta"] = {**MODERN, CLIENT_KEY: self.client, **params.get("_meta", {})}
                message["params"] = params
        if isinstance(message, dict) and "id" in message:
            self.requests[json.dumps(message["id"])] = message
        self.server.send(message)

    def take(self, wanted, what):
        """Returns the first message that `wanted` accepts, now or within the deadline; others wait."""
        deadline = time.monotonic() + DEADLINE
        for index, message in enumerate(self.pending):
            if wanted(message):
                return self.pending.pop(index)
        while True:
            try:
                message = self.server.receive(deadline)
            except Broken as error:
                raise Mismatch(f"{error}: waiting for {what}; not yet expected: {self.pending}") from None
            if message is None:
                raise Mismatch(f"the server closed its output; waiting for {what}")
            self._inspect(message)
            if wanted(message):
                return message
            if message.get("method") not in self.header.get("ignore", []):
                self.pending.append(message)

    def _inspect(self, message):
        """Checks the rules for every message; an answer also belongs to one request, once."""
        if "method" in message:
            if "id" in message:
                raise Mismatch(f"the server sent a request: {message}")
            return
        if "id" not in message:
            raise Mismatch(f"an answer without an id: {message}")
        key = json.dumps(message["id"])
        if message["id"] is None:
            return
        if key in self.answered:
            raise Mismatch(f"the request {key} was answered twice: {message}")
        self.answered.add(key)
        found = invariants.violations(self.requests.get(key, {}), message)
        if found:
            raise Mismatch("; ".join(found) + f": {json.dumps(message, ensure_ascii=False)[:2000]}")

    def answer(self, identifier):
        key = json.dumps(identifier)
        return self.take(lambda m: "method" not in m and json.dumps(m.get("id")) == key, f"the answer to {key}")

    def check(self, pattern, message):
        if found := self.matcher.differences(pattern, message):
            text = json.dumps(message, ensure_ascii=False)
            raise Mismatch("\n      ".join(found) + f"\n      in {text[:3000]}")

    def ask(self, request, exactly=False):
        """Sends a request, with an id if it has none, and returns the answer."""
        self.count += 1
        request = request if exactly or "id" in request else {"id": f"auto-{self.count}", **request}
        self.transmit(request, exactly)
        return self.answer(request["id"])

    # ---- steps, by the key that names them

    def step(self, step):
        names = [key for key in step if hasattr(self, "do_" + key)]
        if len(names) != 1:
            raise ValueError(f"not one step but {names}: {step}")
        getattr(self, "do_" + names[0])(step[names[0]], step)

    def do_note(self, *_):
        pass

    def do_send(self, message, step):
        exactly = step.get("exactly", False)
        if "result" not in step and "error" not in step:
            return self.transmit(message, exactly)
        kind = "result" if "result" in step else "error"
        end = time.monotonic() + DEADLINE
        while True:
            answer = self.ask(message, exactly)
            try:
                return self.check({kind: step[kind]}, answer)
            except Mismatch:
                if not step.get("eventually", False) or time.monotonic() > end:
                    raise

    def do_sendRaw(self, text, step):
        self.server.send_bytes(text.encode() + (b"" if step.get("newline") is False else b"\n"))

    def do_sendBytes(self, text, step):
        self.server.send_bytes(base64.b64decode(text) + (b"" if step.get("newline") is False else b"\n"))

    def do_sendPieces(self, pieces, _):
        self.server.send_bytes(b"".join(text.encode() * count for text, count in pieces) + b"\n")

    def do_expect(self, pattern, _):
        message = self.answer(pattern.get("id"))
        self.check(pattern, message)

    def do_expectNotification(self, pattern, _):
        matches = lambda m: "method" in m and not self.matcher.differences(pattern, m)
        self.take(matches, f"the notification {json.dumps(pattern)}")

    def do_expectNothing(self, *_):
        """Sends a request and waits for its answer; no other message may arrive until then."""
        modern = self.header.get("family") == "modern"
        self.ask({"method": "server/discover" if modern else "ping"})
        if self.pending:
            raise Mismatch(f"expected nothing, got {self.pending}")

    def do_walk(self, walk, _):
        """Follows nextCursor to the end and counts the items under `member`."""
        params, items, pages = dict(walk.get("params", {})), [], 0
        while True:
            answer = self.ask({"method": walk["method"], "params": params})
            self.check({"result": {walk["member"]: {"$type": "array"}}}, answer)
            items += answer["result"][walk["member"]]
            pages += 1
            if "nextCursor" not in answer["result"] or pages > 10000:
                break
            params["cursor"] = answer["result"]["nextCursor"]
        key = walk.get("unique")
        if key and len({item[key] for item in items}) != len(items):
            raise Mismatch(f"{walk['method']}: a {key} stands on two pages")
        self.check(walk["items"], items)
        self.check(walk.get("pages", {"$any": True}), pages)

    def do_write(self, path, step):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(self.scratch.name) / "being-written"
        beside.write_bytes(step["text"].encode())
        beside.replace(target)

    def do_remove(self, path, _):
        target = self.folder / path
        shutil.rmtree(target) if target.is_dir() else target.unlink()

    def do_endInput(self, *_):
        self.server.end_input()
        self.ended = True

    # ---- beginning and end

    def begin(self):
        if self.header.get("family") == "legacy" and self.header.get("handshake", True):
            version = self.header.get("version", "2025-11-25")
            answer = self.ask({"method": "initialize", "params": {
                "protocolVersion": version, "capabilities": {}, "clientInfo": self.client}})
            self.check({"result": {"protocolVersion": version}}, answer)
            self.transmit({"method": "notifications/initialized"}, False)

    def finish(self):
        rest, code = self.server.finish()
        for message in rest:
            self._inspect(message)
        # Each subscription may be closed with a last message; no other message may remain.
        rest = [m for m in self.pending + rest if not self._closes_subscription(m)
                and m.get("method") not in self.header.get("ignore", [])]
        if rest:
            raise Mismatch(f"said and never expected: {json.dumps(rest, ensure_ascii=False)[:3000]}")
        if code != self.header.get("exit", 0):
            raise Mismatch(f"exit code {code}")
        self.check(self.header.get("stderr", {"$any": True}), self.server.stderr())

    def _closes_subscription(self, message):
        key = "io.modelcontextprotocol/subscriptionId"
        if message.get("method") == "notifications/cancelled":
            closed = self.requests.get(json.dumps(message["params"].get("requestId")), {})
            return closed.get("method") == "subscriptions/listen"
        return key in message.get("result", {}).get("_meta", {})


def replay(command, root, path):
    """Returns None when the transcript holds, in both families if it is for both; otherwise the fault with its line."""
    lines = [(n, json.loads(text)) for n, text in enumerate(path.read_text().splitlines(), 1) if text.strip()]
    header = lines[0][1]
    if header.get("family") != "both":
        return replay_in(header, command, root, path, lines)
    for family in ("legacy", "modern"):
        if wrong := replay_in({**header, "family": family}, command, root, path, lines):
            return f"{family}: {wrong}"
    return None


def replay_in(header, command, root, path, lines):
    number = lines[0][0]
    run = Replay(command, root, header)
    try:
        run.begin()
        for number, step in lines[1:]:
            run.step(step)
        number = "end"
        run.finish()
    except (Mismatch, Broken) as error:
        run.server.kill()
        log = "".join(f"\n      | {line}" for line in run.server.stderr().splitlines()[-15:])
        return f"{path.name}:{number}: {error}{log}"
    finally:
        run.server.kill()
        run.scratch.cleanup()
    if found := run.server.alarms():
        return f"{path.name}: on stderr: " + "\n      ".join(found[:10])
    return None


def main():
    server, root = sys.argv[1:3]
    here = Path(__file__).parent
    files = [path for name in sys.argv[3:]
             for path in ([Path(name)] if name.endswith(".jsonl") else sorted(here.glob(name + "_*.jsonl")))]
    failed = 0
    for path in files:
        wrong = replay([server], root, path)
        failed += bool(wrong)
        print(f"FAILED {wrong}" if wrong else f"ok     {path.name}", flush=True)
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
