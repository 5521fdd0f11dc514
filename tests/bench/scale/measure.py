#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a start with many skills: measure.py SERVER FOLDER [--rounds N] [--beside] [--set KEY=VALUE]...

Starts SERVER on stdio with the skills of FOLDER, first with an empty cache and then with the cache of the run
before ("kept"), and prints the median of the rounds: seconds from the start of the process to the whole list and
to a search of all of it, MB resident then and at most, microseconds of a load_skill, and milliseconds until a
changed skill is found by its new word. With --beside it measures instead a server with an empty cache and a second
one beside it: processor time to a search of all, and the memory that each has alone and its share of what both have."""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
import uuid
from pathlib import Path


class Server:
    def __init__(self, command, cache):
        environment = {**os.environ, "XDG_CACHE_HOME": cache, "SKILLHOST_STARTUP_WAIT_MS": "600000", "SKILLHOST_DEADLINES_QUERY_MS": "600000"}
        self.begun = time.monotonic()
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.count = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.count:
                return message["result"]

    def tool(self, name, **arguments):
        result = self.ask("tools/call", {"name": name, "arguments": arguments})
        return result.get("structuredContent") or result["_meta"]["org.skillhost/result"]

    def elapsed(self):
        return time.monotonic() - self.begun

    def memory(self, what, file="status"):
        """Returns the MB of this process and of those that it has started; `what` begins names of lines of /proc."""
        processes = [self.process.pid]
        for process in processes:
            for task in Path(f"/proc/{process}/task").iterdir():
                processes += [int(child) for child in (task / "children").read_text().split()]
        total = 0
        for process in processes:
            for line in Path(f"/proc/{process}/{file}").read_text().splitlines():
                name = line.split(":")[0]
                if name == what or (what.endswith("_") and name.startswith(what)):
                    total += int(line.split()[1])
        return total / 1024

    def processor(self):
        """Returns the seconds of processor time of this process, all its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


def whole(server, name, **arguments):
    """Repeats the call until the answer is complete."""
    while True:
        envelope = server.tool(name, **arguments)
        if envelope["success"] and "partial" not in envelope["metadata"]:
            return


def changed(server, file):
    """Returns the milliseconds from the rename of a changed SKILL.md until a search finds it by its new word."""
    text, word = file.read_text(), "zq" + "".join(chr(ord("a") + int(digit, 16)) for digit in uuid.uuid4().hex[:12])
    draft = file.with_name(".draft")
    draft.write_text(text.replace("description:", f"description: {word}", 1))
    draft.rename(file)
    begun = time.monotonic()
    try:
        while not server.tool("find_helpful_skills", task_description=word)["data"]["results"]:
            if time.monotonic() - begun > 60:
                raise TimeoutError(f"{file}: not found by its new word after 60 s")
            time.sleep(0.02)  # the pace of the questions, which costs the server little
        return (time.monotonic() - begun) * 1e3
    finally:
        draft.write_text(text)
        draft.rename(file)
        while server.tool("find_helpful_skills", task_description=word)["data"]["results"]:
            time.sleep(0.02)  # the restored text is indexed


def measure(command, cache, folder):
    server, figures = Server(command, cache), {}
    whole(server, "list_skills", limit=1)
    figures["list s"], figures["list cpu s"] = server.elapsed(), server.processor()
    figures["MB at the list"] = server.memory("VmRSS")
    whole(server, "find_helpful_skills", task_description="merge two pdf files into one document")
    figures["search s"], figures["search cpu s"] = server.elapsed(), server.processor()
    names = [skill["name"] for skill in server.tool("list_skills", limit=100)["data"]["skills"]]
    loads, finds = [], []
    for turn in range(300):
        begun = time.perf_counter()
        server.tool("load_skill", skill_name=names[turn % len(names)], force_reload=True)
        loads.append((time.perf_counter() - begun) * 1e6)
    for _ in range(100):
        begun = time.perf_counter()
        server.tool("find_helpful_skills", task_description="review the security of a terraform module for azure")
        finds.append((time.perf_counter() - begun) * 1e6)
    figures["load_skill us"], figures["find us"] = statistics.median(loads), statistics.median(finds)
    files = sorted(Path(folder).glob("**/SKILL.md"))
    changes = []
    for file in files[:: max(1, len(files) // 12)]:
        changes.append(changed(server, file))
    figures["change ms"] = statistics.median(changes)
    time.sleep(3)  # memory that is freed a moment later does not count
    figures["MB"], figures["MB at most"] = server.memory("VmRSS"), server.memory("VmHWM")
    server.end()
    return figures


def beside(command, cache):
    """Returns the figures of a server with an empty cache, and of one that is started when that has kept its index."""
    figures = {}

    def start(name):
        server = Server(command, cache)
        whole(server, "find_helpful_skills", task_description="merge two pdf files into one document")
        figures[name] = {"search s": server.elapsed(), "search cpu s": server.processor()}
        return server
    first = start("first")
    spent = -1
    while not list(Path(cache).glob("**/manifest")) or first.processor() > spent:  # it still merges and writes
        spent = first.processor()
        time.sleep(2)
    second = start("second")
    time.sleep(3)  # memory that is freed a moment later does not count
    for name, server in (("first", first), ("second", second)):
        figures[name]["MB"] = server.memory("VmRSS")
        figures[name]["MB private"] = server.memory("Private_", "smaps_rollup")
        figures[name]["MB of a share"] = server.memory("Pss", "smaps_rollup")
        figures[name]["cpu s at the end"] = server.processor()
    second.end()
    first.end()
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    given = parser.parse_args()
    command = [given.server, "--skills-dir", given.folder]
    for one in given.set:
        command += ["--set", one]
    rounds = {"first": [], "second": []} if given.beside else {"cold": [], "kept": []}
    for _ in range(given.rounds):
        with tempfile.TemporaryDirectory() as cache:
            both = beside(command, cache) if given.beside else {}
            for name, figures in rounds.items():
                figures.append(both[name] if given.beside else measure(command, cache, given.folder))
    for name, figures in rounds.items():
        print(name + ": " + ", ".join(f"{key} {statistics.median(one[key] for one in figures):.2f}" for key in figures[0]))


if __name__ == "__main__":
    main()
