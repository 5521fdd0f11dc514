#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the source `mcp` serves the skills of servers that others wrote, over HTTP and as programs:
foreign_sources.py SERVER SOURCE_ROOT CACHE_DIR typescript|agentskills|nimblebrain
Exits 77 with a message when the server cannot be installed here."""
import contextlib
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import hostile  # noqa: E402
import run  # noqa: E402
from checks import DEADLINE, SLOWNESS, Checks, until  # noqa: E402
from fastmcp_source import listens, on_disk  # noqa: E402
from ports import HeldPort  # noqa: E402
from session import Session, write_skill  # noqa: E402

checks = Checks()
check = checks.check


def newer_python():
    """Returns a Python of version 3.12 or newer, or ends the test."""
    shims = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    named = [sys.executable, *(shutil.which(f"python3.{minor}") or "" for minor in range(12, 16)), *glob.glob(f"{shims}/versions/3.1[2-9]*/bin/python3")]
    for program in filter(None, named):
        asked = subprocess.run([program, "-c", "import sys; print(sys.version_info >= (3, 12))"], capture_output=True, text=True)
        if asked.stdout == "True\n":
            return program
    return run.skip("there is no Python of version 3.12 or newer")


def python_servers(cache):
    """Returns the Python of a venv that has the servers."""
    requirements = HERE / "python/servers.txt"
    folder = hostile.folder_of(cache, "servers", requirements)
    with run.locked(folder):
        if not (folder / ".complete").exists():
            hostile.prepared([newer_python(), "-m", "venv", "--clear", str(folder / "venv")], "there is no venv for Python")
            hostile.prepared([str(folder / "venv/bin/pip"), "install", "--quiet", "--no-compile", "--no-deps", "-r", str(requirements)],
                             "the packages cannot be installed")
            (folder / ".complete").touch()
    return str(folder / "venv/bin/python")


@contextlib.contextmanager
def commands(kind, cache, skills, scratch):
    """Gives a function that returns the command of the server for a port, or for "stdio"."""
    if kind == "typescript":
        packages = run.installed(cache)
        with run.scripts(packages) as scripts:
            yield lambda where: [run.node(packages), str(scripts / "skills_server.mjs"), str(skills), str(where)]
    elif kind == "nimblebrain":
        python = python_servers(cache)
        yield lambda where: [python, str(HERE / "python/nimblebrain_server.py"), str(skills), str(where)]
    else:
        python = python_servers(cache)

        def command(where):
            assert where == "stdio", "its port cannot be chosen"
            file = scratch / "agentskills.json"
            file.write_text(json.dumps({"name": "agentskills", "skills": [
                {"id": entry.parent.name, "provider": "fs", "options": {"root": str(skills)}} for entry in skills.glob("*/SKILL.md")]}))
            return [python, "-m", "agentskills_mcp_server", "--config", str(file)]

        yield command


def served(session):
    """Returns name of the skill → path → digest, and the facts of a skill."""
    found, facts = {}, None
    for skill in session.call("skills/list")["skills"]:
        root = skill["uri"].removesuffix("SKILL.md")
        found[root.rstrip("/").rsplit("/", 1)[1]] = {urllib.parse.unquote(one["uri"].removeprefix(root)): one["digest"] for one in skill["resources"]}
        facts = skill["_meta"]["org.skillhost/facts"]
    return found, facts


def main():
    server, root, cache, kind = os.path.realpath(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    version = {"typescript": ("official", "2.4.0"), "nimblebrain": ("nimblebrain", "0.2.0"), "agentskills": ("agentskills", "")}[kind]
    with tempfile.TemporaryDirectory(prefix="skillhost-foreign-") as name:
        scratch = Path(name)
        skills = scratch / "skills"
        shutil.copytree(root / "examples/skills", skills)
        shutil.rmtree(skills / "databases")  # none of these servers looks for skills below folders without one
        (skills / "code-review/references/bytes").write_bytes(bytes(range(256)))
        (skills / "code-review/references/a file.md").write_bytes("é\r\n".encode())
        with commands(kind, cache, skills, scratch) as command:
            for way in ("program", "http"):
                if way == "http" and kind == "agentskills":
                    continue
                if kind == "nimblebrain":  # it refuses names that its URIs would encode
                    (skills / "code-review/references/a file.md").unlink(missing_ok=True)
                port = HeldPort().number if way == "http" else None
                config = {"url": f"http://127.0.0.1:{port}/mcp", "refresh_minutes": 0.02} if port else {"command": command("stdio")}
                file = scratch / f"{way}.json"
                file.write_text(json.dumps({"sources": [{"name": "other", "plugin": "mcp", "config": config}]}))
                other = None
                try:
                    if port:
                        other = subprocess.Popen(command(port), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                        until(lambda port=port: listens(port), f"{kind} listens", 60 * SLOWNESS)
                    started = ["env", f"XDG_CACHE_HOME={scratch}/{way}", "SKILLHOST_STARTUP_WAIT_MS=60000", server, "--config", str(file)]
                    with Session(started) as session:
                        got, facts = served(session)
                        check(got == on_disk(skills) and len(got) >= 3, f"{way}: {got} and not {on_disk(skills)}: {session.server.stderr()}")
                        print(f"  {way}: {facts}")
                        check((facts["server_name"], facts.get("server_version", "")) == version, facts)
                        if kind == "typescript":
                            write_skill(skills, f"later-{way}", "Comes later.")
                            process = other.pid if other else child_of(session.server.process.pid)
                            os.kill(process, signal.SIGUSR1)
                            until(lambda: served(session)[0] == on_disk(skills), f"{way}: a change is seen", DEADLINE * SLOWNESS)
                        if other:
                            other.kill()
                            other.wait()
                            check(served(session)[0] == on_disk(skills), f"served while {kind} is away")
                        check(session.end() is None, f"{way}: the end")
                finally:
                    if other:
                        other.kill()
                        other.wait()
    return checks.finish()


def child_of(process):
    """Returns the only child of a process."""
    children = [child for tasks in Path(f"/proc/{process}/task").iterdir() for child in (tasks / "children").read_text().split()]
    assert len(children) == 1, children
    return int(children[0])


if __name__ == "__main__":
    sys.exit(main())
