#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what keeps host/ from being a small server at today's figures or lower.

minimal_host.py [--root DIR] [--list] [--write]

The figures, which tests/lint/minimal_host.json keeps:
  code                    lines of host/ that are neither blank nor comment
  includes of NAME        #include lines of the core that name a header of the feature NAME
  names of NAME           files of the core whose code names the feature NAME
  set later               comments that demand a call before the first session, request, message or call

The core is what remains of host/ without the features, and without the command line, which serves nothing. A figure that is higher than
the kept one is a failure (exit code 1). Where all are equal or lower, --write keeps the lower ones. --list prints what is counted."""
import argparse
import json
import re
import sys
from os.path import commonprefix
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = (".c", ".cpp", ".h", ".hpp")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
LATER = re.compile(r"//.*\bbefore the first (session|request|message|call)\b", re.IGNORECASE)
# Each feature that is to become removable has the files of host/ that are its own (None: it has left host/, which
# cannot include it), and the names by which others know it.
FEATURES = {
    "audit_file": (None, r"\bAuditFile\b"),
    "console": (None, r"\b[cC]onsole(Page|Files|Settings)?\b"),
    "lock": (None, r"\b(LockedSources?|SkillsLock)\b"),
    "prometheus": (None, r"\b(MetricsEndpoint|MetricsListener|MetricsRoute|prometheusText)\b"),
    "publishing": (None, r"\b(Published\w*|Publishing\w*|Publisher)\b"),
    "review": (None, r"\b(Reviews|ReviewedSource|Withdrawals|reviewBy)\b"),
    "state": (r"state/|app/shared_state|access/shared_answers|runtime/.*shared_rates|mcp/.*source_notices", r"\b(SharedState|SharedAnswers|SharedRates|SourceNotices)\b"),
    "telemetry": (None, r"\b(Telemetry\w*|Exporter)\b"),
    "usage": (None, r"\bUsage(Recorder|Reader|Settings|Invocation|Question|Report)\b"),
    "versions": (None, r"\bVersion(Recorder|Settings|History|Resources)\b"),
    "webhooks": (None, r"\b(Webhooks|[wW]ebhookSecrets?)\b"),
}
COMMANDS = re.compile(r"app/command_line/")


def code_of(text):
    """Returns the lines that are neither blank nor comment."""
    return [line for line in text.splitlines() if line.strip() and not line.strip().startswith("//")]


def included(files, path, name):
    """Returns the file of host/ that the file `path` means by `name`: the nearest one of those whose path ends so;
    None: none of host/."""
    ends = [one for one in files if one == name or one.endswith("/" + name)]
    return max(ends, key=lambda one: len(commonprefix((one, path))), default=None)


def unowned(root):
    """Returns the features without a file in host/, because their pattern is wrong or they have left it."""
    paths = [str(path.relative_to(root / "host")) for path in (root / "host").rglob("*") if path.suffix in SUFFIXES]
    return [name for name, (own, _) in FEATURES.items() if own and not any(re.match(own, path) for path in paths)]


def measure(root):
    """Returns {figure: the counted places}; the value of "code" is a number."""
    host = root / "host"
    files = {str(path.relative_to(host)): path.read_text(encoding="utf-8")
             for path in sorted(host.rglob("*")) if path.suffix in SUFFIXES and path.is_file()}
    owners = {path: next((name for name, (own, _) in FEATURES.items() if own and re.match(own, path)), None) for path in files}
    figures = {"code": 0, "set later": []}
    for name, (own, _) in FEATURES.items():
        if own:
            figures[f"includes of {name}"] = []
        figures[f"names of {name}"] = []
    for path, text in files.items():
        code = code_of(text)
        figures["code"] += len(code)
        figures["set later"] += [f"{path}: {line.strip()}" for line in text.splitlines() if LATER.search(line)]
        if owners[path] or COMMANDS.match(path):
            continue
        for line in code:
            found = INCLUDE.match(line)
            owner = found and owners.get(included(files, path, found[1]))
            if owner:
                figures[f"includes of {owner}"].append(f"{path}: {found[1]}")
        words = "\n".join(line for line in code if not INCLUDE.match(line))
        for name, (_, names) in FEATURES.items():
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
    gone = unowned(ROOT) if given.root == ROOT else []
    for name in gone:
        print(f"error: no file of host/ belongs to {name}: mend its pattern in FEATURES, or take it out.", file=sys.stderr)
    return 1 if higher or gone or (missing and not given.write) else 0


if __name__ == "__main__":
    sys.exit(main())
