#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a CycloneDX 1.5 document of the contents of a package, from the records of the build and of dpkg.

usage: sbom.py compiled --build DIR --installed DIR --output FILE [--sources FILE] [--sysroot DIR]
       sbom.py image --root DIR --output FILE [--compiled FILE]

compiled  what of other packages is in our own files: every header and source that the compiler read (Ninja knows them),
          but for packages whose shared library is loaded when the program starts; and the npm packages that the console's
          page was made of. DIR holds the installed files.
          --sysroot: the folder of packaging/sysroot with which --build was compiled for another architecture.
          --sources: the same as the value of Debian's field Static-Built-Using.
image     every Debian package installed in DIR, and what is compiled into ours (--compiled, or the document that the
          package skillhost has brought).
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True
from target import Target  # noqa: E402

DOCUMENT = "usr/share/skillhost/sbom.cdx.json"
# The C and C++ libraries, the kernel's headers and the compiler's own.
TOOLCHAIN = re.compile(r"^(libc6-dev|linux-libc-dev|libstdc\+\+-\d+-dev|libgcc-\d+-dev|libcrypt-dev|gcc-\d+|g\+\+-\d+|clang-\d+.*)(-\w+-cross)?$")
# Loaded with dlopen(): only constants of its headers are compiled in (plugins/shared/archive).
OPENED_LATER = {"libarchive-dev"}
# Short names of Debian's copyright files, where they differ from SPDX.
SPDX = {
    "Apache-2.0": "Apache-2.0", "Apache-2": "Apache-2.0", "Artistic": "Artistic-1.0-Perl", "Artistic-2.0": "Artistic-2.0",
    "BSD-2-clause": "BSD-2-Clause", "BSD-2-Clause": "BSD-2-Clause", "BSD-3-clause": "BSD-3-Clause", "BSD-3-Clause": "BSD-3-Clause",
    "BSL-1.0": "BSL-1.0", "Boost-1.0": "BSL-1.0", "CC0": "CC0-1.0", "CC0-1.0": "CC0-1.0", "Expat": "MIT", "MIT": "MIT",
    "GPL-1+": "GPL-1.0-or-later", "GPL-2": "GPL-2.0-only", "GPL-2+": "GPL-2.0-or-later", "GPL-3": "GPL-3.0-only",
    "GPL-3+": "GPL-3.0-or-later", "ISC": "ISC", "LGPL-2": "LGPL-2.0-only", "LGPL-2+": "LGPL-2.0-or-later",
    "LGPL-2.1": "LGPL-2.1-only", "LGPL-2.1+": "LGPL-2.1-or-later", "LGPL-3": "LGPL-3.0-only", "LGPL-3+": "LGPL-3.0-or-later",
    "MPL-2.0": "MPL-2.0", "Zlib": "Zlib", "curl": "curl", "zlib": "Zlib",
}


def fail(text: str) -> None:
    sys.exit(f"sbom.py: {text}")


def stanzas(text: str) -> list[dict[str, str]]:
    """Returns the paragraphs of a file in Debian's control format."""
    found: list[dict[str, str]] = []
    for paragraph in re.split(r"\n(?:[ \t]*\n)+", text):
        fields: dict[str, str] = {}
        name = ""
        for line in paragraph.splitlines():
            if line.startswith((" ", "\t")) and name:
                fields[name] += "\n" + line.strip()
            elif ":" in line and not line.startswith("#"):
                name, value = line.split(":", 1)
                fields[name] = value.strip()
        if fields:
            found.append(fields)
    return found


def installed_packages(root: Path) -> dict[str, dict[str, str]]:
    status = root / "var/lib/dpkg/status"
    if not status.is_file():
        fail(f"{status}: is not there: only a root of Debian packages can be described")
    return {one["Package"]: one for one in stanzas(status.read_text(encoding="utf-8", errors="replace"))
            if one.get("Status", "").endswith(" installed")}


def licences(root: Path, package: str) -> list[dict[str, Any]]:
    """Returns the licences in the copyright file if it has the machine-readable format, or else nothing."""
    file = root / "usr/share/doc" / package / "copyright"
    if not file.is_file():
        return []
    text = file.read_text(encoding="utf-8", errors="replace")
    if not re.match(r"\s*Format(-Specification)?:", text):
        return []
    names: list[str] = []
    for stanza in stanzas(text):
        for word in re.split(r"\s+(?:and/or|and|or)\s+|,\s*", stanza.get("License", "").split("\n")[0]):
            word = word.strip()
            if word and "Files" in stanza and word not in names:
                names.append(word)
    return [{"license": {"id": SPDX[name]} if name in SPDX else {"name": name}} for name in names]


