#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the abilities of a third-party plugin's process: plugin_calls_test.py SERVER PLUGIN PAGE

PLUGIN tries every system call of the kernel's table, and attacks by name, in a process of its own; the control is
the same plugin in a thread of the server, where nothing is confined. It runs as root and as nobody, or as the
user of the test. The calls that pass must be the table of PAGE."""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import Checks  # noqa: E402
from session import Broken, Session  # noqa: E402

NOBODY = 65534
REFUSED = ("EPERM", "ENOSYS")
NO_CAPABILITIES = "0" * 16
ONLY_READING = f"{1 << 2:016x}"  # CAP_DAC_READ_SEARCH
# A control that is not root cannot do these either.
OF_ROOT = {"read /etc/shadow", "fanotify", "mknod of a device", "sethostname to what it is"}
# The control returns these in place of "ok": it asks for an impossible time, and not every kernel and file system has
# the calls.
STAND_INS = {"clock_settime": {"EINVAL"}, "setxattr another's key": {"EOPNOTSUPP"}, "dnotify of its own folder": {"EINVAL"},
             "fanotify": {"ENOSYS"}}
checks = Checks()
check = checks.check


def documented(page):
    text = Path(page).read_text()
    table = text[text.index("<!-- calls:begin -->"):text.index("<!-- calls:end -->")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    return {name for _, when, names, _ in rows if when == "always" for name in re.findall(r"`(\w+)`", names)}


class Place:
    """Folders that everybody can reach, and a server that runs there as `user`."""

    def __init__(self, root, server, plugin, user):
        self.root, self.user = Path(root), user
        self.server, self.plugin = self.root / "bin" / "skillhost", self.root / "plugin" / "calls.so"
        runner = self.root / "libexec" / "skillhost" / "skillhost-runner"
        self.cache, self.other = self.root / "cache", self.root / "other"
        for folder in (self.root, self.server.parent, runner.parent.parent, runner.parent, self.plugin.parent, self.cache, self.other):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)
        for source, target in ((server, self.server), (Path(server).parent.parent / "isolation" / runner.name, runner), (plugin, self.plugin)):
            shutil.copyfile(source, target)
            target.chmod(0o755)
        (self.other / "key").write_text("private")
        (self.other / "note").write_text("kept")
        (self.other / "key").chmod(0o600)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(self.other / "socket"))
        (self.other / "socket").chmod(0o777)
        self.socket.setblocking(False)
        if user is not None:
            for path in (self.cache, *self.other.iterdir()):
                os.chown(path, user, user)

    def command(self, control, isolation, cache=None, before=(), given=()):
        configuration = self.root / f"{isolation}.json"
        source = {"name": "calls", "plugin": str(self.plugin), "isolation": isolation,
                  "config": {"folder": str(self.other)[1:], "control": control}}
        configuration.write_text(json.dumps({"sources": [source], "search": {"plugin": "none"}}))
        configuration.chmod(0o644)
        home = str(cache or self.cache)
        who = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", *given] if self.user is not None else []
        return ["env", f"HOME={home}", f"XDG_CACHE_HOME={home}", f"XDG_CONFIG_HOME={home}", *who, *before, str(self.server),
                "--config", str(configuration), "--log-level", "DEBUG"]

    def heard(self):
        try:
            return self.socket.recv(100).decode()
        except BlockingIOError:
            return ""


def outcomes(session, skill):
    envelope = session.call("tools/call", name="load_skill", arguments={"skill_name": skill})["structuredContent"]
    if not envelope["success"]:
        raise Broken(f"{skill}: {envelope['error']}\n{session.server.stderr()[-2000:]}")
    found = dict(re.findall(r"^([^\t\n]+)\t([^\n]+)$", envelope["data"]["content"], re.MULTILINE))
    if not found:
        raise Broken(f"{skill}: {envelope['data']}")
    return found


def status_of_runner(session):
    """Returns the kernel's status of the plugin's process."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            lines = (process / "status").read_text().splitlines()
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended
        status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        if b"plugin-runner" in words and status["PPid"] == str(session.server.process.pid):
            return status
    raise Broken("there is no process of the plugin")


def ask(place, control):
    with Session(place.command(control, "thread" if control else "process")) as session:
        found = {skill: outcomes(session, skill) for skill in ("identity", "attacks", "calls")}
        found["status"] = None if control else status_of_runner(session)
        found["log"] = session.server.stderr()
    return found


