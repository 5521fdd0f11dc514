#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares all texts that skillhost prints about itself with the files beside this one, byte for byte.

said_test.py SKILLHOST [MAN_PAGE...] [--write]

Code makes the help of every command, the completion for three shells, the example configuration, the
configuration schema, the list of built-in plugins and the manual pages; a change of structure must leave them
unchanged, and an intended change shows in a review as the difference of these files. --write writes them again."""
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHELLS = ("bash", "zsh", "fish")


def said(program, *arguments):
    """Returns the output, independent of this machine: no home, no plugins of others, a known width."""
    with tempfile.TemporaryDirectory() as home:
        environment = {"PATH": os.environ["PATH"], "HOME": home, "COLUMNS": "100", "TZ": "UTC", "LANG": "C.UTF-8"}
        done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
                              timeout=120, env=environment, cwd=home, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"skillhost {' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def plugin_table(text):
    """Returns the list of plugins without the places of their files, which differ from build to build; in the order
    of their names. valkey is built only where hiredis is."""
    return "".join(sorted(re.sub(r"\S*/(\S+\.so)", r"\1", line) + "\n" for line in text.splitlines() if "valkey" not in line))


def versionless(text, version):
    """Returns the text with the version replaced, so that it fits any version."""
    return text.replace(version, "VERSION")


def collect(program, pages):
    """Returns {name of the file: its text}."""
    completions = {shell: said(program, "completion", shell) for shell in SHELLS}
    commands = sorted(set(re.findall(r"path=' ([a-z -]+)'", completions["bash"])))
    assert len(commands) > 30, "the completion for bash no longer tells of the commands"
    version = said(program, "--version").split()[1]
    files = {f"completion.{shell}": text for shell, text in completions.items()}
    files["help.txt"] = "".join(f"$ skillhost {command} --help\n".replace("  ", " ") + said(program, *command.split(), "--help") + "\n"
                                for command in ["", *commands])
    files["example-config.yaml"] = said(program, "--example-config")
    files["config-schema.json"] = said(program, "--config-schema")
    files["plugins.txt"] = plugin_table(said(program, "plugins"))
    for page in pages:
        files[Path(page).name] = versionless(Path(page).read_text(encoding="utf-8"), version)
    return {name: versionless(text, version) if name != "config-schema.json" else text for name, text in files.items()}


def main():
    write = "--write" in sys.argv
    program, *pages = (one for one in sys.argv[1:] if one != "--write")
    failures = 0
    files = collect(os.path.abspath(program), pages)
    # A build with a sanitizer makes no manual pages.
    wanted = {one.name for one in (HERE / "kept").iterdir() if pages or one.name not in ("skillhost.1", "skillhost.yaml.5")}
    for name in sorted(wanted - files.keys()):
        failures += 1
        print(f"failed: nothing says what tests/said/kept/{name} has")
    for name, text in files.items():
        kept = HERE / "kept" / name
        before = kept.read_text(encoding="utf-8") if kept.exists() else ""
        if before == text:
            continue
        if write:
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(text, encoding="utf-8")
            continue
        failures += 1
        difference = list(difflib.unified_diff(before.splitlines(), text.splitlines(), f"kept/{name}", "said now", lineterm=""))
        print(f"failed: {name} is not what tests/said/kept/{name} has; where the change is meant: "
              f"tests/said/said_test.py SKILLHOST MAN_PAGE... --write", *difference[:80], sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
