#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints measures of the code's structure, to compare before and after a change of it.

structure.py [--build DIR] [--list] [--root DIR]

It reads host, isolation, plugins, plugin-api, programs and subprojects. For each folder it prints the number of files
and lines. It counts the headers with one user besides their own source, the includes per file, the abstract classes
with one implementation, and the passages of six lines or more that occur twice. It also counts the steps of each walk
in doc/architecture.md, and with --build the libraries of the server. --list prints what is counted. It judges nothing,
and always exits with 0."""
import argparse
import collections
import re
import subprocess
from pathlib import Path

FOLDERS = ("host", "isolation", "plugins", "plugin-api", "programs", "subprojects")
SUFFIXES = (".c", ".cpp", ".h", ".hpp")
PASSAGE = 6  # lines
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
ABSTRACT = re.compile(r"^(?:class|struct) (?:\w+ )?(\w+)[^;{]*\{(.*?)^\};", re.MULTILINE | re.DOTALL)
DERIVED = re.compile(r"\b(?:class|struct) (\w+)(?: final)?\s*:\s*([^{]+)\{")


def sources(root):
    """Returns {path below the root: text} of the delivered sources."""
    return {path.relative_to(root): path.read_text(encoding="utf-8")
            for folder in FOLDERS for path in sorted((root / folder).rglob("*"))
            if path.suffix in SUFFIXES and path.is_file()}


def folders(files):
    """Returns [(folder, files, lines)], two levels deep."""
    counts = collections.defaultdict(lambda: [0, 0])
    for path, text in files.items():
        count = counts["/".join(path.parts[:-1][:2])]
        count[0] += 1
        count[1] += len(text.splitlines())
    return [(folder, *count) for folder, count in sorted(counts.items())]


def included(files):
    """Returns {header: the files that include it, except its own source}, and the number of includes. The end of its
    path identifies the header."""
    by_name = collections.defaultdict(list)
    for path in files:
        by_name[path.name].append(path)
    users, includes = {path: set() for path in files if path.suffix in (".h", ".hpp")}, 0
    for path, text in files.items():
        for _, name in INCLUDE.findall(text):
            includes += 1
            near = path.parent / name
            ends = [near] if near in files else [one for one in by_name[name.split("/")[-1]]
                                                 if "/" not in name or str(one).endswith("/" + name)]
            for one in ends:
                if one in users and one.with_suffix("") != path.with_suffix(""):
                    users[one].add(path)
    return users, includes


def lone_implementations(files):
    """Returns (interface, implementation) of abstract classes from which one class derives, without tests."""
    interfaces, derived = set(), collections.defaultdict(set)
    for text in files.values():
        interfaces.update(name for name, body in ABSTRACT.findall(text) if re.search(r"\)[\w\s]*= 0;", body))
        for name, bases in DERIVED.findall(text):
            for base in re.findall(r"(\w+)(?:<[^>]*>)?\s*(?:,|$)", bases.strip()):
                derived[base].add(name)
    return sorted((name, *derived[name]) for name in interfaces if len(derived[name]) == 1)


def telling(text):
    """Returns [(number, line)] without lines that have no meaning of their own: blanks, comments, includes, lone
    punctuation."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        line = " ".join(line.split())
        if re.search(r"\w{2}", line) and not line.startswith(("//", "#include", "/*", "*")):
            lines.append((number, line))
    return lines


def repeated(files):
    """Returns [(path, first line, path, first line, lines)] of the longest passages that stand in two places."""
    lines = {path: telling(text) for path, text in files.items()}
    places = collections.defaultdict(list)
    for path, own in lines.items():
        for at in range(len(own) - PASSAGE + 1):
            places[tuple(line for _, line in own[at:at + PASSAGE])].append((path, at))
    pairs = set()
    for same in places.values():
        if 1 < len(same) <= 8:  # a line in more places is mere form
            pairs.update((a, b) for i, a in enumerate(same) for b in same[i + 1:])
    runs = []
    for (path, at), (other, there) in sorted(pairs):
        if ((path, at - 1), (other, there - 1)) in pairs:
            continue  # a part of the run before
        length = 1
        while ((path, at + length), (other, there + length)) in pairs:
            length += 1
        runs.append((path, lines[path][at][0], other, lines[other][there][0], length + PASSAGE - 1))
    return sorted(runs, key=lambda run: -run[4])


def walks(root):
    """Returns {walk: number of steps} of the page on the architecture."""
    page = (root / "doc/architecture.md").read_text(encoding="utf-8")
    return {title: len(re.findall(r"^\| \d+ \|", text, re.MULTILINE))
            for title, text in re.findall(r"^## Walk: ([^\n]+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--build", type=Path, help="build folder whose server is measured")
    parser.add_argument("--list", action="store_true")
    wanted = parser.parse_args()
    files = sources(wanted.root)

    def figure(name, value, those=()):
        print(f"{value:>8}  {name}")
        if wanted.list:
            for one in those:
                print(f"{'':10}{one}")
    for folder, count, lines in folders(files):
        print(f"{count:>8} {lines:>7}  {folder}")
    lines = sum(len(text.splitlines()) for text in files.values())
    print(f"{len(files):>8} {lines:>7}  in all")
    host = [text for path, text in files.items() if path.parts[0] == "host"]
    print(f"{len(host):>8} {sum(len(text.splitlines()) for text in host):>7}  of the server\n")
    users, includes = included(files)
    figure("headers", len(users))
    figure("headers with one user besides their own source", sum(len(by) == 1 for by in users.values()),
           (f"{header} by {next(iter(by))}" for header, by in users.items() if len(by) == 1))
    figure("headers with none", sum(not by for by in users.values()), (header for header, by in users.items() if not by))
    figure("includes a file", f"{includes / len(files):.1f}")
    lone = lone_implementations(files)
    figure("abstract classes with one implementation", len(lone), (f"{name}: {own}" for name, own in lone))
    runs = repeated(files)
    figure(f"passages of {PASSAGE} lines or more that stand twice", len(runs),
           (f"{a}:{first} {b}:{second} ({count} lines)" for a, first, b, second, count in runs))
    for title, steps in walks(wanted.root).items():
        figure(f"steps of the walk: {title}", steps)
    if wanted.build:
        server = wanted.build / "host/skillhost"
        needed = re.findall(r"NEEDED.*\[(.+)\]", subprocess.run(["readelf", "-d", server], check=True, capture_output=True, text=True).stdout)
        loaded = subprocess.run(["ldd", server], check=True, capture_output=True, text=True).stdout.splitlines()
        figure("libraries that the server names", len(needed), needed)
        figure("libraries that are loaded with it", len(loaded))


if __name__ == "__main__":
    main()
