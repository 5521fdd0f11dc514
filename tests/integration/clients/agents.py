#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that real agents find what `skillhost sync` writes, and install what the git repository serves:
agents.py SERVER SOURCE_ROOT CACHE_DIR PROGRAM
PROGRAM is claude-code, codex, copilot, gemini-cli, opencode, skills (of npm) or git (with skillhost add).

Each program runs in a fresh home, without a login. Programs of npm are installed once, in CACHE_DIR. Exits 77 with a
message when a program cannot be installed here."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import run

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import SLOWNESS, Checks  # noqa: E402
from http_server import Running  # noqa: E402
from session import write_skill  # noqa: E402

LIMIT = 300 * SLOWNESS  # seconds for one call: some programs wait for servers that they do not reach
PACKAGES = Path(__file__).resolve().parent / "programs"
NAME = "skillhost"  # of the marketplace and of its plugin
checks = Checks()
check = checks.check


class House:
    """A fresh home, and a project in it, in which one program runs."""

    def __init__(self, folder, command, **variables):
        self.home, self.project, self.command = folder / "home", folder / "project", command
        self.project.mkdir(parents=True)
        self.home.mkdir()
        # Nothing of this machine's settings and credentials reaches the program.
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "NO_COLOR": "1", "CI": "1", "DO_NOT_TRACK": "1",
                            "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8", **variables}
        self.git("init", "-q", ".")

    def run(self, *words, code=0):
        done = subprocess.run([*map(str, words)], cwd=self.project, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT, check=False)
        check(done.returncode == code, f"{words}: {done.returncode}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")
        return done.stdout

    def git(self, *words):
        return self.run("git", *words)

    def __call__(self, *words, code=0):
        return self.run(*self.command, *words, code=code)


