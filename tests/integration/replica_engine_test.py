#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Servers that share sessions in an engine which is absent, silent, slow, full, empty again, or holds what nobody of them
has written: replica_engine_test.py SERVER. The newer protocol goes on, so do sessions that a server knows; all else is
refused with the time to wait, soon; readiness and figures say so; and when the engine is back all is as before."""
import http.client
import json
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, SANITIZED, SLOWNESS, Checks, until  # noqa: E402
from http_server import INITIALIZE, LEGACY, MODERN, legacy, modern  # noqa: E402
from replicas import PREFIX, Engine, Replica, skip_without, state_settings, write_configuration  # noqa: E402
from session import write_skill  # noqa: E402

SERVER = sys.argv[1]
SOON = 5 * SLOWNESS  # seconds for any answer, whatever the engine does
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
checks = Checks()
check = checks.check


class Fleet:
    """Two servers and the engine they share, which is started where the test says so."""

    def __init__(self, folder, begun=True):
        self.folder, self.skills = Path(folder), Path(folder) / "skills"
        write_skill(self.skills, "greeter", "Greets.", "Hello.\n")
        write_skill(self.skills, "other", "Does another thing.", "Other.\n")
        self.engine, self.secret, self.extra = Engine(folder), secrets.token_hex(32), []
        if begun:
            self.engine.start()
        self.one, self.two = self.replicas = [self.replica(name).start() for name in ("one", "two")]
        if begun:
            self.are("ready")

    def replica(self, name, secret=None, environment=None, **settings):
        configuration = write_configuration(
            self.folder, state_settings(self.engine, secret or self.secret, **settings), f"{name}.yaml")
        replica = Replica(name, SERVER, self.skills, "--config", str(configuration), environment=environment)
        self.extra.append(replica)
        return replica

    def are(self, status):
        for replica in self.replicas:
            until(lambda: replica.state() == (200, status), f"{replica.name} is {status}")

    def end(self):
        for replica in self.extra:
            if replica.lives and replica.running.process.poll() is None:
                begun = time.monotonic()
                check(replica.end() == 0, f"{replica.name}: an orderly end")
                check(time.monotonic() - begun < 2 * SOON, f"{replica.name}: an end in time")
        self.engine.end()


def asked(at, body, what, **fields):
    """Status, fields and answer; soon, whatever is wrong with the engine."""
    begun = time.monotonic()
    response, answer = at.running.post(body, **fields)
    check(time.monotonic() - begun < SOON, f"{what} at {at.name}: after {time.monotonic() - begun:.1f} s")
    return response.status, response.headers, answer


def open_session(at):
    """Its fields; None when it is refused for now, as it has to be then."""
    status, fields, answer = asked(at, INITIALIZE, "initialize")
    if status == 503:
        hinted(fields, f"initialize at {at.name}")
        return None
    assert status == 200, answer
    return {"Mcp_Session_Id": fields["Mcp-Session-Id"], "MCP_Protocol_Version": LEGACY}


def hinted(fields, what):
    after = fields["Retry-After"]
    check(after is not None and after.isdigit() and 0 < int(after) <= 60, f"{what}: refused without the time to wait: {after}")


def status_of(at, session, what="ping", body=None):
    status, fields, _ = asked(at, body or legacy("ping"), what, **session)
    if status == 503:
        hinted(fields, f"{what} at {at.name}")
    return status


def load(at, session, name="greeter"):
    """What load_skill says, or the status that is none of success."""
    status, fields, answer = asked(at, legacy("tools/call", name="load_skill", arguments={"skill_name": name}), "load", **session)
    if status != 200:
        if status == 503:
            hinted(fields, f"load_skill at {at.name}")
        return status
    return answer["result"]["structuredContent"]["data"]["status"]


def newer_goes_on(fleet, what):
    """The newer protocol needs no engine."""
    for at in fleet.replicas:
        status, _, answer = asked(at, modern("tools/call", name="load_skill", arguments={"skill_name": "greeter"}), what,
                                  MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name="load_skill")
        check(status == 200 and "Hello." in json.dumps(answer), f"{what}, newer protocol at {at.name}: {status} {answer}")
        status, _, answer = asked(at, legacy("tools/list"), what)
        check(status == 200 and answer["result"]["tools"], f"{what}, without a session at {at.name}: {status}")


def known_go_on(sessions, what):
    """A session at the server that knows it."""
    for at, session in sessions:
        for body in (legacy("ping"), legacy("tools/list"), legacy("tools/call", name="list_skills", arguments={})):
            status = status_of(at, session, f"{what}, {body['method']}", body)
            check(status == 200, f"{what}: {body['method']} of a session that {at.name} knows: {status}")


def others_wait(fleet, sessions, what):
    """A session at a server that does not know it, and a new one."""
    for at, session in sessions:
        other = fleet.two if at is fleet.one else fleet.one
        status = status_of(other, session, what)
        check(status == 503, f"{what}: a session that {other.name} does not know: {status}")


def tells(fleet, what):
    """Readiness and figures; the process is alive, and reads go on, so that no balancer takes it away."""
    fleet.are("degraded")
    for at in fleet.replicas:
        check(at.figure("skillhost_state_reachable") == 0, f"{what}: {at.name} says that the engine is reachable")
        response, _ = at.running.ask("GET", "/healthz")
        check(response.status == 200, f"{what}: /healthz of {at.name}: {response.status}")


def recovers(fleet, sessions, what):
    """All sessions at all servers."""
    fleet.are("ready")
    for at in fleet.replicas:
        until(lambda: at.figure("skillhost_state_reachable") == 1, f"{what}: {at.name} counts the engine as reachable")
        for _, session in sessions:
            status = status_of(at, session, what)
            check(status == 200, f"{what}: a session at {at.name} when the engine is back: {status}")
    session = open_session(fleet.one)
    check(session is not None and status_of(fleet.two, session) == 200, f"{what}: a new session")


def two_sessions(fleet):
    """One that only the first server knows, and one that only the second one does."""
    sessions = [(at, open_session(at)) for at in fleet.replicas]
    for at, session in sessions:
        check(load(at, session) == "loaded", f"loaded at {at.name}")
    return sessions


def whole_outage(fleet, sessions, what):
    newer_goes_on(fleet, what)
    known_go_on(sessions, what)
    others_wait(fleet, sessions, what)
    tells(fleet, what)
    # Now that they know: at once, nothing waits for an engine that is away.
    begun = time.monotonic()
    newer_goes_on(fleet, what)
    known_go_on(sessions, what)
    others_wait(fleet, sessions, what)
    seconds = time.monotonic() - begun
    check(seconds < SLOWNESS, f"{what}: all of it again took {seconds:.2f} s")


def absent(folder):
    """The engine is not there when the servers start."""
    fleet, opened = Fleet(folder, begun=False), []
    newer_goes_on(fleet, "absent")
    tells(fleet, "absent")
    for at in fleet.replicas:
        session = open_session(at)
        check(session is not None and status_of(at, session) == 200, "a session that is opened meanwhile works where it is")
        opened.append((at, session))
    others_wait(fleet, opened, "absent")
    fleet.engine.start()
    # Whoever of the two is back first: no client is told that its session is not there.
    for at, session in opened:
        for other in fleet.replicas:
            check(status_of(other, session) in (200, 503), f"absent: opened at {at.name}, at {other.name} when it begins")
    for at, session in opened:
        other = fleet.two if at is fleet.one else fleet.one
        until(lambda: status_of(other, session) == 200, f"absent: {other.name} knows what {at.name} has opened")
    recovers(fleet, opened, "absent")
    sessions = two_sessions(fleet)
    for at, session in sessions:
        for other in fleet.replicas:
            check(load(other, session) == "already_loaded", f"opened at {at.name}, loaded at {other.name}")
    fleet.end()


def silent(fleet):
    """It takes connections, and says nothing."""
    sessions = two_sessions(fleet)
    fleet.engine.halt()
    try:
        whole_outage(fleet, sessions, "silent")
    finally:
        fleet.engine.go_on()
    recovers(fleet, sessions, "silent")


def restarted(fleet):
    """It is gone, and comes back with what it had kept."""
    sessions = two_sessions(fleet)
    fleet.engine.end()
    whole_outage(fleet, sessions, "gone")
    fleet.engine.start()
    recovers(fleet, sessions, "restarted")
    for _, session in sessions:
        for at in fleet.replicas:
            check(load(at, session) == "already_loaded", f"restarted: what was loaded, at {at.name}")


def emptied(fleet):
    """It comes back with nothing: what a server knows it still knows, what no server knows is gone."""
    sessions = two_sessions(fleet)
    fleet.engine.end(signal.SIGKILL)
    shutil.rmtree(fleet.engine.folder / "appendonlydir")
    fleet.engine.start()
    fleet.engine.ask("SET", "another:product", "its own")
    fleet.are("ready")
    for at, session in sessions:
        other = fleet.two if at is fleet.one else fleet.one
        status = status_of(at, session, "emptied")
        check(status == 200, f"emptied: a session at {at.name}, which knows it: {status}")
        # Nobody has asked while it was away: this one may find out only now, and then has its client wait.
        there = status_of(other, session, "emptied")
        check(there in (200, 404, 503), f"emptied: a session at {other.name}: {there}")
        until(lambda: status_of(other, session, "emptied") == 200, f"emptied: {other.name} knows the session of {at.name}")
        print(f"  emptied: {at.name} knows the session: {status}; {other.name} does not: {there}")
    recovers(fleet, sessions, "emptied")


def full(fleet):
    """It takes no more writes."""
    sessions, unwritten = two_sessions(fleet), []
    fleet.engine.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    fleet.engine.ask("CONFIG", "SET", "maxmemory", "1")
    try:
        newer_goes_on(fleet, "full")
        known_go_on(sessions, "full")
        for at, session in sessions:
            status = load(at, session, "other")
            check(status in ("loaded", 503), f"full: a load at {at.name}: {status}")
            opened = open_session(at)
            other = fleet.two if at is fleet.one else fleet.one
            if opened:
                # Elsewhere it is not there until it can be written: its client is to ask again.
                there = status_of(other, opened)
                check(there == 503 and status_of(at, opened) == 200, f"full: a session opened at {at.name}: {there}")
                print(f"  full: a session that {at.name} has opened, at {other.name}: {there}")
                unwritten.append((other, opened))
    finally:
        fleet.engine.ask("CONFIG", "SET", "maxmemory", "0")
    for other, opened in unwritten:  # nobody asks where it was opened
        until(lambda: status_of(other, opened) == 200, f"full: {other.name} knows what was opened meanwhile")
    recovers(fleet, sessions + unwritten, "full")


def slow(fleet):
    """Each of its answers takes its time."""
    sessions = two_sessions(fleet)
    for _ in range(3):
        fleet.engine.ask("CLIENT", "PAUSE", "400", "ALL")
        newer_goes_on(fleet, "slow")
        for at in fleet.replicas:
            for _, session in sessions:
                status = status_of(at, session, "slow")
                check(status in (200, 503), f"slow: a session at {at.name}: {status}")
    recovers(fleet, sessions, "slow")


def keys_of_new(fleet):
    """A session that only the first server knows, and the keys it has in the engine."""
    before = set(fleet.engine.keys())
    session = open_session(fleet.one)
    assert session is not None
    load(fleet.one, session)
    keys = sorted(set(fleet.engine.keys()) - before)
    check(keys, "a session has a key in the engine")
    return session, keys


def goes_on(fleet, session, what):
    """Nobody serves what is under its keys, nobody hangs or dies of it, and others have no part in it."""
    status = status_of(fleet.two, session, what)
    check(status in (404, 503), f"{what}: {fleet.two.name} answers for what it cannot know: {status}")
    status = status_of(fleet.one, session, what)
    check(status in (200, 404, 503), f"{what}: {fleet.one.name}: {status}")
    load(fleet.one, session, "other")
    newer_goes_on(fleet, what)
    for at in fleet.replicas:
        check(at.running.process.poll() is None, f"{what}: {at.name} has ended")


def other_types(fleet):
    """Another product's list, set and hash where a session was."""
    for put in (("LPUSH", "a"), ("SADD", "a"), ("HSET", "a", "b"), ("ZADD", "1", "a"), ("XADD", "*", "a", "b")):
        session, keys = keys_of_new(fleet)
        for key in keys:
            fleet.engine.ask("DEL", key)
            fleet.engine.ask(put[0], key, *put[1:])
        goes_on(fleet, session, f"a value of {put[0]}")
        for key in keys:
            fleet.engine.ask("DEL", key)
    recovers(fleet, [], "other types")


