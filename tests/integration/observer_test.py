#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that an observer plugin receives events, in the host's process and in its own process, and that it delays no
request. observer_test.py SERVER ROOT FIXTURES"""
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import DEADLINE, SLOWNESS, Checks, until
from http_server import Running, legacy

SERVER, ROOT, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).resolve()
SKILLS = str(ROOT / "examples/skills")
ISOLATIONS = ("thread", "process")
TROUBLE, MENDED = "watching: the plugin cannot take events now: ", "watching: the plugin takes events again"
checks = Checks()
check = checks.check


class Watched:
    """A server with the fixture as an observer, and the file that the observer writes."""

    def __init__(self, isolation, *options, config=None, more=(), auth=None):
        self.folder = tempfile.TemporaryDirectory(prefix="skillhost-observer-")
        self.root = Path(self.folder.name)
        self.isolation = isolation
        file = {"file": str(self.root / "events.jsonl")} if isolation == "thread" else {}
        watching = {"name": "watching", "plugin": str(FIXTURES / "observing.so"), "isolation": isolation,
                    "config": {**file, **(config or {})}}
        configuration = self.root / "skillhost.json"
        configuration.write_text(json.dumps({"observers": [watching, *more], "search": {"plugin": "none"}, **(auth or {})}))
        os.environ["XDG_CACHE_HOME"] = str(self.root / "cache")
        self.running = Running(SERVER, SKILLS, "--config", str(configuration), *options)
        # The server serves before its observers are made. The first batch also reports the first catalogue.
        until(lambda: any(one["is"] == "catalogue_changed" for one in self.told()), f"{isolation}: the start is told: {self.log()}")

    def told(self, instance="watching"):
        """Returns every complete line of the observer's file."""
        found = list(self.root.rglob("events.jsonl")) if self.isolation == "process" else [self.root / "events.jsonl"]
        found = [one for one in found if self.isolation == "thread" or instance in str(one.relative_to(self.root))]
        text = found[0].read_text() if found and found[0].exists() else ""
        return [json.loads(line) for line in text.splitlines() if line.endswith("}")]

    def uses(self):
        return [one for one in self.told() if one["is"] == "call_ended"]

    def load(self, name, **fields):
        return str(self.running.post(legacy("tools/call", name="load_skill", arguments={"skill_name": name}), **fields)[1])

    def readiness(self, **fields):
        return json.loads(self.running.ask("GET", "/readyz", **fields)[1])

    def log(self):
        return "".join(self.running.log)

    def metric(self, name):
        text = self.running.ask("GET", "/metrics")[1]
        found = re.search(rf'^{name}{{instance="watching"}} (\S+)$', text, re.M)
        return float(found[1]) if found else None

    def end(self):
        code = self.running.end()
        self.folder.cleanup()
        return code


def token(file, *options):
    run = subprocess.run([SERVER, "token", "add", "someone", "--file", file, *options], capture_output=True, text=True, timeout=DEADLINE,
                         check=True)
    return run.stdout.strip()


