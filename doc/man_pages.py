#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes skillhost.1 from the help of every command, and skillhost.yaml.5 from the table of keys.

usage: man_pages.py SKILLHOST VERSION FOLDER
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ENTRY = re.compile(r"^  (\S+(?: \S+)*)(?: {2,}(\S.*))?$")


def said(skillhost, *arguments):
    """Returns the output of the program, without any influence of the user's configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SKILLHOST_", "XDG_", "MCP_"))}
    done = subprocess.run([skillhost, *arguments], env={**kept, "HOME": "/nonexistent"}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True, encoding="utf-8", timeout=60, check=True)
    return done.stdout


def roff(text):
    """Returns a text as a line of roff, with `code` in bold."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]+)`", r"\\fB\1\\fR", text)
    return "\\&" + text if text.startswith((".", "'")) else text


def quoted(text):
    """Returns a text as the argument of a macro."""
    return '"' + roff(text).replace('"', "\\(dq") + '"'


def option_name(name):
    """Returns the name of an option in bold, with its argument in italics."""
    words = []
    for word in name.split(" "):
        bare = word.rstrip(",")
        font = "B" if bare.startswith("-") or bare.islower() else "I"
        words.append(f"\\f{font}{roff(bare)}\\fR{word[len(bare):]}")
    return " ".join(words)


class Help:
    """The help of one command: its first text, its usage, and its sections of entries or lines."""

    def __init__(self, text):
        self.about, self.usage, self.sections, self.notes = [], [], [], []
        section = None
        for line in text.splitlines():
            if line.startswith("Usage: ") or (self.usage and line.startswith("       ") and section is None):
                self.usage.append(line[7:].strip())
            elif line and not line.startswith(" ") and line.endswith(":"):
                section = (line[:-1], [])
                self.sections.append(section)
            elif line.startswith("  ") and section is not None:
                section[1].append(line)
            elif line:
                (self.notes if self.usage else self.about).append(line)

    def entries(self, lines):
        """Returns the entries in the lines of a section as pairs of a name and a text."""
        out = []
        for line in lines:
            entry = ENTRY.match(line)
            if entry and not line.startswith("   "):
                out.append([entry[1], entry[2] or ""])
            else:
                out[-1][1] = (out[-1][1] + " " + line.strip()).strip()
        return out

    def commands(self):
        return [name for title, lines in self.sections if title == "Commands" for name, _ in self.entries(lines)]


def paragraphs(page, lines):
    for line in lines:
        page += [".PP", roff(line)]


def sections(page, found):
    for title, lines in found.sections:
        name = re.sub(r"\s*\(.*\)$", "", title)
        page.append(f".SH {quoted(name.upper())}")
        if title in ("Examples", "Exit codes"):
            page += [".nf", *(roff(line[2:]) for line in lines), ".fi"]
        else:
            for entry, text in found.entries(lines):
                page += [".TP", option_name(entry), roff(text)]


def walk(skillhost, names):
    """Yields the help of a command and of all its subcommands."""
    found = Help(said(skillhost, *names, "--help"))
    yield names, found
    for name in found.commands():
        yield from walk(skillhost, [*names, name])


def program_page(skillhost, version):
    whole = list(walk(skillhost, []))
    _, top = whole[0]
    page = [f'.TH SKILLHOST 1 "" {quoted("skillhost " + version)} "User Commands"', ".nh", ".SH NAME",
            "skillhost \\- a server of Agent Skills for MCP clients", ".SH SYNOPSIS"]
    for line in top.usage:
        page += [roff(line), ".br"]
    page.append(".SH DESCRIPTION")
    paragraphs(page, top.about)
    sections(page, top)
    page.append(".SH \"EACH COMMAND\"")
    for names, found in whole[1:]:
        name = " ".join(names)
        page.append(f".SS {quoted('skillhost ' + name)}")
        paragraphs(page, found.usage)
        paragraphs(page, found.about)
        for title, lines in found.sections:
            if title == "Commands":
                continue
            for entry, text in found.entries(lines):
                if entry != "-h, --help":
                    page += [".TP", option_name(entry), roff(text)]
        paragraphs(page, found.notes)
    page += [".SH FILES", ".TP", roff("skillhost/skillhost.yaml"),
             roff("In $XDG_CONFIG_HOME or ~/.config: the configuration, without --config."),
             ".SH \"SEE ALSO\"", ".BR skillhost.yaml (5)"]
    return "\n".join(page) + "\n"


def cells(line):
    return [re.sub(r"\\\|", "|", cell.strip()) for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def configuration_page(skillhost, version):
    rows = [cells(line) for line in said(skillhost, "--example-config=markdown").splitlines() if line.startswith("| `")]
    if not rows or any(len(row) != 5 for row in rows):
        raise ValueError("--example-config=markdown is no table of five columns")
    page = [f'.TH SKILLHOST.YAML 5 "" {quoted("skillhost " + version)} "File Formats"', ".nh", ".SH NAME",
            "skillhost.yaml \\- configuration of skillhost", ".SH DESCRIPTION",
            roff("YAML or JSON. The command line wins over the environment, that over this file, that over the defaults. "
                 "A dot in the name of a key stands for a map in a map, [] for an entry of a list. "
                 "A value may name a secret instead of holding it: ${env:NAME}, ${file:PATH}."), ".PP",
            roff("`skillhost --example-config` prints every key with its default; the output loads as it is."),
            ".SH KEYS"]
    for key, kind, default, elsewhere, meaning in rows:
        page += [".TP", roff(key), roff(meaning)]
        said_besides = [f"Type: {kind}."] + [f"Default: {default}."] * bool(default) + [f"Also: {elsewhere}."] * bool(elsewhere)
        page += [".br", roff(" ".join(said_besides))]
    page += [".SH \"SEE ALSO\"", ".BR skillhost (1)"]
    return "\n".join(page) + "\n"


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    skillhost, version, folder = arguments
    for name, made in (("skillhost.1", program_page), ("skillhost.yaml.5", configuration_page)):
        (Path(folder) / name).write_text(made(skillhost, version), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
