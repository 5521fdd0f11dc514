#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skills from good and bad git servers: git_source_test.py SERVER. Measures and prints the traffic of a
refresh with one changed skill."""
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

from git_servers import NginxServer, PythonServer, git
from loopback import SilentServer, certificate
from session import DEADLINE, write_skill
from source_cases import CHANGED, SERVER, SLOWNESS, TOKEN, expect, names, run_cases, soon, text, told


def private_repository(place):
    """Checks a first start, a restart with the server away, and that the token is nowhere; with the real server if
    it is installed."""
    place.repository()
    kind = NginxServer if NginxServer.is_installed() else PythonServer
    with kind(place.root, TOKEN) as server:
        config = {"url": f"{server.url}/r.git"}
        with place.start(dict(config, token="env:GIT_SOURCE_TOKEN")) as session:
            expect(names(session) == ["alpha", "beta"], f"listed: {names(session)} {session.server.stderr()}")
            expect("Body of alpha" in text(session, "alpha"), "the text of alpha")
            place.end(session)
        with place.start(config, cache=place.folder / "other") as session:
            expect(names(session) == [], "a private repository without a token")
            expect(told(session, "401", "needs a token"), session.server.stderr())
    config["token"] = TOKEN
    begun = time.monotonic()
    with place.start(config) as session:
        expect(names(session) == ["alpha", "beta"], "served from the cache")
        print(f"  with the server away the list is there after {(time.monotonic() - begun) * 1000:.0f} ms ({kind.__name__})")
        expect(told(session, "serving commit", "next try in"), session.server.stderr())
    for file in [path for path in place.cache.rglob("*") if path.is_file()]:
        expect(TOKEN.encode() not in file.read_bytes(), f"the token is in {file}")
    for session in place.sessions:
        expect(TOKEN not in session.server.stderr(), "the token is in the log")


def one_changed_skill(place):
    """Checks that a change of one among 600 skills takes one request to see it, one to fetch it, and only its bytes."""
    made = place.repository(skills=[f"skill-{i:03}" for i in range(600)])
    with PythonServer(place.root) as server:
        with place.start({"url": f"{server.url}/r.git", "refresh_minutes": 0.02}) as session:
            expect(session.tool("list_skills")["total"] == 600, "600 skills")
            whole = server.sent
            count = len(server.requests)
            expect(soon(lambda: session.listing() and len(server.requests) >= count + 2), "it looks again")
            expect(not any(method == "POST" for method, _, _ in server.requests[count:]), "an unchanged look fetches nothing")
            made.skill("skill-300", "Does something else.", "unicycle")
            before = server.sent, len(server.requests)
            made.push()
            session.notifications.clear()
            session.wait_for(CHANGED)
            expect(soon(lambda: "unicycle" in text(session, "skill-300")), "the new text")
            posts = [request for request in server.requests[before[1]:] if request[0] == "POST"]
            moved = server.sent - before[0]
            print(f"  the first fetch moved {whole} bytes, one changed skill {moved} in {len(posts)} fetch")
            expect(len(posts) == 1 and moved < 4000, f"{moved} bytes, {len(posts)} fetches")


def force_push_under_a_pin(place):
    made = place.repository()
    pin = git(made.tree, "rev-parse", "HEAD")
    with PythonServer(place.root) as server:
        config = {"url": f"{server.url}/r.git", "pin": pin}
        with place.start(config) as session:
            expect(names(session) == ["alpha", "beta"], "the pinned commit")
        made.skill("evil", "Was slipped in.")
        git(made.tree, "checkout", "-q", "--orphan", "new")
        other = made.push("--force")
        git(made.bare, "reflog", "expire", "--expire=now", "--all")
        git(made.bare, "gc", "-q", "--prune=now")
        with place.start(config) as session:
            expect(names(session) == ["alpha", "beta"], "what was pinned is kept")
        with place.start(config, cache=place.folder / "fresh") as session:
            expect(names(session) == [], "nothing but the pin")
            expect(told(session, other, "not the pinned"), session.server.stderr())


def what_is_wrong_is_said(place):
    place.repository()
    git(place.root, "init", "-q", "--bare", "empty.git")
    # The text is well-formed and endless, so only its length can be the fault.
    reference = b"003e" + b"1" * 40 + b" refs/heads/b0000\n"
    endless = b"001e# service=git-upload-pack\n0000" + reference * 800_000

    def answer(handler):
        if handler.path.startswith("/busy.git"):
            handler.say(429, {"Retry-After": "1000"})
        elif handler.path.startswith("/page.git"):
            handler.say(200, {"Content-Type": "text/html"}, b"<html>")
        elif handler.path.startswith("/endless.git"):
            handler.say(200, {"Content-Type": "application/x-git-upload-pack-advertisement"}, endless)
        else:
            return False
        return True

    with PythonServer(place.root, answer=answer) as server:
        for config, words in (({"subpath": "skils"}, "has no folder \"skils\""), ({"ref": "nowhere"}, "no branch and no tag"),
                              ({"url": "/empty.git"}, "the repository is empty"), ({"url": "/gone.git"}, "answers 404"),
                              ({"url": "/busy.git"}, "next try in 16 min"), ({"url": "/page.git"}, "smart protocol"),
                              ({"url": "/endless.git", "max_fetch_bytes": 100000}, "max_fetch_bytes")):
            full = {"url": server.url + config.pop("url", "/r.git"), **config}
            with place.start(full, cache=place.folder / words.replace("/", "")) as session:
                expect(names(session) == [], f"{full}: something is served")
                expect(told(session, words), f"{full}: {session.server.stderr()}")
                place.end(session)


def silent_servers(place):
    """Checks that a server that sends nothing, or stops within a pack, ends the refresh in time and affects nobody
    else."""
    made = place.repository()
    (made.tree / "alpha" / "noise.bin").write_bytes(random.Random(1).randbytes(400_000))
    made.push()
    write_skill(place.folder / "local", "near", "Is on this machine.")
    local = {"name": "local", "plugin": "filesystem", "config": {"directories": [str(place.folder / "local")]}}

    def stop(handler):
        if handler.command != "POST":
            return False
        handler.say(200, {"Content-Type": "application/x-git-upload-pack-result"}, b"0008NAK\n" + b"x" * 9000, 8)
        return True

    with SilentServer() as silent, PythonServer(place.root, answer=stop) as stopping:
        for kind, url in (("silent", silent.url), ("in mid-pack", stopping.url)):
            begun = time.monotonic()
            with place.start({"url": f"{url}/r.git", "deadline_ms": 1500}, wait_ms=0, others=[local],
                             cache=place.folder / kind) as session:
                expect(soon(lambda: names(session) == ["near"]), "the other source is served")
                slowest = 0
                while "deadline_ms" not in session.server.stderr():
                    asked = time.monotonic()
                    expect(names(session) == ["near"], "the other source is served meanwhile")
                    slowest = max(slowest, time.monotonic() - asked)
                    expect(asked - begun < DEADLINE * SLOWNESS, f"{kind}: the refresh does not end")
                print(f"  {kind}: given up {time.monotonic() - begun:.1f} s after the start, the slowest answer {slowest * 1000:.0f} ms")
                expect(slowest < 0.5 * SLOWNESS, "requests waited")
                place.end(session)
        begun = time.monotonic()
        with place.start({"url": f"{silent.url}/r.git"}, wait_ms=0, cache=place.folder / "end") as session:
            expect(names(session) == [], "nothing yet")
            place.end(session)
        expect(time.monotonic() - begun < 10 * SLOWNESS, "the end waits for a silent server")


def asked_after_a_failure(place):
    """Checks that asking for the skills after a failed first look makes the server ask the remote, and that nobody
    waits half a minute."""
    place.repository()
    closed = [True]

    def answer(handler):
        if closed:
            handler.say(401, {"WWW-Authenticate": 'Basic realm="git"'})
        return bool(closed)

    with PythonServer(place.root, answer=answer) as server:
        with place.start({"url": f"{server.url}/r.git"}) as session:
            expect(names(session) == [], "nothing yet")
            expect(told(session, "401"), session.server.stderr())
            asked = len(server.requests)
            session.tool("reload_skills_directory")
            expect(len(server.requests) > asked, "the remote is asked again")
            closed.clear()
            begun = time.monotonic()
            session.tool("reload_skills_directory")
            expect(names(session) == ["alpha", "beta"], "what can be had again is there at once")
            expect(time.monotonic() - begun < 10 * SLOWNESS, "without waiting for the next look by the clock")
            place.end(session)


def redirects(place):
    """Checks that a renamed repository is found, that no other host gets the token, and that no name leads inside."""
    place.repository("new")
    made = certificate(place.folder)
    if not made:
        print("  skipped: openssl is not installed")
        return
    with PythonServer(place.root, certificate=made) as other:
        def answer(handler):
            query = "?service=git-upload-pack"
            to = {"/old.git/info/refs" + query: f"{here.local}/new.git/info/refs{query}",
                  "/away.git/info/refs" + query: f"{other.url}/new.git/info/refs{query}",
                  "/plain.git/info/refs" + query: f"http://127.0.0.1:1/new.git/info/refs{query}",
                  "/circle.git/info/refs" + query: f"{here.local}/circle.git/info/refs{query}"}.get(handler.path)
            if to:
                handler.say(302, {"Location": to})
            return bool(to)

        with PythonServer(place.root, token=TOKEN, answer=answer, certificate=made) as here:
            here.local = f"https://localhost:{here.port}"
            config = {"token": TOKEN, "ca_file": made[0]}
            for path, more, served, words in (
                    ("/old.git", {}, ["alpha", "beta"], "with 2 skills"),
                    ("/away.git", {}, [], "which is no public address"),
                    ("/away.git", {"allow_private_addresses": True}, ["alpha", "beta"], "with 2 skills"),
                    ("/plain.git", {}, [], "not https://"), ("/circle.git", {}, [], "redirects too often")):
                with place.start(dict(config, url=here.local + path, **more), cache=place.folder / f"{path[1:]}{len(more)}") as session:
                    expect(names(session) == served, f"{path}: {names(session)}\n{session.server.stderr()}")
                    expect(told(session, words), f"{path}: {session.server.stderr()}")
            expect(len(other.requests) == 2, f"the other host was asked: {other.requests}")
            expect(all(secret is None for _, _, secret in other.requests), "the token went to another host")


def progress_is_told(place):
    """Checks that those who wait for a first fetch see its progress: a client that asks for it, and a user at a
    terminal."""
    place.repository()
    released = threading.Event()

    def hold(handler):
        if handler.command == "POST":
            released.wait(DEADLINE * SLOWNESS)
        return False

    with PythonServer(place.root, answer=hold) as server:
        config = {"url": f"{server.url}/r.git"}
        with place.start(config) as session:
            session.server.send({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": {
                "name": "list_skills", "arguments": {}, "_meta": {"progressToken": "how far"}}})
            heard, message = [], {}
            while message.get("id") != 77:
                message = session.server.receive(time.monotonic() + DEADLINE * SLOWNESS)
                expect(message is not None, session.server.stderr())
                if message.get("method") == "notifications/progress":
                    heard.append(message["params"])
                    released.set()
            expect(heard and all(one["progressToken"] == "how far" for one in heard), f"heard: {heard}")
            expect(heard[0]["message"] == f"remote: fetching {server.url}/r.git", f"heard: {heard}")
            steps = [one["progress"] for one in heard]
            expect(steps == sorted(set(steps)), f"no progress: {steps}")
            expect(message["result"]["structuredContent"]["data"]["total"] == 2, f"{message}")
            place.end(session)
        released.clear()
        ours, theirs = os.openpty()
        command = place.command(config, cache=place.folder / "other")
        command[command.index(SERVER) + 1:] = ["skill", "list", *command[command.index(SERVER) + 1:]]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, text=True)
        os.close(theirs)
        shown = b""
        while b"fetching" not in shown:
            shown += os.read(ours, 4096)
        released.set()
        with contextlib.suppress(OSError):  # a terminal reports like this that nobody writes to it any more
            while piece := os.read(ours, 4096):
                shown += piece
        os.close(ours)
        listed = process.communicate(timeout=DEADLINE * SLOWNESS)[0]
        expect(process.returncode == 0 and "alpha" in listed, f"{process.returncode} {listed} {shown}")
        line = f"\r\x1b[Kremote: fetching {server.url}".encode()[:70]
        expect(line in shown and shown.rindex(b"\r\x1b[K") > shown.index(line), f"shown: {shown}")


def killed_while_fetching(place):
    """Checks that the next start works after the server was killed at random moments of a first and a later fetch."""
    made = place.repository(skills=[f"skill-{i:02}" for i in range(40)])
    rounds = 500 if os.environ.get("SKILLHOST_LONG_TESTS") == "1" else 10
    luck = random.Random(int(os.environ.get("SKILLHOST_TEST_SEED", time.time_ns())))
    with PythonServer(place.root) as server:
        config = {"url": f"{server.url}/r.git", "refresh_minutes": 0}
        for number in range(rounds):
            if number % 3 == 0:
                shutil.rmtree(place.cache, ignore_errors=True)
            made.skill("skill-07", "Changes.", f"Round {number}. {luck.randbytes(2000).hex()}")
            commit = made.push()
            process = subprocess.Popen(place.command(config), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(luck.uniform(0, 0.15 * SLOWNESS))
            except subprocess.TimeoutExpired:
                pass
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdin.close()
            with place.start(config) as session:
                expect(soon(lambda: f"Round {number}." in text(session, "skill-07")),
                       f"round {number}, {commit}: {session.server.stderr()}")
                expect(len(names(session)) == 40, f"round {number}: {names(session)}")
                place.end(session)
    print(f"  {rounds} kills")


if __name__ == "__main__":
    sys.exit(run_cases([private_repository, one_changed_skill, force_push_under_a_pin, what_is_wrong_is_said, silent_servers,
                        asked_after_a_failure, redirects, progress_is_told, killed_while_fetching]))