def system_of(root: Path) -> tuple[str, str]:
    """Returns a pair such as ("debian", "debian-12")."""
    fields = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', (root / "etc/os-release").read_text(encoding="utf-8"), re.MULTILINE))
    name = fields.get("ID", "debian")
    return name, f"{name}-{fields['VERSION_ID']}" if "VERSION_ID" in fields else name


def component(root: Path, package: dict[str, str], system: tuple[str, str]) -> dict[str, Any]:
    name, version = package["Package"], package["Version"]
    escaped = version.replace("%", "%25").replace(":", "%3A").replace("+", "%2B")
    purl = f"pkg:deb/{system[0]}/{name.replace('+', '%2B')}@{escaped}?arch={package['Architecture']}&distro={system[1]}"
    made: dict[str, Any] = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if found := licences(root, name):
        made["licenses"] = found
    if "Source" in package:
        made["properties"] = [{"name": "debian:source", "value": package["Source"]}]
    return made


def document(subject: dict[str, Any], components: list[dict[str, Any]], edges: list[dict[str, Any]]) -> dict[str, Any]:
    """Makes the document. With SOURCE_DATE_EPOCH, equal input gives equal output."""
    now = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(now), timezone.utc) if now else datetime.now(timezone.utc)
    components = sorted(components, key=lambda one: (one["name"], one["version"]))
    name = json.dumps([subject, components], sort_keys=True)
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}",
        "version": 1,
        "metadata": {"timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "tools": {"components": [{"type": "application", "name": "packaging/sbom.py of skillhost"}]},
                     "component": subject},
        "components": components, "dependencies": edges,
    }


def write(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def owners(root: Path) -> dict[str, str]:
    """Returns the package that owns each file."""
    found: dict[str, str] = {}
    for listing in (root / "var/lib/dpkg/info").glob("*.list"):
        name = listing.name[:-5].split(":")[0]
        for line in listing.read_text(encoding="utf-8", errors="replace").splitlines():
            found[line] = name
    return found


def owner_of(path: str, owned: dict[str, str]) -> str | None:
    for one in (path, os.path.realpath(path)):
        for text in (one, one[4:] if one.startswith("/usr/") else "/usr" + one):
            if text in owned:
                return owned[text]
    return None


def read_by_the_compiler(build: Path) -> set[str]:
    """Returns the files that the compiler read for the packed files. A build folder may also contain the tests."""
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True).stdout
    names, packed = set(), False
    for line in listed.splitlines():
        if line and not line.startswith(" "):
            packed = not re.match(r"(\S+/)?tests/|subprojects/testing/", line)
        elif packed and line:
            names.add(line.strip())
    return {os.path.normpath(build / name) for name in names}


def loaded_libraries(folder: Path) -> set[str]:
    """Returns the sonames that the installed programs and plugins link."""
    names: set[str] = set()
    for file in folder.rglob("*"):
        if not file.is_file() or file.is_symlink():
            continue
        with file.open("rb") as stream:
            if stream.read(4) != b"\x7fELF":
                continue
        said = subprocess.run(["readelf", "-d", str(file)], capture_output=True, text=True, check=True).stdout
        names.update(re.findall(r"\(NEEDED\).*\[(.*)\]", said))
    return names


def npm_component(package: dict[str, str]) -> dict[str, Any]:
    """Returns the component for a package of the console's page, as recorded by console/build_page.py."""
    purl = f"pkg:npm/{package['name'].replace('@', '%40')}@{package['version']}"
    said = package["license"]
    made: dict[str, Any] = {"type": "library", "bom-ref": purl, "name": package["name"], "version": package["version"], "purl": purl,
                            "licenses": [{"expression": said}] if " " in said else [{"license": {"id": said}}],
                            "properties": [{"name": "skillhost:linkage", "value": "bundled into the console's page"}]}
    algorithm, _, digest = package["integrity"].partition("-")
    if algorithm == "sha512":
        made["hashes"] = [{"alg": "SHA-512", "content": base64.b64decode(digest).hex()}]
    return made


def console_packages(build: Path) -> list[dict[str, Any]]:
    listed = build / "console/console-packages.json"
    return [npm_component(one) for one in json.loads(listed.read_text(encoding="utf-8"))] if listed.is_file() else []


def compiled_in(build: Path, installed: Path, root: Path) -> list[str]:
    # Sources of BLAKE3 are the same for every architecture, and a cross build takes those of this machine.
    owned = owners(Path("/")) | owners(root)
    sonames = loaded_libraries(installed)
    if not sonames:
        fail(f"{installed}: has no program in it")
    loaded = {owner for path, owner in owned.items() if path.rsplit("/", 1)[1] in sonames and "/lib" in path}
    packages = {owner for path in read_by_the_compiler(build.resolve())
                if os.path.realpath(path).startswith(("/usr/", f"{root}/usr/")) and (owner := owner_of(path, owned))}
    if not packages:
        fail(f"{build}: the compiler has read no file of any package; has it been built by Ninja?")
    # If the library of a development package is loaded at run time, our files contain only its inline functions.
    dynamic = set()
    for path, owner in owned.items():
        if owner in packages and path.endswith(".so") and os.path.islink(path):
            if owner_of(os.path.realpath(path), owned) in loaded:
                dynamic.add(owner)
    return sorted(one for one in packages - dynamic - OPENED_LATER if not TOOLCHAIN.match(one))


