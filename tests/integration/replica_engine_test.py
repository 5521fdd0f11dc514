#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests servers that share sessions in an engine that is absent, silent, slow, full, empty again, or holds foreign
values: replica_engine_test.py SERVER. Both protocols continue, because the id of a session carries it; readiness
and metrics report the outage; and when the engine is back everything is as before."""
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
    """Two servers and their common engine, which the test may start later."""

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
    """Returns status, fields and answer, and checks that they come soon, whatever is wrong with the engine."""
    begun = time.monotonic()
    response, answer = at.running.post(body, **fields)
    check(time.monotonic() - begun < SOON, f"{what} at {at.name}: after {time.monotonic() - begun:.1f} s")
    return response.status, response.headers, answer


def open_session(at):
    """Returns its fields; None if it is temporarily refused, in the right way."""
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
    """Returns the status from load_skill, or the HTTP status of a failure."""
    status, fields, answer = asked(at, legacy("tools/call", name="load_skill", arguments={"skill_name": name}), "load", **session)
    if status != 200:
        if status == 503:
            hinted(fields, f"load_skill at {at.name}")
        return status
    return answer["result"]["structuredContent"]["data"]["status"]


def newer_goes_on(fleet, what):
    """Checks that the newer protocol needs no engine."""
    for at in fleet.replicas:
        status, _, answer = asked(at, modern("tools/call", name="load_skill", arguments={"skill_name": "greeter"}), what,
                                  MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name="load_skill")
        check(status == 200 and "Hello." in json.dumps(answer), f"{what}, newer protocol at {at.name}: {status} {answer}")
        status, _, answer = asked(at, legacy("tools/list"), what)
        check(status == 200 and answer["result"]["tools"], f"{what}, without a session at {at.name}: {status}")


def sessions_go_on(fleet, sessions, what):
    """Checks sessions at the server that opened them and at the other one, which may see them for the first time."""
    for at in fleet.replicas:
        for _, session in sessions:
            for body in (legacy("ping"), legacy("tools/list"), legacy("tools/call", name="list_skills", arguments={})):
                status = status_of(at, session, f"{what}, {body['method']}", body)
                check(status == 200, f"{what}: {body['method']} of a session at {at.name}: {status}")


def tells(fleet, what):
    """Checks that readiness and metrics report the outage, and that the process is alive and reads continue, so that
    no balancer takes it out."""
    fleet.are("degraded")
    for at in fleet.replicas:
        check(at.figure("skillhost_state_reachable") == 0, f"{what}: {at.name} says that the engine is reachable")
        response, _ = at.running.ask("GET", "/healthz")
        check(response.status == 200, f"{what}: /healthz of {at.name}: {response.status}")


def recovers(fleet, sessions, what):
    """Checks that all sessions work at all servers."""
    fleet.are("ready")
    for at in fleet.replicas:
        until(lambda: at.figure("skillhost_state_reachable") == 1, f"{what}: {at.name} counts the engine as reachable")
        for _, session in sessions:
            status = status_of(at, session, what)
            check(status == 200, f"{what}: a session at {at.name} when the engine is back: {status}")
    session = open_session(fleet.one)
    check(session is not None and status_of(fleet.two, session) == 200, f"{what}: a new session")


def two_sessions(fleet):
    """Opens one session that only the first server knows, and one that only the second knows."""
    sessions = [(at, open_session(at)) for at in fleet.replicas]
    for at, session in sessions:
        check(load(at, session) == "loaded", f"loaded at {at.name}")
    return sessions


def whole_outage(fleet, sessions, what):
    newer_goes_on(fleet, what)
    sessions_go_on(fleet, sessions, what)
    tells(fleet, what)
    # Once they know of the outage, they answer at once and do not wait for the engine.
    begun = time.monotonic()
    newer_goes_on(fleet, what)
    sessions_go_on(fleet, sessions, what)
    for at, session in sessions:  # another server may have unloaded it
        check(load(at, session) == "loaded", f"{what}: {at.name} sends a skill that it cannot be sure is loaded")
    for _, session in sessions:  # its end cannot be announced to all
        response, _ = fleet.one.running.ask("DELETE", **session)
        check(response.status == 503, f"{what}: DELETE: {response.status}")
    seconds = time.monotonic() - begun
    check(seconds < SLOWNESS, f"{what}: all of it again took {seconds:.2f} s")


def absent(folder):
    """Checks servers that start without the engine."""
    fleet, opened = Fleet(folder, begun=False), []
    newer_goes_on(fleet, "absent")
    tells(fleet, "absent")
    for at in fleet.replicas:
        session = open_session(at)
        check(session is not None, "a session is opened meanwhile")
        opened.append((at, session))
    sessions_go_on(fleet, opened, "absent")
    fleet.engine.start()
    sessions_go_on(fleet, opened, "absent, as it begins")
    recovers(fleet, opened, "absent")
    # A server that gets no answer of the engine within a moment sends the skill again, and a busy machine can be that slow.
    for _ in range(3):
        answers = [load(other, session) for _, session in two_sessions(fleet) for other in fleet.replicas]
        if answers == ["already_loaded"] * 4:
            break
    check(answers == ["already_loaded"] * 4, f"loaded at one server, and asked for at both: {answers}")
    fleet.end()


def silent(fleet):
    """Checks an engine that accepts connections and sends nothing."""
    sessions = two_sessions(fleet)
    fleet.engine.halt()
    try:
        whole_outage(fleet, sessions, "silent")
    finally:
        fleet.engine.go_on()
    recovers(fleet, sessions, "silent")


def restarted(fleet):
    """Checks an engine that ends and returns with its data."""
    sessions = two_sessions(fleet)
    fleet.engine.end()
    whole_outage(fleet, sessions, "gone")
    fleet.engine.start()
    recovers(fleet, sessions, "restarted")
    for _, session in sessions:
        for at in fleet.replicas:
            until(lambda at=at, session=session: load(at, session) == "already_loaded", f"restarted: {at.name} knows what was loaded")


def emptied(fleet):
    """Checks an engine that returns empty: sessions continue, ended ones stay ended, and servers store their
    knowledge again."""
    sessions = two_sessions(fleet)
    over = open_session(fleet.one)
    response, _ = fleet.one.running.ask("DELETE", **over)
    check(response.status == 204, f"emptied: DELETE: {response.status}")
    fleet.engine.end(signal.SIGKILL)
    shutil.rmtree(fleet.engine.folder / "appendonlydir")
    fleet.engine.start()
    fleet.engine.ask("SET", "another:product", "its own")
    fleet.are("ready")
    sessions_go_on(fleet, sessions, "emptied")
    # A server that missed the announcement finds ended sessions in the engine, once a server that knows has stored them
    # again.
    late = fleet.replica("late").start()
    until(lambda: late.state() == (200, "ready"), "the late one is ready")
    for at in (*fleet.replicas, late):
        until(lambda at=at: status_of(at, over, "emptied") == 404, f"emptied: an ended session at {at.name}")
    check(late.end() == 0, "an orderly end")
    for at, session in sessions:
        other = fleet.two if at is fleet.one else fleet.one
        until(lambda other=other, session=session: load(other, session) == "already_loaded", f"emptied: {other.name} knows what {at.name} has loaded")
    recovers(fleet, sessions, "emptied")


def full(fleet):
    """Checks an engine that accepts no more writes."""
    sessions, opened = two_sessions(fleet), []
    fleet.engine.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    fleet.engine.ask("CONFIG", "SET", "maxmemory", "1")
    try:
        newer_goes_on(fleet, "full")
        sessions_go_on(fleet, sessions, "full")
        for at, session in sessions:
            status = load(at, session, "other")
            check(status == "loaded", f"full: a load at {at.name}: {status}")
            opened.append((at, open_session(at)))
        sessions_go_on(fleet, opened, "full, opened meanwhile")
    finally:
        fleet.engine.ask("CONFIG", "SET", "maxmemory", "0")
    recovers(fleet, sessions + opened, "full")


def slow(fleet):
    """Checks an engine that answers slowly."""
    sessions = two_sessions(fleet)
    for _ in range(3):
        fleet.engine.ask("CLIENT", "PAUSE", "400", "ALL")
        newer_goes_on(fleet, "slow")
        for at in fleet.replicas:
            for _, session in sessions:
                status = status_of(at, session, "slow")
                check(status == 200, f"slow: a session at {at.name}: {status}")
    recovers(fleet, sessions, "slow")


def keys_of_new(fleet):
    """Returns a session that only the first server knows, and its keys in the engine."""
    before = set(fleet.engine.keys())
    session = open_session(fleet.one)
    assert session is not None
    load(fleet.one, session)
    keys = sorted(set(fleet.engine.keys()) - before)
    check(keys, "a session has a key in the engine")
    return session, keys


def goes_on(fleet, session, what):
    """Checks that the session continues, that nobody serves the foreign values under its keys, and that nobody hangs
    or dies."""
    status, _, answer = asked(fleet.two, legacy("tools/call", name="get_loaded_skills_info", arguments={}), what, **session)
    loaded = answer["result"]["structuredContent"]["data"]["count"] if status == 200 else None
    # Announcements of the first server may arrive after the session was seen here.
    check(loaded in (0, 1), f"{what}: {fleet.two.name} takes what is there for something: {status} {loaded}")
    status = status_of(fleet.one, session, what)
    check(status == 200, f"{what}: {fleet.one.name}: {status}")
    check(load(fleet.one, session, "other") == "loaded", f"{what}: {fleet.one.name} goes on")
    newer_goes_on(fleet, what)
    for at in fleet.replicas:
        check(at.running.process.poll() is None, f"{what}: {at.name} has ended")


def other_types(fleet):
    """Checks another product's list, set and hash in a session's place."""
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
    """Checks values that no server has written: a part of one, more than one, another session's, noise."""
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
    """Checks that a server of another service, in the same place of the engine, has no access to these sessions."""
    sessions = two_sessions(fleet)
    stranger = fleet.replica("stranger", secrets.token_hex(32)).start()
    until(lambda: stranger.state()[0] == 200, "the stranger serves")
    for at, session in sessions:
        status = status_of(stranger, session, "another secret")
        check(status == 404, f"another secret: a session of {at.name}: {status}")
        response, _ = stranger.running.ask("DELETE", **session)
        check(response.status == 404, f"another secret: DELETE: {response.status}")
    recovers(fleet, sessions, "another secret")
    check(stranger.end() == 0, "an orderly end")


