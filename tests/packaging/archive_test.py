#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the portable archive: the main job on a Linux that has nothing except the C library and the compiler's
run-time libraries, the authorities of other distributions, and install.sh with the things that may be in its way."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from built_in import built_in_plugins, shipped_files
from foreign_root import ForeignRoot, namespaces
from packages import (ROOT, Checks, Running, Session, build, built_program, clean_environment, elf_files, execute, main_job,
                      needs_no_newer_system, over_http, start_times, traces, version)

sys.path.insert(0, str(ROOT / "tests/integration"))
from loopback import certificate  # noqa: E402

PLUGINS = built_in_plugins()
checks = Checks()
check = checks.check


def unpacked(archive: Path, folder: Path) -> Path:
    folder.mkdir()
    execute("tar", "--zstd", "-xf", archive, "-C", folder)
    tops = list(folder.iterdir())
    check([top.name for top in tops] == [archive.name.removesuffix(".tar.zst")], f"the top of the archive: {tops}")
    return tops[0]


def needs_no_other(top: Path) -> None:
    """Checks that the dependencies of each file are inside, or in every Linux; and that no version of a symbol is
    newer than on the oldest system."""
    inside = {path.name for path in (top / "lib/skillhost/plugins/lib").iterdir()}
    foreign = re.compile(r"ld-linux-x86-64|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s)\.so")
    count = 0
    needs_no_newer_system(checks, "archive", top)
    for path in elf_files(top):
        count += 1
        dynamic = execute("objdump", "-p", path).stdout
        lacking = {name for name in re.findall(r"NEEDED +(\S+)", dynamic) if name not in inside and not foreign.match(name)}
        check(not lacking, f"{path.name} needs {lacking}")
        ways = re.findall(r"R(?:UN)?PATH +(\S+)", dynamic)
        check(all(way.startswith("$ORIGIN") for way in ways), f"{path.name} looks for libraries in {ways}")
        if path.parent.name == "plugins":
            exported = execute("nm", "-D", "--defined-only", path).stdout.split()
            check(len(exported) == 3, f"{path.name} exports {exported[2::3]}")
    check(count > 30, f"only {count} programs and libraries")
    licences = top / "share/doc/skillhost/licenses"
    check((licences / "libssl3/copyright").is_file() and (licences / "packages.txt").is_file(), "licences are inside")
    names = (licences / "packages.txt").read_text()
    for name in ("libcurl4 ", "libgit2-1.5 ", "libhiredis0.14 ", "libsqlite3-0 ", "nlohmann-json3-dev ", "librust-blake3-dev "):
        check(name in names, f"packages.txt does not name {name}")


def on_foreign_linux(top: Path, folder: Path) -> None:
    way = namespaces()
    if way is None:
        print("foreign Linux: not tried, no namespace of mounts can be had here")
        return
    root = ForeignRoot(folder / "root", way)
    shutil.copytree(top, root.folder / "opt/skillhost")
    shutil.copytree(ROOT / "examples/skills", root.folder / "skills")
    program = "/opt/skillhost/bin/skillhost"
    environment = {"HOME": "/root", "XDG_CONFIG_HOME": "/root", "XDG_CACHE_HOME": "/root/cache"}
    said = execute(*root.command(program, "--version"), env={**os.environ, **environment}).stdout
    check(version() in said, f"--version on a foreign Linux: {said}")
    listed = json.loads(execute(*root.command(program, "plugins", "--json"), env={**os.environ, **environment},
                                stderr=subprocess.DEVNULL).stdout)
    loads(listed)
    for plugin in sorted(PLUGINS):
        # The plugin is confined as by a server: the libraries lie where it may read.
        asked = execute(*root.command(program, "check", "--only", "elf,load,entry",
                                      f"/opt/skillhost/lib/skillhost/plugins/{plugin}.so"), code=None,
                        env={**os.environ, **environment})
        check(asked.returncode == 0, f"check of {plugin}: {asked.stdout[-1000:]}")
    with Session(root.command(program, "--skills-dir", "/skills"), environment) as session:
        names = [skill["name"] for skill in session.listing()["skills"]]
        check("code-review" in names, f"skills on a foreign Linux: {names}")
        loaded = json.dumps(session.call("tools/call", name="load_skill", arguments={"skill_name": "code-review"}))
        check('"isError": true' not in loaded and "checklist" in loaded, f"load_skill on a foreign Linux: {loaded[:300]}")
        wrong = session.end()
        check(wrong is None, f"the end on a foreign Linux: {wrong}")
    authorities(root, program, environment, folder)


