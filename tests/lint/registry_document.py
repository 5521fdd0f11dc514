#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks packaging/server.json, the document for the MCP registry, against the rules of the registry's schema of
2025-12-11. registry_document.py [FILE]

The schema accepts members that it does not name. This check refuses them, because they are typing errors here."""

import copy
import json
import re
import sys
from pathlib import Path
from typing import Any

FILE = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "packaging/server.json")
SCHEMA = r"https://static\.modelcontextprotocol\.io/schemas/2025-12-11/server\.schema\.json"
ADDRESS, VERSION = r"https://[^\s/?#]+(/\S*)?", r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?"
# A rule is the pattern of a whole text, the type of a value, the members of an object, or a list with the rule of each
# item. "!" marks a member that an object must have.
ARGUMENT = {"!type": "named|positional", "name": r"\S+", "value": ".+", "valueHint": ".+", "description": ".+", "default": ".*", "placeholder": ".*",
            "format": "string|number|boolean|filepath", "choices": [".*"], "isRequired": bool, "isSecret": bool, "isRepeated": bool}
VARIABLE = {"!name": r"\w+"} | {name: rule for name, rule in ARGUMENT.items() if name not in ("!type", "name", "valueHint", "isRepeated")}
PACKAGE = {"!registryType": "npm|pypi|oci|nuget|mcpb", "!identifier": r"\S+", "!transport": {"!type": "stdio"}, "registryBaseUrl": ADDRESS,
           "version": VERSION, "fileSha256": "[a-f0-9]{64}", "runtimeHint": "npx|uvx|docker|dnx",
           "runtimeArguments": [ARGUMENT], "packageArguments": [ARGUMENT], "environmentVariables": [VARIABLE]}
DOCUMENT = {"!$schema": SCHEMA, "!name": r"(?=.{3,200}$)[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", "!description": ".{1,100}", "!version": VERSION,
            "title": ".{1,100}", "websiteUrl": ADDRESS, "repository": {"!url": ADDRESS, "!source": r"\S+", "id": r"\S+", "subfolder": r"[^/\s]\S*"},
            "packages": [PACKAGE]}


def faults_of(value: Any, rule: Any, where: str) -> list[str]:
    """Returns a sentence for each place that breaks the rule."""
    if isinstance(rule, str):
        fits = isinstance(value, str) and re.fullmatch(rule, value) is not None
        return [] if fits else [f"{where} is {value!r}, which does not match {rule}"]
    if isinstance(rule, list):
        if not isinstance(value, list):
            return [f"{where} is no list"]
        return [fault for place, one in enumerate(value) for fault in faults_of(one, rule[0], f"{where}[{place}]")]
    if not isinstance(rule, dict):
        return [] if isinstance(value, rule) else [f"{where} is {value!r}, which is no {rule.__name__}"]
    if not isinstance(value, dict):
        return [f"{where} is no object"]
    members = {name.removeprefix("!"): part for name, part in rule.items()}
    found = [f"{where} lacks {name[1:]}" for name in rule if name.startswith("!") and name[1:] not in value]
    found += [f"{where} has the unknown member {name}" for name in value if name not in members]
    if rule is ARGUMENT:
        needed = ("name",) if value.get("type") == "named" else ("value", "valueHint")
        if not any(name in value for name in needed):
            found.append(f"{where} lacks {' or '.join(needed)}")
    return found + [fault for name, one in value.items() if name in members for fault in faults_of(one, members[name], f"{where}.{name}")]


def self_test(document: dict[str, Any]) -> list[str]:
    """Checks that each of these changes makes the document wrong."""
    changes: list[tuple[tuple[str | int, ...], Any]] = [
        (("$schema",), "https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json"), (("name",), "skillhost"),
        (("name",), "a/" + "b" * 199), (("description",), "x" * 101), (("version",), "^1.2.3"), (("title",), ""), (("websiteUrl",), "skillhost"),
        (("repository",), {"url": "https://skillhost.invalid/"}), (("packages",), {}), (("packages", 0, "version"), "latest"),
        (("packages", 0, "transport"), {"type": "http"}), (("packages", 0, "registry_type"), "pypi"), (("packages", 0, "identifier"), None),
        (("packages", 0, "packageArguments", 0, "isRequired"), "false"), (("packages", 0, "packageArguments", 0, "format"), "path"),
        (("packages", 0, "packageArguments", 0), {"type": "named"}), (("packages", 0, "packageArguments", 0), {"type": "positional"})]
    missed = []
    for path, value in changes:
        changed: Any = copy.deepcopy(document)
        place = changed
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = value
        if not faults_of(changed, DOCUMENT, "server.json"):
            missed.append(f"not found: {'.'.join(map(str, path))} = {value!r}")
    return missed


def main() -> int:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    faults = faults_of(document, DOCUMENT, "server.json")
    faults = faults or self_test(document)
    print("\n".join([*faults, f"{len(document.get('packages', []))} packages, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