def another_clock(fleet):
    """Checks that clocks may differ by five minutes, and that sessions of a server that is hours ahead are accepted
    nowhere else."""
    if SANITIZED or not Path(FAKETIME).exists():
        why = "a sanitizer is no friend of it" if SANITIZED else "it is not installed"
        return print(f"  without libfaketime, for {why}: servers with other clocks are not tested")
    for shift in ("+200s", "-200s", "+7200s"):
        shifted = fleet.replica(f"clock{shift}", environment={"LD_PRELOAD": FAKETIME, "FAKETIME": shift,
                                                              "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"})
        shifted.start()
        until(lambda: shifted.state() == (200, "ready"), f"the server with its clock at {shift}")
        day = time.strftime("%Y-%m-%d %H", time.localtime(time.time() + int(shift[:-1])))
        check(f"[{day}" in shifted.log(), f"its clock is at {shift}: {shifted.log()[:60]}")
        here, there = open_session(fleet.one), open_session(shifted)
        if shift == "+7200s":
            check(status_of(shifted, here) == 200, "a session that is two hours old to it goes on")
            check(status_of(fleet.one, there) == 404, "a session from the future is none")
            check(shifted.end() == 0, f"clock {shift}: an orderly end")
            continue
        for session in (here, there):
            check(load(fleet.one, session) == "loaded", f"clock {shift}: loaded")
            for at in (fleet.two, shifted, fleet.one):
                check(load(at, session) == "already_loaded", f"clock {shift}: at {at.name}")
        check(shifted.end() == 0, f"clock {shift}: an orderly end")
        for session in (here, there):
            check(load(fleet.two, session) == "already_loaded", f"clock {shift}: after its end")
    return None


def refused(fleet):
    """Checks that settings that cannot work are reported at the start, without the password."""
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
    """Checks that another product's keys are unchanged, and that all keys of skillhost have the prefix."""
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
