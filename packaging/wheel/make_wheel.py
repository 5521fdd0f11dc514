#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a wheel from a relocated tree and prints its path: make_wheel.py TREE VERSION OUTPUT MACHINE PROCESSOR.
The last two are the kernel's name of the processor, and the one for people. The same tree makes the same bytes, because
entries are sorted."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE.parent), str(HERE)]
import metadata  # noqa: E402
from wheel_file import write_wheel  # noqa: E402

PACKAGE = "skillhost_mcp"  # from the name skillhost-mcp
METADATA = """Metadata-Version: 2.4
Name: skillhost-mcp
Version: {version}
Summary: {summary}
Keywords: {keywords}
Author: {author}
License-Expression: {licence}
{licence_files}
Project-URL: Homepage, {homepage}
Project-URL: Repository, {repository}
Project-URL: Issues, {issues}
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Intended Audience :: Developers
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Topic :: Software Development
Requires-Python: >=3.8
Provides-Extra: model
Requires-Dist: skillhost-model-minilm; extra == "model"
Description-Content-Type: text/markdown

{description}"""
WHEEL = """Wheel-Version: 1.0
Generator: skillhost packaging
Root-Is-Purelib: false
Tag: {tag}
"""
COMMANDS = f"[console_scripts]\nskillhost = {PACKAGE}.__main__:main\nskillhost-mcp = {PACKAGE}.__main__:main\n"


def metadata_of(tree: Path, version: str, licence_files: list[str]) -> str:
    description = (HERE / "README.md").read_text(encoding="utf-8").replace("VERSION", version)
    return METADATA.format(version=version, summary=metadata.SERVER["description"], keywords=",".join(metadata.KEYWORDS),
                           author=metadata.AUTHOR, licence=metadata.tree_licence(tree), homepage=metadata.HOMEPAGE,
                           repository=metadata.REPOSITORY, issues=metadata.ISSUES, description=description,
                           licence_files="\n".join(f"License-File: {name}" for name in licence_files))


def entries(tree: Path, version: str, tag: str, processor: str) -> Iterator[tuple[str, bytes, bool]]:
    """Yields the name and content of each entry, and whether it is a program."""
    for path in sorted((HERE / PACKAGE).glob("*.py")):
        yield f"{PACKAGE}/{path.name}", path.read_bytes().replace(b"PROCESSOR", processor.encode()), False
    about = f"{PACKAGE}-{version}.dist-info"
    licence_files = ["LICENSE"]
    for path in sorted(tree.rglob("*")):
        if path.is_symlink():
            sys.exit(f"packaging: {path} is a link, which a wheel cannot hold")
        if not path.is_file():
            continue
        if path.is_relative_to(tree / metadata.LICENCES):
            # Tools look for the licences of a Python package here.
            licence_files.append(path.relative_to(tree / metadata.LICENCES).as_posix())
            yield f"{about}/licenses/{licence_files[-1]}", path.read_bytes(), False
        else:
            yield f"{PACKAGE}/tree/{path.relative_to(tree).as_posix()}", path.read_bytes(), os.access(path, os.X_OK)
    yield f"{about}/METADATA", metadata_of(tree, version, licence_files).encode(), False
    yield f"{about}/WHEEL", WHEEL.format(tag=tag).encode(), False
    yield f"{about}/entry_points.txt", COMMANDS.encode(), False
    yield f"{about}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), False


def main() -> None:
    tree, version, output = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    machine, processor = sys.argv[4:]
    tag = f"py3-none-manylinux_2_34_{machine}"
    path = output / f"{PACKAGE}-{version}-{tag}.whl"
    write_wheel(path, f"{PACKAGE}-{version}.dist-info", entries(tree, version, tag, processor))
    print(path)


if __name__ == "__main__":
    main()
