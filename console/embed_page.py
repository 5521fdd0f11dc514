#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the console's page as a C++ source. All files except index.html are compressed. Meson runs this script.

usage: embed_page.py --output FILE.cpp --licences FILE --packages FILE --depfile FILE
                     (--page DIR | --sources DIR --work DIR [--required] | --none REASON)

--page     uses the page that build_page.py has written into DIR
--sources  runs build_page.py on the sources in DIR, with the work folder --work; if Node, npm or the registry is not
           available, it writes a source without the page and prints the reason, or fails with --required
--none     writes a source without the page, and prints REASON"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

HERE = Path(__file__).resolve().parent
NOT_TO_BE_HAD = 3  # exit code of build_page.py
MAX_BYTES = 150 * 1024  # limit of all files together, compressed
ENDPOINT = b'name="mcp-endpoint" content="/mcp"'  # console_page.hpp has the same text
TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/vnd.microsoft.icon",
    ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8", ".webmanifest": "application/manifest+json",
}
FRAME = """// Made by console/embed_page.py; what is changed here is lost.
#include "console_page.hpp"

#include <array>

namespace skillhost {{
namespace {{

{constants}
constexpr std::array<ConsoleFile, {count}> files{{{{
{rows}}}}};

}} // namespace

std::span<const ConsoleFile> consolePage() noexcept {{ return files; }}

}} // namespace skillhost
"""


def fail(why: str) -> NoReturn:
    sys.exit(f"console: {why}")


def literal(data: bytes) -> str:
    """Writes bytes as a C++ string literal that compiles fast. An octal escape has at most three digits, so it cannot
    absorb the next byte."""
    lines = ("".join(f"\\{byte:03o}" for byte in data[first:first + 28]) for first in range(0, len(data), 28))
    return "\n".join(f'    "{line}"' for line in lines)


def files_of(page: Path) -> list[Path]:
    if not (page / "index.html").is_file():
        fail(f"{page}: there is no index.html")
    found = sorted(path for path in page.rglob("*") if path.is_file())
    for path in found:
        if path.is_symlink() or path.suffix not in TYPES:
            fail(f"{path}: a file of the page is no link, and its name ends in one of {' '.join(sorted(TYPES))}")
    return found


def source_of(page: Path) -> str:
    constants: list[str] = []
    rows: list[str] = []
    total = 0
    for number, path in enumerate(files_of(page)):
        data = path.read_bytes()
        packed = gzip.compress(data, compresslevel=9, mtime=0)
        total += len(packed)
        name = path.relative_to(page).as_posix()
        if name == "index.html":
            if data.count(ENDPOINT) != 1:
                fail(f"{path}: the page names the MCP endpoint once, by {ENDPOINT.decode()}")
            packed = data
        if not name.isascii() or '"' in name or "\\" in name:
            fail(f"{name}: a file of the page has a plain name")
        constants.append(f"// {name}\nconstexpr char bytes{number}[] =\n{literal(packed)};\n")
        tag = hashlib.sha256(data).hexdigest()[:32]
        rows.append(f'    {{"{name}", "{TYPES[path.suffix]}", "\\"{tag}\\"", {{bytes{number}, sizeof bytes{number} - 1}}}},\n')
    if total > MAX_BYTES:
        fail(f"{page}: the page has {total} bytes compressed, and {MAX_BYTES} is the most")
    print(f"console: {len(rows)} files, {total} bytes compressed")
    return FRAME.format(constants="\n".join(constants), count=len(rows), rows="".join(rows))


def built(given: argparse.Namespace) -> Path | str:
    """Returns the folder with the page, or the reason why there is none."""
    output: Path = given.work / "output"
    done = subprocess.run([sys.executable, str(HERE / "build_page.py"), str(given.sources), str(given.work), str(output)],
                          stderr=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return output
    why = done.stderr.strip().removeprefix("console: ")
    if done.returncode != NOT_TO_BE_HAD:
        fail(why)
    if given.required:
        fail(f"{why} (-Dconsole=enabled was given)")
    return why


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes the console's page as a C++ source.")
    for name in ("output", "licences", "packages", "depfile"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--required", action="store_true")
    parser.add_argument("--none")
    given = parser.parse_args()
    watched = given.page or given.sources
    page: Path | str = given.page or (built(given) if given.sources else given.none)
    if isinstance(page, str):
        print(f"console: the server is built without its page: {page}\n"
              f"console: to try again, remove {given.output.name} in its folder of the build")
        write(given.output, FRAME.format(constants="", count=0, rows=""))
        write(given.licences, "The console, a page at /console/, is not part of this build.\n")
        write(given.packages, "[]\n")
    else:
        write(given.output, source_of(page / "page"))
        write(given.licences, (page / "licences.txt").read_text(encoding="utf-8"))
        write(given.packages, (page / "packages.json").read_text(encoding="utf-8"))
    # Includes folders, because their time changes when a file appears or disappears.
    inputs = [path for path in sorted(watched.rglob("*")) if not {"node_modules", "dist", "__pycache__"} & set(path.parts)] if watched else []
    escaped = (str(path).replace("\\", "\\\\").replace(" ", "\\ ") for path in inputs)
    write(given.depfile, f"{given.output}: {' '.join(escaped)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
