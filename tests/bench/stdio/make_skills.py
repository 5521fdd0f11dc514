#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a folder of skills to measure with: make_skills.py FOLDER COUNT. The words are the same every time;
one skill, five-kilobytes, has a SKILL.md of exactly 5,120 bytes."""
import random
import sys
from pathlib import Path

WORDS = ("report invoice deploy cluster review commit branch kernel latency budget summary chart protein "
         "genome table query index schema token session browser layout colour contract clause translate "
         "speech image pixel filter signal matrix vector solver proof lemma recipe garden travel ticket").split()


def text(source, size):
    """Returns Markdown of about `size` characters."""
    lines = []
    while sum(map(len, lines)) < size:
        lines.append(" ".join(source.choices(WORDS, k=source.randint(6, 16))).capitalize() + ".\n")
        if source.random() < 0.1:
            lines.append(f"\n## {source.choice(WORDS).capitalize()}\n\n")
    return "".join(lines)


def write(folder, name, source, size):
    description = "Use for " + ", ".join(source.choices(WORDS, k=20)) + "."
    head = f"---\nname: {name}\ndescription: {description}\n---\n# {name}\n\n"
    body = (head + text(source, size))[:size] if size else head
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(body)
    (folder / "references").mkdir()
    for number in range(source.randint(0, 4)):
        (folder / "references" / f"part-{number}.md").write_text(text(source, 1500))


def main():
    root, count = Path(sys.argv[1]), int(sys.argv[2])
    source = random.Random(20261121)
    write(root / "five-kilobytes", "five-kilobytes", source, 5120)
    for number in range(count - 1):
        name = f"{source.choice(WORDS)}-{source.choice(WORDS)}-{number}"
        write(root / name, name, source, int(min(60000, source.lognormvariate(9, 0.7))))


if __name__ == "__main__":
    main()
