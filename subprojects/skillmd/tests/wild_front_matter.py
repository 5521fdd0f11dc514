#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts how many SKILL.md files below some folders have a description that is served, and finds
misread ones.

wild_front_matter.py FRONT_MATTER_DUMP [--least PERCENT] [FOLDER...]

It counts the files in which a person sees a name and a description before the body. Where PyYAML
accepts the front matter, name and description must be what it reads. Prints both for each folder and
every misread file. Without a folder it reads the archives of skills that compare_front_matter.py
knows. Exits with 1 at a misread file, below PERCENT (97) or without a file; with 77 without PyYAML
or archives."""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from compare_front_matter import archive_of, unpack

SKIPPED = 77
BATCH = 1000
BLOCK = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^---[ \t]*\r?(?:\n|\Z)", re.S | re.M)


def shows(document, key):
    """Returns True if a person sees the field with a value among the first lines."""
    head = document[:20000].decode("utf-8", "replace")
    if not re.match(r"\ufeff?\s*---", head):
        return False
    return re.search(rf"^[ \t]*[\"']?{key}[\"']?[ \t]*:[ \t]*(?:[^\s]|\n[ \t]+\S)", head, re.M) is not None


def read_by_python(yaml, document):
    match = BLOCK.match(document)
    if not match:
        return None
    try:
        fields = yaml.load(match[1].decode("utf-8"), Loader=yaml.BaseLoader)
        yaml.load(match[1].decode("utf-8"), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, TypeError):
        return None
    return fields if isinstance(fields, dict) else None


def read_by_host(dump, paths):
    for start in range(0, len(paths), BATCH):
        batch = list(map(str, paths[start:start + BATCH]))
        answer = subprocess.run([dump, *batch], check=True, stdout=subprocess.PIPE).stdout
        for line in answer.decode("utf-8").split("\n"):
            if line:
                yield json.loads(line)


def measure(yaml, dump, folder):
    paths = sorted(path for path in folder.rglob("*")
                   if path.name.lower() == "skill.md" and path.is_file())
    count = collections.Counter()
    for path, line in zip(paths, read_by_host(dump, paths), strict=True):
        document = path.read_bytes()
        ours, theirs = line.get("fields"), read_by_python(yaml, document)
        described = ours is not None and bool(ours.get("description"))
        count["files"] += 1
        if shows(document, "name") and shows(document, "description"):
            count["counted"] += 1
            count["served"] += described
            if not described:
                print(f"{path}: not served: {(line['findings'] or ['no description'])[0]}")
        if ours is None or theirs is None:
            continue
        count["both"] += 1
        for key in ("name", "description"):
            value = ours.get(key)
            if isinstance(value, str) and value != theirs.get(key):
                count["misread"] += 1
                print(f"{path}: {key}\n  host   {value!r}\n  PyYAML {theirs.get(key)!r}")
    share = 100 * count["served"] / count["counted"] if count["counted"] else 0.0
    print(f"{folder}: {count['files']} files, {count['counted']} with a name and a description, "
          f"{share:.2f} % of them served; {count['both']} read by PyYAML too, "
          f"{count['misread']} misread", flush=True)
    return share, count["misread"]


def main():
    try:
        import yaml
    except ImportError:
        print("PyYAML is not installed")
        return SKIPPED
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("--least", type=float, default=97)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    arguments = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as scratch:
        folders = arguments.folders
        if not folders:
            for archive in filter(pathlib.Path.is_file, map(archive_of, ("real-skills", "more-skills"))):
                folders.append(pathlib.Path(scratch) / archive.name.split(".")[0])
                unpack(archive, folders[-1])
        if not folders:
            print(f"{archive_of('real-skills')} is not there")
            return SKIPPED
        results = [measure(yaml, arguments.dump, folder) for folder in folders]
    return 1 if any(share < arguments.least or wrong for share, wrong in results) else 0


if __name__ == "__main__":
    sys.exit(main())