def told(isolation):
    """Checks that events of all kinds arrive, with their details."""
    with tempfile.TemporaryDirectory(prefix="skillhost-observer-") as folder:
        tokens = Path(folder) / "tokens"
        secret = token(tokens, "--scope", "skills:read")
        server = Watched(isolation, auth={"auth": {"plugin": "static", "config": {"file": str(tokens)}}})
        fields = {"Authorization": f"Bearer {secret}"}
        check("Release notes" in server.load("release-notes", **fields), f"{isolation}: a skill is loaded")
        server.load("no-such-skill", **fields)
        response, _ = server.running.post(legacy("tools/list"), Authorization="Bearer wrong")
        check(response.status == 401, f"{isolation}: a stranger is refused: {response.status}")
        until(lambda: len(server.uses()) >= 2 and any(one["is"] == "refused" for one in server.told()), f"{isolation}: uses and a refusal")
        now = time.time() * 1000
        used = next(one for one in server.uses() if one["skill"])
        failed = next(one for one in server.uses() if not one["skill"])
        check(used["skill"] == "release-notes" and used["outcome"] == "ok" and used["kind"] == 0 and used["digest"] and
              used["person"] == "someone" and used["issuer"] == "static" and used["source"] and used["microseconds"] > 0 and
              abs(used["time_ms"] - now) < 600_000, f"{isolation}: a use: {used}")
        check(failed["text"] == "no-such-skill" and failed["outcome"] not in ("ok", "") and not failed["skill"], f"{isolation}: a use in vain: {failed}")
        refused = [one for one in server.told() if one["is"] == "refused"]
        check([one["kind"] for one in refused] == [3] and refused[0]["outcome"] != "ok", f"{isolation}: a refusal: {refused}")
        audit = [one for one in server.told() if one["is"] == "audit_record"]
        check([one["event"] for one in audit][:2] == ["started", "refused"] and audit[1]["record"]["status"] == 401, f"{isolation}: the audit: {audit}")
        check(any(one["is"] == "catalogue_changed" and one["generation"] >= 1 for one in server.told()), f"{isolation}: the catalogue")
        lines = [one for one in server.told() if one["is"] == "log_record"]
        check(any(one["part"] == "audit" and one["level"] == 3 and json.loads(one["fields"])["event"] == "refused" for one in lines),
              f"{isolation}: a line of the log: {lines[-3:]}")
        until(lambda: server.told()[-1]["is"] == "flush", f"{isolation}: a batch ends with flush()")
        check(server.running.end() == 0, f"{isolation}: the end: {server.log()[-1000:]}")
        check(any(one["is"] == "audit_record" and one["event"] == "stopped" for one in server.told()), f"{isolation}: the last events arrive")
        server.folder.cleanup()


def own_lines(isolation):
    """Checks that no observer receives the log lines of observers, because two of them could otherwise answer each
    other forever."""
    other = {"name": "listening", "plugin": str(FIXTURES / "observing.so"), "isolation": "process", "config": {"log_on": "I was told of it"}}
    server = Watched(isolation, config={"log_on": "release-notes"}, more=[other])
    server.load("release-notes")
    until(lambda: "[watching] I was told of it" in server.log(), f"{isolation}: the observer logs a line")
    server.load("code-review")
    until(lambda: any(one["skill"] == "code-review" for one in server.uses()), f"{isolation}: the next use")
    for name in ("watching", "listening") if isolation == "process" else ("watching",):
        check(not any(one["is"] == "log_record" and "I was told of it" in one["message"] for one in server.told(name)), f"{isolation}: {name} hears no observer")
    check("[listening] I was told of it" not in server.log(), f"{isolation}: nor does the other one")
    check(server.end() == 0, f"{isolation}: the end")


def blocks(isolation):
    """Checks an observer that needs a second for each event: twenty calls do not wait for it."""
    server = Watched(isolation, config={"block_ms": 1000})
    begun = time.monotonic()
    for _ in range(20):
        check("Release notes" in server.load("release-notes"), f"{isolation}: it is served beside an observer that blocks")
    took = time.monotonic() - begun
    check(took < 10 * SLOWNESS, f"{isolation}: twenty calls take {took:.1f} s beside an observer that takes a second for each")
    check(server.readiness()["status"] == "ready", f"{isolation}: it is slow, and loses nothing: {server.readiness()}")
    begun = time.monotonic()
    check(server.running.end() == 0, f"{isolation}: the end")
    check(time.monotonic() - begun < 10 * SLOWNESS, f"{isolation}: the end does not wait for it")
    check("did not reach the plugin" in server.log(), f"{isolation}: what did not arrive is said: {server.log()[-500:]}")
    server.folder.cleanup()


def comes_back(isolation):
    """Checks that an observer that reports itself unavailable gets the same events again."""
    server = Watched(isolation, config={"unavailable": 2})
    server.load("release-notes")
    until(lambda: MENDED in server.log(), f"{isolation}: it has come back")
    until(lambda: any(one["skill"] == "release-notes" for one in server.uses()), f"{isolation}: the use is told in the end")
    state = server.readiness()
    check(state["status"] == "ready" and state["observers"]["watching"] == {"failing": False, "lost_events": 0}, f"{isolation}: nothing is lost: {state}")
    check(server.log().count(TROUBLE) == 1 and "come back later" in server.log(), f"{isolation}: said once: {server.log()[-1500:]}")
    check(server.end() == 0, f"{isolation}: the end")