def judge_calls(confined, control, allowed, who):
    here = allowed & confined.keys()
    tried = {name for name, how in confined.items() if not how.startswith("skipped")}
    passed = {name for name in tried if confined[name] not in REFUSED}
    check(passed == here & tried, f"{who}: what passes is what is documented; beyond it {sorted(passed - here)}, "
                                  f"refused of it {sorted((here & tried) - passed)}")
    untried = sorted(here - tried)
    check(set(untried) <= {"exit", "exit_group", "rt_sigreturn", "pause"}, f"{who}: documented and not tried: {untried}")
    # These are refused without a filter too: by a kernel that lacks the call, or for lack of a privilege.
    open_in_control = {name for name, how in control.items() if not how.startswith("skipped") and how not in REFUSED}
    shown = (tried - passed) & open_in_control
    check(len(shown) > 120, f"{who}: control: without confinement {len(shown)} of the {len(tried - passed)} refused calls pass")
    print(f"{who}: {len(passed)} calls pass and are documented, {len(tried) - len(passed)} are refused, of these "
          f"{len(shown)} pass in the control; not tried: {', '.join(sorted(confined.keys() - tried))}", flush=True)


def judge_attacks(found, control, is_root, who):
    print(f"{who}: " + "; ".join(f"{name}: {control['attacks'][name]}, confined {how}"
                                 for name, how in found["attacks"].items()), flush=True)
    for name, how in found["attacks"].items():
        check(how in ("EPERM", "EACCES"), f"{who}: {name}: {how}")
        if is_root or name not in OF_ROOT:
            check(control["attacks"][name] in {"ok", *STAND_INS.get(name, ())}, f"{who}: control: {name}: {control['attacks'][name]}")


def judge_identity(found, control, is_root, who):
    identity, status = found["identity"], found["status"]
    for name in ("effective", "permitted", "inheritable"):
        check(identity[name] == NO_CAPABILITIES, f"{who}: {name} capabilities: {identity[name]}")
    for name in ("CapInh", "CapPrm", "CapEff", "CapAmb", *(("CapBnd",) if is_root else ())):
        check(status[name] == NO_CAPABILITIES, f"{who}: {name}: {status[name]}")
    check(identity["become root"] == "EPERM", f"{who}: become root: {identity['become root']}")
    check((status["NoNewPrivs"], status["Seccomp"]) == ("1", "2"), f"{who}: {status}")
    if is_root:
        users = set(status["Uid"].split()) | set(status["Gid"].split())
        check(len(users) == 1 and 60706 <= int(*users) <= 61183, f"{who}: users {users}")
        check(status["Groups"].strip() == "" and identity["groups"] == "0", f"{who}: groups {status['Groups']}")
        check(control["identity"]["uid"] == "0" and control["identity"]["effective"] != NO_CAPABILITIES,
              f"{who}: control: {control['identity']}")


def as_somebody(server, plugin, page, user):
    is_root = user is None and os.geteuid() == 0
    who = "root" if is_root else "nobody" if user == NOBODY else "this user"
    with tempfile.TemporaryDirectory() as root:
        place = Place(root, server, plugin, user)
        found = ask(place, control=False)
        check(not [line for line in found["log"].splitlines() if "is closed" in line], f"{who}: nothing is closed to it: {found['log']}")
        check(((place.other / "key").stat().st_mode & 0o777, (place.other / "note").read_text(), place.heard()) == (0o600, "kept", ""),
              f"{who}: what is another's is as it was")
        made = list(place.cache.rglob("program*"))
        check([path.name for path in made] == ["program"] and made[0].stat().st_mode & 0o6000 == 0, f"{who}: in the cache: {made}")
        owners = {path.stat().st_uid for path in place.cache.glob("skillhost/instances/calls-*") if path.is_dir()}
        check(owners == {int(found["identity"]["uid"])}, f"{who}: the cache is the plugin's: {owners}")
        control = ask(place, control=True)
        check(((place.other / "key").stat().st_mode & 0o777, (place.other / "note").read_text(), place.heard()) == (0o644, "", "forged"),
              f"{who}: control: what is another's was changed")
        made = sorted(place.cache.rglob("program*"))
        check([path.stat().st_mode & 0o4000 for path in made] == [0o4000] * 2, f"{who}: control: in the cache: {made}")
        judge_calls(found["calls"], control["calls"], documented(page), who)
        judge_attacks(found, control, is_root, who)
        judge_identity(found, control, is_root, who)


