#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a source with a digest of the sources that decide what an examination finds: examination_version.py
SOURCE DEPFILE PLACE... A place is a source or a folder of sources, whose tests do not count."""
import hashlib
import sys
from pathlib import Path

SOURCES = {".cpp", ".hpp", ".inc", ".c", ".h", ".S"}


def sources(place):
    """Returns the sources below the place, each with a name that is the same in every clone."""
    if place.is_file():
        return [(place.name, place)]
    return sorted((str(path.relative_to(place)), path) for path in place.rglob("*")
                  if path.suffix in SOURCES and "tests" not in path.relative_to(place).parts)


def main():
    source, depfile, *places = map(Path, sys.argv[1:])
    version, read = hashlib.sha256(), []
    for place in places:
        for name, path in sources(place):
            text = path.read_bytes()
            version.update(f"{place.name}/{name} {len(text)}\n".encode() + text)
            read.append(str(path).replace(" ", "\\ "))
    source.write_text(f"""// SPDX-License-Identifier: Apache-2.0
#include "examination_version.hpp"

namespace skillhost {{

constinit const std::string_view examinationVersion = "{version.hexdigest()[:32]}";

}} // namespace skillhost
""")
    depfile.write_text(f"{source}: " + " ".join(read) + "\n")


if __name__ == "__main__":
    main()
