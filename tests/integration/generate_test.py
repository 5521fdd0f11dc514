#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `skillhost generate` with our own server, reached in every way, and with one server for each fault:
generate_test.py SERVER SKILLS"""
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import Checks
from http_server import Running
from session import Session

SERVER, SKILLS = map(os.path.abspath, sys.argv[1:3])
FAULTY = [sys.executable, str(Path(__file__).with_name("faulty_mcp_server.py"))]
checks = Checks()
check = checks.check


class Runs:
    """Runs skillhost in its own home."""

    def __init__(self, home):
        self.home = Path(home)
        self.environment = {**os.environ, "HOME": home, "SKILLHOST_CONFIG": "", "FAMILY_FILE": f"{home}/family"}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)

    def __call__(self, *words, code=0, server=None):
        command = [SERVER, *map(str, words), *(["--", *server] if server else [])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=self.environment, cwd=self.home)
        check(done.returncode == code, f"{command}: {done.returncode}\n{done.stdout[-500:]}\n{done.stderr[-800:]}")
        return done

    def faulty(self, fault, *words, code=0):
        return self("generate", "faulty", *words, code=code, server=[*FAULTY, fault])


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def states(folder):
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in Path(folder).rglob("*")}


def own_server(run):
    ours = [SERVER, "--no-config", "--skills-dir", SKILLS]
    said = run("generate", "skillhost-tools", server=ours)
    folder = run.home / "skillhost-tools"
    check("2026-07-28" in (folder / "SKILL.md").read_text(), "our own server is asked in the modern revision")
    pages = files(folder)
    check("references/tools/load_skill.md" in pages and "references/types.ts" in pages, f"the pages: {list(pages)}")
    check("written to" in said.stdout, said.stdout)
    check(run("validate", "--strict", folder).stdout.rstrip().endswith("0 warnings"), "it validates strictly, without a warning")
    before = states(folder)
    check("unchanged" in run("generate", "skillhost-tools", server=ours).stdout, "a second time it is unchanged")
    check(states(folder) == before, "and not touched")

    with Session([SERVER, "--no-config", "--skills-dir", str(run.home / "skillhost-tools")]) as session:
        found = session.tool("find_helpful_skills", task_description="load a skill and read its documents through the MCP server")
        check([result["name"] for result in found["results"]] == ["skillhost-tools"], f"the search finds it: {found}")
        loaded = session.tool("load_skill", skill_name="skillhost-tools")
        check("references/tools" in json.dumps(loaded), "it loads")
        check(session.end() is None, "and the server ends without complaint")

    served = Running(SERVER, SKILLS, "--no-config")
    url = f"http://127.0.0.1:{served.port}/mcp"
    run("generate", "skillhost-tools", "--url", url, "--output", "remote")
    remote = files(run.home / "remote")
    check(set(remote) == set(pages), "over HTTP it has the same pages")
    same = [path for path in pages if path.startswith("references/tools/") and pages[path] == remote.get(path)]
    check(len(same) >= 6, f"and says the same of the tools: {same}")
    check(run("generate", "x", "--url", url + "x", code=1).stderr.count("generate:") >= 1, "a wrong path is an error")
    served.end()
    began = time.monotonic()
    away = run("generate", "x", "--url", url, "--connect-timeout-ms", "300", code=1)
    check("cannot be reached" in away.stderr or "trying again" in away.stderr, away.stderr)
    check(time.monotonic() - began < 15, "a server that is away is given up")


def tokens(run):
    made = run("token", "add", "me", "--scope", "skills:read", "--file", run.home / "tokens").stdout.strip()
    (run.home / "token").write_text(made)
    served = Running(SERVER, SKILLS, "--no-config", "--auth", "static", "--set",
                     f"auth.config={json.dumps({'file': str(run.home / 'tokens')})}")
    url = f"http://127.0.0.1:{served.port}/mcp"
    refused = run("generate", "private", "--url", url, code=1)
    check("who asks" in refused.stderr, refused.stderr)
    done = run("generate", "private", "--url", url, "--token-file", run.home / "token")
    check(made not in done.stdout + done.stderr, "the token is in no message")
    check(not any(made.encode() in text for text in files(run.home / "private").values()), "nor in a page")
    served.end()


def into_the_store(run):
    def save():
        return json.loads(run("generate", "kept", "--save", "--keep", "2", "--json", server=[*FAULTY, "none"]).stdout)
    first, second = save(), save()
    check(first["changed"] and first["version"] == 1 and first["tools"] == 1, first)
    store = run.home / ".local/share/skillhost/skills"
    before = states(store)
    check(not second["changed"] and second["version"] == 1, second)
    check(states(store) == before, "an unchanged server leaves the store untouched")
    check("unchanged" in run("generate", "kept", "--save", server=[*FAULTY, "none"]).stdout, "and that is said")
    changed = json.loads(run("generate", "kept", "--save", "--keep", "2", "--json", server=[*FAULTY, "entries"]).stdout)
    check(not changed["changed"], "entries that make no sense change nothing")
    changed = json.loads(run("generate", "kept", "--save", "--keep", "2", "--json", server=[*FAULTY, "injection"]).stdout)
    check(changed["changed"] and changed["version"] == 2, changed)
    run("skill", "verify", "kept")
    check("kept" in run("skill", "load", "kept").stdout, "it can be loaded")
    listed = run("skill", "list", "--skill-dir", store).stdout
    check(re.search(r"kept  saved \S+  \d+ tools?  \d+ files", listed), f"the list counts its tools: {listed}")
    check("unchanged" in run("generate", "kept", "--save-skill", "--keep", "2", server=[*FAULTY, "injection"]).stdout, "--save-skill is --save")


def folders(run):
    run.faulty("none", "--dry-run")
    check(not (run.home / "faulty").exists(), "--dry-run writes nothing")
    (run.home / "faulty").mkdir()
    run.faulty("none")
    (run.home / "faulty/SKILL.md").write_text("mine")
    refused = run.faulty("none", code=1)
    check("--force" in refused.stderr, refused.stderr)
    check((run.home / "faulty/SKILL.md").read_text() == "mine", "what is not ours stays")
    (run.home / "faulty/notes.md").write_text("mine")
    run.faulty("none", "--force")
    check((run.home / "faulty/notes.md").exists() and "generate" in (run.home / "faulty/SKILL.md").read_text(),
          "--force writes, and leaves what has another name")
    (run.home / "faulty/notes.md").unlink()
    check("written" in run.faulty("injection").stdout, "what was generated is replaced")
    check("unchanged" in run.faulty("injection").stdout, "and then unchanged")
    check([path.name for path in run.home.iterdir() if path.name.startswith(".faulty")] == [], "nothing is left beside it")
    (run.home / "elsewhere").mkdir()
    (run.home / "linked").symlink_to(run.home / "elsewhere")
    run.faulty("none", "--output", "linked/skill")
    check((run.home / "elsewhere/skill/SKILL.md").exists(), "a path may lead through a link")


def gone(process):
    """Returns whether a process has ended, or ends soon."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            return True
        if select.select([descriptor], [], [], 10)[0]:
            os.close(descriptor)
            return True
        os.close(descriptor)
    return False


