#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests SIGHUP: either all differences in the configuration are applied, or none: reload_test.py SERVER SCRIPTED
SCRIPTED_AUTH"""
import hashlib
import hmac
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from checks import Checks, until
from http_server import INITIALIZE, LEGACY, Running, legacy

SERVER, SCRIPTED, AUTH = (str(Path(path).resolve()) for path in sys.argv[1:4])
checks = Checks()
check = checks.check
NOTHING = "no source and no rule differs"


def skill(folder, name):
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: About {name}.\n---\nText of {name}.\n")


def scripted(name, *skills, **script):
    text = "---\nname: {0}\ndescription: About {0}.\n---\nText.\n"
    documents = [{"skill": one, "text": text.format(one)} for one in skills]
    return {"name": name, "plugin": SCRIPTED, "isolation": "thread", "config": {"documents": documents, **script}}


def local(folder, name=None):
    return {"name": name or folder.name, "config": {"directories": [str(folder)]}}


class House:
    """A server, its configuration file, and the notifications to a client on an open stream."""

    def __init__(self, folder, configuration, *options, ready=True):
        self.file = folder / "skillhost.json"
        self.say(configuration)
        skill(folder / "always/fixed", "fixed")
        self.server = Running(SERVER, str(folder / "always"), "--config", str(self.file), *options, ready=ready)

    def say(self, configuration):
        new = self.file.with_suffix(".new")
        new.write_text(configuration if isinstance(configuration, str) else json.dumps(configuration, indent=1))
        new.rename(self.file)

    def lines(self, text):
        return [line for line in self.server.log if text in line]

    def hang_up(self, configuration=None):
        """Sends SIGHUP and returns the log line about its result."""
        if configuration is not None:
            self.say(configuration)
        ends = ("was read again", "is not applied")
        before = sum(len(self.lines(end)) for end in ends)
        self.server.process.send_signal(signal.SIGHUP)
        until(lambda: sum(len(self.lines(end)) for end in ends) > before, "SIGHUP is answered")
        return [line for line in self.server.log if any(end in line for end in ends)][-1]

    def ask(self, method, token=None, **params):
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        return self.server.post(legacy(method, **params), MCP_Protocol_Version=LEGACY, **fields)[1]

    def names(self, token=None):
        answer = self.ask("tools/call", token, name="list_skills", arguments={"limit": 100})
        said = answer["result"]["structuredContent"]
        if "data" not in said and "UNAVAILABLE" in json.dumps(said):  # nothing is read yet
            return set()
        return {one["name"] for one in said["data"]["skills"]}

    def becomes(self, names, token=None):
        until(lambda: self.names(token) == set(names), f"the skills {sorted(names)}")
        check(True, "the skills")

    def listings(self, source):
        """Returns how often a scripted source has been listed."""
        text = self.server.ask("GET", "/metrics")[1]
        found = re.search(rf'^skillhost_plugin_scripted_list_total\{{instance="{source}"\}} (\d+)', text, re.M)
        return int(found[1]) if found else 0

    def end(self):
        check(self.server.end() == 0, f"the end is in order: {self.server.log[-3:]}")


class Heard:
    """Records the notifications on a session's open stream, and can ensure that none is on its way."""

    def __init__(self, house, token=None, listens=True):
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        response, _ = house.server.post(INITIALIZE, **fields)
        session = {"Mcp_Session_Id": response.headers["Mcp-Session-Id"], "MCP_Protocol_Version": LEGACY, **fields}
        house.server.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **session)
        self.house, self.session, self.methods = house, session, []
        if listens:
            self.listen()

    def listen(self):
        self.connection, stream = self.house.server.open("GET", Accept="text/event-stream", **self.session)
        check(stream.status == 200, "the stream is open")
        threading.Thread(target=self.read, args=[stream], daemon=True).start()

    def read(self, stream):
        for line in stream:
            if line.startswith(b"data: {"):
                self.methods.append(json.loads(line[6:])["method"])

    def tools(self):
        return self.methods.count("notifications/tools/list_changed")


