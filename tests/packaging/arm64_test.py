#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the packages that are cross-compiled for ARM64: what is inside, and the conversation of a client with the program in
an emulator. Nothing here tests Landlock, seccomp filters or times, which the emulator does not have. The first of these
packages compiles everything, which takes 20 minutes or more. SKILLHOST_BUILT_ARM64 names a build folder for ARM64 with
which nothing is compiled."""
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from built_in import built_in_plugins
from packages import (ROOT, Checks, build, clean_environment, elf_files, execute, main_job, needs_no_newer_system, over_http,
                      traces, version)

SYSROOT = ROOT / "build-sysroot-arm64"
OBJDUMP = "aarch64-linux-gnu-objdump"
SYSTEMS = re.compile(r"ld-linux-aarch64|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s)\.so")
checks = Checks()
check = checks.check


def made(kind: str, folder: Path) -> list[Path]:
    built = os.environ.get("SKILLHOST_BUILT_ARM64")
    return build(kind, folder / kind, options=("--architecture", "arm64"), **({"SKILLHOST_BUILT": built} if built else {}))


def is_for_arm64(name: str, top: Path) -> None:
    """Checks that each program and library is for ARM64, and that what it needs is inside, or in every Linux."""
    inside = {path.name for path in (top / "lib/skillhost/plugins/lib").iterdir()}
    count = 0
    for path in elf_files(top):
        count += 1
        header = path.read_bytes()[18:20]
        check(header == b"\xb7\x00", f"{name}: {path.name} is for another machine: {header.hex()}")
        dynamic = execute(OBJDUMP, "-p", path).stdout
        lacking = {one for one in re.findall(r"NEEDED +(\S+)", dynamic) if one not in inside and not SYSTEMS.match(one)}
        check(not lacking, f"{name}: {path.name} needs {lacking}")
        ways = re.findall(r"R(?:UN)?PATH +(\S+)", dynamic)
        check(ways and all(way.startswith("$ORIGIN") for way in ways), f"{name}: {path.name} looks for libraries in {ways}")
    check(count > 30, f"{name}: only {count} programs and libraries")
    plugins = {path.stem for path in (top / "lib/skillhost/plugins").glob("*.so")}
    check(plugins == set(built_in_plugins()), f"{name}: the plugins are {plugins}")
    commands = {path.name for path in (top / "share/skillhost/commands").iterdir()}
    check({"validate.json", "check.json", "client-config.json"} <= commands, f"{name}: the commands are {commands}")


def emulated(program: Path, folder: Path) -> Path:
    """Writes a program of this machine that starts the one for ARM64, with the C library of its system."""
    script = folder / f"emulated-{program.name}"
    script.write_text(f'#!/bin/sh\nQEMU_LD_PREFIX="{SYSROOT}" exec "{program}" "$@"\n')
    script.chmod(0o755)
    return script


def archive(folder: Path) -> None:
    package, = made("archive", folder)
    check(package.name == f"skillhost-{version()}-linux-aarch64.tar.zst", f"the name: {package.name}")
    execute("tar", "--zstd", "-xf", package, "-C", folder)
    top = folder / package.name.removesuffix(".tar.zst")
    is_for_arm64("archive", top)
    needs_no_newer_system(checks, "archive for ARM64", top, OBJDUMP)
    traces(checks, "archive", top)
    check("Linux on ARM64 with" in (top / "install.sh").read_text(), "install.sh names the processor")
    listed = (top / "share/doc/skillhost/licenses/packages.txt").read_text()
    for name in ("libcurl4 ", "libgit2-1.5 ", "libssl3 ", "nlohmann-json3-dev ", "librust-blake3-dev "):
        check(name in listed, f"packages.txt does not name {name}")

    program = emulated(top / "bin/skillhost", folder)
    said = execute(program, "--version").stdout
    check(f"skillhost {version()} " in said, f"--version: {said}")
    main_job(checks, "archive in the emulator", [program])
    over_http(checks, "archive in the emulator", program)
    said = execute(sys.executable, ROOT / "examples/quickstart_conversation.py", program, "--skills-dir", ROOT / "examples/skills",
                   env=clean_environment(folder, PYTHONDONTWRITEBYTECODE="1")).stdout
    check("read_skill_document" in said, f"the conversation of the quickstart: {said[-1500:]}")
    said = execute(program, "validate", ROOT / "examples/skills", env=clean_environment(folder)).stdout
    check("0 errors, 0 warnings" in said, f"validate: {said[-600:]}")
    # This loads each plugin, and so its libraries.
    for plugin in sorted(built_in_plugins()):
        asked = execute(program, "check", "--trusted", "--only", "elf,load,entry", top / f"lib/skillhost/plugins/{plugin}.so", code=None)
        check(asked.returncode == 0, f"check of {plugin}: {asked.stdout[-800:]}")


def wheel(folder: Path) -> None:
    package, = made("wheel", folder)
    check(package.name == f"skillhost_mcp-{version()}-py3-none-manylinux_2_34_aarch64.whl", f"the name: {package.name}")
    with zipfile.ZipFile(package) as opened:
        opened.extractall(folder / "wheel-content")
    tree = folder / "wheel-content/skillhost_mcp/tree"
    is_for_arm64("wheel", tree)
    check("Linux on ARM64 with" in (tree.parent / "__main__.py").read_text(), "the error of the wheel names the processor")
    (tree / "bin/skillhost").chmod(0o755)
    said = execute(emulated(tree / "bin/skillhost", folder), "--version").stdout
    check(version() in said, f"wheel --version: {said}")


def npm(folder: Path) -> None:
    if shutil.which("npm") is None:
        print("npm: not tried, it is not installed")
        return
    for package in made("npm", folder):
        with tarfile.open(package) as opened:
            name = "skillhost-mcp" + ("-linux-arm64" if "linux" in package.name else "")
            opened.extractall(folder / "unpacked" / name)
        (folder / "node_modules").mkdir(exist_ok=True)
        (folder / "unpacked" / name / "package").rename(folder / "node_modules" / name)
    launcher, top = folder / "node_modules/skillhost-mcp", folder / "node_modules/skillhost-mcp-linux-arm64"
    is_for_arm64("npm", top)
    manifest = json.loads((top / "package.json").read_text())
    check((manifest["name"], manifest["os"], manifest["cpu"]) == ("skillhost-mcp-linux-arm64", ["linux"], ["arm64"]),
          f"package.json: {manifest}")
    others = json.loads((launcher / "package.json").read_text())["optionalDependencies"]
    check(others == {"skillhost-mcp-linux-arm64": version(), "skillhost-mcp-linux-x64": version()}, f"the launcher takes {others}")
    # The launcher of an ARM64 machine starts the program of this package, and no other one is installed.
    program = top / "bin/skillhost"
    program.write_text('#!/bin/sh\necho "started $*"\n')
    program.chmod(0o755)
    start = launcher / "bin/skillhost.js"
    for processor, words in (("arm64", "started --version"), ("x64", "skillhost-mcp-linux-x64 is not installed"),
                             ("s390x", "there is no package for linux-s390x")):
        pretend = f"Object.defineProperty(process, 'arch', {{value: '{processor}'}}); process.argv.splice(1, 0, 'node'); require('{start}')"
        said = execute("node", "-e", pretend, "--", "--version", code=None).stdout
        check(words in said, f"the launcher on {processor}: {said}")


def deb(folder: Path) -> None:
    files = {path.name.split("_")[0]: path for path in made("deb", folder) if path.suffix == ".deb"}
    check(set(files) == {"skillhost", "skillhost-dev"} and all(path.name.endswith("_arm64.deb") for path in files.values()),
          f"the packages: {files}")
    fields = execute("dpkg-deb", "--field", files["skillhost"]).stdout
    depends = re.search(r"^Depends: (.*)", fields, re.M)
    check("Architecture: arm64" in fields and depends is not None, fields)
    for name in ("libc6 (>= 2.", "libcurl4 (>= ", "libgit2-1.5 (>= ", "libstdc++6 (>= 1", "libyaml-cpp0.7", "libarchive13"):
        check(depends is not None and name in depends[1], f"Depends has no {name}: {fields}")
    check("Static-Built-Using: " in fields and "nlohmann-json3" in fields and "rust-blake3" in fields, f"what is compiled in: {fields}")
    content = folder / "deb-content"
    execute("dpkg-deb", "--extract", files["skillhost"], content)
    for path in elf_files(content):
        check(path.read_bytes()[18:20] == b"\xb7\x00", f"deb: {path.name} is for another machine")
    traces(checks, "deb", content)
    document = json.loads((content / "usr/share/skillhost/sbom.cdx.json").read_text())
    check({"name": "skillhost:platform", "value": "linux/arm64"} in document["metadata"]["component"]["properties"],
          f"the platform in the bill of materials: {document['metadata']}")
    purls = [one["purl"] for one in document["components"] if one["purl"].startswith("pkg:deb/")]
    check(len(purls) > 3 and all("arch=arm64" in one or "arch=all" in one for one in purls), f"compiled in: {purls}")
    completion = (content / "usr/share/bash-completion/completions/skillhost").read_text()
    check("validate" in completion, "the completion was written by the program in the emulator")
    if shutil.which("lintian"):
        said = execute("lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", *files.values(), code=None)
        check(said.returncode == 0, f"lintian: {said.stdout}")


def index(folder: Path) -> None:
    """Checks the image for both architectures, whose engine takes the one of its machine."""
    if os.geteuid() != 0 or shutil.which("buildah") is None:
        print("the image: not tried, it needs root and buildah")
        return
    if not Path("/proc/sys/fs/binfmt_misc/qemu-aarch64").exists():
        print("the image: not tried, the kernel starts no emulator for ARM64 (binfmt_misc has no qemu-aarch64)")
        return
    build("deb", folder / "deb")
    files = build("container", folder / "container", options=("--index", "--packages", str(folder / "deb")))
    names = ["skillhost-container-amd64.cdx.json", "skillhost-container-arm64.cdx.json", "skillhost-container.tar"]
    check([path.name for path in files] == names, f"the files of the image: {files}")
    place = folder / "image"
    with tarfile.open(files[2]) as opened:
        opened.extractall(place)

    def blob(about: dict[str, Any]) -> Any:
        return json.loads((place / "blobs" / about["digest"].replace(":", "/")).read_text())

    named, = json.loads((place / "index.json").read_text())["manifests"]
    found = {}
    for image in blob(named)["manifests"]:
        config = blob(blob(image)["config"])
        found[image["platform"]["architecture"]] = (config["os"], config["architecture"])
    check(found == {"amd64": ("linux", "amd64"), "arm64": ("linux", "arm64")}, f"the platforms of the image: {found}")
    for path in files[:2]:
        platforms = json.loads(path.read_text())["metadata"]["component"]["properties"]
        wanted = [{"name": "skillhost:platform", "value": f"linux/{path.name.split('-')[2].split('.')[0]}"}]
        check(platforms == wanted, f"{path.name}: {platforms}")


def main() -> int:
    debian = shutil.which("dpkg") and subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True).stdout.strip()
    if platform.machine() != "x86_64" or debian != "amd64" or not (os.geteuid() == 0 or shutil.which("sudo")):
        print("skipped: the packages for ARM64 are cross-compiled on Debian for x86-64, by root or with sudo")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        for kind in (archive, wheel, npm, deb, index):
            kind(Path(temporary))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
