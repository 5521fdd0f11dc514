#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a wheel from a relocated tree: make_wheel.py TREE VERSION OUTPUT. Prints its path. The same tree makes the
same bytes: entries are in order, and their time is SOURCE_DATE_EPOCH."""

import base64
import hashlib
import os
import platform
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
METADATA = """Metadata-Version: 2.4
Name: skillhost
Version: {version}
Summary: A native MCP server for Agent Skills
Keywords: mcp,agent-skills,skills,server
License-Expression: Apache-2.0
License-File: LICENSE
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{description}"""
WHEEL = """Wheel-Version: 1.0
Generator: skillhost packaging
Root-Is-Purelib: false
Tag: {tag}
"""
COMMANDS = "[console_scripts]\nskillhost = skillhost.__main__:main\n"
DESCRIPTION = """# skillhost

A native MCP server for Agent Skills: finds the skills in your folders, git repositories and on web servers, and
serves them to every MCP client. This wheel holds the program, its plugins and the libraries that they need.

```sh
uvx skillhost --skills-dir ~/team/skills
```

Their licences are in `skillhost/tree/share/doc/skillhost/licenses`.
"""


def entries(tree: Path, version: str, tag: str) -> Iterator[tuple[str, bytes, bool]]:
    """Name, content, and whether it is a program."""
    for path in sorted((HERE / "skillhost").glob("*.py")):
        yield f"skillhost/{path.name}", path.read_bytes(), False
    for path in sorted(tree.rglob("*")):
        if path.is_symlink():
            sys.exit(f"packaging: {path} is a link, which a wheel cannot hold")
        if path.is_file():
            yield f"skillhost/tree/{path.relative_to(tree).as_posix()}", path.read_bytes(), os.access(path, os.X_OK)
    about = f"skillhost-{version}.dist-info"
    yield f"{about}/METADATA", METADATA.format(version=version, description=DESCRIPTION).encode(), False
    yield f"{about}/WHEEL", WHEEL.format(tag=tag).encode(), False
    yield f"{about}/entry_points.txt", COMMANDS.encode(), False
    yield f"{about}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), False


def main() -> None:
    tree, version, output = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    tag = f"py3-none-manylinux_2_36_{platform.machine()}"
    path = output / f"skillhost-{version}-{tag}.whl"
    when = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]  # zip begins with 1980
    record = f"skillhost-{version}.dist-info/RECORD"
    lines = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        def add(name: str, content: bytes, is_program: bool) -> None:
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            wheel.writestr(entry, content)

        for name, content, is_program in entries(tree, version, tag):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(content)}")
            add(name, content, is_program)
        add(record, "\n".join([*lines, f"{record},,", ""]).encode(), False)
    print(path)


if __name__ == "__main__":
    main()
