#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests plugins whose memory and threads a cgroup counts. plugin_cgroup_test.py SERVER ATTACKING

The test makes cgroups of its own, so it needs root and the controllers memory and pids in the hierarchy of
version 2; otherwise it is skipped. cgroup_machine_test.py runs it in a machine that has them. The controls are
the same plugins without a delegated cgroup."""
import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from attacking import Attacked, soon

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import Checks  # noqa: E402

SERVER, PLUGIN = (str(Path(one).resolve()) for one in sys.argv[1:3])
ROOT = Path("/sys/fs/cgroup")
MEMORY = 96  # MB
OVER = f"was ended by signal 9 (SIGKILL): over its memory limit of {MEMORY} MB"
USER = 1234
SCRATCH = tempfile.mkdtemp(prefix="skillhost-cgroup-")
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
checks = Checks()
check = checks.check

# The script enters a cgroup and becomes another user, before it becomes the server.
ENTER = """#!{python}
import os, sys
cgroup, user, words = {cgroup!r}, {user}, [{server!r}, *sys.argv[1:]]
if user:
    folder = os.path.dirname(words[words.index("--config") + 1])
    for at in (folder, *(os.path.join(folder, name) for name in os.listdir(folder)), os.environ["HOME"]):
        os.chown(at, user, user)
with open(cgroup + "/cgroup.procs", "w") as file:
    file.write(str(os.getpid()))