def fails(isolation):
    """Checks that a batch which the observer rejects is lost and reported, and that the next batch says so."""
    server = Watched(isolation, config={"fail_on": "release-notes"})
    server.load("release-notes")
    until(lambda: server.readiness()["observers"]["watching"]["lost_events"] >= 1, f"{isolation}: the loss is counted")
    until(lambda: TROUBLE + "observe: this one I do not like" in server.log(), f"{isolation}: the log says why")
    until(lambda: any(one["is"] == "lost" for one in server.told()), f"{isolation}: the loss is told")
    until(lambda: server.readiness()["status"] == "ready", f"{isolation}: it works again: {server.readiness()}")
    server.load("code-review")
    until(lambda: any(one["skill"] == "code-review" for one in server.uses()), f"{isolation}: the next use")
    lost = next(one for one in server.told() if one["is"] == "lost")
    check(lost["count"] >= 1 and lost["events"] & 1, f"{isolation}: {lost}")
    until(lambda: server.metric("skillhost_observer_lost_total") == server.readiness()["observers"]["watching"]["lost_events"], f"{isolation}: the metric")
    check(server.metric("skillhost_observer_events_total") > 1, f"{isolation}: the metric of events")
    check(server.end() == 0, f"{isolation}: the end")


def crashes():
    """Checks that an observer which crashes in its own process affects nothing else."""
    server = Watched("process", config={"crash_on": "release-notes"})
    check("Release notes" in server.load("release-notes"), "its crash is nobody's")
    until(lambda: TROUBLE in server.log() and MENDED in server.log(), f"it is started again: {server.log()[-1500:]}")
    check("its process was started again" in server.log(), "the log says so")
    server.load("code-review")
    until(lambda: any(one["skill"] == "code-review" for one in server.uses()), "the next use")
    check(any(one["is"] == "lost" for one in server.told()), "the loss is told")
    check(server.readiness()["status"] == "ready", f"all is well again: {server.readiness()}")
    check(server.end() == 0, "the end")


