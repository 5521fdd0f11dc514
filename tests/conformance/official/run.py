#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the official conformance tool against a server with the fixture plugin: run.py SERVER SOURCE_ROOT PLUGIN.so
CACHE_DIR

Every scenario that the tool requires of the revisions 2026-07-28 and 2025-11-25, and those of the skills
extension, is compared with expected_failures.txt: a failure that is not listed there fails the run, and so does a
listed one that passes. Exits 77 with a message when there is no Node or no registry."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "integration" / "clients"))
import run as clients  # noqa: E402  (how packages are installed, and which Node there is)

REVISIONS = ("2026-07-28", "2025-11-25")
SKILLS = ("sep-2640-skills-enumeration", "sep-2640-skills-manifest", "sep-2640-skills-directory")
EXTENSION = "2026-07-28"
START_SECONDS = 30


class Server:
    """Runs a server on a port of its own, which the log names."""

    def __init__(self, program, configuration):
        self.process = subprocess.Popen([program, "serve", "--config", configuration], stdin=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.url = None
        self.ready = threading.Event()
        threading.Thread(target=self.read, daemon=True).start()
        if not self.ready.wait(START_SECONDS) or not self.url:
            self.process.kill()
            raise SystemExit("the server did not say where it listens:\n" + "".join(self.lines))

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line)
            found = re.search(r"http://(127\.0\.0\.1:\d+)", line)
            if found and not self.url:
                self.url = f"http://{found.group(1)}/mcp"
                self.ready.set()
        self.ready.set()

    def stop(self):
        self.process.terminate()
        return self.process.wait(30)


def required(packages, revision):
    """Returns the names below `server:` in the tool's own list."""
    path = packages / "node_modules/@modelcontextprotocol/conformance/requirements" / f"{revision}.yaml"
    section, names = None, []
    for line in path.read_text().splitlines():
        if re.match(r"\w+:", line):
            section = line.rstrip(":")
        elif section == "server" and line.startswith("  - "):
            names.append(line[4:].strip())
    return names


def failures(folder):
    """Returns the failed checks in the tool's results: 'id: why'."""
    found, seen = [], 0
    for path in sorted(folder.rglob("checks.json")):
        for check in json.loads(path.read_text()):
            seen += 1
            if check.get("status") == "FAILURE":
                found.append(f"{check.get('id')}: {check.get('errorMessage', 'no reason given')}")
    return found if seen else ["the tool has checked nothing"]


def run_scenario(node, packages, url, revision, scenario, extra=()):
    with tempfile.TemporaryDirectory(prefix="skillhost-conformance-") as out:
        command = [node, str(packages / "node_modules/@modelcontextprotocol/conformance/dist/index.js"), "server",
                   "--url", url, "--scenario", scenario, "--spec-version", revision, "-o", out, *extra]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return ["no end within 120 s"]
        found = failures(Path(out))
        if not found and done.returncode:
            found = [f"exit code {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}"]
        return found


def expected():
    """Returns {"revision scenario": reason}."""
    table = {}
    for number, line in enumerate((HERE / "expected_failures.txt").read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            name, separator, reason = line.partition(": ")
            if not separator or not reason.strip():
                raise SystemExit(f"expected_failures.txt:{number}: write 'REVISION SCENARIO: why'")
            table[name] = reason
    return table


def skills(scratch):
    """Makes skills. The first listed skill has sub-directories; there are more skills than fit on a page."""
    folder = scratch / "skills"
    for number in range(5):
        skill = folder / f"skill-{number}"
        (skill / "references" / "deep").mkdir(parents=True)
        (skill / "SKILL.md").write_text(f"---\nname: skill-{number}\ndescription: Skill number {number}.\n---\nRead.\n")
        (skill / "references" / "one.md").write_text("one\n")
        (skill / "references" / "deep" / "two.md").write_text("two\n")
    return folder


def main():
    program, _, plugin, cache = sys.argv[1:]
    packages = clients.installed(cache, HERE)
    node = clients.node(packages)
    listed, problems, passed = expected(), [], 0
    with tempfile.TemporaryDirectory(prefix="skillhost-official-") as folder:
        scratch = Path(folder)
        configuration = scratch / "skillhost.json"

        def serve(page_size):
            configuration.write_text(json.dumps({
                "transport": "http", "http": {"port": 0}, "skills_dirs": [str(skills_folder)], "page_size": page_size,
                "tools": [{"name": "conformance", "plugin": str(Path(plugin).resolve()), "isolation": "process"}]}))
            return Server(program, str(configuration))

        skills_folder = skills(scratch)
        for page_size, jobs in ((200, [(r, s, ()) for r in REVISIONS for s in required(packages, r)]),
                                (2, [(EXTENSION, s, ("--force",)) for s in SKILLS])):
            server = serve(page_size)
            try:
                for revision, scenario, extra in jobs:
                    name = f"{revision} {scenario}"
                    found = run_scenario(node, packages, server.url, revision, scenario, extra)
                    if found and name not in listed:
                        problems.append(name + "\n    " + "\n    ".join(found))
                    elif not found and name in listed:
                        problems.append(f"{name}\n    passes: take its line out of expected_failures.txt")
                    passed += not found
                    print("failed" if found else "passed", name, flush=True)
            finally:
                code = server.stop()
            if code:
                problems.append(f"the server ended with {code}:\n" + "".join(server.lines[-20:]))
    for problem in problems:
        print("PROBLEM " + problem)
    print(f"{passed} passed, {len(problems)} failed, {len(listed)} expected to fail")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