def garbage(fleet):
    """Values that no server has written there: a piece of one, more than one, another session's, noise."""
    source = random.Random(20261127)
    stolen, stolen_keys = keys_of_new(fleet)
    donors = {key.rsplit(b":", 1)[0]: fleet.engine.ask("GET", key) for key in stolen_keys
              if fleet.engine.ask("TYPE", key) == b"string"}
    before = sum(at.figure("skillhost_state_foreign_values_total") or 0 for at in fleet.replicas)
    changes = {"nothing": lambda _: b"", "words": lambda _: b"garbage", "an object": lambda _: b"{}",
               "noise": lambda _: source.randbytes(1024), "a half": lambda value: value[:len(value) // 2],
               "more": lambda value: value + b"more", "a bit": lambda value: value[:-1] + bytes([value[-1] ^ 1]),
               "its first bit": lambda value: bytes([value[0] ^ 1]) + value[1:], "much": lambda _: b"x" * (3 << 20),
               "another session's": lambda _: next(iter(donors.values()))}
    for what, change in changes.items():
        session, keys = keys_of_new(fleet)
        for key in keys:
            if fleet.engine.ask("TYPE", key) == b"string":
                fleet.engine.ask("SET", key, change(fleet.engine.ask("GET", key)))
        goes_on(fleet, session, f"under a key: {what}")
    after = sum(at.figure("skillhost_state_foreign_values_total") or 0 for at in fleet.replicas)
    check(after > before, f"what is foreign is counted: {before}, {after}")
    check(status_of(fleet.two, stolen) == 200, "the session whose value was copied")
    for channel in fleet.engine.ask("PUBSUB", "CHANNELS", "*"):
        for message in (b"", b"garbage", b"{}", source.randbytes(1024), b"x" * (3 << 20)):
            fleet.engine.ask("PUBLISH", channel, message)
    recovers(fleet, [(fleet.one, stolen)], "messages of others")


def another_secret(fleet):
    """A server of another service, in the same place of the engine, has no part in these sessions."""
    sessions = two_sessions(fleet)
    stranger = fleet.replica("stranger", secrets.token_hex(32)).start()
    until(lambda: stranger.state()[0] == 200, "the stranger serves")
    for at, session in sessions:
        status = status_of(stranger, session, "another secret")
        check(status in (404, 503), f"another secret: a session of {at.name}: {status}")
        response, _ = stranger.running.ask("DELETE", **session)
        check(response.status in (404, 503), f"another secret: DELETE: {response.status}")
    recovers(fleet, sessions, "another secret")
    check(stranger.end() == 0, "an orderly end")


def another_clock(fleet):
    """Two hours, and a year, ahead and behind: who keeps a session how long is the engine's to say."""
    if SANITIZED or not Path(FAKETIME).exists():
        why = "a sanitizer is no friend of it" if SANITIZED else "it is not installed"
        return print(f"  without libfaketime, for {why}: servers with other clocks are not tested")
    for shift in ("+7200s", "-7200s", "+31536000s"):
        shifted = fleet.replica(f"clock{shift}", environment={"LD_PRELOAD": FAKETIME, "FAKETIME": shift,
                                                              "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"})
        shifted.start()
        until(lambda: shifted.state() == (200, "ready"), f"the server with its clock at {shift}")
        day = time.strftime("%Y-%m-%d %H", time.localtime(time.time() + int(shift[:-1])))
        check(f"[{day}" in shifted.log(), f"its clock is at {shift}: {shifted.log()[:60]}")
        here, there = open_session(fleet.one), open_session(shifted)
        for session in (here, there):
            check(load(fleet.one, session) == "loaded", f"clock {shift}: loaded")
            for at in (fleet.two, shifted, fleet.one):
                check(load(at, session) == "already_loaded", f"clock {shift}: at {at.name}")
        check(shifted.end() == 0, f"clock {shift}: an orderly end")
        for session in (here, there):
            check(load(fleet.two, session) == "already_loaded", f"clock {shift}: after its end")
    return None


def refused(fleet):
    """What cannot work is said at the start, without the password."""
    password = secrets.token_hex(8)
    for what, settings, words in (
        ("a wrong password", {"password": password}, ("state.config", "password")),
        ("an address that is none", {"address": "127.0.0.1:99999"}, ("address",)),
        ("a key that there is not", {"adress": "127.0.0.1:1"}, ("adress",)),
    ):
        configuration = write_configuration(fleet.folder, state_settings(fleet.engine, fleet.secret, **settings), "wrong.yaml")
        run = subprocess.run([SERVER, "serve", "--transport", "http", "--port", "0", "--skills-dir", str(fleet.skills),
                              "--config", str(configuration)], capture_output=True, text=True, timeout=DEADLINE)
        check(run.returncode == 1 and any(one in run.stderr for one in words), f"{what}: {run.returncode} {run.stderr}")
        check(password not in run.stderr and fleet.engine.password not in run.stderr, f"{what}: it shows the password")


def others_kept(fleet):
    """Keys of another product are as they were, and all others have the prefix."""
    check(fleet.engine.ask("GET", "another:product") == b"its own", "another product's value")
    keys = [key for key in fleet.engine.keys() if not key.startswith(PREFIX.encode()) and key != b"another:product"]
    check(not keys, f"keys without the prefix: {keys}")


def main():
    skip_without("redis-server")
    with tempfile.TemporaryDirectory(prefix="skillhost-absent-") as folder:
        absent(folder)
    with tempfile.TemporaryDirectory(prefix="skillhost-engine-") as folder:
        fleet = Fleet(folder)
        for test in (silent, restarted, emptied, full, slow, other_types, garbage, another_secret, another_clock, refused):
            begun, failed = time.monotonic(), checks.failed
            try:
                fleet.engine.ask("SET", "another:product", "its own")
                test(fleet)
                others_kept(fleet)
            except (AssertionError, OSError, KeyError, http.client.HTTPException, subprocess.TimeoutExpired) as error:
                check(False, f"{test.__name__}: {type(error).__name__} {error}")
            print(f"  {test.__name__}: {time.monotonic() - begun:.1f} s, {checks.failed - failed} failed", flush=True)
        fleet.end()
        if checks.failed:
            for replica in fleet.replicas:
                print(f"--- the end of the log of {replica.name}\n" + replica.log()[-4000:])
    return checks.finish()


sys.exit(main())