def loads(listed: object) -> None:
    text = json.dumps(listed)
    for plugin in PLUGINS:
        check(f"plugins/{plugin}.so" in text, f"skillhost plugins does not list {plugin}: {text[:1500]}")
    check("cannot open shared object" not in text, f"a plugin lacks a library: {text[:1500]}")


def authorities(root: ForeignRoot, program: str, environment: dict[str, str], folder: Path) -> None:
    """Checks a certificate that only the system's authorities vouch for. Debian's place for them is empty, so the
    program finds them at Fedora's place, and openSUSE's; in the process of a confined plugin too. The skills come
    in archives, for which the plugin loads a library by its name."""
    made = certificate(folder)
    if made is None:
        print("authorities: not tried, openssl is not installed")
        return
    skills = ROOT / "examples/skills"
    count = len(list(skills.rglob("SKILL.md")))
    server = secure_server(skills, made, folder)
    config = root.folder / "root/web.json"
    config.write_text(json.dumps({"sources": [{"name": "web", "plugin": "well_known", "isolation": "process",
                                               "config": {"url": f"https://127.0.0.1:{server.port}"}}]}))
    command = root.command(program, "--config", "/root/web.json", "source", "status", "--json")

    def served() -> str:
        shutil.rmtree(root.folder / "root/cache", ignore_errors=True)
        return execute(*command, code=None, env={**os.environ, **environment}).stdout

    said = served()
    check("cannot be asked" in said, f"without any authority the server is not believed: {said[-1500:]}")
    for place in ("etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "etc/ssl/ca-bundle.pem",
                  "etc/ssl/certs/ca-certificates.crt"):
        file = root.folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(made[0], file)
        said = served()
        check(re.search(rf'"skills": ?{count}\b', said), f"authorities in /{place}: {said[-1500:]}")
        said = execute(*root.command(program, "connect", f"https://127.0.0.1:{server.port}/mcp"), code=None,
                       env={**os.environ, **environment}, stdin=None, input=INITIALIZE_LINE).stdout
        check('"serverInfo"' in said, f"connect, authorities in /{place}: {said[-600:]}")
        file.unlink()
    server.end()


INITIALIZE_LINE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}) + "\n"


def secure_server(skills: Path, made: tuple[str, str], folder: Path) -> Running:
    """Starts the program under test, which publishes the skills that it reads again."""
    return Running(str(folder / "unpacked" / f"skillhost-{version()}-linux-{os.uname().machine}" / "bin/skillhost"),
                   str(skills), "--tls-certificate", made[0], "--tls-key", made[1], "--set", "http.publish=*")


def state(prefix: Path) -> dict[str, tuple[int, bytes]]:
    return {str(path.relative_to(prefix)): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
            for path in sorted(prefix.rglob("*"))}


