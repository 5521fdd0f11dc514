#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that one odd file hides nothing from an official client: hostile.py SERVER SOURCE_ROOT CACHE_DIR CLIENT
CLIENT is typescript-legacy, typescript-modern, fastmcp, python, rust or go.

The client lists and loads everything of a corpus with one of each oddity; each missing skill must have a reason.
Clients are installed and compiled once, in CACHE_DIR. Exits 77 with a message when that cannot be done here."""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import run

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tools import usable  # noqa: E402
from hostile_corpus import BODY, FREE, LINKED, LISTED, SKILLS, SKIPPED, TOLERATED, WITHHELD, write

HERE = Path(__file__).resolve().parent
TOOLS = 8  # the server's own tools


def prepared(command, what, **more):
    """Runs a command that fetches or installs; its failure here is a reason to skip."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, **more)
    except subprocess.TimeoutExpired:
        run.skip(f"{what}: the registry is too slow")
    if done.returncode:
        run.skip(f"{what}: " + (done.stderr.strip().splitlines() or ["no reason given"])[-1])


def found(program, arguments, oldest):
    """Returns the program's path, when it runs and is of that version or newer; skips otherwise."""
    path, why = usable(program, oldest, arguments)
    if path is None:
        run.skip(why)
    return path


def folder_of(cache, name, *sources):
    """Returns a folder for the products of exactly these files."""
    key = hashlib.sha256(b"\0".join(Path(source).read_bytes() for source in sources)).hexdigest()[:16]
    folder = Path(cache).resolve() / f"{name}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def python_client(cache, script):
    requirements = HERE / "python/requirements.txt"
    folder = folder_of(cache, "python", requirements)
    with run.locked(folder):
        if not (folder / ".complete").exists():
            prepared([sys.executable, "-m", "venv", "--clear", str(folder / "venv")], "there is no venv for Python")
            prepared([str(folder / "venv/bin/pip"), "install", "--quiet", "--no-compile", "--no-deps", "-r", str(requirements)],
                     "the packages cannot be installed")
            (folder / ".complete").touch()
    return [str(folder / "venv/bin/python"), str(HERE / "python" / script)]


def rust_client(cache):
    cargo = found("cargo", ["--version"], (1, 88))
    found("rustc", ["--version"], (1, 88))  # cargo starts it
    source = HERE / "rust"
    folder = folder_of(cache, "rust", source / "Cargo.toml", source / "Cargo.lock", source / "src/main.rs")
    with run.locked(folder):
        manifest = ["--locked", "--manifest-path", str(source / "Cargo.toml")]
        prepared([cargo, "fetch", "--quiet", *manifest], "the crates cannot be fetched")
        subprocess.run([cargo, "build", "--quiet", "--offline", *manifest], check=True,
                       env=dict(os.environ, CARGO_TARGET_DIR=str(folder)))
    return [str(folder / "debug/skillhost-client")]


def go_client(cache):
    go = found("go", ["version"], (1, 25))
    source = HERE / "go"
    folder = folder_of(cache, "go", source / "go.sum", source / "main.go")
    environment = dict(os.environ, GOTOOLCHAIN="local", GOFLAGS="-mod=readonly")
    with run.locked(folder):
        prepared([go, "mod", "download"], "the modules cannot be fetched", cwd=source, env=environment)
        subprocess.run([go, "build", "-o", str(folder / "client"), "."], cwd=source, env=environment, check=True)
    return [str(folder / "client")]


def asked(client, server, cache, corpus, environment):
    """Returns the client's results from a server on the corpus, as a dictionary."""
    options = ["--expose", "both"]
    if client.startswith("typescript"):
        packages = run.installed(cache)
        with run.scripts(packages) as scripts:
            command = [run.node(packages), str(scripts / "hostile.mjs"), client.split("-")[1], corpus, *options]
            done = subprocess.run(command, env=dict(environment, SKILLHOST=server), stdout=subprocess.PIPE, text=True)
    else:
        made = {"fastmcp": lambda: python_client(cache, "fastmcp_client.py"),
                "python": lambda: python_client(cache, "mcp_client.py"),
                "rust": lambda: rust_client(cache), "go": lambda: go_client(cache)}[client]()
        done = subprocess.run([*made, server, "--skills-dir", corpus, *options], env=environment,
                              stdout=subprocess.PIPE, text=True)
    if done.returncode:
        print(f"FAILED the client ended with {done.returncode}: {done.stdout[:2000]}\n0 passed, 1 failed")
        sys.exit(1)
    return json.loads(done.stdout)


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def __call__(self, holds, words):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED", words)


