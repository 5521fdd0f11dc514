#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a server over HTTP very much while tokens and skills come and go, and watches what it holds.

http_soak.py SERVER [--seconds 15] [--connections 256] [--most-growth-mib 10]; the long form: --seconds 1800"""
import argparse
import asyncio
import contextlib
import json
import random
import re
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from http_client import Connection  # noqa: E402
from checks import Checks  # noqa: E402
from http_server import INITIALIZE, LEGACY, MODERN, Running, legacy, modern  # noqa: E402
from session import write_skill  # noqa: E402
from tokens import Tokens  # noqa: E402

SKILLS = 100
STALE = ('"code":-31006,', '"CONFLICT: ')
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
checks = Checks()


def any_call():
    """Returns a method, its params, and a part of the right answer, or its status."""
    number = random.randrange(SKILLS)
    return random.choices((
        ("tools/call", {"name": "load_skill", "arguments": {"skill_name": f"skill{number}", "force_reload": True}}, "body of"),
        ("tools/call", {"name": "load_skill", "arguments": {"skill_name": f"none{random.random()}"}}, "isError"),
        ("tools/call", {"name": "find_helpful_skills", "arguments": {"task_description": f"a number, and {number}"}}, "skill"),
        ("tools/call", {"name": "get_server_stats", "arguments": {}}, 403),
        ("resources/read", {"uri": f"skill://skills/skill{number}/SKILL.md"}, "body of"),
        ("tools/list", {}, "load_skill"), ("prompts/get", {"name": f"skill{number}"}, "messages"), ("skills/list", {}, "skill")),
        (30, 3, 10, 3, 20, 20, 8, 3))[0]


class Visitor:
    """A connection, and the streams that belong to it."""

    def __init__(self, port, tokens, figures):
        self.connection, self.tokens, self.figures = Connection(port), tokens, figures
        self.token, self.port, self.number = None, port, 1

    async def ask(self, method, body=None, fields=None, right=(200,), has=""):
        """Returns the fields of a right answer; None when the token has gone."""
        asked = time.monotonic()
        status, answered = await self.connection.send(method, self.token.text, body, fields)
        stream = answered.get("content-type", "").startswith("text/event-stream")
        text = "" if stream else await self.connection.text(answered)
        self.figures["asked"] += 1
        wrong = self.token.wrong(status, asked, time.monotonic())
        if status != 401:
            # A text that is read while it changes on disk may be stale; the answer says so.
            wrong = wrong or status not in right or not any(one in text for one in (has, *STALE))
            wrong = wrong or (status == 200 and text and json.loads(text)["id"] != body["id"])
        elif not wrong:
            self.figures["refused"] += 1
        if wrong:
            now = time.monotonic()
            checks.check(False, f"{method} {json.dumps(body)[:150]} by {self.token.name} ({asked - self.token.doubtful:.2f}, "
                                f"{now - self.token.dead:.2f}): {status} {text[:300]}")
        return None if status == 401 else answered

    async def call(self, form, fields):
        method, params, has = any_call()
        own = {} if form is legacy else {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
        if form is modern and method in NAMED:
            own["Mcp-Name"] = params[NAMED[method]]
        expected = ((403,), "") if has == 403 else ((200,), has)
        self.number += 1
        return await self.ask("POST", form(method, id=self.number, **params), {**fields, **own}, *expected)

    async def stream(self, method, body, fields):
        """Opens a stream on a connection of its own; leaves it in the middle of a few calls, and drops it."""
        beside = Visitor(self.port, self.tokens, self.figures)
        beside.token = self.token
        answered = await beside.ask(method, body, fields, right=(200, 404))
        if answered is not None:
            self.figures["streams"] += 1
        return beside

    async def legacy_visit(self, length):
        answered = await self.ask("POST", INITIALIZE)
        if answered is None:
            return
        own = {"Mcp-Session-Id": answered["mcp-session-id"], "MCP-Protocol-Version": LEGACY}
        if not await self.ask("POST", {"jsonrpc": "2.0", "method": "notifications/initialized"}, own, (202,)):
            return
        beside = await self.stream("GET", None, own) if random.random() < 0.3 else None
        for _ in range(length):
            if await self.call(legacy, own) is None:
                break
        if beside is not None:
            beside.connection.drop()
        if random.random() < 0.8:  # the others leave their session to its idle time
            await self.ask("DELETE", None, own, (204,))

    async def modern_visit(self, length):
        listen = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "subscriptions/listen"}
        beside = None
        if random.random() < 0.3:
            beside = await self.stream("POST", modern("subscriptions/listen", notifications={"resourcesListChanged": True}), listen)
        for _ in range(length):
            if await self.call(modern, {}) is None:
                break
        if beside is not None:
            beside.connection.drop()

    async def run(self, until):
        while time.monotonic() < until:
            self.token = self.tokens.any()
            await random.choice((self.legacy_visit, self.modern_visit))(random.randrange(1, 20))
            if random.random() < 0.1:
                self.connection.drop()
        self.connection.drop()


async def repeat(deed, seconds, until):
    while time.monotonic() < until:
        await deed()
        await asyncio.sleep(seconds)  # the pace of the changes, which nothing waits for


class Watch:
    """Samples the memory, descriptors and threads of the process."""

    def __init__(self, server):
        self.process = Path(f"/proc/{server.process.pid}")
        self.samples = []

    def descriptors(self):
        """Returns the number of open descriptors, except two kinds. The search index has more segments while skills
        change, until they are merged; the file of usage and its companions are opened at the first use."""
        paths = []
        for descriptor in (self.process / "fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                paths.append(descriptor.readlink().name)
        return sum(not path.removesuffix(" (deleted)").endswith(".segment") and not path.startswith(("usage.sqlite", "versions.sqlite")) for path in paths)

    def threads(self):
        """Returns the number of threads, except those of the auth plugin's executor, which start when calls wait, up
        to a fixed number."""
        names = []
        for task in (self.process / "task").iterdir():
            with contextlib.suppress(FileNotFoundError):  # ended meanwhile
                names.append((task / "comm").read_text().strip())
        return sum(name != "auth" for name in names)

    def resident(self):
        return int((self.process / "statm").read_text().split()[1]) * resource.getpagesize() / (1 << 20)

    async def sample(self):
        self.samples.append((self.resident(), self.threads()))

    def growth(self, what):
        """Returns the difference between the medians of the first and the last fifth, without the first third, which
        is the warm-up."""
        values = [sample[what] for sample in self.samples[len(self.samples) // 3:]]
        part = (len(values) + 4) // 5
        return statistics.median(values[-part:]) - statistics.median(values[:part])


async def soak(wanted, server, folder, tokens, watch):
    until = time.monotonic() + wanted.seconds
    figures = {"asked": 0, "refused": 0, "streams": 0}

    async def change():
        number = random.randrange(SKILLS)
        write_skill(folder, f"skill{number}", f"Knows the number {number}, {random.random()}", f"The body of {number}.\n" * 100)

    visitors = [Visitor(server.port, tokens, figures).run(until) for _ in range(wanted.connections)]
    await asyncio.gather(*visitors, repeat(tokens.churn, 0.4, until), repeat(change, 0.5, until),
                         repeat(watch.sample, wanted.seconds / 60, until))
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--connections", type=int, default=256)
    parser.add_argument("--most-growth-mib", type=float, default=10)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, file = Path(name) / "skills", Path(name) / "tokens"
        for number in range(SKILLS):
            write_skill(folder, f"skill{number}", f"Knows the number {number}", f"The body of {number}.\n" * 100)
        tokens = Tokens(wanted.server, file, most=6)
        asyncio.run(tokens.add())
        server = Running(wanted.server, str(folder), "--auth", "static",
                         "--set", "auth.config=" + json.dumps({"file": str(file), "cache_seconds": 0}),
                         "--set", f"http.session_idle_s={int(min(30, wanted.seconds / 3))}")
        watch = Watch(server)
        # The server answers a search once every plugin is there.
        search = legacy("tools/call", name="find_helpful_skills", arguments={"task_description": "numbers"})
        response, _ = server.post(search, Authorization=f"Bearer {tokens.live[0].text}")
        checks.check(response.status == 200, f"the first search: {response.status}")
        before = watch.descriptors()
        figures = asyncio.run(soak(wanted, server, folder, tokens, watch))
        # Each of these requests is a turn of the loop, in which it may notice lost connections.
        patience = time.monotonic() + 20
        while watch.descriptors() > before and time.monotonic() < patience:
            server.ask("GET", "/healthz")
        checks.check(watch.descriptors() <= before, f"{watch.descriptors()} descriptors are open, {before} were at first")
        # An executor starts its second thread when calls first wait for it, at any time; a leak grows with thousands of
        # requests.
        checks.check(watch.growth(1) <= 2, f"{watch.growth(1):+} threads")
        checks.check(watch.growth(0) <= wanted.most_growth_mib, f"memory grew by {watch.growth(0):.2f} MiB")
        checks.check(figures["refused"] > 0 and figures["streams"] > 0 and tokens.revoked > 0, f"too little happened: {figures}")
        checks.check(server.end() == 0, "the server ends in order")
        # Expected warnings: the audit's refusals and its count of further ones, skills that change while they are read,
        # and invented names.
        told = [line for line in server.log if re.search(r"\[(ERROR|CRITICAL|WARNING)\] \[(?!audit|.*(further requests from|since it was listed|another version is there|No skill is named))", line)]
        checks.check(not told, f"the log: {told[:5]}")
        print(f"{figures['asked'] / wanted.seconds:.0f} calls/s: {figures}, {tokens.added} tokens added, {tokens.revoked} revoked; "
              f"{watch.samples[-1][0]:.1f} MiB, {watch.growth(0):+.2f} after warm-up; {watch.samples[-1][1]} threads")
    return checks.finish()


sys.exit(main())