def sources(folder):
    """Checks that sources are added, removed and changed, that an unchanged one is not listed again, and that
    clients are notified once."""
    skill(folder / "one/alpha", "alpha")
    skill(folder / "two/beta", "beta")
    stays = scripted("stays", "steady")
    house = House(folder, {"sources": [stays, local(folder / "one")]})
    house.becomes({"fixed", "steady", "alpha"})
    listed = house.listings("stays")
    check(listed >= 1, "the scripted source was listed")
    heard = Heard(house)
    line = house.hang_up()
    check(NOTHING in line, f"nothing differs: {line}")
    line = house.hang_up({"sources": [stays, local(folder / "two")]})
    check("added source two; removed source one" in line, line)
    house.becomes({"fixed", "steady", "beta"})
    line = house.hang_up({"sources": [stays, {**local(folder / "one"), "name": "two"}]})
    check("changed source two" in line and "added" not in line, line)
    house.becomes({"fixed", "steady", "alpha"})
    check(house.listings("stays") == listed, f"what stays is not listed again: {house.listings('stays')}")
    until(lambda: heard.tools() >= 2, "clients hear of it")
    told = heard.tools()
    check(NOTHING in house.hang_up(), "once more")
    house.hang_up({"sources": [stays, {**local(folder / "one"), "name": "two"}, scripted("three", "gamma")]})
    until(lambda: heard.tools() > told, "clients hear of what comes later")
    metrics = house.server.ask("GET", "/metrics")[1]
    check('skillhost_source_skills{source="two"} 1' in metrics and 'source="one"' not in
          "".join(line for line in metrics.splitlines() if line.startswith("skillhost_source_") and "_total" not in line), "figures of what is gone are gone")
    line = house.hang_up({"sources": [scripted("three", "gamma"), stays, {**local(folder / "one"), "name": "two", "enabled": False}]})
    check("removed source two" in line, line)
    house.becomes({"fixed", "steady", "gamma"})
    line = house.hang_up({"sources": [stays, scripted("three", "gamma")]})
    check("the order of the sources changed" in line, line)
    check("skills_dirs" not in "".join(house.lines("restart")), "folders of the command line are no change")
    house.end()


def keys_of_instances(folder):
    """Checks that every key of a source that affects its instance makes a new instance."""
    skill(folder / "one/alpha", "alpha")
    skill(folder / "two/beta", "beta")
    source = {**local(folder / "one"), "isolation": "process", "allow_read": [str(folder)]}
    others = {"plugin": "store", "config": {"directories": [str(folder / "two")]}, "isolation": "thread",
              "allow_read": [str(folder), str(folder / "one")], "memory_mb": 900, "cache_mb": 900, "network": ["example.org"], "threads": 3}
    # These do not affect the instance, and are tested elsewhere.
    elsewhere = {"name", "enabled", "webhook_secret", "filters"}
    schema = json.loads(subprocess.run([SERVER, "--config-schema"], capture_output=True, text=True, check=True).stdout)
    known = set(schema["properties"]["sources"]["items"]["properties"])
    check(known == set(others) | elsewhere, f"each key is tried: {known ^ (set(others) | elsewhere)}")
    house = House(folder, {"sources": [source]})
    house.becomes({"fixed", "alpha"})
    for key, value in others.items():
        changed = {**source, key: value}
        if key == "plugin":
            changed["config"] = {"directory": str(folder / "store")}
        line = house.hang_up({"sources": [changed]})
        check("changed source one" in line, f"another {key}: {line}")
        line = house.hang_up()
        check(NOTHING in line, f"the same {key}: {line}")
        line = house.hang_up({"sources": [source]})
        check("changed source one" in line, f"{key} as before: {line}")
    house.becomes({"fixed", "alpha"})
    house.end()


