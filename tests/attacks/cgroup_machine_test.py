#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs plugin_cgroup_test.py in a machine whose kernel has cgroup v2 with all controllers. cgroup_machine_test.py
SERVER ATTACKING BUILT_IN...

The machine is QEMU's, by software alone, with a kernel of Debian's and only the files of this test in its memory.
Missing parts (qemu, the kernel, busybox) are fetched from Debian's archive into a scratch folder and unpacked
there; when that fails the test is skipped."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SERVER, PLUGIN, *BUILT_IN = (Path(one).resolve() for one in sys.argv[1:])
TESTS = Path(__file__).resolve().parent.parent
MEMORY, LONGEST = 1536, 900  # MB and seconds
LEFT_OUT = {"test", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "site-packages", "dist-packages", "pydoc_data", "__pycache__"}
INIT = """#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox mount -t tmpfs tmp /tmp
/bin/busybox mount -t cgroup2 cgroup /sys/fs/cgroup
/bin/busybox ip link set lo up
export HOME=/tmp PATH=/bin SKILLHOST_TEST_SLOWNESS=20 SKILLHOST_TEST_DEADLINE=120
cd /tests/attacks
{python} -S -B plugin_cgroup_test.py /build/host/skillhost /plugin/{plugin}
echo "the test ended with $?"
/bin/busybox reboot -f
"""


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def fetch(scratch):
    """Fetches Debian's packages with their dependencies, unpacked and not installed."""
    if os.environ.get("SKILLHOST_LONG_TESTS") != "1":
        skip("SKILLHOST_LONG_TESTS=1 has it fetch a kernel and start a machine")
    if not shutil.which("apt-get") or not shutil.which("dpkg") or run("dpkg", "--print-architecture").stdout.strip() != "amd64":
        skip("the machine's kernel and QEMU are packages of Debian for amd64")
    archives = scratch / "archives"
    (archives / "partial").mkdir(parents=True)
    wanted = ["linux-image-cloud-amd64", "busybox-static", *([] if shutil.which("qemu-system-x86_64") else ["qemu-system-x86"])]
    done = run("apt-get", "install", "--yes", "--no-install-recommends", "--download-only", "--reinstall",
               "-o", f"Dir::Cache::archives={archives}", "-o", "APT::Sandbox::User=root", *wanted, timeout=600)
    packages = sorted(archives.glob("*.deb"))
    if done.returncode or not packages:
        skip(f"{', '.join(wanted)} cannot be had: {done.stderr.strip()[-300:]}")
    for package in packages:
        subprocess.run(["dpkg", "-x", str(package), str(scratch / "debian")], check=True)
    return scratch / "debian"


class Archive:
    """A cpio archive ("newc"), as the kernel unpacks it into its memory."""

    def __init__(self, path):
        self.file, self.number, self.known = path.open("wb"), 0, set()

    def put(self, name, mode, data=b"", device=(0, 0)):
        name = name.lstrip("/")
        if name in self.known or not name:
            return
        if os.path.dirname(name):
            self.put(os.path.dirname(name), 0o40755)
        self.known.add(name)
        self.number += 1
        encoded = name.encode() + b"\0"
        fields = (self.number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(encoded), 0)
        for part in (b"070701" + b"".join(b"%08X" % field for field in fields) + encoded, data):
            self.file.write(part + b"\0" * (-len(part) % 4))

    def copy(self, path, name=None):
        path = Path(path)
        self.put(name or str(path), 0o100755 if os.access(path, os.X_OK) else 0o100644, path.read_bytes())

    def close(self):
        self.put("TRAILER!!!", 0)
        self.file.close()


def libraries(path):
    """Returns the libraries that the loader needs for it, under the names that it looks for."""
    return {found[-1] for line in run("ldd", path).stdout.splitlines() if (found := re.findall(r"(/\S+)", line))}


def fill(archive, debian, scratch):
    stripped = scratch / "skillhost"
    subprocess.run(["strip", "-o", str(stripped), str(SERVER)], check=True)
    programs = {stripped: "/build/host/skillhost", PLUGIN: f"/plugin/{PLUGIN.name}"}
    programs |= {one: "/build/" + str(one.relative_to(SERVER.parent.parent)) for one in BUILT_IN}
    python, standard = Path(sys.executable).resolve(), Path(os.__file__).resolve().parent
    needed = set()
    for path, name in {**programs, python: str(python)}.items():
        archive.copy(path, name)
        needed |= libraries(path)
    for folder, below, files in os.walk(standard):
        below[:] = [one for one in below if one not in LEFT_OUT and not one.startswith("config-")]
        for one in files:
            archive.copy(Path(folder) / one)
            if one.endswith(".so"):
                needed |= libraries(Path(folder) / one)
    for path in needed:
        archive.copy(path)
    for folder in ("attacks", "integration", "conformance"):
        for path in (TESTS / folder).glob("*.py"):
            archive.copy(path, f"/tests/{folder}/{path.name}")
    archive.copy(next(path for path in (debian / "bin/busybox", debian / "usr/bin/busybox") if path.exists()), "/bin/busybox")
    for name in ("proc", "sys", "dev", "tmp"):
        archive.put(name, 0o40755)
    archive.put("dev/console", 0o20600, device=(5, 1))
    archive.put("init", 0o100755, INIT.format(python=python, plugin=PLUGIN.name).encode())


def start(debian, scratch):
    qemu, environment = shutil.which("qemu-system-x86_64"), dict(os.environ)
    data = []
    if not qemu:
        qemu = debian / "usr/bin/qemu-system-x86_64"
        environment["LD_LIBRARY_PATH"] = f"{debian}/usr/lib/x86_64-linux-gnu:{debian}/lib/x86_64-linux-gnu"
        data = ["-L", debian / "usr/share/qemu", "-L", debian / "usr/share/seabios"]
    kernel = next((debian / "boot").glob("vmlinuz-*"))
    words = [qemu, "-accel", "tcg", "-cpu", "max", "-m", MEMORY, "-nographic", "-nodefaults", "-serial", "stdio", "-no-reboot", *data,
             "-kernel", kernel, "-initrd", scratch / "memory", "-append", "console=ttyS0 quiet loglevel=2 panic=-1"]
    with subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment) as machine:
        try:
            return machine.communicate(timeout=LONGEST)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            machine.kill()
            return machine.communicate()[0].decode(errors="replace") + f"\nnot within {LONGEST} s"


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-machine-") as folder:
        scratch = Path(folder)
        debian = fetch(scratch)
        archive = Archive(scratch / "memory")
        fill(archive, debian, scratch)
        archive.close()
        said = start(debian, scratch)
    print(re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|.)", "", said))
    if "skipped:" in said:
        print("FAILED: there it must not be skipped")
        return 1
    return 0 if "the test ended with 0" in said else 1


sys.exit(main())
