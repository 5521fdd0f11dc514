#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the README of a built-in plugin and its schema.json name the same keys, and the same defaults where the
README has a value and no words. Argument: the root of the project."""
import json
import pathlib
import re
import sys

ROW = re.compile(r"^\| (`[^|]*`) \| ([^|]*) \|")
KEY = re.compile(r"`([a-z][a-z0-9_.]*)`")


def value(text):
    """What a default in a README stands for; None when it is said in words."""
    text = text.strip()
    if "`, `" in text:
        return [value(one) for one in text.split(", ")]
    quoted = re.fullmatch(r"`(.*)`", text)
    bare = quoted[1] if quoted else text
    try:
        return json.loads(bare)
    except ValueError:
        return bare if quoted else None


def keys_of(schema, before=""):
    for name, one in schema.get("properties", {}).items():
        yield before + name, one
        yield from keys_of(one, before + name + ".")


def disagreements(folder):
    schema = dict(keys_of(json.loads((folder / "schema.json").read_text())))
    readme = folder / "README.md"
    if not readme.is_file():
        return
    text = readme.read_text()
    # Where the README sends its reader to the schema, that lists them.
    for name in () if "](schema.json)" in text else schema:
        if f"`{name.rsplit('.', 1)[-1]}`" not in text and f"`{name}`" not in text:
            yield f"{readme}: does not name the key {name}"
    for number, line in enumerate(text.splitlines(), 1):
        row = ROW.match(line)
        named = KEY.findall(row[1]) if row else []
        if len(named) != 1 or named[0] not in schema or "default" not in schema[named[0]]:
            continue
        said = value(row[2])
        if said is not None and said != schema[named[0]]["default"]:
            yield f"{readme}:{number}: {named[0]} is said to be {said!r}, and schema.json has {schema[named[0]]['default']!r}"


def main():
    plugins = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "plugins"
    folders = sorted(path.parent for path in plugins.glob("*/*/schema.json"))
    wrong = [one for folder in folders for one in disagreements(folder)]
    print(*wrong, sep="\n")
    if len(folders) < 5:
        wrong.append(f"{len(folders)} schemas")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