def refused(folder):
    """Checks that faults are reported with their place, and that nothing of the file is applied."""
    skill(folder / "one/alpha", "alpha")
    skill(folder / "two/beta", "beta")
    before = {"sources": [local(folder / "one"), scripted("script", "steady")]}
    house = House(folder, before)
    house.becomes({"fixed", "alpha", "steady"})
    good = local(folder / "two")
    wrong = {
        "an unknown key": ({"sources": [good], "nonsense": 1}, "skillhost.json:"),
        "no JSON": ("{", "skillhost.json"),
        "a plugin that is not there": ({"sources": [good, {"name": "x", "plugin": "githup"}]}, "skillhost.json:"),
        "a new source's setting": ({"sources": [good, {"name": "x", "config": {"directorys": ["/"]}}]}, "directorys"),
        "a folder that is not there": ({"sources": [good, local(folder / "none")]}, "none"),
        "the setting of a source that is there": (
            {"sources": [good, {**local(folder / "one"), "config": {"directories": [str(folder / "one")], "poll": 1}}]}, "poll"),
        "another provider": ({"sources": [good], "auth": {"plugin": "static", "config": {"file": "/none"}}}, "restart the server to apply auth."),
        "another scope": ({"sources": [good], "access": {"read_scope": "x"}}, "restart the server to apply access.read_scope"),
        "an empty file": ("", "sets no key"),
        "a file of nothing": ("{}", "sets no key"),
        "a lock that is not there": ({"sources": [good], "locked": True}, "skills.lock: is not there; write it with skillhost lock"),
        "a rule's glob": ({"sources": [good], "access": {"visibility": [{"sources": ["[a"], "scopes": ["x"]}]}}, "skillhost.json:"),
    }
    for what, (configuration, words) in wrong.items():
        line = house.hang_up(configuration)
        at = house.server.log.index(line)
        said = "".join(house.server.log[at:])
        check("is not applied" in line and words in said, f"{what}: {said}")
        until(lambda: any("reconfigured" in one and "not applied: " in one for one in house.server.log[at:]),
              f"{what}: the audit has it")
        check(house.names() == {"fixed", "alpha", "steady"}, f"{what}: the old one goes on: {house.names()}")
        text = house.ask("tools/call", name="load_skill", arguments={"skill_name": "alpha"})
        check("Text of alpha" in json.dumps(text), f"{what}: its skills can be loaded: {str(text)[:200]}")
    house.file.unlink()
    check("skillhost.json: is not there" in house.hang_up(), "a file that is gone")
    os.mkfifo(house.file)
    check("skillhost.json: is no regular file" in house.hang_up(), "a pipe is not waited for")
    # It was stopped for one that could not be made, and is followed as before.
    skill(folder / "one/later", "later")
    house.becomes({"fixed", "alpha", "steady", "later"})
    line = house.hang_up({"sources": [good], "limits": {"max_depth": 9}})
    check("added source two; removed sources one, script" in line, line)
    house.becomes({"fixed", "beta"})
    # A secret that is not UTF-8 is refused like any fault, and the source that was to change continues.
    (folder / "bytes").write_bytes(b"\xff\xfe0123456789abcdef")
    (folder / "bytes").chmod(0o600)
    line = house.hang_up({"sources": [{**good, "config": {**good["config"], "hidden": True}},
                                      {"name": "x", "plugin": "github", "config": {
                                          "url": "https://127.0.0.1/x", "token": "${file:" + str(folder / "bytes") + "}"}}]})
    check("is not applied" in line and "skillhost.json:" in line, line)
    text = house.ask("tools/call", name="load_skill", arguments={"skill_name": "beta"})
    check("Text of beta" in json.dumps(text), f"it can be loaded: {str(text)[:200]}")
    line = house.hang_up({"sources": [good], "limits": {"max_depth": 9}})
    until(lambda: house.lines("after a restart only: limits.max_depth (" + str(house.file) + ":"), "what needs a restart")
    line = house.hang_up({"sources": [good, scripted("away", list={"do": "UNAVAILABLE", "message": "no route to it"})]})
    check("added source away" in line, f"a source that cannot be had is served around: {line}")
    until(lambda: json.loads(house.server.ask("GET", "/readyz")[1])["failed_sources"] == 1, "readyz tells")
    # A new source that cannot be made serves nothing, rather than skills that nobody can load.
    line = house.hang_up({"sources": [good, {**scripted("away"), "config": {"create": {"do": "UNAVAILABLE", "message": "no route"}}}]})
    check("changed source away" in line, line)
    line = house.hang_up()
    check(NOTHING in line, f"one that still cannot be made is no change: {line}")
    check(house.names() == {"fixed", "beta"}, f"it serves nothing: {house.names()}")
    house.end()


