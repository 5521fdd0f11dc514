#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plugins filter a source, in the host's process and in one of their own. Whatever a filter does, nothing is served that it has
not let through: filter_plugin_test.py SERVER FIXTURES"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import SLOWNESS, Checks, until
from http_server import Running, legacy
from session import write_skill

SERVER, FIXTURES = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
ISOLATIONS = ("thread", "process")
FILTER, SCRIPTED = str(FIXTURES / "filtering.so"), str(FIXTURES / "scripted.so")
checks = Checks()


def check(holds, what, seen=""):
    checks.check(holds, f"{what}: {str(seen)[:1500]}")


def page(name, text):
    return f"---\nname: {name}\ndescription: About {name}.\n---\n{text}\n"


class House:
    """A folder of skills, a script for the filter, and a server that serves them through it."""

    def __init__(self, isolation):
        self.isolation = isolation
        self.folder = tempfile.TemporaryDirectory(prefix="skillhost-filter-")
        self.root = Path(self.folder.name)
        self.skills, self.script, self.file = self.root / "skills", self.root / "script.json", self.root / "skillhost.json"
        self.skills.mkdir()
        (self.root / "empty").mkdir()
        write_skill(self.skills, "alpha", "About it.", "Text of alpha.\n")
        write_skill(self.skills, "draft", "About it.", "Text of draft.\n")
        self.say({})
        self.server = None

    def say(self, script):
        """Sets what the filter does from its next call on."""
        new = self.script.with_suffix(".new")
        new.write_text(json.dumps(script))
        new.rename(self.script)

    def filter(self, name="test", **config):
        return {"name": name, "plugin": FILTER, "isolation": self.isolation, "allow_read": [str(self.root)],
                "config": {"file": str(self.script), **config}}

    def source(self, *filters, **more):
        return {"name": "team", "config": {"directories": [str(self.skills)]}, "filters": list(filters), **more}

    def write(self, *sources, **settings):
        self.file.write_text(json.dumps({"sources": sources, "search": {"plugin": "none"}, "deadlines": {"scan_ms": int(3000 * SLOWNESS)},
                                         **settings}))

    def environment(self):
        return {**os.environ, "HOME": str(self.root), "XDG_CACHE_HOME": str(self.root / "cache")}

    def run(self, *words, code=0):
        done = subprocess.run([SERVER, *words, "--config", str(self.file)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120, env=self.environment(), check=False)
        check(done.returncode == code, f"{self.isolation}: {words} ends with {code}", (done.returncode, done.stdout, done.stderr))
        return done.stdout, done.stderr

    def start(self, *sources, **settings):
        self.write(*sources, **settings)
        os.environ.update(XDG_CACHE_HOME=str(self.root / "cache"), HOME=str(self.root))
        self.server = Running(SERVER, str(self.root / "empty"), "--config", str(self.file))

    def tool(self, name, **arguments):
        answer = self.server.post(legacy("tools/call", name=name, arguments=arguments))[1]
        return answer.get("result", {}).get("structuredContent", answer)

    def names(self):
        """Returns the names of the skills; none if the server says that there are none because of a failure."""
        return sorted(one["name"] for one in self.tool("list_skills").get("data", {}).get("skills", []))

    def loaded(self, name):
        return json.dumps(self.tool("load_skill", skill_name=name))

    def status(self):
        """Returns what /readyz says of the source."""
        return json.loads(self.server.ask("GET", "/readyz")[1])

    def refresh(self):
        return self.tool("reload_skills_directory")

    def log(self):
        return "".join(self.server.log)

    def end(self):
        if self.server is not None:
            check(self.server.end() == 0, f"{self.isolation}: the end", self.log()[-1500:])
            self.server = None
        self.folder.cleanup()


def serves_what_it_lets_through(isolation):
    house = House(isolation)
    house.start(house.source(house.filter(drop=["draft"], shout=True, own=page("own", "The filter's own.")),
                             {**house.filter("off", drop=["alpha"]), "enabled": False}))
    check(house.names() == ["alpha", "own"], f"{isolation}: the skills", house.names())
    check("TEXT OF ALPHA." in house.loaded("alpha") and "Text of alpha" not in house.loaded("alpha"), f"{isolation}: the bytes", house.loaded("alpha"))
    check("The filter's own." in house.loaded("own"), f"{isolation}: a document of its own", house.loaded("own"))
    check(str(house.skills) not in house.loaded("alpha"), f"{isolation}: readers do not learn where the wrapped files are", house.loaded("alpha"))
    check(house.status()["status"] == "ready", f"{isolation}: ready", house.status())
    # The upstream notices a new skill and a changed one; nobody asks for a refresh.
    write_skill(house.skills, "beta", "About it.", "Text of beta.\n")
    until(lambda: "beta" in house.names(), f"{isolation}: a new skill of the upstream: {house.names()}")
    write_skill(house.skills, "alpha", "About it.", "Another text.\n")
    until(lambda: "ANOTHER TEXT." in house.loaded("alpha"), f"{isolation}: a changed skill of the upstream")
    stdout, _ = house.run("plugins", "--json")
    found = {one.get("instance"): one for one in json.loads(stdout)}
    check(found["team+test"]["state"] == "loaded" and found["team+test"]["isolation"] == isolation and "team+off" not in found,
          f"{isolation}: skillhost plugins", found)
    house.end()


def filters_nest(isolation):
    house = House(isolation)
    house.start(house.source(house.filter("first", shout=True), house.filter("second", mark="+", drop=["draft"])))
    check(house.names() == ["alpha"] and "TEXT OF ALPHA." in house.loaded("alpha"), f"{isolation}: two filters", house.loaded("alpha"))
    house.end()


def fails_closed(isolation):
    house = House(isolation)
    house.say({"do": "UNAVAILABLE"})
    house.start(house.source(house.filter()))
    check(house.names() == [], f"{isolation}: nothing before the filter has let something through", house.names())
    check("Text of alpha" not in house.loaded("alpha"), f"{isolation}: nothing is read", house.loaded("alpha"))
    check("team+test: list: the filter fails" in json.dumps(house.status()), f"{isolation}: the reason in /readyz", house.status())
    until(lambda: "team+test: list: the filter fails" in house.log(), f"{isolation}: the reason in the log: {house.log()[-1500:]}")
    check(house.status()["status"] != "ready", f"{isolation}: not ready", house.status())
    stdout, stderr = house.run("source", "status", code=1)
    check("team+test: list: the filter fails" in stdout + stderr, f"{isolation}: source status", stdout + stderr)
    stdout, stderr = house.run("doctor", code=1)
    check("team+test: list: the filter fails" in stdout + stderr, f"{isolation}: doctor", stdout + stderr)
    house.say({})
    house.refresh()
    check(house.names() == ["alpha", "draft"], f"{isolation}: it recovers", house.names())
    for what in ("UNAVAILABLE", "throw", "abort") if isolation == "process" else ("UNAVAILABLE", "throw"):
        write_skill(house.skills, f"{what.lower()}", "About it.", "New.\n")
        house.say({"do": what, "history": False, "read": "FAILED"})
        house.refresh()
        check(house.names() == ["alpha", "draft"], f"{isolation}: {what}: what it has let through stays, and nothing else comes", house.names())
        check("Text of alpha" not in house.loaded("alpha"), f"{isolation}: {what}: no bytes but through the filter", house.loaded("alpha"))
        (house.skills / what.lower() / "SKILL.md").unlink()
    house.say({})
    house.refresh()
    check(house.names() == ["alpha", "draft"] and "Text of alpha" in house.loaded("alpha"), f"{isolation}: it recovers again", house.names())
    # It does not answer in time.
    house.say({"do": "hang" if isolation == "process" else "await_cancel", "history": False})
    house.refresh()
    check(house.names() == ["alpha", "draft"], f"{isolation}: a filter that is late", house.names())
    house.say({})
    until(lambda: house.refresh() and house.status()["status"] == "ready", f"{isolation}: and works again: {house.status()}")
    house.end()


def an_upstream_fails(isolation):
    house = House(isolation)
    upstream = house.root / "upstream.json"
    upstream.write_text(json.dumps({"list": {"do": "UNAVAILABLE", "message": "the moon is down"}, "documents": []}))
    house.start(house.source(house.filter(), plugin=SCRIPTED, isolation="thread", config={"file": str(upstream)}))
    until(lambda: "team+test: list: team: list: the moon is down" in house.log(), f"{isolation}: the upstream's reason: {house.log()[-1500:]}")
    check(house.names() == [], f"{isolation}: nothing", house.names())
    upstream.write_text(json.dumps({"documents": [{"skill": "a", "text": page("a", "Text of a.")}]}))
    house.refresh()
    check(house.names() == ["a"] and "Text of a." in house.loaded("a"), f"{isolation}: it has recovered", house.names())
    house.end()


def errors_of_the_configuration(isolation):
    house = House(isolation)
    for filters, words in (
            ([{"name": "gone", "plugin": str(house.root / "gone.so")}], ("sources[0].filters[0].plugin", "gone.so")),
            ([{"name": "plain", "plugin": SCRIPTED, "isolation": isolation}], ("sources[0].filters[0].plugin", "is no filter")),
            ([house.filter("first"), house.filter("second", do="refuse")], ("sources[0].filters[1].config.mark", "not this one")),
            ([house.filter("first", do="list_in_create")], ("sources[0].filters[0]",)),
            ([house.filter("same"), house.filter("same")], ("named \"same\"",)),
            ([{"name": "nameless"}], ("plugin is missing",)),
            ([{"name": "x", "plugin": FILTER, "unknown": 1}], ("unknown",))):
        house.write(house.source(*filters), {"name": "other", "config": {"directories": [str(house.root / "empty")]}})
        _, stderr = house.run("skill", "list", code=1)
        check(all(word in stderr for word in words) and "skillhost.json:1:" in stderr, f"{isolation}: {words}", stderr)
    house.write({"name": "alone", "plugin": FILTER, "isolation": isolation})
    _, stderr = house.run("skill", "list", code=1)
    check("this plugin is a filter" in stderr, f"{isolation}: a filter without an upstream", stderr)
    # With --keep-going the rest is served, and nothing of the source.
    house.start(house.source({"name": "gone", "plugin": str(house.root / "gone.so")}),
                {"name": "other", "plugin": SCRIPTED, "isolation": "thread", "config": {"documents": [{"skill": "a", "text": page("a", "A.")}]}},
                keep_going=True)
    check(house.names() == ["a"], f"{isolation}: the other source", house.names())
    house.end()


def locks_and_reviews_see_what_it_serves(isolation):
    house = House(isolation)
    house.write(house.source(house.filter(shout=True)))
    house.run("lock", "--file", str(house.root / "skills.lock"))
    house.write(house.source(house.filter(shout=True)), locked=True, skills_lock=str(house.root / "skills.lock"))
    stdout, _ = house.run("skill", "list", "--json")
    check(sorted(one["name"] for one in json.loads(stdout)["skills"]) == ["alpha", "draft"], f"{isolation}: as it was locked", stdout)
    # The wrapped source is the same, and the filter serves other bytes.
    house.write(house.source(house.filter(mark="other")), locked=True, skills_lock=str(house.root / "skills.lock"))
    stdout, _ = house.run("skill", "list", "--json")
    check(json.loads(stdout)["skills"] == [], f"{isolation}: the lock compares what the filter serves", stdout)
    house.end()


def reloads(isolation):
    house = House(isolation)
    house.start(house.source(house.filter(drop=["draft"])))
    check(house.names() == ["alpha"], f"{isolation}: before", house.names())
    house.write(house.source(house.filter(drop=["draft"], shout=True, mark="loud")))
    house.server.process.send_signal(1)
    until(lambda: "TEXT OF ALPHA." in house.loaded("alpha"), f"{isolation}: another filter after a reload: {house.log()[-800:]}")
    house.write(house.source({"name": "gone", "plugin": str(house.root / "gone.so")}))
    house.server.process.send_signal(1)
    until(lambda: "sources[0].filters[0].plugin" in house.log(), f"{isolation}: a filter that is missing: {house.log()[-800:]}")
    check("TEXT OF ALPHA." in house.loaded("alpha"), f"{isolation}: the earlier configuration stays", house.loaded("alpha"))
    house.write(house.source())
    house.server.process.send_signal(1)
    until(lambda: house.names() == ["alpha", "draft"], f"{isolation}: no filter any more: {house.names()}")
    check("Text of alpha." in house.loaded("alpha"), f"{isolation}: the source itself", house.loaded("alpha"))
    house.end()


def main():
    for isolation in ISOLATIONS:
        for part in (serves_what_it_lets_through, filters_nest, fails_closed, an_upstream_fails, errors_of_the_configuration,
                     locks_and_reviews_see_what_it_serves, reloads):
            part(isolation)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
