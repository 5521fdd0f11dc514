#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An MCP server with skills on stdio, of either family of revisions, that misbehaves on request:
skills_program.py FOLDER FAMILY [FAULT]

It serves FOLDER/*/, appends a line for each start and request to FOLDER.log, and reads FOLDER again and tells of it when
it gets SIGUSR1."""
import hashlib
import json
import os
import signal
import sys
import threading
from pathlib import Path

FOLDER, FAMILY, FAULT = Path(sys.argv[1]), sys.argv[2], (sys.argv[3:] or ["none"])[0]
MODERN, LEGACY = "2026-07-28", "2025-11-25"
CHANGED = "notifications/resources/list_changed"
NAMED = {"name": "program", "version": "1"}
lock = threading.Lock()
log = open(f"{FOLDER}.log", "a", buffering=1)
listening = []


def say(message):
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def skills():
    for entry in sorted(FOLDER.glob("*/SKILL.md")):
        root = f"skill://{entry.parent.name}/"
        files = [file for file in sorted(entry.parent.rglob("*")) if file.is_file() and not file.name.startswith(".")]
        yield {"uri": root + "SKILL.md", "frontmatter": {"name": entry.parent.name, "description": "d"}, "resources": [
            {"uri": root + str(file.relative_to(entry.parent)), "size": file.stat().st_size,
             "digest": "sha256:" + hashlib.sha256(file.read_bytes()).hexdigest()} for file in files]}


def misbehave(method):
    if method == FAULT.partition(":")[0]:
        fault = FAULT.partition(":")[2]
        if fault == "dies":
            os._exit(3)
        if fault == "half":
            os.write(1, b'{"jsonrpc": "2.0", "id": 1, "result": {"contents": [')
            os._exit(0)
        if fault == "silent":
            signal.pause()
        if fault in ("endless", "loud"):
            while True:
                os.write(1 if fault == "endless" else 2, b"x" * 65536)
        if fault == "dense":
            os.write(1, b'{"jsonrpc": "2.0", "id": 1, "result": {"skills": [' + b"[]," * 5_000_000 + b"0]}}\n")
        if fault == "long":
            say({"method": "notifications/message", "params": {"data": "x" * 3_000_000}})
        if fault == "junk":
            print("not MCP\n[]\n\x1b[31m{", flush=True)
        if fault == "flood":
            while True:
                os.write(1, b"not MCP\n" * 1000)


def capabilities():
    return {"resources": {"listChanged": True, "subscribe": True}, "extensions": {"io.modelcontextprotocol/skills": {}}}


def answer(request):
    method, params = request["method"], request.get("params", {})
    is_modern = "io.modelcontextprotocol/protocolVersion" in params.get("_meta", {})
    misbehave(method)
    if method == "initialize" and FAMILY == "legacy":
        return {"protocolVersion": LEGACY, "capabilities": capabilities(), "serverInfo": NAMED}
    if is_modern == (FAMILY == "modern"):
        if method == "server/discover":
            return {"supportedVersions": [MODERN], "capabilities": capabilities(), "_meta": {"io.modelcontextprotocol/serverInfo": NAMED}}
        if method == "skills/list":
            return {"skills": list(skills())}
        if method == "resources/read":
            return {"contents": [{"uri": params["uri"], "text": (FOLDER / params["uri"].removeprefix("skill://")).read_text()}]}
        if method == "resources/subscribe":
            return {}
    return None


def on_change(*_):
    if FAMILY == "legacy" or listening:
        more = {"params": {"_meta": {"io.modelcontextprotocol/subscriptionId": listening[0]}}} if listening else {}
        say({"method": CHANGED, **more})
    log.write("told\n")


def main():
    signal.signal(signal.SIGUSR1, on_change)
    log.write(f"start {os.getpid()} {os.environ.get('GIVEN', '')} {os.environ.get('A_SECRET', 'none')}\n")
    print("hello from the program", file=sys.stderr, flush=True)
    if FAULT == "exits":
        os._exit(4)
    misbehave("start")
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        if "method" not in request:
            log.write(f"answer {request.get('id')}\n")
            continue
        log.write(f"{request['method']} {json.dumps(request.get('params', {}).get('uri', ''))}\n")
        if request["method"] == "subscriptions/listen" and FAMILY == "modern" and FAULT != "mute":
            listening.append(request["id"])
            say({"method": "notifications/subscriptions/acknowledged", "params": {}})
            log.write("listening\n")
            continue
        if "id" not in request:
            continue
        result = answer(request)
        if result is None:
            say({"id": request["id"], "error": {"code": -32601, "message": f"no {request['method']}"}})
        else:
            say({"id": request["id"], "result": {"resultType": "complete", **result}})
    log.write("end of input\n")
    if FAULT == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        log.write("stays\n")
        while True:
            signal.pause()


main()