def successors(folder):
    """Checks that an old source's skills are served until the new one has been listed, unless it is under another
    lock; that a source hands its folder on; and that a source can be replaced within a listing."""
    house = House(folder, {"sources": [scripted("s", "alpha", "evil")]})
    house.becomes({"fixed", "alpha", "evil"})
    broken = scripted("s", "alpha", "evil", list={"do": "UNAVAILABLE", "message": "no route"})
    house.hang_up({"sources": [broken]})
    until(lambda: house.lines("refresh failed: s: list: no route"), "its first listing fails")
    house.becomes({"fixed"})  # unloadable skills are not listed; the log may give the reason earlier
    for i in range(30):
        many = [scripted("many", *(f"skill-{n}" for n in range(90)))]
        house.say({"sources": many if i % 2 else []})
        house.server.process.send_signal(signal.SIGHUP)
    house.hang_up({"sources": many})
    house.becomes({"fixed", *(f"skill-{n}" for n in range(90))})
    house.end()


def rules(folder):
    """Checks that new rules apply at once: also to callers who now see less, and never less strictly in between."""
    tokens = {"staff": {"subject": "ada", "scopes": ["skills:read", "hr"]}, "plain": {"subject": "eve", "scopes": ["skills:read"]}}
    for token in tokens.values():
        token.update(expires_in=3600, cache_seconds=300)
    options = ["--set", f"auth.plugin={AUTH}", "--set", "auth.isolation=thread",
               "--set", "auth.config=" + json.dumps({"tokens": tokens})]
    hr, pub = scripted("hr", "payroll"), scripted("pub", "open")
    hidden = [{"sources": ["hr"], "scopes": ["hr"]}]
    house = House(folder, {"sources": [hr, pub]}, *options)
    for token in ("staff", "plain"):
        house.becomes({"fixed", "payroll", "open"}, token)
    staff, plain, away = Heard(house, "staff"), Heard(house, "plain"), Heard(house, "plain", listens=False)
    line = house.hang_up({"sources": [hr, pub], "access": {"visibility": hidden}})
    check("access.visibility changed" in line, line)
    away.listen()
    until(lambda: away.tools() >= 1, "who did not listen meanwhile is told when it does")
    check(house.names("plain") == {"fixed", "open"}, f"who lost the right sees it no more: {house.names('plain')}")
    check(house.names("staff") == {"fixed", "payroll", "open"}, "who has it does")
    told = house.ask("tools/call", "plain", name="load_skill", arguments={"skill_name": "payroll"})
    check("NOT_FOUND" in json.dumps(told), f"it cannot be loaded: {told}")
    until(lambda: plain.tools() == 1, "who sees another list hears of it")
    # The source and the rule that hid it go at once: nobody sees it unhidden, however often they ask.
    stop, seen = threading.Event(), []

    def watch():
        while not stop.is_set():
            if "payroll" in house.names("plain"):
                seen.append("payroll")

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(10):
        house.hang_up({"sources": [pub]})
        house.hang_up({"sources": [hr, pub], "access": {"visibility": hidden}})
    house.hang_up({"sources": [pub]})
    stop.set()
    watcher.join()
    check(not seen, "a source that goes with its rule was seen")
    house.becomes({"fixed", "open"}, "plain")
    check(staff.tools() >= 1, "staff hears that it is gone")
    house.hang_up({"sources": [pub, hr]})
    house.becomes({"fixed", "open", "payroll"}, "plain")
    house.end()


