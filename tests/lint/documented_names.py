#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the names in the manual: the commands, options and keys in README.md and doc/ must be those of the program.
The README must have every command, and doc/monitoring.md every metric.

usage: documented_names.py SKILLHOST
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The pages mention these options of other programs.
FOREIGN = {"--base", "--cap-drop", "--debug-symbols", "--dangerously-skip-permissions", "--from", "--cflags", "--health-cmd", "--libs", "--map-root-user", "--now", "--packages", "--path", "--prefix", "--read-only", "--rebase", "--rm",
           "--tmpfs", "--version-script", "--with"}
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
COMMAND = re.compile(r"(?:`|host/)skillhost ([a-z][a-z-]+)")
METRIC = re.compile(r'"(skillhost_[a-z_]+)"')
# The words of the README's table stand in the code of its first cells.
ROW = re.compile(r"^\| (`.*?) \|", re.M)


def said(skillhost, *arguments):
    return subprocess.run([skillhost, *arguments], stdout=subprocess.PIPE, text=True, encoding="utf-8", timeout=60,
                          check=True).stdout


def problems(skillhost):
    script = re.sub(r"(?m)^\s*#.*$", "", said(skillhost, "completion", "bash"))
    options = set(OPTION.findall(script)) | FOREIGN
    commands = {path.split()[0] for path in re.findall(r"path=' ([a-z -]+)'", script)}
    schema = json.loads(said(skillhost, "--config-schema"))
    groups = {name: set(value["properties"]) for name, value in schema["properties"].items() if "properties" in value}
    key = re.compile(rf"`({'|'.join(groups)})\.([a-z_]+)`")
    if len(options) < 60 or len(commands) < 20 or len(groups) < 5:
        yield "the program says too little of itself"
    for page in [ROOT / "README.md", *sorted((ROOT / "doc").glob("*.md"))]:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{page.relative_to(ROOT)}:{number}"
            for name in OPTION.findall(line):
                if name not in options:
                    yield f"{where}: there is no option {name}"
            for name in COMMAND.findall(line):
                if name not in commands:
                    yield f"{where}: there is no command {name}"
            for group, name in key.findall(line):
                if name not in groups[group]:
                    yield f"{where}: there is no key {group}.{name}"
    rows = " ".join(ROW.findall((ROOT / "README.md").read_text(encoding="utf-8")))
    for name in sorted(commands):
        if not re.search(rf"(?<![\w-]){name}(?![\w-])", rows):
            yield f"the table of commands in README.md lacks {name}"


def metric_problems():
    sources = [file for part in ("host", "isolation", "plugins", "subprojects") for file in (ROOT / part).rglob("*.?pp") if "tests" not in file.parts]
    there = {name for file in sources for name in METRIC.findall(file.read_text(encoding="utf-8"))}
    there = {name for name in there if not name.endswith("_")}  # drop the beginnings of names
    listed = set(re.findall(r"`(skillhost_[a-z_]+)`", (ROOT / "doc" / "monitoring.md").read_text(encoding="utf-8")))
    if not there:
        yield "no source has a metric"
    for name in sorted(there - listed):
        yield f"doc/monitoring.md lacks the metric {name}"
    for name in sorted(listed - there):
        yield f"doc/monitoring.md has a metric that there is not: {name}"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = [*problems(arguments[0]), *metric_problems()]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
