# SPDX-License-Identifier: Apache-2.0
"""What is built in, as the sources say: a list by hand would lack the next one."""
from __future__ import annotations

import re
from pathlib import Path

PLUGINS = Path(__file__).resolve().parent.parent.parent / "plugins"


def built_in_plugins() -> set[str]:
    """The names of the shared objects that the folders in plugins/meson.build make."""
    folders = re.findall(r"^subdir\('([^']+)'\)", (PLUGINS / "meson.build").read_text(encoding="utf-8"), re.MULTILINE)
    names = {name for folder in folders
             for name in re.findall(r"\bshared_module\('([^']+)'", (PLUGINS / folder / "meson.build").read_text(encoding="utf-8"))}
    assert {"filesystem", "keyword", "static"} <= names, f"plugins/meson.build is no longer understood here: {sorted(names)}"
    return names