def chosen(folder):
    """Checks that new rules for serving skills apply at once and to every source, or not at all."""
    skill(folder / "two/beta", "beta")
    script = scripted("script", "steady", "evil")
    # Its name differs from its folder's: a warning, or an error by the strict rules.
    script["config"]["documents"].append({"skill": "loose", "text": "---\nname: other\ndescription: About it.\n---\nText.\n"})
    lenient = {"fixed", "steady", "evil", "other"}
    apart = {**scripted("apart", "far"), "isolation": "process", "allow_read": [str(Path(SCRIPTED).parent)]}
    house = House(folder, {"sources": [script]})
    house.becomes(lenient)
    heard, told = Heard(house), 0

    def applied(configuration, keys, names, words=""):
        """Checks that at no moment after the answer to SIGHUP more skills are served than allowed."""
        nonlocal told
        line = house.hang_up(configuration)
        check(f"{keys}: the rules of which skills are served changed" in line and words in line, line)
        seen = house.names()
        check(seen <= names, f"{keys}: judged by the rules before: {seen - names}")
        check({"steady"} & names <= seen, f"{keys}: nothing is gone meanwhile: {names - seen}")
        house.becomes(names)
        until(lambda: heard.tools() > told, "a client hears of it")
        told = heard.tools()

    without = {"sources": [script], "exclude_skills": ["script/ev*"]}
    applied(without, "exclude_skills", lenient - {"evil"})
    text = house.ask("tools/call", name="load_skill", arguments={"skill_name": "evil"})
    check("NOT_FOUND" in json.dumps(text), f"it cannot be loaded: {text}")
    listed = house.listings("script")
    line = house.hang_up()
    check(NOTHING in line and house.listings("script") == listed, f"nothing differs: {line}")
    applied({"sources": [script]}, "exclude_skills", lenient)
    applied({"sources": [script], "include_skills": ["script/*"]}, "include_skills", lenient - {"fixed"})
    applied({"sources": [script], "strict": True}, "skill_rules, include_skills", lenient - {"other"})
    applied({"sources": [script]}, "skill_rules", lenient)
    for _ in range(5):
        applied(without, "exclude_skills", lenient - {"evil"})
        applied({"sources": [script]}, "exclude_skills", lenient)
    # A fault in either of the two keeps all of the old configuration.
    both = {"sources": [script, local(folder / "two")], "exclude_skills": ["*/evil"]}
    listed = house.listings("script")
    line = house.hang_up({**both, "exclude_skills": ["*/evil", "[a"]})
    said = "".join(house.server.log[house.server.log.index(line):])
    check("is not applied" in line and re.search(r'skillhost\.json:\d+:\d+: exclude_skills: "\[a" is no glob', said), said)
    line = house.hang_up({**both, "sources": [script, local(folder / "none")]})
    check("is not applied" in line, line)
    check(house.names() == lenient and house.listings("script") == listed, f"the old one goes on: {house.names()}")
    applied(both, "exclude_skills", lenient - {"evil"} | {"beta"}, "added source two; ")
    # A source whose skills are judged again is followed as before.
    both["sources"].append(apart)
    house.hang_up(both)
    applied({**both, "exclude_skills": ["two/evil"]}, "exclude_skills", lenient | {"beta", "far"})
    skill(folder / "two/evil", "evil-two")
    skill(folder / "two/later", "later")
    house.becomes(lenient | {"beta", "far", "later"})
    check(not house.lines("after a restart only"), "all of it holds")
    house.end()