def installing(top: Path, folder: Path) -> None:
    script = top / "install.sh"
    prefix = folder / "a prefix"
    (prefix / "bin").mkdir(parents=True)
    (prefix / "bin/other").write_text("of somebody else")
    before = state(prefix)
    environment = clean_environment(folder)
    said = execute(script, "--prefix", prefix, env=environment).stdout
    check("is installed in" in said and "is not in your PATH" in said, f"install.sh: {said}")
    program = prefix / "bin/skillhost"
    main_job(checks, "installed archive", [program])
    over_http(checks, "installed archive", program)
    start_times("archive, installed", built_program(), [program])
    link = folder / "linked"
    link.symlink_to(program)
    main_job(checks, "by a link", [link])
    installed = state(prefix)

    said = execute(script, "--prefix", prefix, env=environment).stdout
    check(state(prefix) == installed, "installing it once more changes nothing")
    upgrade(script, prefix, environment, installed)
    left_alone(top, script, folder, environment)
    unfinished(script, folder, environment)

    (prefix / "share/skillhost/mine").write_text("of the user")
    # The script's own place decides which installation it is about, and not HOME, where there is another one.
    execute(script, env=environment)
    at_home = state(folder / ".local")
    said = execute(prefix / "share/skillhost/install.sh", "--remove", env=environment).stdout
    check(f"is removed from {prefix}\n" in said, f"--remove: {said}")
    check(state(folder / ".local") == at_home, "--remove of one installation leaves that in HOME as it is")
    left = state(prefix)
    check(set(left) - set(before) == {"share", "share/skillhost", "share/skillhost/mine"}, f"left: {set(left) - set(before)}")
    (prefix / "share/skillhost/mine").unlink()
    shutil.rmtree(prefix / "share")
    check(state(prefix) == before, "what was there before is there as it was")
    said = execute(script, "--remove", "--prefix", prefix, code=1, env=environment).stdout
    check("nothing is installed by this script" in said, f"--remove of nothing: {said}")


def upgrade(script: Path, prefix: Path, environment: dict[str, str], installed: dict[str, tuple[int, bytes]]) -> None:
    """Checks that an upgrade removes the files of an older installation, while its program still runs."""
    listed = prefix / "share/skillhost/installed-files"
    (prefix / "lib/skillhost/former").mkdir()
    (prefix / "lib/skillhost/former/gone.so").write_text("of an older version")
    (prefix / "bin/skillhost-former").write_text("of an older version")
    listed.write_text(listed.read_text() + "lib/skillhost/former/\nlib/skillhost/former/gone.so\nbin/skillhost-former\n")
    (prefix / "share/doc/skillhost/copyright").write_text("of an older version")
    with tempfile.TemporaryDirectory() as skills, Session([str(prefix / "bin/skillhost"), "--skills-dir", skills]) as old:
        execute(script, f"--prefix={prefix}", env=environment)
        check(old.call("tools/list")["tools"] != [], "the older one that runs goes on")
        wrong = old.end()
        check(wrong is None, f"the end of the older one: {wrong}")
    differing = {name for name in {*installed, *state(prefix)} if installed.get(name) != state(prefix).get(name)}
    check(not differing, f"after an upgrade these differ: {sorted(differing)[:10]}")


def unfinished(script: Path, folder: Path, environment: dict[str, str]) -> None:
    """Checks that a file whose writing fails is not left behind, and that --remove removes the one of a script that
    was killed."""
    prefix = folder / "unfinished"
    prefix.mkdir()
    said = execute("sh", "-c", 'ulimit -c 0 && ulimit -f 1000 && exec "$0" --prefix "$1"', script, prefix, code=None, env=environment)
    check(said.returncode != 0 and (prefix / "share/skillhost/installed-files").is_file(),
          f"a file larger than may be written: {said.returncode} {said.stdout}")
    left = sorted(path.name for path in prefix.rglob("*.skillhost-new"))
    check(not left, f"left of a file larger than may be written: {left}")
    execute(script, "--prefix", prefix, env=environment)
    outside = folder / "outside"
    outside.write_text("mine")
    (prefix / "bin/skillhost.skillhost-new").symlink_to(outside)
    execute(script, "--prefix", prefix, env=environment)
    check(outside.read_text() == "mine", "what a link in the place of a half-written file leads to is written")
    for name in ("bin/skillhost", "share/skillhost/installed-files"):
        (prefix / f"{name}.skillhost-new").write_text("the half of")
    if os.geteuid() == 0:
        # Another user has put a link in the place of a folder: the script does not follow it.
        elsewhere = folder / "elsewhere"
        (prefix / "bin").rename(elsewhere)
        (prefix / "bin").symlink_to(elsewhere)
        os.lchown(prefix / "bin", 65534, 65534)
        for words in (("--remove",), ()):
            said = execute(script, *words, "--prefix", prefix, code=None, env=environment)
            check(said.returncode == 1 and "is a link of another user" in said.stdout and (elsewhere / "skillhost").is_file(),
                  f"a link of another user: {said.returncode} {said.stdout}")
        (prefix / "bin").unlink()
        elsewhere.rename(prefix / "bin")
    execute(script, "--remove", "--prefix", prefix, env=environment)
    check(state(prefix) == {}, f"left after --remove: {sorted(state(prefix))}")