def skill_file(folder):
    """Returns the text of the skill's file, None when it is not UTF-8."""
    [path] = [one for one in folder.iterdir() if one.name.lower() == "skill.md"]
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return None


def check_catalogue(check, served, findings):
    """Checks that every skill is served, or that there is a reason."""
    for folder, _, _, expected in SKILLS:
        entry = served.get(folder)
        check((entry is None) == (expected == SKIPPED), f"{folder}: served is {entry is not None}, not {expected}")
        if entry is None:
            check(any(f"/{folder}/" in finding for finding in findings), f"{folder}: no reason is given")
            continue
        check(entry["extension"] == (expected in (LISTED, TOLERATED)), f"{folder}: {expected}? {entry['findings']}")
        if expected in (WITHHELD, TOLERATED):
            check(any("withheld from skills/list" in finding for finding in entry["findings"]), f"{folder}: no reason")
    expected = {folder for folder, *_ in SKILLS + FREE} | {LINKED}
    check(set(served) <= expected, f"served twice, or from outside: {set(served) - expected}")


def check_client(check, client, served, files, got):
    """Checks that the client has received every skill, whole."""
    uris = {entry["uri"] for entry in served.values()}
    names = sorted(entry["name"] for entry in served.values())
    if "skills" in got:
        refused = {folder for folder, *_, expected in SKILLS if expected == TOLERATED and client == "fastmcp"}
        wanted = sorted(entry["uri"] for path, entry in served.items() if entry["extension"] and path not in refused)
        check(sorted(got["skills"]) == wanted, f"skills/list: {set(wanted) ^ set(got['skills'])}")
    check(sorted(got["loaded"]) == names, f"prompts/list: {set(names) ^ set(got['loaded'])}")
    for what in ("loaded", "asked"):
        for name, text in got[what].items():
            check(BODY in text, f"{what}: {name} has no body: {text[:200]}")
    check(uris <= set(got["read"]), f"resources/list: {uris - set(got['read'])}")
    for path, entry in served.items():
        check(got["read"].get(entry["uri"]) == files[path], f"resources/read {entry['uri']}: not the bytes of its file")
    check(len(set(got["tools"])) == len(names) + TOOLS, f"tools/list: {len(set(got['tools']))} for {len(names)} skills")
    for name in got["tools"]:
        check(re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", name), f"no name for a tool: {name}")


def main():
    server, _, cache, client = sys.argv[1:5]
    server = str(Path(server).resolve())
    with tempfile.TemporaryDirectory(prefix="skillhost-hostile-") as scratch:
        home, corpus = Path(scratch) / "home", Path(scratch) / "hostile"
        home.mkdir()
        write(corpus)
        environment = dict(os.environ, XDG_CONFIG_HOME=str(home), XDG_CACHE_HOME=str(home / "cache"))
        listing = subprocess.run([server, "skill", "list", "--json", "--skills-dir", str(corpus)],
                                 env=environment, capture_output=True, text=True, check=True)
        told = json.loads(listing.stdout)
        got = asked(client, server, cache, str(corpus), environment)
        files = {entry["path"]: skill_file(corpus / entry["path"]) for entry in told["skills"]}
    check = Checks()
    served = {entry["path"]: entry for entry in told["skills"]}
    check_catalogue(check, served, told["findings"])
    check_client(check, client, served, files, got)
    print(f"{len(served)} skills served, {len(got.get('skills', []))} listed, {len(got['loaded'])} loaded")
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
