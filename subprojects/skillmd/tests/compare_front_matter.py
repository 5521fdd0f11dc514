#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads every SKILL.md of a corpus with the host's reader and with PyYAML and compares them.

compare_front_matter.py FRONT_MATTER_DUMP [FOLDER]

Without a folder the corpus is corpora/real-skills.tar.gz below $SKILLHOST_SHARED, or below the
folder `shared` beside the source root. Exits with 77 (skipped) without the corpus or PyYAML,
and with 1 at any difference. Names and descriptions must be equal wherever both readers accept
the document, and the host's quick reader must agree with its complete one in everything."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

SKIPPED = 77
FRONT_MATTER = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^---[ \t]*\r?(?:\n|\Z)", re.S | re.M)


def python_fields(yaml, path):
    """Returns the fields that PyYAML reads, or None. Scalars stay text, because PyYAML types them
    by YAML 1.1."""
    match = FRONT_MATTER.match(path.read_bytes())
    if not match:
        return None
    try:
        fields = yaml.load(match[1].decode("utf-8"), Loader=yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError):
        return None
    return fields if isinstance(fields, dict) else None


def compare(yaml, dump, folder):
    paths = sorted(path for path in folder.rglob("SKILL.md") if path.is_file())
    output = subprocess.run([dump, *map(str, paths)], check=True, stdout=subprocess.PIPE).stdout
    lines = [json.loads(line) for line in output.decode("utf-8").splitlines()]
    assert len(lines) == len(paths), "a document without an answer"
    both = quick = python_only = host_only = differences = 0
    for path, line in zip(paths, lines):
        if "plain" in line:
            quick += 1
            if json.dumps(line["plain"]) != json.dumps(line.get("yaml")):
                differences += 1
                print(f"{path}: the quick reader differs\n  {line['plain']}\n  {line.get('yaml')}")
        theirs = python_fields(yaml, path)
        ours = line.get("fields")
        python_only += theirs is not None and ours is None
        host_only += theirs is None and ours is not None
        if theirs is None or ours is None:
            continue
        both += 1
        for key in ("name", "description"):
            value = ours.get(key)
            if isinstance(value, str) and value != theirs.get(key):
                differences += 1
                print(f"{path}: {key}\n  host   {value!r}\n  PyYAML {theirs.get(key)!r}")
    print(f"{len(paths)} documents: {both} read by both, {quick} of them quickly, "
          f"{python_only} only by PyYAML, {host_only} only by the host, {differences} differences")
    return 1 if differences or not both else 0


def archive_of(name):
    """Returns the path of an archive of skills, which need not exist."""
    root = pathlib.Path(__file__).resolve().parents[3]
    shared = pathlib.Path(os.environ.get("SKILLHOST_SHARED", root.parent / "shared"))
    return shared / "corpora" / f"{name}.tar.gz"


def unpack(archive, folder):
    """Unpacks only the SKILL.md files, because most of an archive is other files."""
    with tarfile.open(archive) as tar:
        members = [member for member in tar.getmembers()
                   if member.isfile() and member.name.rsplit("/")[-1].lower() == "skill.md"]
        if hasattr(tarfile, "data_filter"):
            tar.extractall(folder, members, filter="data")
        else:
            tar.extractall(folder, members)


def main():
    try:
        import yaml
    except ImportError:
        print("PyYAML is not installed")
        return SKIPPED
    dump = sys.argv[1]
    if len(sys.argv) > 2:
        return compare(yaml, dump, pathlib.Path(sys.argv[2]))
    archive = archive_of("real-skills")
    if not archive.is_file():
        print(f"{archive} is not there")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        unpack(archive, folder)
        return compare(yaml, dump, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
