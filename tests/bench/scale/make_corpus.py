#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes many skills of one file each out of real ones: make_corpus.py FOLDER COUNT ARCHIVE.tar.gz...

Each is a SKILL.md of the archives with another name and its sentences in another order, so that words are as
frequent as in real texts and no two texts are the same. The skills are the same every time."""
import random
import re
import sys
import tarfile
from pathlib import Path

A_FOLDER = 1000  # skills


def originals(archives):
    """Returns (name, front matter without the name, body) of every SKILL.md, in order of its path."""
    found = {}
    for archive in archives:
        with tarfile.open(archive) as tar:
            for member in tar:
                if member.isfile() and member.name.endswith("/SKILL.md"):
                    found[member.name] = tar.extractfile(member).read().decode("utf-8", "replace")
    for path, text in sorted(found.items()):
        match = re.match(r"---\r?\n(.*?)\r?\n---\r?\n(.*)", text, re.DOTALL)
        if match:
            head = "\n".join(line for line in match[1].splitlines() if not line.startswith("name:"))
            name = re.sub(r"[^a-z0-9]+", "-", path.split("/")[-2].lower()).strip("-")[:50]
            yield name, head, match[2]


def shuffled(source, body):
    """Returns its sentences, which end at a full stop or a line, in another order."""
    sentences = re.split(r"(?<=[.!?])\s+|\n+", body)
    source.shuffle(sentences)
    return "\n".join(sentences)


def main():
    root, count, archives = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    source = random.Random(20261125)
    texts = list(originals(archives))
    if not texts:
        sys.exit(f"no SKILL.md in {archives}")
    for number in range(count):
        name, head, body = texts[number % len(texts)]
        name = f"{name}-{number}"
        folder = root / f"part-{number // A_FOLDER:03}" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: {name}\n{head}\n---\n{shuffled(source, body)}\n")


if __name__ == "__main__":
    main()