def closed_folders(server, plugin):
    """Checks that root's own folders are closed to the user of the plugin's process, which keeps only the rights
    that reading needs."""
    with tempfile.TemporaryDirectory() as root:
        place = Place(root, server, plugin, None)
        closed = place.root / "closed"
        closed.mkdir(mode=0o700)
        with Session(place.command(False, "process", cache=closed)) as session:
            identity, attacks = outcomes(session, "identity"), outcomes(session, "attacks")
            log = session.server.stderr()
        check(identity["effective"] == identity["permitted"] == ONLY_READING, f"closed: {identity}")
        check(all(how in ("EPERM", "EACCES") for how in attacks.values()), f"closed: {attacks}")
        check(re.search(rf"\[WARNING\].*CAP_DAC_READ_SEARCH.*{re.escape(str(closed))}\S* is closed", log), f"closed: a warning: {log}")


def root_gives_its_cache(server, plugin):
    """Checks that the files that a plugin kept while it ran as root become its user's, except a file with another
    name elsewhere."""
    with tempfile.TemporaryDirectory() as root:
        place = Place(root, server, plugin, None)
        with Session(place.command(True, "thread")) as session:
            outcomes(session, "identity")
        cache = next(place.cache.glob("skillhost/instances/calls-*[0-9a-f]"))
        (cache / "below").mkdir()
        (cache / "below" / "kept").write_text("kept")
        (cache / "away").symlink_to(place.other / "note")
        os.link(place.other / "note", cache / "linked")
        check({path.lstat().st_uid for path in (cache, *cache.rglob("*"))} == {0}, "control: all is root's")
        with Session(place.command(False, "process")) as session:
            user = int(outcomes(session, "identity")["uid"])
        owners = {path.name: path.lstat().st_uid for path in (cache, *cache.rglob("*"))}
        check(owners.pop("linked") == 0 and set(owners.values()) == {user} and {"below", "kept", "away"} <= owners.keys(),
              f"the cache is user {user}'s: {owners}")
        check((place.other / "note").stat().st_uid == 0, "what is elsewhere is root's")


def given_capabilities(server, plugin):
    """Checks a host that is not root, but has the capability to listen on port 443."""
    with tempfile.TemporaryDirectory() as root:
        place = Place(root, server, plugin, NOBODY)
        given = ("--inh-caps=+net_bind_service", "--ambient-caps=+net_bind_service")
        with Session(place.command(False, "process", given=given)) as session:
            outcomes(session, "identity")
            status = status_of_runner(session)
            host = Path(f"/proc/{session.server.process.pid}/status").read_text()
        check(f"CapEff:\t{1 << 10:016x}" in host, f"control: what the host has: {host}")
        for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
            check(status[name] == NO_CAPABILITIES, f"given to the host: {name}: {status[name]}")


def half_a_root(server, plugin):
    """Checks that a host that cannot drop its rights runs nothing; a host that is root of its user namespace drops
    them there."""
    with tempfile.TemporaryDirectory() as root:
        place = Place(root, server, plugin, None)
        for capability in ("setuid", "setgid", "setpcap", "kill", "chown"):
            command = place.command(False, "process", before=["setpriv", f"--bounding-set=-{capability}"])
            with Session(command) as session:
                answer = session.call("tools/call", name="load_skill", arguments={"skill_name": "identity"})["structuredContent"]
                log = session.server.stderr()
            check(not answer["success"] and f"root without CAP_{capability.upper()}" in log, f"without {capability}: {answer} {log}")
            check("its process is confined by" not in log, f"without {capability}: {log}")
        if subprocess.run(["unshare", "--user", "--map-root-user", "true"], check=False, stderr=subprocess.PIPE).returncode != 0:
            print("this kernel has no user namespaces for the asking: a lone root was not tried")
            return
        with Session(place.command(False, "process", before=["unshare", "--user", "--map-root-user"])) as session:
            identity = outcomes(session, "identity")
        check((identity["uid"], identity["effective"], identity["permitted"]) == ("0", NO_CAPABILITIES, NO_CAPABILITIES),
              f"a lone root: {identity}")


def main():
    server, plugin, page = sys.argv[1:4]
    as_somebody(server, plugin, page, None)
    if os.geteuid() == 0:
        as_somebody(server, plugin, page, NOBODY)
        closed_folders(server, plugin)
        root_gives_its_cache(server, plugin)
        given_capabilities(server, plugin)
        half_a_root(server, plugin)
    else:
        print("not root: what becomes of a host that is was not tried")
    return checks.finish()


sys.exit(main())