def left_alone(top: Path, script: Path, folder: Path, environment: dict[str, str]) -> None:
    """Checks the cases that install.sh refuses, with nothing changed."""
    def refused(name: str, words: str, prefix: Path, *options: str | Path, code: int = 1) -> None:
        before = state(prefix) if prefix.is_dir() else None
        said = execute(script, *options, code=None, env=environment)
        check(said.returncode == code and words in said.stdout, f"{name}: {said.returncode} {said.stdout}")
        check((state(prefix) if prefix.is_dir() else None) == before, f"{name}: something was changed")

    foreign = folder / "foreign"
    (foreign / "bin").mkdir(parents=True)
    (foreign / "bin/skillhost").write_text("of somebody else")
    refused("a file of somebody else", "not installed by this script", foreign, "--prefix", foreign)
    (foreign / "bin/skillhost").unlink()
    (foreign / "bin/skillhost").symlink_to("nowhere")
    refused("a dangling link", "not installed by this script", foreign, "--prefix", foreign)
    (foreign / "bin/skillhost").unlink()
    (foreign / "bin/skillhost").mkdir()
    refused("a folder in the place of a file", "(a folder)", foreign, "--prefix", foreign)
    evil = folder / "evil"
    (evil / "share/skillhost").mkdir(parents=True)
    for wrong in ("../../victim", "/victim", "bin/../../victim"):
        (evil / "share/skillhost/installed-files").write_text(f"bin/skillhost\n{wrong}\n")
        refused(f"a list with {wrong}", "not as this script writes it", evil, "--remove", "--prefix", evil)
        refused(f"a list with {wrong}", "not as this script writes it", evil, "--prefix", evil)
    file = folder / "file"
    file.write_text("")
    refused("a file as prefix", "is not a folder", file, "--prefix", file)
    refused("the archive as prefix", "the unpacked archive itself", top, "--prefix", top)
    refused("no folder", "--prefix needs a folder", folder / "none", "--prefix")
    refused("an unknown option", "usage:", folder / "none", "--what", code=2)
    broken = folder / "broken"
    shutil.copytree(top, broken)
    (broken / "bin/skillhost").write_bytes((top / "bin/skillhost").read_bytes()[:4096])
    said = execute(broken / "install.sh", "--prefix", folder / "none", code=1, env=environment).stdout
    check("this system cannot run it" in said and not (folder / "none").exists(), f"a program that cannot run: {said}")


def main() -> int:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        archive, = build("archive", folder / "packages")
        check(archive.name == f"skillhost-{version()}-linux-{os.uname().machine}.tar.zst", f"the name: {archive.name}")
        top = unpacked(archive, folder / "unpacked")
        whole = sum(path.stat().st_size for path in top.rglob("*") if path.is_file())
        print(f"archive: {whole / 1e6:.1f} MB unpacked")
        for name in sorted(shipped_files()):
            check((top / name).is_file(), f"the archive lacks {name}")
        needs_no_other(top)
        traces(checks, "archive", top)
        main_job(checks, "archive", [top / "bin/skillhost"])
        on_foreign_linux(top, folder)
        installing(top, folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
