#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speaks MCP with a server over stdio, as a client would, and prints the answers.

usage: quickstart_conversation.py SERVER [ARGUMENT ...]
Exits with code 1 and the reason when an answer is an error or does not arrive.
"""

import json
import queue
import subprocess
import sys
import textwrap
import threading
import time

TASK = "write the notes for a release from the git history"
PATIENCE = 10  # seconds for one answer


class Trouble(Exception):
    """A problem, described for a person."""


class Server:
    """One server process, which gets one request at a time."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, encoding="utf-8")
        self.lines = queue.Queue()
        self.last_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, method, params):
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, params):
        self.last_id += 1
        self._write({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        while True:
            message = self._next(method)
            if message.get("id") == self.last_id:
                break  # earlier messages are notifications
        if "error" in message:
            raise Trouble(f"{method} was refused: {message['error']}")
        return message["result"]

    def call(self, tool, arguments):
        """Returns the data of a tool's answer, and the time it took in milliseconds."""
        begun = time.perf_counter()
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        took = (time.perf_counter() - begun) * 1000
        answer = result.get("structuredContent") or {}
        if result.get("isError") or not answer.get("success"):
            text = answer.get("error") or result.get("content")
            raise Trouble(f"{tool}{arguments} failed: {text}")
        return answer["data"], took

    def close(self):
        """Closes the server's input, which ends the server without further output."""
        self.process.stdin.close()
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Trouble("the server did not stop at the end of its input") from None
        if code != 0:
            raise Trouble(f"the server ended with exit code {code}")

    def _write(self, message):
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Trouble(f"the server does not listen: {error}") from None

    def _next(self, method):
        try:
            line = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise Trouble(f"no answer to {method} within {PATIENCE} s") from None
        if line is None:
            raise Trouble(f"the server ended before it answered {method}")
        try:
            return json.loads(line)
        except ValueError:
            raise Trouble(f"not JSON on the server's output: {line!r}") from None


def shorten(text, width=72):
    return textwrap.shorten(text, width, placeholder=" …")


def show_text(text, lines):
    shown = text.splitlines()
    for line in shown[:lines]:
        print(f"    | {line}")
    if len(shown) > lines:
        print(f"    | … {len(shown) - lines} lines more")


def first_documents(server, names):
    """Finds the first skill that has files beside its SKILL.md. Returns its name, the files and the time taken."""
    for name in names:
        data, took = server.call("read_skill_document", {"skill_name": name, "document_path": "**/*"})
        documents = [d for d in data["documents"] if d["path"] != "SKILL.md" and d.get("content")]
        if documents:
            return name, documents, took
    raise Trouble("no skill has a readable file beside its SKILL.md")


def converse(server):
    begun = time.perf_counter()
    hello = server.request("initialize", {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "quickstart", "version": "1"}})
    took = (time.perf_counter() - begun) * 1000
    server.send("notifications/initialized", {})
    info = hello["serverInfo"]
    print(f"{info['name']} {info['version']} answered in {took:.1f} ms, in MCP {hello['protocolVersion']}")

    data, took = server.call("list_skills", {})
    skills = data["skills"]
    print(f"\nlist_skills: {data.get('total', len(skills))} skills, {took:.1f} ms")
    for skill in skills[:10]:
        print(f"  {skill['name']:<22} {shorten(skill['description'])}")
    if not skills:
        raise Trouble("no skill was found")

    data, took = server.call("find_helpful_skills", {"task_description": TASK})
    results = data["results"]
    print(f"\nfind_helpful_skills \"{TASK}\": {took:.1f} ms")
    for result in results:
        print(f"  {result['score']:6.2f}  {result['name']:<22} {shorten(result['description'], 60)}")
    if not results:
        raise Trouble("the search found nothing")

    best = results[0]["name"]
    data, took = server.call("load_skill", {"skill_name": best})
    print(f"\nload_skill {best}: {data['status']}, {took:.1f} ms; it begins")
    show_text(data["content"], 12)

    names = [best, *(skill["name"] for skill in skills if skill["name"] != best)]
    name, documents, took = first_documents(server, names)
    print(f"\nread_skill_document {name}: {took:.1f} ms; {documents[0]['path']} begins")
    show_text(documents[0]["content"], 8)


def main(command):
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        server = Server(command)
        try:
            converse(server)
        except BaseException:
            server.process.kill()
            raise
        server.close()
    except (Trouble, OSError) as trouble:
        print(f"quickstart: {trouble}", file=sys.stderr)
        return 1
    except (KeyError, TypeError) as missing:
        print(f"quickstart: an answer lacks what it should have: {missing!r}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
