#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what keeps host/ from being a small server. The measures must not rise.

minimal_host.py [--root DIR] [--list] [--write]

tests/lint/minimal_host.json keeps these measures:
  code                    lines of host/ that are neither blank nor comment
  names of NAME           files of the core whose code names the feature NAME
  set later               comments that demand a call before the first session, request, message or call

The core is host/ without the command line, which serves nothing. Features are not part of host/, which cannot include
them. If a measure is higher than in the file, the exit code is 1. If none is higher, --write stores the lower ones.
--list prints the places that are counted."""
import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = (".c", ".cpp", ".h", ".hpp")
INCLUDE = re.compile(r'^\s*#\s*include\b')
LATER = re.compile(r"//.*\bbefore the first (session|request|message|call)\b", re.IGNORECASE)
# The names by which other folders refer to each feature.
FEATURES = {
    "audit_file": r"\bAuditFile\b",
    "console": r"\b[cC]onsole(Page|Files|Settings)?\b",
    "lock": r"\b(LockedSources?|SkillsLock)\b",
    "prometheus": r"\b(MetricsEndpoint|MetricsListener|MetricsRoute|prometheusText)\b",
    "publishing": r"\b(Published\w*|Publishing\w*|Publisher)\b",
    "review": r"\b(Reviews|ReviewedSource|Withdrawals|reviewBy)\b",
    "server_card": r"\bServerCard\w*",
    "state": r"\bSharedState\w*",
    "telemetry": r"\b(Telemetry\w*|Exporter)\b",
    "usage": r"\bUsage(Recorder|Reader|Settings|Invocation|Question|Report)\b",
    "versions": r"\bVersion(Recorder|Settings|History|Resources)\b",
    "webhooks": r"\b(Webhooks|[wW]ebhookSecrets?)\b",
}
COMMANDS = re.compile(r"app/command_line/")


def code_of(text):
    """Returns the lines that are neither blank nor comment."""
    return [line for line in text.splitlines() if line.strip() and not line.strip().startswith("//")]


def measure(root):
    """Returns {measure: the counted places}; the value of "code" is a number."""
    host = root / "host"
    files = {str(path.relative_to(host)): path.read_text(encoding="utf-8")
             for path in sorted(host.rglob("*")) if path.suffix in SUFFIXES and path.is_file()}
    figures = {"code": 0, "set later": []} | {f"names of {name}": [] for name in FEATURES}
    for path, text in files.items():
        code = code_of(text)
        figures["code"] += len(code)
        figures["set later"] += [f"{path}: {line.strip()}" for line in text.splitlines() if LATER.search(line)]
        if COMMANDS.match(path):
            continue
        words = "\n".join(line for line in code if not INCLUDE.match(line))
        for name, names in FEATURES.items():
            if re.search(names, words):
                figures[f"names of {name}"].append(path)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    kept_in = given.root / "tests/lint/minimal_host.json"
    kept = json.loads(kept_in.read_text(encoding="utf-8")) if kept_in.exists() else {}
    places = measure(given.root)
    figures = {name: value if isinstance(value, int) else len(value) for name, value in places.items()}
    higher = []
    for name, value in figures.items():
        print(f"{name:26} {value:6} (at most {kept.get(name, value)})")
        if value > kept.get(name, value):
            higher.append(name)
        if given.list and not isinstance(places[name], int):
            print("".join(f"    {place}\n" for place in places[name]), end="")
    for name in higher:
        print(f"error: {name}: {figures[name]} is more than {kept[name]}, which {kept_in.relative_to(given.root)} keeps. Put what is new "
              "outside of the core of host/, or say in the commit why the figure has to rise and raise it there.", file=sys.stderr)
    missing = [name for name in figures if name not in kept]
    for name in kept.keys() - figures.keys() if not given.write else ():
        missing.append(name)
        print(f"error: {kept_in.relative_to(given.root)} has the figure \"{name}\", which is not measured.", file=sys.stderr)
    for name in missing if not given.write else []:
        print(f"error: {kept_in.relative_to(given.root)} lacks the figure \"{name}\": write it with --write.", file=sys.stderr)
    if given.write and not higher:
        kept_in.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 1 if higher or (missing and not given.write) else 0


if __name__ == "__main__":
    sys.exit(main())
