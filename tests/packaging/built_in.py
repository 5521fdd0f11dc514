# SPDX-License-Identifier: Apache-2.0
"""Finds the built-in parts in the sources, because a list by hand would miss the next one."""
from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def made_in(folder: Path, target: str) -> set[str]:
    """Returns the names of all targets of a kind in the folders that a folder's meson.build enters."""
    folders = re.findall(r"^subdir\('([^']+)'\)", (folder / "meson.build").read_text(encoding="utf-8"), re.MULTILINE)
    return {name for each in folders
            for name in re.findall(rf"\b{target}\('([^']+)'", (folder / each / "meson.build").read_text(encoding="utf-8"))}


def built_in_plugins() -> set[str]:
    """Returns the names of the shared objects that the folders in plugins/meson.build make."""
    names = made_in(ROOT / "plugins", "shared_module")
    assert {"filesystem", "keyword", "static"} <= names, f"plugins/meson.build is no longer understood here: {sorted(names)}"
    return names


def described_commands() -> set[str]:
    """Returns the names of the files that describe commands, which the meson.build of programs name."""
    found = {name for page in (ROOT / "programs").glob("*/meson.build")
             for name in re.findall(r"'([a-z.-]+\.json)'", page.read_text(encoding="utf-8"))}
    assert {"token.json", "skill.save.json", "search.json"} <= found, f"programs/ is no longer understood here: {sorted(found)}"
    return found


def shipped_files() -> set[str]:
    """Returns the files of each installation below its prefix, as long as no package leaves a part of it to another
    package."""
    programs = {name for name in made_in(ROOT / "programs", "executable") if name.startswith("skillhost-")}
    assert {"skillhost-store", "skillhost-token"} <= programs, f"programs/ is no longer understood here: {sorted(programs)}"
    assert "executable('skillhost-runner'" in (ROOT / "isolation/meson.build").read_text(encoding="utf-8"), "isolation/ makes no skillhost-runner"
    programs.add("skillhost-runner")
    commands = described_commands()
    headers = {path.name for path in (ROOT / "plugin-api/include/skillhost").iterdir()}
    assert "plugin.h" in headers, sorted(headers)
    return {"bin/skillhost", "share/skillhost/plugin.map", *(f"include/skillhost/{name}" for name in headers),
            *(f"libexec/skillhost/{name}" for name in programs), *(f"share/skillhost/commands/{name}" for name in commands),
            "lib/skillhost/plugins/built-in.txt", *(f"lib/skillhost/plugins/{name}.so" for name in built_in_plugins())}
