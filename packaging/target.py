# SPDX-License-Identifier: Apache-2.0
"""The machine for which a package is built: where its libraries are, and the tools for its files."""

import ast
import configparser
import subprocess
from pathlib import Path


class Target:
    """Without a folder of packaging/sysroot, it is this machine itself."""

    def __init__(self, sysroot: Path | None):
        self.sysroot = sysroot.resolve() if sysroot else None
        self.root = self.sysroot or Path("/")
        self._tools: dict[str, list[str]] = {}
        if self.sysroot:
            described = configparser.ConfigParser(interpolation=None)
            described.read(self.sysroot / "cross.ini", encoding="utf-8")
            self._tools = {name: ast.literal_eval(value) for name, value in described["binaries"].items()}

    def tool(self, name: str) -> list[str]:
        """Returns the beginning of a command, by Meson's name of the tool."""
        return self._tools.get(name, {"c": ["cc"]}.get(name, [name]))

    def dpkg_query(self) -> list[str]:
        return ["dpkg-query", *([f"--admindir={self.sysroot}/var/lib/dpkg"] if self.sysroot else [])]

    def ldd(self) -> list[str]:
        if not self.sysroot:
            return ["ldd"]
        loader, = (self.sysroot / "lib").glob("ld-linux-*.so.*")
        return [*self.tool("exe_wrapper"), str(loader), "--list"]

    def place(self, found: str) -> Path:
        """Returns where a library is, of which the loader has found the path: the emulator adds the folder itself."""
        if self.sysroot and (inside := Path(f"{self.sysroot}{found}")).exists():
            return inside
        return Path(found)

    def libraries(self) -> dict[str, Path]:
        """Returns, by name, the libraries that the loader finds without being told where."""
        found: dict[str, Path] = {}
        if self.sysroot:
            for path in sorted(self.sysroot.glob("usr/lib/*-linux-gnu*/*.so.*")):
                found.setdefault(path.name, path)
            return found
        listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines()[1:]:
            name, _, path = line.strip().partition(" => ")
            found.setdefault(name.split()[0], Path(path))
        return found

    def architecture(self) -> str:
        """Returns Debian's name of the architecture."""
        if self.sysroot:
            return (self.sysroot / "var/lib/dpkg/arch").read_text(encoding="utf-8").strip()
        return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