if user:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
os.execv(words[0], words)
"""


def why_not():
    if os.geteuid() != 0:
        return "only root makes cgroups and delegates them"
    have = (ROOT / "cgroup.controllers").read_text().split() if (ROOT / "cgroup.controllers").exists() else []
    if not {"memory", "pids"} <= set(have):
        return "the hierarchy of cgroup v2 has no controllers memory and pids here"
    try:
        (ROOT / "cgroup.subtree_control").write_text("+memory +pids")
    except OSError as error:
        return f"controllers cannot be given on: {error}"
    return None


class Cgroup:
    """A cgroup below the root, removed at the end."""
    count = 0

    def __init__(self, delegated=True, user=0):
        Cgroup.count += 1
        self.path, self.user = ROOT / f"skillhost-test-{os.getpid()}-{Cgroup.count}", user
        self.path.mkdir()
        if delegated and user:
            for name in (".", "cgroup.procs", "cgroup.threads", "cgroup.subtree_control"):
                os.chown(self.path / name, user, user)
        elif delegated:
            os.setxattr(self.path, "trusted.delegate", b"1")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        soon(self._remove)

    def _remove(self):
        try:
            for below in self.below():
                (self.path / below).rmdir()
            self.path.rmdir()
        except OSError:
            return False
        return True

    def below(self):
        return sorted(one.name for one in self.path.iterdir() if one.is_dir())

    def leaves(self):
        return [name for name in self.below() if name.startswith("plugin-")]

    def processes(self, below="."):
        return (self.path / below / "cgroup.procs").read_text().split()

    def program(self, within="."):
        """Returns a program that runs the server in the cgroup."""
        file = Path(SCRATCH) / f"{self.path.name}-{within}"
        file.write_text(ENTER.format(python=sys.executable, cgroup=str(self.path / within), user=self.user, server=SERVER))
        file.chmod(0o755)
        return str(file)

    def start(self, attack, count=0, within=".", **source):
        return Attacked(self.program(within), PLUGIN, attack, count=count, level="DEBUG", **source)


def numbers(outcome):
    return {name: int(value) for name, value in re.findall(r"([\w-]+)=(\d+)", outcome or "")}


def limits(process):
    return Path(f"/proc/{process}/limits").read_text()


def shown(cgroup, apart):
    """Returns the output of `skillhost plugins` and `doctor` in that cgroup."""
    environment = {"HOME": apart.folder.name, "XDG_CACHE_HOME": str(apart.cache), "PATH": "/usr/bin:/bin"}
    asked = [subprocess.run([cgroup.program(), *words, "--config", str(apart.file)], capture_output=True, text=True, check=False,
                            env=environment).stdout for words in (["plugins", "--json"], ["doctor"])]
    return next((one.get("confinement", "") for one in json.loads(asked[0]) if one.get("instance") == "notes"), ""), asked[1]


def control():
    """Checks that the server does not use a cgroup that nobody has delegated, although root could write it."""
    with Cgroup(delegated=False) as cgroup, cgroup.start("memory", 2048, memory_mb=MEMORY) as apart:
        got = numbers(apart.outcome())
        check(got and all(value < MEMORY for value in got.values()), f"control: by its address space it gets {got}")
        check(apart.said(f"no cgroups of their own: cgroup {cgroup.path} is not delegated to the server"), "which is said")
        confinement = apart.said("its process is confined by") or ""
        check(f"{MEMORY} MB of address space" in confinement and "a cgroup" not in confinement, f"and what holds: {confinement}")
        with Cgroup(delegated=False) as other:
            plugins, doctor = shown(other, apart)
            check(f"{MEMORY} MB of address space" in plugins, f"as `skillhost plugins` does: {plugins}")
            check(f"by its address space: cgroup {other.path} is not delegated to the server" in doctor, f"and doctor: {doctor}")
        check(not cgroup.below() and not (cgroup.path / "cgroup.subtree_control").read_text().strip(), f"it is left alone: {cgroup.below()}")


def memory(user):
    who = f"user {user}" if user else "root"
    with Cgroup(user=user) as cgroup:
        with cgroup.start("none", memory_mb=MEMORY) as calm:
            check(calm.outcome() == "none", f"{who}: control: it starts: {calm.log()[-800:]}")
            confinement = calm.said("its process is confined by") or ""
            check(f"a cgroup with {MEMORY} MB of memory, at most 256 threads" in confinement, f"{who}: {confinement}")
            leaves, server = cgroup.leaves(), str(calm.session.server.process.pid)
            check(len(leaves) == 1 and cgroup.below() == ["host", *leaves], f"{who}: {cgroup.below()}")
            leaf = cgroup.path / leaves[0]
            runner = cgroup.processes(leaves[0])
            check(runner == calm.runners(), f"{who}: its process is there: {runner} {calm.runners()}")
            check(cgroup.processes("host") == [server] and not cgroup.processes(), f"{who}: the server is beside it")
            told = {name: (leaf / name).read_text().strip() for name in ("memory.max", "pids.max", "memory.oom.group")}
            check(told == {"memory.max": str(MEMORY << 20), "pids.max": "256", "memory.oom.group": "1"}, f"{who}: {told}")
            swap = leaf / "memory.swap.max"
            check(not swap.exists() or swap.read_text().strip() == "0", f"{who}: no swap")
            check(re.search(r"Max address space +unlimited", limits(runner[0])), f"{who}: its address space is its own affair")
            with Cgroup() as other:
                plugins, doctor = shown(other, calm)
                check(f"a cgroup with {MEMORY} MB of memory" in plugins, f"{who}: `skillhost plugins` shows it: {plugins}")
                check(f"limited by a cgroup in {other.path}" in doctor, f"{who}: so does doctor: {doctor}")
                check(not other.below(), f"{who}: and nothing is left: {other.below()}")
            check(calm.end() is None, f"{who}: it ends in order")
        check(not cgroup.below() and not (cgroup.path / "cgroup.subtree_control").read_text().strip(),
              f"{who}: the cgroup is left as it was found: {cgroup.below()}")
    with Cgroup(user=user) as cgroup:
        with cgroup.start("memory", 64, memory_mb=0) as free:
            got = numbers(free.outcome())
            check(got.get("private") == 64 and got.get("shared") == 64, f"{who}: control: without a limit {got}")
    with Cgroup(user=user) as cgroup:
        with cgroup.start("memory", 2048, memory_mb=MEMORY) as apart:
            line = apart.said(OVER)
            check(line and "[WARNING]" in line, f"{who}: its end is told as what it is: {apart.log()[-1500:]}")
            check(len(cgroup.leaves()) <= 1, f"{who}: the cgroup of what has ended goes: {cgroup.leaves()}")
            reason = soon(lambda: (one := apart.state().get("reason", "")) and "over its memory limit" in one and one)
            check(reason, f"{who}: the operator sees it: {apart.state()}")


def threads():
    with Cgroup() as cgroup, cgroup.start("threads", 6000, memory_mb=512) as apart:
        got = numbers(apart.outcome()).get("threads", 9999)
        check(0 < got <= 256, f"of 6000 threads it gets {got}")


def above():
    """Checks that a plugin within its own limit, but over that of the cgroup, is not reported as over its limit."""
    with Cgroup() as cgroup:
        (cgroup.path / "memory.max").write_text(str(64 << 20))
        with cgroup.start("memory", 2048, memory_mb=1024) as apart:
            line = apart.said("was ended by signal 9 (SIGKILL)") or ""
            check("before the plugin reached its own limit" in line and str(cgroup.path) in line, f"the limit above: {line or apart.log()[-800:]}")


def occupied():
    """Checks a cgroup with other processes, which the server must not move."""
    with Cgroup() as cgroup:
        with subprocess.Popen([sys.executable, "-S", "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as other:
            (cgroup.path / "cgroup.procs").write_text(str(other.pid))
            with cgroup.start("none", memory_mb=MEMORY) as apart:
                check(apart.outcome() == "none", "beside another process it starts")
                check(apart.said(f"cgroup {cgroup.path} has process {other.pid} in it, which is not the server's"), apart.log()[-800:])
                check(not cgroup.below(), f"nothing is divided: {cgroup.below()}")
                check("of address space" in apart.said("its process is confined by"), "its address space is limited")
            other.stdin.close()


def stale():
    """Checks a server in a cgroup below that of the service manager, which is killed there and started again."""
    with Cgroup() as cgroup:
        (cgroup.path / "server").mkdir()
        with cgroup.start("none", memory_mb=MEMORY, within="server") as killed:
            check(killed.outcome() == "none", "below the delegated cgroup it starts")
            before = cgroup.leaves()
            check(len(before) == 1 and cgroup.below() == [*before, "server"], f"{cgroup.below()}")
            killed.session.server.process.kill()
            killed.session.server.process.wait()
            check(soon(lambda: not cgroup.processes(before[0])), "its plugin's process ends with it")
            check(cgroup.leaves() == before, f"control: a killed server leaves {before}")
            killed.again()
            check(killed.outcome() == "none", "it is started again")
            check(len(cgroup.leaves()) == 1 and cgroup.leaves() != before, f"what was left is gone: {cgroup.leaves()}")
            check(killed.end() is None, "it ends in order")
        check(cgroup.below() == ["server"], f"and leaves nothing: {cgroup.below()}")


def main():
    why = why_not()
    if why:
        print(f"skipped: {why}")
        return 77
    control()
    memory(user=0)
    memory(user=USER)
    threads()
    above()
    occupied()
    stale()
    return checks.finish()


sys.exit(main())
