#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the packages on PyPI and npm are called skillhost-mcp, because `skillhost` on PyPI belongs to another
project. package_names.py [ROOT]

Finds places that would install or start a package by the old names, and compares the descriptions in the packages
and in server.json, the document for the MCP registry."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent.parent)
NAME = "skillhost-mcp"
PLATFORMS = [f"{NAME}-linux-{cpu}" for cpu in ("arm64", "x64")]
OLD = r"skillhost(?:\[|==|@|[\"'`\s,;.)]|$)"
START = r"(?:-\S+(?:[ =]\S+)?\s+)*?[\"'`]?"  # options before the name
FORMS = [re.compile(form) for form in (
    rf"\b(?:uvx|npx|bunx|pipx run|pnpm dlx|uv tool run)\s+{START}{OLD}",
    rf"\b(?:pip3?|pipx|uv tool|uv pip|npm|pnpm) (?:install|i|add|upgrade|uninstall)\s+{START}{OLD}",
    r"[\"'](?:uvx|npx)[\"'],\s*[\"']args[\"']:\s*\[\s*(?:[\"']-\S*[\"'],\s*)*[\"']skillhost[\"']",
    r"@skillhost/", r"\bskillhost-(?:linux-x64|\d+\.\d+\.\d+(?:-py3|\.tgz))", r"\bskillhost-VERSION(?:-py3|\.tgz)",
    r"(?:pypi\.org/project|npmjs\.com/package)/skillhost\b(?!-mcp)", r"pkg:(?:pypi|npm)/skillhost\b(?!-mcp)", r"-m skillhost\b(?!_mcp)",
    r"^Name: skillhost$",
)]
# Such a line explains that the other program belongs to another project.
ALLOWED = re.compile(r"not ours|another program")


def files() -> list[str]:
    listed = subprocess.run(["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return listed.stdout.splitlines()
    return [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")
            if path.is_file() and not path.relative_to(ROOT).parts[0].startswith((".git", "build"))]


def old_names() -> tuple[int, list[str]]:
    found, checked = [], 0
    for name in files():
        path = ROOT / name
        if name == "tests/lint/package_names.py" or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        checked += 1
        if "skillhost" in text:
            found += [f"{name}:{number}: {line.strip()[:160]}: the package is called {NAME}"
                      for number, line in enumerate(text.splitlines(), 1)
                      if any(form.search(line) for form in FORMS) and not ALLOWED.search(line)]
    return checked, found


def read_json(name: str) -> Any:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def metadata_faults() -> list[str]:
    faults = []

    def wants(what: str, said: object, wanted: object) -> None:
        if said != wanted:
            faults.append(f"{what} is {said!r}, not {wanted!r}")

    server = read_json("packaging/server.json")
    wants("server.json: packages", [(one["registryType"], one["identifier"], one["transport"]) for one in server["packages"]],
          [(kind, NAME, {"type": "stdio"}) for kind in ("pypi", "npm")])
    if not re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"]):
        faults.append(f"server.json: name {server['name']!r} is not NAMESPACE/NAME")
    if not 1 <= len(server["description"]) <= 100:
        faults.append("server.json: the registry takes descriptions of 1 to 100 characters")
    launcher, platform = read_json("packaging/npm/launcher/package.json"), read_json("packaging/npm/platform/package.json")
    wants("npm/launcher: name", launcher["name"], NAME)
    wants("npm/launcher: bin", set(launcher["bin"]), {NAME, "skillhost"})
    wants("npm/launcher: optionalDependencies", list(launcher["optionalDependencies"]), PLATFORMS)
    wants("npm/platform: name", platform["name"], f"{NAME}-linux-CPU")
    page = (ROOT / "packaging/wheel/README.md").read_text(encoding="utf-8")
    wants("wheel/README.md: mcp-name", re.findall(r"mcp-name: (\S+)", page), [server["name"]])
    for name, starts in (("wheel/README.md", "uvx"), ("npm/launcher/README.md", "npx")):
        text = (ROOT / "packaging" / name).read_text(encoding="utf-8")
        entries = [json.loads(block)["mcpServers"]["skillhost"] for block in re.findall(r"```json\n(.*?)```", text, re.S)]
        if not any(entry["command"] == starts and NAME in entry["args"] for entry in entries):
            faults.append(f"packaging/{name} has no configuration of a client that starts {starts} {NAME}")
    if "not ours" not in (ROOT / "doc/install.md").read_text(encoding="utf-8"):
        faults.append("doc/install.md does not say that the package skillhost on PyPI is not ours")
    return faults


def self_test() -> list[str]:
    """Checks that the patterns find the wrong names, and do not match the program's own name."""
    bad = ("uvx skillhost --help", "npx -y skillhost", "pip install skillhost", "npm install -g skillhost", "`uv tool install skillhost`",
           '"command": "npx", "args": ["-y", "skillhost", "--x"]', '"uvx", "args": ["skillhost"]', "node_modules/@skillhost/linux-x64",
           "./skillhost-0.1.0.tgz", "python -m skillhost", "pip install 'skillhost==1'")
    good = ("uvx skillhost-mcp --help", "npx -y skillhost-mcp", "uvx --from ./skillhost_mcp-0.1.0-py3-none.whl skillhost-mcp",
            "skillhost-0.1.0-linux-x86_64.tar.zst", "apt-get install skillhost", "python -m skillhost_mcp", '"command": "skillhost"')
    return ([f"not found: {line}" for line in bad if not any(form.search(line) for form in FORMS)]
            + [f"found wrongly: {line}" for line in good if any(form.search(line) for form in FORMS)])


def main() -> int:
    checked, found = old_names()
    faults = self_test() + found + metadata_faults()
    print("\n".join([*faults, f"{checked} files, {len(faults)} faults"]))
    return 1 if faults or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