def places(folder):
    """A key that needs a restart is named with its own place, not with that of a longer key that begins alike."""
    both = {"max_connections": 500, "max_connections_per_peer": 100}
    house = House(folder, {"http": both})
    house.becomes({"fixed"})
    own = next(number for number, line in enumerate(house.file.read_text().splitlines(), 1) if '"max_connections"' in line)
    house.hang_up({"log": {"level": "INFO"}, "keep_going": False, "http": {"max_connections_per_peer": 100}})
    until(lambda: house.lines(f"after a restart only: http.max_connections ({house.file}:{own}:"), "the place of the key that went")
    house.end()


def logs(folder):
    """Checks that the log follows the level of the active configuration."""
    skill(folder / "one/alpha", "alpha")
    sources = {"sources": [local(folder / "one")]}
    house = House(folder, sources)
    house.becomes({"fixed", "alpha"})
    check("the level or format of the log" in house.hang_up({**sources, "log": {"level": "DEBUG"}}), "the level is taken over")
    skill(folder / "one/beta", "beta")
    until(lambda: house.lines("[DEBUG]"), "details are logged")
    house.hang_up({**sources, "log": {"format": "json"}})
    line = house.hang_up()
    check(json.loads(line)["part"] == "config" and NOTHING in line, f"lines of JSON: {line}")
    check("level or format of the log" in house.hang_up({**sources, "log": {"level": "ERROR"}}), "the last line of many")
    check(not house.lines("after a restart only"), "all of it holds")
    house.end()


def hooks(folder):
    """Checks that the hooks are those of the active configuration."""
    source = scripted("script", "steady")
    house = House(folder, {"sources": [source]})
    body = b"{}"
    signed = "sha256=" + hmac.new(b"s3cret-s3cret-s3cret", body, hashlib.sha256).hexdigest()

    def hook():
        return house.server.ask("POST", "/hooks/script", body, X_Hub_Signature_256=signed)[0].status

    check(hook() == 401, "there is no hook")
    secret = folder / "secret"
    secret.write_text("s3cret-s3cret-s3cret")
    secret.chmod(0o600)
    line = house.hang_up({"sources": [{**source, "webhook_secret": "${file:" + str(secret) + "}"}]})
    check("changed webhook_secret of source script" in line, f"the source itself is as it was: {line}")
    check(hook() == 202, "there is one")
    house.hang_up({"sources": [source]})
    check(hook() == 401, "there is none any more")
    house.end()


def moments(folder):
    """Checks SIGHUP during the first listing, many times at once, and near the end."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    slow = scripted("slow", "late", list={"do": "block", "fifo": str(pipe)})
    house = House(folder, {"sources": [slow]}, "--set", "startup_wait_ms=0", ready=False)
    line = house.hang_up({"sources": [slow, scripted("next", "new")]})
    check("added source next" in line, f"while the first listing goes on: {line}")
    until(lambda: "new" in house.names(), "what came meanwhile is served")
    with open(pipe, "w"):  # once somebody reads it
        pass
    house.becomes({"fixed", "late", "new"})
    for i in range(20):
        house.say({"sources": [scripted("next", f"new-{i}")]})
        house.server.process.send_signal(signal.SIGHUP)
    house.becomes({"fixed", "new-19"})
    house.server.process.send_signal(signal.SIGHUP)
    house.end()
    audited = [line for line in house.server.log if "[audit]" in line]
    check(len(audited) > 2 and "stopped" in audited[-1], f"the last record of the audit says that the server stopped: {audited[-2:]}")


with tempfile.TemporaryDirectory() as root:
    for case in (sources, keys_of_instances, refused, successors, rules, chosen, places, logs, hooks, moments):
        own = Path(root) / case.__name__
        own.mkdir()
        case(own)
sys.exit(checks.finish())
