#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests install.sh run by root into a prefix that another user may write to. install_prefix_test.py INSTALL.SH

The controls: the other user can really exchange the installed files, and root can install where nobody else may
write."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import DEADLINE, Checks  # noqa: E402

STRANGER = 54321
checks = Checks()
check = checks.check


def archive(folder):
    """Makes a folder like the unpacked archive, with a program that only prints its version."""
    for name in ("bin", "include", "lib", "libexec", "share"):
        (folder / name).mkdir(parents=True)
    (folder / "bin/skillhost").write_text("#!/bin/sh\necho skillhost 0.1.0\n")
    (folder / "bin/skillhost").chmod(0o755)
    (folder / "lib/plugin.so").write_text("plugin")
    shutil.copy(sys.argv[1], folder / "install.sh")
    return folder / "install.sh"


def install(script, prefix, *options):
    return subprocess.run(["sh", str(script), "--prefix", str(prefix), *options], capture_output=True, text=True, timeout=DEADLINE, check=False)


def place(folder, name, mode=0o755, owner=0, group=0):
    path = Path(folder, name)
    path.mkdir(parents=True)
    path.chmod(mode)
    os.chown(path, owner, group)
    path.chmod(mode)  # chown removes set-group-ID
    return path


def as_stranger(*words):
    return subprocess.run(["setpriv", "--reuid", str(STRANGER), "--regid", str(STRANGER), "--clear-groups", *words],
                          capture_output=True, timeout=DEADLINE, check=False).returncode == 0


def main():
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        print("needs root and setpriv")
        return 77
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        script = archive(Path(folder, "archive"))
        exposed = {"a folder of another user": place(folder, "theirs", owner=STRANGER),
                   "a folder that all may write": place(folder, "open", 0o777),
                   "a folder as /tmp": place(folder, "sticky", 0o1777),
                   "a folder of a group": place(folder, "group", 0o2775, group=STRANGER),
                   "below a folder of another user": Path(place(folder, "above", owner=STRANGER), "prefix")}
        inner = place(folder, "inner")
        place(inner, "bin", owner=STRANGER)
        exposed["a bin of another user"] = inner
        for what, prefix in exposed.items():
            run = install(script, prefix)
            check(run.returncode == 1 and "nothing was changed" in run.stderr and "chown root" in run.stderr, f"{what}: {run.returncode} {run.stderr}")
            check(not (prefix / "bin/skillhost").exists() and not (prefix / "share").exists(), f"{what}: something was installed")
        # The attack: the other user can exchange the files that root has installed.
        theirs = exposed["a folder of another user"]
        shutil.copytree(script.parent / "bin", theirs / "bin")
        check(as_stranger("mv", f"{theirs}/bin", f"{theirs}/away"), "control: another user exchanges what root has installed")
        for what, prefix in {"a folder of root": place(folder, "own"), "a new folder": Path(folder, "new/deep"),
                             "below a folder as /tmp": Path(place(folder, "public", 0o1777), "prefix"),
                             "/usr/local as Debian had it": place(folder, "staff", 0o2775, group=50)}.items():
            run = install(script, prefix)
            check(run.returncode == 0 and (prefix / "bin/skillhost").is_file(), f"control: {what}: {run.stderr}")
            run = install(script, prefix, "--remove")
            check(run.returncode == 0 and not (prefix / "bin/skillhost").exists(), f"control: {what} is removed: {run.stderr}")
        # A root that trusts another user's list removes the files that this user chooses.
        run = install(script, Path(folder, "own"))
        os.chown(Path(folder, "own"), STRANGER, STRANGER)
        run = install(script, Path(folder, "own"), "--remove")
        check(run.returncode == 1 and "belongs to user" in run.stderr, f"removing: {run.stderr}")
        # An ordinary user can install at home, whatever the group may do.
        home = place(folder, "home", 0o775, STRANGER, STRANGER)
        check(as_stranger("sh", str(script), "--prefix", str(home / ".local")), "control: an ordinary user at home")
    return checks.finish()


sys.exit(main())
