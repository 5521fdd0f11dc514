#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the README of a built-in plugin and its schema.json name the same keys, and the same defaults where
the README has a value and no words. Argument: the root of the project."""
import json
import pathlib
import re
import sys

ROW = re.compile(r"^\| (`[^|]*`) \| ([^|]*) \|")
LINKED = re.compile(r"\]\(((?:\.\./)*[\w/]*schema\.json)\)")
KEY = re.compile(r"`([a-z][a-z0-9_.]*)`")


def value(text):
    """Returns the value of a default in a README; None when it is given in words."""
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


def schema_of(readme):
    """Returns the schema of a README: the one that it links, else the one beside it."""
    linked = LINKED.search(readme.read_text())
    return readme.parent / (linked[1] if linked else "schema.json")


def disagreements(readme):
    text = readme.read_text()
    schema = dict(keys_of(json.loads(schema_of(readme).read_text())))
    # A README that links the schema need not list the keys.
    for name in () if LINKED.search(text) else schema:
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
    readmes = [readme for readme in sorted(plugins.glob("*/*/README.md")) if schema_of(readme).is_file()]
    wrong = [one for readme in readmes for one in disagreements(readme)]
    print(*wrong, sep="\n")
    if len(readmes) < 5:
        wrong.append(f"{len(readmes)} schemas")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