def our_component(kind: str, version: str, architecture: str) -> dict[str, Any]:
    return {"type": kind, "bom-ref": f"skillhost@{version}", "name": "skillhost", "version": version,
            "licenses": [{"license": {"id": "Apache-2.0"}}],
            "properties": [{"name": "skillhost:platform", "value": f"linux/{architecture}"}]}


def source_and_version(package: dict[str, str]) -> str:
    """Returns the form of Static-Built-Using; Source: names the version if it differs."""
    found = re.match(r"(\S+)(?: \((.*)\))?", package.get("Source", package["Package"]))
    assert found
    return f"{found[1]} (= {found[2] or package['Version']})"


def write_compiled(given: argparse.Namespace) -> None:
    target = Target(given.sysroot)
    packages = installed_packages(target.root)
    names = compiled_in(given.build, given.installed, target.root)
    project = json.loads((given.build / "meson-info/intro-projectinfo.json").read_text(encoding="utf-8"))
    subject = our_component("application", project["version"], target.architecture())
    parts = []
    for name in names:
        part = component(target.root, packages[name], system_of(Path("/")))
        part.setdefault("properties", []).append({"name": "skillhost:linkage", "value": "compiled in"})
        parts.append(part)
    bundled = console_packages(given.build)
    parts += bundled
    edges = [{"ref": subject["bom-ref"], "dependsOn": sorted(part["bom-ref"] for part in parts)}]
    write(given.output, document(subject, parts, edges))
    if given.sources:
        given.sources.write_text(", ".join(sorted({source_and_version(packages[name]) for name in names})) + "\n", encoding="utf-8")
    print(f"{given.output}: {len(names)} packages are compiled in: {', '.join(names)}; {len(bundled)} npm packages are in the console")


def dependencies(package: dict[str, str], references: dict[str, str], provided: dict[str, str]) -> list[str]:
    found = set()
    for field in ("Depends", "Pre-Depends"):
        for alternatives in package.get(field, "").split(","):
            for one in alternatives.split("|"):
                name = re.split(r"[\s(:]", one.strip(), maxsplit=1)[0]
                name = name if name in references else provided.get(name, "")
                if name:
                    found.add(references[name])
                    break
    return sorted(found - {references[package["Package"]]})


def write_image(given: argparse.Namespace) -> None:
    packages = installed_packages(given.root)
    if "skillhost" not in packages:
        fail(f"{given.root}: skillhost is not installed there")
    system = system_of(given.root)
    parts = [component(given.root, package, system) for package in packages.values()]
    references = {package["Package"]: part["bom-ref"] for package, part in zip(packages.values(), parts)}
    provided = {one.strip().split(" ")[0]: name for name, package in packages.items()
                for one in package.get("Provides", "").split(",") if one.strip()}
    edges = {references[name]: dependencies(package, references, provided) for name, package in packages.items()}
    compiled = json.loads((given.compiled or given.root / DOCUMENT).read_text(encoding="utf-8"))
    ours = edges[references["skillhost"]]
    for part in compiled["components"]:
        if part["bom-ref"] not in edges:
            parts.append(part)
            edges[part["bom-ref"]] = []
        ours.append(part["bom-ref"])
    subject = our_component("container", packages["skillhost"]["Version"], packages["skillhost"]["Architecture"])
    edges[subject["bom-ref"]] = sorted(references.values())
    write(given.output, document(subject, parts, [{"ref": ref, "dependsOn": sorted(set(on))} for ref, on in sorted(edges.items())]))
    print(f"{given.output}: {len(packages)} packages, and {len(compiled['components'])} compiled in")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Writes a CycloneDX document of the contents of a package.")
    commands = parser.add_subparsers(required=True)
    compiled = commands.add_parser("compiled")
    compiled.add_argument("--build", type=Path, required=True)
    compiled.add_argument("--installed", type=Path, required=True)
    compiled.add_argument("--output", type=Path, required=True)
    compiled.add_argument("--sources", type=Path)
    compiled.add_argument("--sysroot", type=Path)
    compiled.set_defaults(write=write_compiled)
    image = commands.add_parser("image")
    image.add_argument("--root", type=Path, required=True)
    image.add_argument("--output", type=Path, required=True)
    image.add_argument("--compiled", type=Path)
    image.set_defaults(write=write_image)
    given = parser.parse_args(arguments)
    given.write(given)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