def faults(run):
    for fault, says in {
        "hangs": "no answer in time", "dies": "exit code 3", "killed": "signal 9", "error": "the disk is full",
        "pages": "1,000 pages", "circle": "in a circle", "flood": "what is no MCP", "half": "ended with exit code 0",
        "nothing": "nothing to write a skill about", "silent tools": "nothing to write a skill about",
        "many": "600 tools", "hangs at once": "no answer in time",
    }.items():
        began = time.monotonic()
        done = run.faulty(fault, "--timeout", "4" if fault.startswith("hangs") else "60", "--output", f"out-{fault}", code=1)
        check(says in done.stderr and done.stderr.count("skillhost: generate:") == 1, f"{fault}: {done.stderr[-500:]}")
        if fault.startswith("hangs"):
            check(time.monotonic() - began < 30, f"{fault}: it ends soon")
        check(not (run.home / f"out-{fault}").exists(), f"{fault}: nothing is written")
    endless = run.faulty("endless", "--timeout", "60", code=1)
    check("64 MiB" in endless.stderr, endless.stderr[-300:])
    missing = run("generate", "x", code=1, server=["/nowhere/server"])
    check("cannot be started: No such file" in missing.stderr, missing.stderr)

    for fault, expected in {"none": "add.md", "junk": "add.md", "dies at discover": "add.md", "large": "add.md",
                            "injection": "add.md", "entries": "add.md", "schemas": "t8.md", "paths": "a_b"}.items():
        done = run.faulty(fault, "--output", f"out-{fault}")
        folder = run.home / f"out-{fault}"
        check("words on standard error" in done.stderr, f"{fault}: its errors are passed on")
        check(any(expected in path for path in files(folder)), f"{fault}: {list(files(folder))}")
        # The specification requires the folder to have the skill's name.
        named = run.home / f"named-{fault}" / "faulty"
        named.parent.mkdir()
        named.symlink_to(folder)
        check(" 0 errors" in run("validate", "--strict", named / "SKILL.md").stdout, f"{fault}: it validates")
        check(sum(map(len, files(folder).values())) < 100_000, f"{fault}: it is small")
    check("no MCP" in run.faulty("junk", "--output", "out-junk").stderr, "junk is told")
    check("\x1b" not in run.faulty("junk", "--output", "out-junk").stderr, "but not to the terminal as such")
    names = sorted(path.name for path in (run.home / "out-paths/references/tools").iterdir())
    check(len(names) == 7 and len({name.lower() for name in names}) == 7 and not any(name.startswith(".") for name in names), names)
    outside = [path for path in files(run.home / "out-paths") if ".." in path]
    check(outside == [] and not (run.home / "up.md").exists(), outside)
    page = (run.home / "out-injection/references/tools/add.md").read_text()
    check("<!--" not in page and "!`" not in page and "<system>" not in page, page)


