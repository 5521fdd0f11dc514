#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every file that names the version of a release names that of meson.build, that the newest dated section
of the changelog is about it, and that the program prints it. release_version.py SKILLHOST [ROOT]"""

import datetime
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).resolve().parent.parent.parent)
NUMBER = r"(\d+\.\d+\.\d+)"
# Each pattern must match at least once, so that a rewritten line does not escape the check.
PLACES = {
    "console/src/mcp/client.ts": [rf"clientInfo = .*version: '{NUMBER}'"],
    "examples/deploy/helm/skillhost/Chart.yaml": [rf"(?m)^version: {NUMBER}$", rf'(?m)^appVersion: "{NUMBER}"$'],
    "examples/deploy/kubernetes/deployment.yaml": [rf"image: \S+/skillhost:{NUMBER}"],
    "examples/deploy/kubernetes/kustomization.yaml": [rf"newTag: {NUMBER}"],
    "doc/install.md": [rf"skillhost_mcp-{NUMBER}", rf"skillhost-mcp-{NUMBER}", rf"skillhost-mcp-linux-x64-{NUMBER}",
                       rf"skillhost-{NUMBER}-linux"],
    "doc/deploy.md": [rf"`{NUMBER}~git", rf"sorts below `{NUMBER}`"],
}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def named() -> list[tuple[str, str]]:
    """Returns every place with the version that it names; without one, an empty version."""
    found = []
    server, package, lock = (json.loads(read(name)) for name in ("packaging/server.json", "console/package.json", "console/package-lock.json"))
    found += [("packaging/server.json", one["version"]) for one in (server, *server["packages"])]
    found += [("console/package.json", package["version"])]
    found += [("console/package-lock.json", one["version"]) for one in (lock, lock["packages"][""])]
    for name, patterns in PLACES.items():
        for pattern in patterns:
            found += [(name, version) for version in re.findall(pattern, read(name)) or [""]]
    section = re.search(r"(?m)^## \[" + NUMBER + r"\] - (\S+)$", read("CHANGELOG.md"))
    found.append(("CHANGELOG.md", section[1] if section else ""))
    if section:
        datetime.date.fromisoformat(section[2])
    said = subprocess.run([sys.argv[1], "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
    found.append(("skillhost --version", "".join(re.findall(rf"^skillhost {NUMBER}\b", said))))
    return found


def main() -> int:
    match = re.search(rf"(?m)^ *version: '{NUMBER}'", read("meson.build"))
    assert match
    places = named()
    faults = [f"{name}: names {version or 'no version'}, and meson.build {match[1]}" for name, version in places if version != match[1]]
    print("\n".join([*faults, f"{len(places)} places, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