def flood(server, until_lost):
    """Makes calls over one connection, until the server reports lost events. Returns true if it does."""
    connection = http.client.HTTPConnection("127.0.0.1", server.running.port, timeout=DEADLINE)
    body = json.dumps(legacy("tools/call", name="load_skill", arguments={"skill_name": "no-such-skill"})).encode()
    for number in range(12_000):
        connection.request("POST", "/mcp", body, {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
        connection.getresponse().read()
        if number % 500 == 499 and server.readiness()["observers"]["watching"]["lost_events"] > until_lost:
            return True
    return False


def hangs(isolation):
    """Checks an observer that never returns from an event: its queue fills up, and the server continues to serve."""
    server = Watched(isolation, config={"hang_on": "release-notes"})
    check("Release notes" in server.load("release-notes"), f"{isolation}: the call is answered")
    check(flood(server, 0), f"{isolation}: more events than the queue holds are lost, and counted")
    until(lambda: TROUBLE in server.log(), f"{isolation}: the log says so")
    if isolation == "process":
        until(lambda: MENDED in server.log(), "its process is ended, and the next one is told the rest", 60 * SLOWNESS)
        until(lambda: any(one["is"] == "lost" for one in server.told()), "the loss is told where it was")
        until(lambda: server.readiness()["status"] == "ready", "all is well again")
    else:
        check(server.readiness()["status"] == "degraded", f"the server says so: {server.readiness()}")
        until(lambda: "watching: observe timed out, and its thread has not returned" in server.log(), "its thread is given up", 60 * SLOWNESS)
        stats = str(server.running.post(legacy("resources/read", uri="skillhost://plugins"))[1])
        check("broken" in stats and "watching" in stats, f"the operator sees it: {stats[:1500]}")
    check(server.log().count(TROUBLE) == 1, f"{isolation}: said once: {[one for one in server.running.log if TROUBLE in one]}")
    begun = time.monotonic()
    check(server.running.end() == 0, f"{isolation}: the end: {server.log()[-600:]}")
    check(time.monotonic() - begun < 15 * SLOWNESS, f"{isolation}: the end does not wait for it")
    server.folder.cleanup()


def wrong():
    """Checks that a wrong configuration of an observer ends the start with advice, or that --keep-going omits the
    observer."""
    good = {"name": "watching", "plugin": str(FIXTURES / "observing.so")}
    for entry, words in (({**good, "plugin": "no-such-plugin"}, ("observers[0].plugin", "no-such-plugin")),
                         ({**good, "plugin": "/no/such/file.so"}, ("observers[0].plugin", "/no/such/file.so")),
                         ({**good, "plugin": str(FIXTURES / "good.so")}, ("observers[0].plugin", "good.so holds no observer plugin")),
                         ({**good, "name": "skills"}, ("observers[0].name", 'named "skills" too')),
                         ({**good, "isolation": "sometimes"}, ("observers[0].isolation", "sometimes")),
                         ({**good, "file": "x"}, ("observers[0]", 'unknown key "file"')),
                         ({"name": "watching"}, ("observers[0]", "a plugin is missing"))):
        with tempfile.TemporaryDirectory(prefix="skillhost-observer-") as folder:
            file = Path(folder) / "skillhost.json"
            file.write_text(json.dumps({"observers": [entry], "search": {"plugin": "none"}}))
            done = subprocess.run([SERVER, "plugins", "--config", file, "--skills-dir", SKILLS], capture_output=True, text=True,
                                  check=False, timeout=DEADLINE, env={**os.environ, "XDG_CACHE_HOME": folder})
            said = done.stdout + done.stderr
            check(done.returncode == 1 and all(one in said for one in words), f"{entry}: {done.returncode} {said[-600:]}")
    with tempfile.TemporaryDirectory(prefix="skillhost-observer-") as folder:
        file = Path(folder) / "skillhost.json"
        file.write_text(json.dumps({"observers": [{**good, "plugin": "no-such-plugin"}], "search": {"plugin": "none"}, "keep_going": True}))
        running = Running(SERVER, SKILLS, "--config", str(file))
        until(lambda: running.readiness() == "degraded", "it is served without the plugin, which is made last")
        check("no-such-plugin" in "".join(running.log), "the log says what is left out")
        check(running.end() == 0, "the end")


def hangs_in_create(isolation):
    """Its create() never returns: neither a reload, nor a command that needs no observer, nor the end waits for it."""
    with tempfile.TemporaryDirectory(prefix="skillhost-observer-") as folder:
        file, audit, more = (Path(folder) / name for name in ("skillhost.json", "audit.jsonl", "more"))
        hanging = {"name": "watching", "plugin": str(FIXTURES / "observing.so"), "isolation": isolation, "config": {"hang_in_create": True}}
        configuration = {"observers": [hanging], "search": {"plugin": "none"}, "access": {"audit_log": str(audit)}}
        file.write_text(json.dumps(configuration))
        os.environ["XDG_CACHE_HOME"] = folder
        begun = time.monotonic()
        listed = subprocess.run([SERVER, "skill", "list", "--config", file, "--skills-dir", SKILLS], capture_output=True, text=True,
                                check=False, timeout=DEADLINE)
        check(listed.returncode == 0 and "release-notes" in listed.stdout, f"{isolation}: skill list: {listed.stderr[-600:]}")
        running = Running(SERVER, SKILLS, "--config", str(file))
        more.mkdir()
        file.write_text(json.dumps({**configuration, "sources": [{"name": "more", "config": {"directories": [str(more)]}}]}))
        running.process.send_signal(signal.SIGHUP)
        until(lambda: "the configuration was read again: added source more" in "".join(running.log), f"{isolation}: the reload: {running.log}")
        took = time.monotonic() - begun
        check(took < 25, f"{isolation}: nothing waited for create(), which is given up after 30 s: {took:.0f} s")
        begun = time.monotonic()
        check(running.end() == 0, f"{isolation}: the end: {running.log}")
        check(time.monotonic() - begun < 10 * SLOWNESS, f"{isolation}: the end does not wait for it")
        records = [json.loads(line)["event"] for line in audit.read_text().splitlines()]
        check(records[0] == "started" and records[-1] == "stopped", f"{isolation}: the audit is complete: {records}")


wrong()
for each in ISOLATIONS:
    hangs_in_create(each)
    told(each)
    own_lines(each)
    blocks(each)
    comes_back(each)
    fails(each)
    hangs(each)
crashes()
sys.exit(checks.finish())
