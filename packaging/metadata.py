#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Provides the metadata of the packages for PyPI and npm. The addresses and the description come from server.json, the
document for the MCP registry, so that each is written only once.

usage: metadata.py PACKAGE.JSON VERSION [TREE]   completes that file of an npm package; TREE adds its libraries' licences
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import licences  # noqa: E402

HERE = Path(__file__).resolve().parent
SERVER = json.loads((HERE / "server.json").read_text(encoding="utf-8"))
AUTHOR = "skillhost maintainers"
KEYWORDS = ["mcp", "mcp-server", "model-context-protocol", "agent-skills", "skills"]
HOMEPAGE, REPOSITORY = SERVER["websiteUrl"], SERVER["repository"]["url"]
ISSUES = REPOSITORY + "/issues"
LICENCES = "share/doc/skillhost/licenses"


def tree_licence(tree: Path) -> str:
    """Returns the licence of a relocated tree with all its contents."""
    return licences.expression(tree / LICENCES / "packages.txt")


def complete_npm(path: Path, version: str, tree: Path | None) -> None:
    package = json.loads(path.read_text(encoding="utf-8"))
    package |= {
        "version": version, "keywords": KEYWORDS, "license": tree_licence(tree) if tree else package.get("license", "Apache-2.0"), "author": AUTHOR,
        "homepage": HOMEPAGE, "repository": {"type": "git", "url": f"git+{REPOSITORY}.git"}, "bugs": {"url": ISSUES},
    }
    package.setdefault("description", SERVER["description"])
    if "optionalDependencies" in package:
        package["mcpName"] = SERVER["name"]
        package["optionalDependencies"] = {name: version for name in package["optionalDependencies"]}
    path.write_text(json.dumps(package, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.strip())
    complete_npm(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]) if len(sys.argv) == 4 else None)
