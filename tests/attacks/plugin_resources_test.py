#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests plugins that take more than their limits. plugin_resources_test.py SERVER ATTACKING

The controls are the same plugins inside the server, or without the limit. The attacks take little where the limit
is small, so the test is quick."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from attacking import INSIDE, Attacked, soon

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import Checks  # noqa: E402

SERVER, PLUGIN = sys.argv[1:3]
SANITIZED = "sanitized" in sys.argv[3:]  # then address space and files are not limited
MEMORY, CACHE = 256, 8  # MB
checks = Checks()
check = checks.check


def start(attack, **more):
    return Attacked(SERVER, PLUGIN, attack, **more)


def numbers(outcome):
    return {name: int(value) for name, value in re.findall(r"([\w-]+)=(\d+)", outcome or "")}


def memory():
    ways = {"private", "shared", "memory-file", "segment"}
    with start("memory", count=MEMORY + 64, isolation=INSIDE) as inside:
        got = numbers(inside.outcome())
        # A container may have no room for segments, or refuse them; all other ways work everywhere.
        check(all(got.get(way, 0) >= MEMORY + 64 for way in ways - {"segment"}), f"control: inside the server it gets {got}")
    with start("memory", count=2048, memory_mb=MEMORY) as apart:
        got = numbers(apart.outcome())
        check(set(got) == ways and all(value < MEMORY for value in got.values()), f"of 2048 MB it gets {got}")
        check(apart.end() is None, "and lives")


def threads():
    with start("threads", count=600, isolation=INSIDE) as inside:
        got = numbers(inside.outcome()).get("threads", 0)
        check(got == 600, f"control: inside the server it starts {got} threads")
    with start("threads", count=6000, memory_mb=MEMORY) as apart:
        got = numbers(apart.outcome())
        check(0 < got.get("threads", 9999) <= 256, f"of 6000 threads it gets {got}")
        check(apart.said("its process has 256 threads and gets no more"), "which is said")
        check("at most 256 threads" in apart.state().get("confinement", "at most 256 threads"), f"{apart.state()}")
        answer = apart.session.tool("load_skill", skill_name="outcome")
        check(answer and answer.get("status") == "loaded", f"and it works: {answer}")


def unseen_threads():
    """Checks that a host that may not look at processes of other users (/proc with hidepid) trusts no claim and
    counts by itself."""
    wrap = ["unshare", "--mount", "sh", "-c", 'mount -t proc -o hidepid=2,gid=65534 proc /proc && exec setpriv --bounding-set=-sys_ptrace '
            '--inh-caps=-sys_ptrace "$0" "$@"']
    if os.geteuid() != 0 or not shutil.which("setpriv") or subprocess.run([*wrap, "true"], check=False, capture_output=True).returncode:
        print("no /proc can be mounted here: what the host cannot see was not tried")
        return
    with tempfile.TemporaryDirectory() as folder:
        blind = Path(folder) / "blind"
        blind.write_text("#!/bin/sh\nexec " + " ".join(shlex.quote(word) for word in [*wrap, SERVER]) + ' "$@"\n')
        blind.chmod(0o755)
        with Attacked(str(blind), PLUGIN, "threads", count=100, memory_mb=MEMORY) as few:
            check(numbers(few.outcome()).get("threads") == 100, "control: few threads start")
            said = few.said("not verified: /proc of the process cannot be read") or ""
            check("[WARNING]" in said and "its process is confined by" in said, f"which is said: {few.log()}")
        # A kernel without notifications counts nothing, and does not claim to.
        if "at most 256 threads" not in said:
            return
        with Attacked(str(blind), PLUGIN, "threads", count=6000, memory_mb=MEMORY) as many:
            check(many.said("it has started 256 threads, and /proc of the process cannot be read"), f"it is ended: {many.log()}")


def threads_at_load():
    """Starts threads while its file is examined; a copy under another name does that."""
    with tempfile.TemporaryDirectory() as folder:
        plugin = Path(PLUGIN).read_bytes()
        # The findings are remembered by digest, so the two files must differ.
        for name, end in (("calm.so", b""), ("threads_at_load.so", b"\0")):
            (Path(folder) / name).write_bytes(plugin + end)
        done = subprocess.run([SERVER, "plugins", "--json", "--plugins-dir", folder], capture_output=True, text=True, timeout=120,
                              env={"XDG_CACHE_HOME": folder, "HOME": folder, "PATH": "/usr/bin:/bin"})
        reasons = {Path(one["file"]).name: one.get("reason", "") for one in json.loads(done.stdout) if "file" in one}
        check(reasons.get("calm.so") == "", f"control: a copy that starts none is fine: {reasons.get('calm.so')}")
        check("more than 256 threads" in reasons.get("threads_at_load.so", ""), f"{reasons.get('threads_at_load.so')}")


def one_file():
    with start("one file", count=4 * CACHE, isolation="process", cache_mb=0) as unlimited:
        check(numbers(unlimited.outcome()).get("stored") == 4 * CACHE, f"control: without a limit {unlimited.outcome()}")
    with start("one file", count=4 * CACHE, cache_mb=CACHE) as apart:
        outcome = apart.outcome()
        check(outcome == f"stored={CACHE} errno=27", f"a file is as large as the folder may be, then EFBIG: {outcome}")
        check("SIGXFSZ" not in apart.log(), "and no signal ends it")


def folder():
    for attack in ("files", "deleted files", "hidden files", "unseen files"):
        with start(attack, count=4 * CACHE, cache_mb=0) as unlimited:
            check(numbers(unlimited.outcome()).get("stored") == 4 * CACHE, f"control: {attack} without a limit: {unlimited.outcome()}")
        with start(attack, count=4 * CACHE, cache_mb=CACHE) as apart:
            line = apart.said("its process (")
            # When the host may not look at any folder, that is the reason.
            check(line and ("holds more than cache_mb allows (8 MB)" in line or "cannot be counted" in line or "hides" in line),
                  f"{attack}: its process is ended: {line or apart.log()[-500:]}")
            if attack != "files":
                continue
            # Without more room it does not start again.
            state = soon(lambda: (one := apart.state())["state"] != "loaded" and "cache_mb" in one.get("reason", "") and one)
            check(state, f"the operator sees why: {apart.state()}")
            check(soon(lambda: not apart.runners()), "nothing is started")
            for path in apart.kept().iterdir():
                path.unlink()
            check(apart.said("its process was started again", 60), "there is room again: " + apart.log()[-500:])


def over_at_the_start():
    with start("none", cache_mb=CACHE) as before:
        check(before.outcome() == "none", "control: it starts")
        (before.kept() / "left").write_bytes(b"x" * (CACHE + 1 << 20))
        before.end()
        before.again()
        check(before.said("holds more than cache_mb allows (8 MB): empty it, or raise cache_mb"), "too much from the start")
        check(not before.runners(), "then nothing is started")


def main():
    threads()
    unseen_threads()
    threads_at_load()
    if not SANITIZED:
        memory()
        one_file()
    folder()
    over_at_the_start()
    return checks.finish()


sys.exit(main())