def ends(run):
    for fault in ("stubborn", "family"):
        run.faulty(fault, "--output", f"out-{fault}")
        for process in map(int, (run.home / "family").read_text().split()):
            check(gone(process), f"{fault}: {process} is gone")
    (run.home / "family").unlink()
    process = subprocess.Popen([SERVER, "generate", "x", "--", *FAULTY, "hangs at once"], cwd=run.home, text=True,
                               env=run.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 20
    while not ((run.home / "family").exists() and (run.home / "family").read_text()) and time.monotonic() < deadline:
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    check(process.returncode == 1 and "stopped" in said, f"a signal stops it: {process.returncode} {said}")
    check(gone(int((run.home / "family").read_text())), "and the server")


def command_line(run):
    for words, says in ((["X"], "is no name for a skill"), (["a--b", "--url", "http://x/"], "two hyphens"),
                        (["a"], "-- COMMAND"), (["a", "--url", "ftp://x"], "http"), ([], "name the skill"),
                        (["a", "--timeout", "0", "--url", "http://x/"], "--timeout"),
                        (["a", "--keep", "3", "--url", "http://x/"], "--save"),
                        (["a", "--save", "--output", "b", "--url", "http://x/"], "--save")):
        check(says in run("generate", *words, code=1).stderr, f"{words} is refused with the reason {says}")
    # Options behind "--" belong to the server.
    check("No such file" in run("generate", "a", code=1, server=["/nowhere", "--url", "--help", "{}"]).stderr, "the command is left alone")


with tempfile.TemporaryDirectory(prefix="skillhost-generate-") as home:
    runs = Runs(home)
    for part in (command_line, own_server, tokens, into_the_store, folders, faults, ends):
        part(runs)
sys.exit(checks.finish())
