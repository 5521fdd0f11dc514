#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests where plugins run: those that fetch from elsewhere run in their own process, once other machines reach the
server. isolation_test.py SERVER ROOT LIBDIR"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks, until
from http_server import Running, legacy
from web_server import Publisher, skill_md, tar_gz

SERVER, ROOT, LIBDIR = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
checks = Checks()
check = checks.check


class Place:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.repository = self.folder / "repository"
        shutil.copytree(ROOT / "examples/skills", self.repository)
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "All"]):
            subprocess.run(["git", "-C", self.repository, "-c", "user.name=t", "-c", "user.email=t@example.org", *command],
                           check=True, timeout=60)

    def configure(self, listen, *sources):
        http = {"transport": "http", "http": {"listen": [listen], "port": 0, "allow_anonymous": True}} if listen else {}
        file = self.folder / "skillhost.json"
        file.write_text(json.dumps({**http, "search": {"plugin": "none"}, "sources": list(sources)}))
        return file

    def plugins(self, file):
        """Returns where each plugin and each instance runs, and the log."""
        done = subprocess.run([SERVER, "plugins", "--json", "--config", file], capture_output=True, text=True, check=False,
                              timeout=120, env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")})
        listed = json.loads(done.stdout) if done.stdout else []
        return {one.get("instance") or one.get("id", "?").rpartition(".")[2]: one.get("isolation") for one in listed}, done.stderr


def by_address(place):
    for listen, expected in ((None, "thread"), ("127.0.0.1", "thread"), ("127.9.9.9:80", "thread"), ("localhost:7801", "thread"),
                             ("[::1]:7801", "thread"), ("unix:/run/skillhost.sock", "thread"), ("0.0.0.0", "process"),
                             ("[::]:7801", "process"), ("192.0.2.7", "process"), ("skills.example.org", "process"),
                             ("systemd", "process")):
        where, said = place.plugins(place.configure(listen))
        check({where.get(one) for one in ("github", "mcp", "oci", "well_known")} == {expected}, f"{listen}: {where} {said}")
        check({where.get(one) for one in ("filesystem", "store")} == {"thread"}, f"{listen}: what is on this machine: {where}")


def by_configuration(place):
    git = {"name": "git", "plugin": "github", "config": {"url": f"file://{place.repository}"}}
    for isolation in ("thread", "process"):
        where, _ = place.plugins(place.configure("0.0.0.0", {**git, "isolation": isolation}))
        check(where.get("git") == isolation, f"isolation: {isolation} counts: {where}")
        where, _ = place.plugins(place.configure("127.0.0.1", {**git, "isolation": isolation}))
        check(where.get("git") == isolation, f"isolation: {isolation} counts on loopback: {where}")
    for config, program in (({"url": "ssh://git@127.0.0.1:1/a/b.git"}, "(ssh)"), ({"url": "git@127.0.0.1:a/b.git"}, "(ssh)"),
                            ({"url": "https://127.0.0.1:1/a/b", "token_command": ["true"]}, "(that of token_command)")):
        source = {"name": "git", "plugin": "github", "config": {**config, "deadline_ms": 2000}}
        where, said = place.plugins(place.configure("0.0.0.0", source))
        check(where.get("git") == "thread" and program in said and "other machines can reach" in said, f"{config}: {where} {said}")
        where, said = place.plugins(place.configure("0.0.0.0", {**source, "isolation": "thread"}))
        check(where.get("git") == "thread" and program not in said, f"{config}: thread in so many words: {said}")
        where, said = place.plugins(place.configure("127.0.0.1", source))
        check(where.get("git") == "thread" and program not in said, f"{config}: on loopback nobody is warned: {said}")
        where, said = place.plugins(place.configure("127.0.0.1", {**source, "isolation": "process"}))
        check(where.get("git") == "process" and program in said and "the start of the program will fail" in said, f"{config}: as process: {said}")
    source = {"name": "git", "plugin": "github", "config": {"url": "https://user.example:1/a@b:c"}}
    where, said = place.plugins(place.configure("0.0.0.0", {**source, "enabled": True, "config": {**source["config"], "deadline_ms": 100}}))
    check(where.get("git") == "process", f"an @ in the path of an https address is no ssh: {where} {said}")


def runners(running):
    """Returns the plugins' processes that this server has started."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            words = (one / "cmdline").read_bytes().split(b"\0")
            parent = (one / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if parent == str(running.process.pid) and b"plugin-runner" in words:
            found.append(int(one.name))
    return found


def served(place, web):
    """Checks that both plugins really work there: their skills are listed and read."""
    sources = ({"name": "git", "plugin": "github", "config": {"url": f"file://{place.repository}"}},
               {"name": "web", "plugin": "well_known", "config": {"url": web.url}})
    for listen, processes in (("0.0.0.0", 2), ("127.0.0.1", 0)):
        file = place.configure(listen, *sources)
        os.environ["XDG_CACHE_HOME"] = str(place.folder / f"cache-{processes}")
        running = Running(SERVER, str(ROOT / "examples/skills/databases"), "--config", str(file))
        load = lambda name: str(running.post(legacy("tools/call", name="load_skill", arguments={"skill_name": name}))[1])  # noqa: E731
        for name, words in (("release-notes", "release"), ("alpha", "Body."), ("beta", "Body."), ("migration-review", "migration")):
            until(lambda: words in load(name), f"{listen}: {name} is served: {load(name)[:300]} {''.join(running.log)[-1500:]}", 60)  # noqa: B023
        check(len(runners(running)) == processes, f"{listen}: {runners(running)}")
        check(running.end() == 0, f"{listen}: the end")


# The capabilities that Docker leaves to root, except those that nothing here needs.
OF_DOCKER = "chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service sys_chroot"


class Limited:
    """The server as a root user with only these capabilities."""

    def __init__(self, folder, name, kept):
        self.program = folder / f"server-{name}"
        bounds = ",".join(["-all", *(f"+{one}" for one in kept.split())])
        self.program.write_text(f'#!/bin/sh\nexec setpriv --bounding-set={bounds} --inh-caps=-all "{SERVER}" "$@"\n')
        self.program.chmod(0o755)

    def plugins(self, file, cache):
        done = subprocess.run([self.program, "plugins", "--json", "--config", file], capture_output=True, text=True, check=False,
                              timeout=120, env={**os.environ, "XDG_CACHE_HOME": str(cache)})
        return {one["instance"]: one for one in json.loads(done.stdout) if one.get("instance")}, done.stderr


def closed_to_others(path):
    return any(one.stat().st_mode & 0o001 == 0 for one in Path(path).resolve().parents)


def limited_root(web):
    """Checks a root user who lacks a capability for running programs as another user: a mere default gives way, with
    the reason."""
    stays, meant = "the plugin runs in the server's own process, although other machines can reach this server", "isolation: thread to accept"
    with tempfile.TemporaryDirectory(prefix="skillhost-limited-") as folder:
        folder = Path(folder)
        folder.chmod(0o755)
        place = Place(folder)
        home, cache = folder / "home", folder / "cache"
        home.mkdir(mode=0o700)
        cache.mkdir(mode=0o755)
        sources = ({"name": "git", "plugin": "github", "config": {"url": f"file://{place.repository}"}},
                   {"name": "web", "plugin": "well_known", "config": {"url": web.url}})
        docker, bare = Limited(folder, "docker", OF_DOCKER), Limited(folder, "bare", "")
        cases = ((docker, home, 0, (f"{home} is not accessible", "root without CAP_DAC_READ_SEARCH", "XDG_CACHE_HOME=/var/cache")),
                 (bare, cache, 0, ("root without CAP_SETUID", "a user of its own that is not root")),
                 (Limited(folder, "reading", f"{OF_DOCKER} dac_read_search"), home, 2, ()), (docker, cache, 2, ()))
        for server, place_of_cache, processes, words in cases:
            if processes and closed_to_others(SERVER):
                print("this checkout is closed to other users: what works for them was not tried")
                continue
            os.environ["XDG_CACHE_HOME"] = str(place_of_cache / server.program.name)
            running = Running(server.program, str(ROOT / "examples/skills/databases"), "--config", str(place.configure("0.0.0.0", *sources)))
            load = lambda name: str(running.post(legacy("tools/call", name="load_skill", arguments={"skill_name": name}))[1])  # noqa: E731
            for name, text in (("release-notes", "release"), ("alpha", "Body."), ("beta", "Body.")):
                until(lambda: text in load(name),  # noqa: B023
                      f"{server.program.name}: {name}: {load(name)[:300]} {''.join(running.log)[-2500:]}", 60)
            log = "".join(running.log)
            check(len(runners(running)) == processes, f"{server.program.name}: {runners(running)} {log}")
            check(running.end() == 0, f"{server.program.name}: the end")
            warned = [line for line in log.splitlines() if stays in line]
            check([line.split(": the plugin runs")[0].rpartition(" ")[2] for line in warned] == ([] if processes else ["git", "web"]),
                  f"{server.program.name}: one warning each: {warned}")
            check(all(word in line for word in (*words, meant) for line in warned), f"{server.program.name}: {words}: {warned}")
        # An explicit setting does not give way.
        for server, place_of_cache, word in ((docker, home, "is closed"), (bare, cache, "root without CAP_SETUID")):
            for more in ({"isolation": "process"}, {"network": ["127.0.0.1"]}):
                got, said = server.plugins(place.configure("0.0.0.0", {**sources[0], **more}), place_of_cache / "explicit")
                check(got["git"]["isolation"] == "process" and stays not in said, f"{server.program.name}: {more}: {got['git']} {said}")
                check(word in said + str(got["git"]), f"{server.program.name}: {more}: why not: {got['git']} {said}")
        got, said = bare.plugins(place.configure("127.0.0.1", *sources), cache / "loopback")
        check({one["isolation"] for one in got.values()} == {"thread"} and stays not in said, f"on loopback nobody is warned: {got} {said}")


def installed():
    """Checks that a plugin of another author in the folder of an installation runs in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="skillhost-installed-") as folder:
        built, top = Path(SERVER).resolve().parent.parent, Path(folder)
        top.chmod(0o755)
        plugins = top / LIBDIR / "skillhost/plugins"
        for place, files in ((top / "bin", ["host/skillhost"]), (plugins, ["plugins/sources/filesystem/filesystem.so", "plugins/built-in.txt"]),
                             (top / "libexec/skillhost", ["programs/catalogue/skillhost-catalogue", "isolation/skillhost-runner"]),
                             (top / "share/skillhost/commands", ["programs/catalogue/plugins.json"])):
            place.mkdir(parents=True)
            for file in files:
                shutil.copy(built / file, place)
        shutil.copy(built / "plugins/sources/store/store.so", plugins / "foreign.so")  # a name that the list does not have
        file = top / "skillhost.json"
        file.write_text(json.dumps({"search": {"plugin": "none"}, "sources": [
            {"name": "ours", "config": {"directories": [str(ROOT / "examples/skills")]}},
            {"name": "theirs", "plugin": "store", "config": {"directory": str(ROOT / "examples/skills")}}]}))

        def isolations():
            done = subprocess.run([top / "bin/skillhost", "plugins", "--json", "--config", file], capture_output=True, text=True, check=False,
                                  timeout=120, env={**os.environ, "XDG_CACHE_HOME": str(top / "cache")})
            check(done.returncode == 0, f"installed: {done.stderr[-1500:]}")
            return {one.get("instance"): one.get("isolation") for one in json.loads(done.stdout)}, done.stderr

        found, said = isolations()
        check((found.get("ours"), found.get("theirs")) == ("thread", "process"), f"installed: {found} {said[-1500:]}")
        (plugins / "built-in.txt").chmod(0o666)
        found, said = isolations()
        check(found.get("ours") == "process" and "counts as built in" in said, f"a list that others may write: {found} {said[-1500:]}")


def main():
    installed()
    with tempfile.TemporaryDirectory(prefix="skillhost-isolation-") as folder, Publisher() as web:
        web.entry("alpha", skill_md("alpha"))
        web.entry("beta", tar_gz({"SKILL.md": skill_md("beta")}), "archive")
        place = Place(folder)
        by_address(place)
        by_configuration(place)
        served(place, web)
        if os.geteuid() == 0 and shutil.which("setpriv"):
            limited_root(web)
        else:
            print("not root, or no setpriv: what a root without all capabilities gets was not tried")
    return checks.finish()


sys.exit(main())