def files(folder):
    """Returns the bytes of each file below a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(Path(folder).rglob("*"))
            if file.is_file() and ".git" not in file.relative_to(folder).parts}


def same(what, found, expected):
    differing = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    check(found and not differing, f"{what}: these files differ or are missing: {differing}")


# How each program lists its skills without a login: functions that return name → place; the place is None if the program
# does not say it.

def listed_by_claude_code(agent):
    # The first line tells what the session has; the answer is that nobody is logged in.
    first = json.loads(agent("-p", "x", "--output-format", "stream-json", "--verbose", code=1).splitlines()[0])
    return dict.fromkeys(first["skills"])


def listed_by_codex(agent):
    text = next(part["text"] for message in json.loads(agent("debug", "prompt-input", "x")) for part in message.get("content") or []
                if part.get("text", "").startswith("<skills_instructions>"))
    roots = dict(re.findall(r"^- `(\w+)` = `(.+)`$", text, re.M))
    return {name: roots[root] + place for name, root, place in re.findall(r"^- ([\w:-]+): .* \(file: (\w+)(/.+)\)$", text, re.M)}


def listed_by_copilot(agent):
    return {one["name"]: one["path"] + "/SKILL.md" for one in json.loads(agent("skill", "list", "--json"))}


def listed_by_gemini_cli(agent):
    return dict(re.findall(r"^([\w-]+) \[Enabled\].*?^  Location: +(\S+)$", agent("skills", "list"), re.M | re.S))


def listed_by_opencode(agent):
    return {one["name"]: one["location"] for one in json.loads(agent("debug", "skill"))}


def synced(agent, server, name, listed):
    """Checks that the program lists the skills that sync has written for the user, for the project, and for all agents."""
    places = {}
    for owner, options in (("user", ("--agent", name)), ("project", ("--agent", name, "--project")), ("agents", ("--agent", "agents"))):
        if name == "claude-code" and owner == "agents":
            continue  # it reads only its own folders
        source = agent.home / f"source-{owner}"
        write_skill(source, f"of-the-{owner}", f"Helps the {owner} who tests this.")
        said = json.loads(agent.run(server, "sync", "--no-config", "--skills-dir", source, *options, "--json"))
        places[f"of-the-{owner}"] = f"{said['folders'][0]['folder']}/of-the-{owner}/SKILL.md"
    found = listed(agent)
    for skill, place in places.items():
        check(skill in found and found[skill] in (place, None), f"{name} lists {skill} of {place}: {found}")


def marketplace(agent, address, served, install, installed):
    """Checks that the program installs the repository as a plugin, with all its bytes."""
    agent("plugin", "marketplace", "add", address)
    agent("plugin", install, f"{NAME}@{NAME}")
    found = [place for place in agent.home.glob(installed) if place.is_dir()]
    check(len(found) == 1, f"one copy of the plugin: {found}")
    same("the plugin", files(found[0]), served)


def without_byte_order_mark(served):
    """Returns the skills that readers of front matter find which take a byte order mark for a part of the text."""
    return {name for name in {path.split("/")[0] for path in served} if not served[f"{name}/SKILL.md"].startswith(b"\xef\xbb\xbf")}


def claude_code(agent, server, address, served):
    synced(agent, server, "claude-code", listed_by_claude_code)
    marketplace(agent, address, served, "install", f".claude/plugins/cache/{NAME}/{NAME}/*/skills")
    names = listed_by_claude_code(agent)
    check(f"{NAME}:greeter" in names, f"Claude Code lists the skills of the plugin: {sorted(names)}")


def codex(agent, server, address, served):
    synced(agent, server, "codex", listed_by_codex)
    marketplace(agent, address, served, "add", f".codex/plugins/cache/{NAME}/{NAME}/*/skills")


def copilot(agent, server, address, served):
    synced(agent, server, "copilot", listed_by_copilot)
    marketplace(agent, address, served, "install", f".copilot/installed-plugins/{NAME}/{NAME}/skills")


def gemini_cli(agent, server, address, served):
    synced(agent, server, "gemini-cli", listed_by_gemini_cli)
    agent("skills", "install", address, "--path", "skills", "--consent")
    found = {path: data for path, data in files(agent.home / ".gemini/skills").items() if not path.startswith((".skillhost", "of-the-"))}
    names = without_byte_order_mark(served)
    same("skills that Gemini installs", found, {path: data for path, data in served.items() if path.split("/")[0] in names})


def opencode(agent, server, _address, _served):
    synced(agent, server, "opencode", listed_by_opencode)


def skills(agent, _server, address, served):
    names = without_byte_order_mark(served)
    agent("add", address, "--skill", "*", "--agent", "claude-code", "--copy", "-y")
    expected = {path: data for path, data in served.items() if path.split("/")[0] in names}
    same("skills that npx skills installs", files(agent.project / ".claude/skills"), expected)


def git(agent, server, address, served):
    """Clones whole and shallow, and adds the repository to another skillhost, which serves the same bytes."""
    for options in ((), ("--depth", "1")):
        clone = agent.project / f"clone{len(options)}"
        agent("clone", "-q", *options, address, clone)
        same(f"a clone with {options}", files(clone / "skills"), served)
    config = agent.project / "added.yaml"
    agent.run(server, "add", address, "--config", config)
    agent.run(server, "sync", "--config", config, "--folder", agent.project / "synced")
    found = files(agent.project / "synced")
    found.pop(".skillhost-sync.json", None)
    same("skills of the added repository", found, served)


def command_of(program, cache):
    """Returns the command that starts the program, from the packages that the registry has for this machine."""
    if program == "git":
        return [shutil.which("git")] if shutil.which("git") else run.skip("git is not installed")
    modules = run.installed(cache, PACKAGES / program) / "node_modules"
    script = {"skills": "skills/bin/cli.mjs", "gemini-cli": "@google/gemini-cli/bundle/gemini.js"}.get(program)
    if script:
        return [run.node(modules.parent), str(modules / script)]
    binary = {"claude-code": "@anthropic-ai/claude-code-linux-*/claude", "codex": "@openai/codex-linux-*/vendor/*/bin/codex",
              "copilot": "@github/copilot-linux-*/copilot", "opencode": "opencode-linux-*/bin/opencode"}[program]
    found = sorted(modules.glob(binary))
    return [str(found[0])] if found else run.skip(f"the registry has no {program} for this machine")


# A program that asks its own server for news waits long where that server cannot be reached.
VARIABLES = {"claude-code": {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"},
             # Gemini reads the skills of a project only in a folder that the user trusts.
             "gemini-cli": {"GEMINI_CLI_TRUST_WORKSPACE": "true"}, "opencode": {"OPENCODE_DISABLE_AUTOUPDATE": "1"}}
TESTS = {"claude-code": claude_code, "codex": codex, "copilot": copilot, "gemini-cli": gemini_cli, "opencode": opencode, "skills": skills, "git": git}


def main():
    server, root, cache, program = os.path.realpath(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    command = command_of(program, cache)
    with tempfile.TemporaryDirectory(prefix="skillhost-agents-") as scratch:
        corpus = Path(scratch) / "skills"
        for name in ("byte-order-mark", "folded", "greeter", "team-a"):
            shutil.copytree(root / "tests/conformance/skills" / name, corpus / name)
        write_skill(corpus, "with-files", "Has files of several kinds.")
        (corpus / "with-files/bytes.bin").write_bytes(bytes(range(256)))
        (corpus / "with-files/deep/er").mkdir(parents=True)
        (corpus / "with-files/deep/er/ünïcode a.md").write_bytes("é\r\n".encode())
        (corpus / "with-files/run.sh").write_text("#!/bin/sh\n")
        (corpus / "with-files/run.sh").chmod(0o755)
        serving = Running(server, str(corpus), "--set", "http.git=true")
        served = {}
        for entry in corpus.rglob("SKILL.md"):
            name = re.search(rb"^name: *\"?([\w-]+)", entry.read_bytes(), re.M)[1].decode()
            served |= {f"{name}/{path}": data for path, data in files(entry.parent).items()}
        agent = House(Path(scratch), command, **VARIABLES.get(program, {}))
        TESTS[program](agent, server, f"http://127.0.0.1:{serving.port}/git/skills.git", served)
        check(serving.end() == 0, "the server ends in order")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
