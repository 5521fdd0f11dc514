#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the output of plugin-api/abi/print_layout with every frozen layout file beside it.

The current minor must contain each line of an older one, except that structs and
SKH_ABI_MINOR may have grown. The file of the current minor must match line by line."""
import pathlib
import re
import subprocess
import sys


def parse(text):
    """Returns the lines as {(struct, field): words}, in order. Spaces inside a type do not
    count."""
    entries = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split(None, 4)
        if len(words) == 5:
            words[4] = "".join(words[4].split())
        entries[(words[0], words[1])] = words[2:]
    return entries


def may_grow(key):
    return key[1] == "sizeof" or key == ("constant", "SKH_ABI_MINOR")


def broken_promises(frozen, present):
    """Yields a sentence for each part of `frozen` that `present` no longer fulfils."""
    for key, values in frozen.items():
        name = " ".join(key)
        now = present.get(key)
        if now is None:
            yield f"{name}: was frozen as {values}, is gone"
        elif now != values and not (may_grow(key) and int(now[-1]) > int(values[-1])):
            yield f"{name}: was frozen as {values}, is now {now}"


def not_frozen(frozen, present):
    """Yields additions to `present` although its minor is already released as `frozen`."""
    for key, values in present.items():
        if frozen.get(key) != values:
            yield f"{' '.join(key)}: {values} is new: raise SKH_ABI_MINOR and freeze a new layout"


def holes(present):
    """Yields fields that print_layout does not print: bytes of a struct that no padding
    explains."""
    end, largest = 0, 1
    struct = None
    sizes = {key[0]: int(values[-1]) for key, values in present.items() if key[1] == "sizeof"}

    def tail():
        if struct and -(-end // largest) * largest != sizes[struct]:
            yield f"{struct}: ends at {end} of {sizes[struct]} bytes: a field is not printed"

    for (name, field), values in present.items():
        if field == "sizeof":
            yield from tail()
            struct, end, largest = (name if name != "skh_status" else None), 0, 1
        elif name == struct:
            offset, size = int(values[0]), int(values[1])
            alignment = min(size, 8)
            if -(-end // alignment) * alignment != offset:
                yield f"{name} {field}: {offset - end} bytes before it are not printed"
            end, largest = offset + size, max(largest, alignment)


def unprinted(header, present):
    """Yields structs and constants that the header declares and print_layout does not know."""
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    for name in re.findall(r"struct (skh_\w+) \{", code):
        if (name, "sizeof") not in present:
            yield f"struct {name}: declared in plugin.h, not printed"
    for name in re.findall(r"\b(SKH_[A-Z_0-9]+) =", code):
        if ("constant", name) not in present:
            yield f"{name}: declared in plugin.h, not printed"


def problems(present_text, frozen_texts, header):
    """Yields every problem. `frozen_texts` maps file names such as v1.0.layout to their text."""
    present = parse(present_text)
    major = present[("constant", "SKH_ABI_MAJOR")][0]
    minor = present[("constant", "SKH_ABI_MINOR")][0]
    current = f"v{major}.{minor}.layout"
    yield from holes(present)
    yield from unprinted(header, present)
    if current not in frozen_texts:
        yield f"{current}: missing; freeze it with: print_layout > plugin-api/abi/{current}"
    for name, text in sorted(frozen_texts.items()):
        if not name.startswith(f"v{major}."):
            continue
        frozen = parse(text)
        for sentence in broken_promises(frozen, present):
            yield f"{name}: {sentence}"
        if name == current:
            for sentence in not_frozen(frozen, present):
                yield f"{name}: {sentence}"


def main():
    probe, folder, header = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    present = subprocess.run([probe], check=True, capture_output=True, text=True).stdout
    frozen = {path.name: path.read_text() for path in folder.glob("v*.layout")}
    found = list(problems(present, frozen, header.read_text()))
    for sentence in found:
        print(sentence)
    print(f"{len(parse(present))} lines compared with {', '.join(sorted(frozen)) or 'nothing'}")
    return 1 if found or not frozen else 0


if __name__ == "__main__":
    sys.exit(main())
