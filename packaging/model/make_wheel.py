#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the wheel of a model and prints its path: make_wheel.py MODEL VERSION OUTPUT. MODEL is the folder that
`skillhost model fetch` has made. The wheel puts it into the tree of the wheel skillhost-mcp, where the program looks."""

import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "wheel")]
import metadata  # noqa: E402
from wheel_file import write_wheel  # noqa: E402

PACKAGE = "skillhost_model_minilm"
PLACE = "skillhost_mcp/tree/share/skillhost/models"
METADATA = """Metadata-Version: 2.4
Name: skillhost-model-minilm
Version: {version}
Summary: The language model all-MiniLM-L6-v2, for the search of skillhost-mcp by meaning
Author: {author}
License-Expression: Apache-2.0 AND MIT
License-File: LICENSE
License-File: LICENCE.txt
License-File: LICENCE.package.txt
Project-URL: Homepage, {homepage}
Project-URL: Repository, {repository}
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{description}"""
# The tag any needs no particular machine. The files must nevertheless be where those of skillhost-mcp are.
WHEEL = """Wheel-Version: 1.0
Generator: skillhost packaging
Root-Is-Purelib: false
Tag: py3-none-any
"""


def entries(model: Path, version: str, about: str) -> Iterator[tuple[str, bytes, bool]]:
    for path in sorted(model.rglob("*")):
        if path.is_file():
            yield f"{PLACE}/{model.name}/{path.relative_to(model).as_posix()}", path.read_bytes(), False
    text = METADATA.format(version=version, author=metadata.AUTHOR, homepage=metadata.HOMEPAGE, repository=metadata.REPOSITORY,
                           description=(HERE / "page.md").read_text(encoding="utf-8"))
    yield f"{about}/METADATA", text.encode(), False
    yield f"{about}/WHEEL", WHEEL.encode(), False
    yield f"{about}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), False
    for name in ("LICENCE.txt", "LICENCE.package.txt"):
        yield f"{about}/licenses/{name}", (model / name).read_bytes(), False


def main() -> None:
    model, version, output = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    about = f"{PACKAGE}-{version}.dist-info"
    path = output / f"{PACKAGE}-{version}-py3-none-any.whl"
    write_wheel(path, about, entries(model, version, about))
    print(path)


if __name__ == "__main__":
    main()
