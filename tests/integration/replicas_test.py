#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests 200 clients of both protocols at three servers behind a balancer, while each server is killed and the engine
that keeps their sessions is restarted: replicas_test.py SERVER SOURCE_ROOT CLIENTS_CACHE Makes 3,000 calls, or
30,000 with SKILLHOST_LONG_TESTS=1. Every answer must be right, no session may be lost, and every change of a list
is notified or seen in the next list."""
import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent / "clients"))
import run as node_clients  # noqa: E402
from checks import DEADLINE, SLOWNESS, Checks, until  # noqa: E402
from replica_clients import LegacyClient, ModernClient, Tally, Told  # noqa: E402
from replicas import (PREFIX, Balancer, Engine, Replica, new_token, skip_without, state_settings,  # noqa: E402
                      write_configuration)
from session import write_skill  # noqa: E402

SERVER, ROOT, CACHE = sys.argv[1:4]
LONG = os.environ.get("SKILLHOST_LONG_TESTS") == "1"
CALLS = 30_000 if LONG else 3_000
CLIENTS, OFFICIAL = 200, 20
OWNERS = ["owner-aardvark", "owner-bumblebee", "owner-cormorant"]
STEADY, CHANGING = 30, 3
checks = Checks()
check = checks.check


class Skills:
    """The folder that all servers serve: some skills stay as they are, the others change."""

    def __init__(self, folder):
        self.folder = Path(folder) / "skills"
        self.marks = {f"steady-{number}": secrets.token_hex(8) for number in range(STEADY)}
        self.changes = 0  # number of changes
        for name, mark in self.marks.items():
            write_skill(self.folder, name, f"Stays as it is, {name}.", f"The mark is {mark}.\n")
        for number in range(CHANGING):
            write_skill(self.folder, f"changing-{number}", "Change 0 of it.", "Change 0 of it.\n")

    def change(self):
        self.changes += 1
        name = f"changing-{self.changes % CHANGING}"
        begun = time.monotonic()  # taken before the write, because on a busy machine clients are notified before this thread goes on
        write_skill(self.folder, name, f"Change {self.changes} of it.", f"Change {self.changes} of it.\n")
        return Told(self.changes, name, begun)


class Official:
    """Runs several official TypeScript clients in one process of Node."""

    def __init__(self, folder, port, tokens, marks):
        packages = node_clients.installed(CACHE)
        self.scripts = contextlib.ExitStack()
        scripts = self.scripts.enter_context(node_clients.scripts(packages))
        given = Path(folder) / "official.json"
        given.write_text(json.dumps({"url": f"http://127.0.0.1:{port}/mcp", "tokens": tokens, "marks": marks,
                                     "clients": OFFICIAL}))
        self.process = subprocess.Popen([node_clients.node(packages), str(scripts / "replicas.mjs"), str(given)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def report(self):
        """Ends the process and returns its report."""
        try:
            text, _ = self.process.communicate("", timeout=3 * DEADLINE)
            return json.loads(text.splitlines()[-1])
        finally:
            self.process.kill()
            self.scripts.close()


def official(folder, port, tokens, marks):
    """Returns None, with a message, where there is no Node or no registry."""
    try:
        return Official(folder, port, tokens, marks)
    except SystemExit:  # the skip of the clients' own tests
        return None


class Run:
    """A run: the clients and servers, and the disturbances."""

    def __init__(self, folder):
        self.folder, self.skills, self.replicas = Path(folder), Skills(folder), []
        self.tally = Tally(lambda: [span for replica in self.replicas for span in replica.without_engine()])
        self.engine = Engine(folder).start()
        self.secret = secrets.token_hex(32)
        tokens = Path(folder) / "tokens.json"
        self.tokens = [new_token(SERVER, tokens, owner) for owner in OWNERS]
        configuration = write_configuration(folder, state_settings(self.engine, self.secret))
        options = ["--config", str(configuration), "--auth", "static",
                   "--set", "auth.config=" + json.dumps({"file": str(tokens)})]
        self.replicas = [Replica(name, SERVER, self.skills.folder, *options).start() for name in ("one", "two", "three")]
        for replica in self.replicas:
            until(lambda: replica.state() == (200, "ready"), f"{replica.name} is ready")
        self.balancer = Balancer(folder, self.replicas)
        self.official = official(folder, self.balancer.port, self.tokens, self.skills.marks)
        own = CLIENTS - (OFFICIAL if self.official else 0)
        self.legacy = [LegacyClient(number, self) for number in range(own // 2)]
        self.modern = [ModernClient(number, self) for number in range(own // 2, own)]

    @property
    def port(self):
        return self.balancer.port

    def clients(self):
        return self.legacy + self.modern

    def listening(self):
        """Returns the clients that listen or will listen."""
        return [one for one in self.clients() if one.listens]

    def after(self, share):
        """Waits until that share of the calls is done."""
        until(lambda: self.tally.calls >= share * CALLS or self.tally.wrong, f"{share:.0%} of the calls",
              (600 if LONG else 120) * SLOWNESS)

    def change(self):
        """Changes a skill; a listening client that is not notified in time finds the change in the next list."""
        before = {client: (client.listener, client.listener.unbroken()) for client in self.listening()}
        told = self.skills.change()
        with contextlib.suppress(AssertionError):  # counted below
            until(lambda: all(one.gone or one.heard_since(told.at) for one, _ in before.values()), "everybody is told", 30 * SLOWNESS)
        for client, (listener, opening) in before.items():
            if listener.heard_since(told.at):
                self.tally.count("list_changed delivered")
                continue
            if opening is not None and listener.unbroken() == opening and not listener.gone:
                self.tally.fail(f"client {client.number} has listened all the time, and was not told of change {told.number}")
            self.tally.count("list_changed missed")
            client.to_see.append(told)

    def kill(self, replica):
        """Kills and starts a replica; its next answer belongs to its next life."""
        self.tally.disturbed()
        replica.end(signal.SIGKILL)
        begun = time.monotonic()
        replica.start()
        before = self.tally.by_replica[replica.name]
        until(lambda: self.tally.by_replica[replica.name] > before, f"{replica.name} answers again")
        self.tally.disturbed()
        print(f"  {replica.name} killed, and back after {time.monotonic() - begun:.2f} s", flush=True)

    def restart_engine(self):
        self.tally.disturbed(of_engine=True)
        begun = time.monotonic()
        self.engine.end()
        self.engine.start()
        for replica in self.replicas:
            until(lambda: replica.state() == (200, "ready"), f"{replica.name} has the engine again")
        self.tally.disturbed(of_engine=True)
        print(f"  the engine restarted, and in use after {time.monotonic() - begun:.2f} s", flush=True)

    def disturb(self):
        until(lambda: self.tally.wrong or all(one.listener and one.listener.opened.is_set() for one in self.listening()),
              "everybody listens", 3 * DEADLINE)
        one, two, three = self.replicas
        for share, event in ((.10, self.change), (.15, lambda: self.kill(one)), (.30, self.change),
                             (.35, lambda: self.kill(two)), (.50, self.change), (.55, lambda: self.kill(three)),
                             (.70, self.restart_engine), (.85, self.change), (1, lambda: None)):
            self.after(share)
            if self.tally.wrong:
                return
            event()

    def go(self):
        clients = self.clients()
        for client in clients:
            client.start()
        try:
            self.disturb()
        except AssertionError as error:
            self.tally.fail(str(error))
        finally:
            self.tally.over.set()
            for client in clients:
                client.join(3 * DEADLINE)
        stuck = [client.number for client in clients if client.is_alive()]
        check(not stuck, f"clients that wait for ever: {stuck}")

    def end(self):
        self.balancer.end()
        for replica in self.replicas:
            check(replica.end() == 0, f"{replica.name}: an orderly end")
        self.engine.end()


def whole(run):
    """Checks the totals of the run."""
    tally = run.tally
    for words in tally.wrong[:20]:
        check(False, words)
    check(not tally.wrong, f"{len(tally.wrong)} answers or sessions are wrong")
    check(tally.calls >= CALLS, f"{tally.calls} calls of {CALLS}")
    for replica in run.replicas:
        share = tally.by_replica[replica.name] / max(1, sum(tally.by_replica.values()))
        check(share > .15, f"{replica.name} has answered {share:.0%} of the requests")
    for client in run.legacy:
        check(len(client.replicas) == len(run.replicas), f"session {client.number} was only at {client.replicas}")
    check(tally.counts["list_changed missed"] == tally.counts["list_changed repaired by the next list"],
          "a change that was not told is in the next list")
    check(tally.counts["list_changed delivered"] > 0, "changes are told")


def reported(run):
    """Checks the report of the official client."""
    if not run.official:
        return
    report = run.official.report()
    for words in report["wrong"][:20]:
        check(False, f"official client: {words}")
    check(not report["wrong"], f"official client: {len(report['wrong'])} answers are wrong")
    check(report["calls"] > 0 and report["sessions"] > 0 and report["told"] > 0, f"official client: {report}")
    check(len(report["replicas"]) == len(run.replicas), f"official client: only at {report['replicas']}")
    print("  official client: " + json.dumps({name: value for name, value in report.items() if name != "wrong"}))


def kept_secret(run):
    """Checks that no token or secret is in the logs or the engine, and no owner's name in the engine."""
    hidden = [*run.tokens, run.secret, run.engine.password]
    for replica in run.replicas:
        log = replica.log()
        check(not any(one in log for one in hidden), f"{replica.name} has logged a secret")
    written = run.engine.written()
    check(PREFIX.encode() in written, "the engine has kept something")
    for words in hidden + OWNERS:
        check(words.encode() not in written, f"the engine holds {words[:12]}…")


def main():
    skip_without("redis-server", "haproxy")
    with tempfile.TemporaryDirectory(prefix="skillhost-replicas-") as folder:
        run = Run(folder)
        begun = time.monotonic()
        run.go()
        seconds = time.monotonic() - begun
        reported(run)
        whole(run)
        keys = run.engine.keys()
        check(all(key.startswith(PREFIX.encode()) for key in keys), f"keys without the prefix: {keys[:5]}")
        run.end()
        kept_secret(run)
        if checks.failed:
            for replica in run.replicas:
                print(f"--- the end of the log of {replica.name}\n" + replica.log()[-3000:])
        print(f"  the engine was out of reach {len(run.tally.without_engine())} times, by the servers' logs")
        print(f"{len(run.clients()) + (OFFICIAL if run.official else 0)} clients, {seconds:.1f} s, " + run.tally.figures())
    return checks.finish()


sys.exit(main())
