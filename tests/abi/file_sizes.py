#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the lengths of this project's files, and fails if one has more than 800 lines; 400 is a recommendation.
Argument: the root."""
import pathlib
import sys

FOLDERS = ["host", "isolation", "plugins", "plugin-api", "programs", "subprojects", "tests", "examples"]
KINDS = {"sources": {".c", ".cpp"}, "headers": {".h", ".hpp"}}
ADVICE, LIMIT = 400, 800


def line_counts(root, suffixes):
    """Returns [(lines, path)] for every file of the project, shortest first. Build folders in the tree are left out."""
    found = []
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            ours = not any(part.startswith("build") for part in path.relative_to(root).parts[:-1])
            if ours and path.suffix in suffixes and path.is_file():
                found.append((len(path.read_bytes().splitlines()), path.relative_to(root)))
    return sorted(found)


def percentile(ordered, share):
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))][0]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    too_long = []
    print(f"{'':8} {'count':>5} {'lines':>6} {'median':>6} {'p90':>4} {'max':>4}  longest")
    for kind, suffixes in KINDS.items():
        counts = line_counts(root, suffixes)
        if not counts:
            print(f"no {kind} found below {root}")
            return 1
        total, (most, longest) = sum(lines for lines, _ in counts), counts[-1]
        print(f"{kind:8} {len(counts):5} {total:6} {percentile(counts, 0.5):6} "
              f"{percentile(counts, 0.9):4} {most:4}  {longest}")
        print(f"{'':8} {sum(lines > ADVICE for lines, _ in counts)} of more than {ADVICE} lines")
        too_long += [f"{path}: {lines} lines, the limit is {LIMIT}"
                     for lines, path in counts if lines > LIMIT]
    for sentence in too_long:
        print(sentence)
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
