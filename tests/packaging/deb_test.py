#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the Debian packages: built from the commit, lintian, installed into an empty Debian 12, the main job there
over stdio and HTTP, the unit under a systemd of its own, removed and purged without a trace."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from built_in import built_in_plugins, shipped_files
from debian import (FIRST_SKILL, ROOT, SKILLS, Checks, asked_over_http, built_packages, debian_root, done, need_root_and_debian,
                    over_stdio, run)

MAX_EXPOSURE = 2.0
checks = Checks()
check = checks.check


class Root:
    """A Debian 12 of its own, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        unpacked = run("tar", "-C", folder, "-xf", debian_root())
        assert unpacked.returncode == 0, unpacked.stderr
        # Packages that are installed here start no service.
        (folder / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (folder / "usr/sbin/policy-rc.d").chmod(0o755)
        for name in ("resolv.conf", "hosts"):
            if Path("/etc", name).is_file():
                shutil.copy(Path("/etc", name), folder / "etc" / name)

        self.enter()

    def enter(self) -> None:
        """Mounts /proc, because the program finds its parts by /proc/self/exe."""
        mounted = run("mount", "-t", "proc", "proc", self.folder / "proc")
        assert mounted.returncode == 0, mounted.stderr

    def leave(self) -> None:
        run("umount", "--lazy", self.folder / "proc")

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run("chroot", self.folder, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8",
                   "DEBIAN_FRONTEND=noninteractive", *words)

    def command(self, *words: str) -> list[str]:
        return ["chroot", str(self.folder), "env", "-i", "PATH=/usr/bin:/bin", "HOME=/tmp", "setpriv", "--reuid=nobody",
                "--regid=nogroup", "--clear-groups", "skillhost", *words]


def lint(packages: tuple[Path, ...]) -> None:
    if shutil.which("lintian") is None:
        check(False, "lintian", "it is not installed")
        return
    said = run("lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", *packages)
    check(said.returncode == 0, "lintian has no error and no warning", said.stdout + said.stderr)
    if said.stdout.strip():
        print(said.stdout)


def unit(folder: Path) -> None:
    """Checks the unit by systemd-analyze, without starting it."""
    if shutil.which("systemd-analyze") is None:
        check(False, "systemd-analyze", "it is not installed")
        return
    said = run("systemd-analyze", "security", "--offline=true", "--no-pager", folder / "lib/systemd/system/skillhost.service")
    score = re.search(r"Overall exposure level for skillhost\.service: ([\d.]+)", said.stdout)
    check(score is not None and float(score[1]) <= MAX_EXPOSURE, f"exposure {score and score[1]}, at most {MAX_EXPOSURE}", said.stdout + said.stderr)
    said = run("systemd-analyze", "verify", f"--root={folder}", "--man=no", "skillhost.service", "skillhost.socket")
    ours = "\n".join(line for line in said.stderr.splitlines() if "skillhost" in line)
    check(said.returncode == 0 and not ours, "the units are well-formed", said.stderr)


def configuration(root: Root) -> None:
    """Checks that every key is there as a comment; without the comment marks it is the example, and loads."""
    text = (root.folder / "etc/skillhost/skillhost.yaml").read_text()
    live = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    check(live == ["skills_dirs: [/etc/skillhost/skills]"], "the configuration is one line and comments", live)
    example = root.call("skillhost", "--no-config", "--example-config").stdout
    commented = text[text.index(example.splitlines()[0]):]
    known = set(example.splitlines())
    bare = "\n".join(line[1:] if line.startswith("#") and line not in known else line for line in commented.splitlines()) + "\n"
    check(bare == example, "without its \"#\" it is --example-config")
    read = root.call("skillhost", "--config", "/etc/skillhost/skillhost.yaml", "--print-config")
    check(read.returncode == 0 and "/etc/skillhost/skills" in read.stdout, "it loads", read.stderr)
    listed = root.call("dpkg-query", "-W", "-f", "${Conffiles}", "skillhost").stdout
    check("/etc/skillhost/skillhost.yaml" in listed, "it is a conffile", listed)


def contents(root: Root) -> None:
    for file in ("usr/share/man/man1/skillhost.1.gz", "usr/share/man/man5/skillhost.yaml.5.gz", "usr/lib/sysusers.d/skillhost.conf",
                 "usr/share/bash-completion/completions/skillhost", "usr/share/zsh/vendor-completions/_skillhost",
                 "usr/share/fish/vendor_completions.d/skillhost.fish", "lib/systemd/system/skillhost.service",
                 "lib/systemd/system/skillhost.socket", "usr/share/skillhost/sbom.cdx.json"):
        check((root.folder / file).is_file(), f"/{file}")
    check(root.call("bash", "-n", "/usr/share/bash-completion/completions/skillhost").returncode == 0, "the completion is good bash")
    check("skillhost:" in (root.folder / "etc/passwd").read_text(), "the system user is there")
    check(not list((root.folder / "etc/systemd/system").glob("*/skillhost.*")), "the service is not enabled by itself")
    plugins = root.call("skillhost", "plugins", "--no-config")
    for name in sorted(built_in_plugins()):
        check(re.search(rf"/{name}\.so$", plugins.stdout, re.MULTILINE) is not None, f"plugin {name}", plugins.stdout + plugins.stderr)
    for verb in ("connect", "generate", "model", "skill", "token", "health"):
        said = root.call("skillhost", verb, "--help")
        check(said.returncode == 0 and "Usage:" in said.stdout, f"skillhost {verb}", said.stderr)
    check(list((root.folder / "usr/lib").glob("*/libarchive.so.13")) != [], "the library that is opened later is there")
    without = root.call("skillhost", "check", "/nonexistent.so")
    check(without.returncode == 1 and "not installed" in without.stderr, "without skillhost-dev check says what is missing", without.stderr)
    files = [path for path in (root.folder / "usr").rglob("*") if path.is_file() and "skillhost" in str(path.relative_to(root.folder))]
    told = [f"{path.name}: {folder.decode()}" for path in files for folder in (str(ROOT).encode(), b"/tmp/tmp.") if folder in path.read_bytes()]
    check(len(files) > 20 and not told, "no file names a folder of the build", told or files)


def served(root: Root) -> None:
    skills = root.folder / "srv/skills"
    shutil.copytree(SKILLS, skills)
    took = over_stdio(checks, "stdio", root.command("--skills-dir", "/srv/skills"))
    again = over_stdio(checks, "stdio again", root.command("--skills-dir", "/srv/skills"))
    print(f"start to the answer of initialize: {took * 1000:.0f} ms, then {again * 1000:.0f} ms")
    server = subprocess.Popen(root.command("serve", "--transport", "http", "--port", "0", "--skills-dir", "/srv/skills"),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert server.stderr
    log, port = [], None
    for line in server.stderr:
        log.append(line)
        if found := re.search(r" serving on http://[^/]*:(\d+)/", line):
            port = int(found[1])
            break
    check(port is not None, "serving over HTTP", "".join(log))
    if port is not None:
        done(checks, "HTTP", asked_over_http(port))
        said = root.call("skillhost", "health", "--ready", f"http://127.0.0.1:{port}")
        check(said.returncode == 0, "skillhost health --ready", said.stderr)
    server.terminate()
    server.communicate(timeout=30)
    check(server.returncode == 0, "ends in order", server.returncode)


PROBE = """\
systemctl start skillhost.service; echo "started: $?"
skillhost health --ready; echo "ready: $?"
systemctl reload skillhost.service; echo "reloaded: $?"
systemctl show skillhost.service -p StatusText
cat /proc/$(systemctl show -P MainPID skillhost.service)/status | grep -E '^(Uid|CapEff|NoNewPrivs|Seccomp):'
cp /usr/share/wrong.yaml /etc/skillhost/skillhost.yaml; systemctl reload skillhost.service; echo "reloaded wrongly: $?"
systemctl show skillhost.service -p StatusText
systemctl kill --signal=STOP skillhost.service
tries=0
while [ "$(systemctl show -P NRestarts skillhost.service)" = 0 ] && [ $((tries += 1)) -le 200 ]; do sleep 0.2; done
echo "replaced by the watchdog: $(systemctl show -P NRestarts skillhost.service)"
systemctl stop skillhost.socket skillhost.service; echo "stopped: $?"
journalctl --boot --unit skillhost.service --output cat --no-pager
echo "end of the probe"
systemctl poweroff
"""
# This probe shows whether any systemd boots here.
CONTROL = """\
echo "booted"
systemctl poweroff
"""


def boot(root: Root, probe: str) -> tuple[str, str]:
    """Boots it until the script powers it off; returns the output of the script, and that of systemd-nspawn."""
    (root.folder / "probe").write_text(probe)
    out = root.folder / "probe.out"
    out.unlink(missing_ok=True)
    # This version of systemd-nspawn does not permit the calls of Landlock by default.
    landlock = "landlock_create_ruleset landlock_add_rule landlock_restrict_self"
    root.leave()  # systemd-nspawn has a /proc of its own
    try:
        said = run("systemd-nspawn", "--directory", root.folder, "--boot", "--register=no", "--keep-unit", "--private-network",
                   f"--system-call-filter={landlock}", timeout=180, env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"})
        told = f"exit code {said.returncode}: {said.stdout}{said.stderr}"
    except subprocess.TimeoutExpired as expired:
        told = f"it did not power off in {expired.timeout} s: {expired.stdout!r} {expired.stderr!r}"
    root.enter()
    return out.read_text(errors="replace") if out.is_file() else "", told


def booted(root: Root) -> None:
    """Checks the unit under a real systemd, with all of its restrictions: a plugin in a process of its own works
    there."""
    if shutil.which("systemd-nspawn") is None:
        print("skipped, this part alone: the unit is not started, since systemd-nspawn is not installed (systemd-container)")
        return
    configuration_file = root.folder / "etc/skillhost/skillhost.yaml"
    kept = configuration_file.read_bytes()
    units = root.folder / "etc/systemd/system"
    skills = root.folder / "etc/skillhost/skills"
    skills.mkdir(exist_ok=True)
    shutil.copytree(SKILLS / FIRST_SKILL, skills / FIRST_SKILL)
    (root.folder / "usr/share/wrong.yaml").write_text("skills_dirs: {\n")
    configuration_file.write_text(
        "skills_dirs: [/etc/skillhost/skills]\nlog: {level: DEBUG}\nsources:\n"
        "  - {name: confined, isolation: process, allow_read: [/srv/skills], config: {directories: [/srv/skills]}}\n")
    (units / "skillhost.service.d").mkdir()
    (units / "skillhost.service.d/fast.conf").write_text("[Service]\nWatchdogSec=2s\n")
    (units / "probe.service").write_text("[Service]\nType=oneshot\nExecStart=/bin/sh /probe\nStandardOutput=file:/probe.out\n"
                                         "StandardError=file:/probe.out\n[Install]\nWantedBy=multi-user.target\n")
    root.call("systemctl", "enable", "probe.service")
    out, told = boot(root, PROBE)
    if out:
        probed(out)
    else:
        without_output(root, units, told)
    configuration_file.write_bytes(kept)
    shutil.rmtree(skills / FIRST_SKILL)
    shutil.rmtree(units / "skillhost.service.d")
    root.call("systemctl", "disable", "probe.service")
    for file in (units / "probe.service", root.folder / "probe", root.folder / "probe.out"):
        file.unlink(missing_ok=True)


def without_output(root: Root, units: Path, told: str) -> None:
    """Explains a probe without output: either no systemd boots on this machine, or the unit is at fault. The same
    root without the unit shows which."""
    masks = [units / "skillhost.service", units / "skillhost.socket"]
    for mask in masks:
        mask.symlink_to("/dev/null")
    control, why = boot(root, CONTROL)
    for mask in masks:
        mask.unlink()
    if "booted" in control:
        check(False, "systemd: it boots here without the unit, and says nothing with it", told[-1500:])
    else:
        print("skipped, this part alone: the unit is not started, since no systemd boots in a container here, "
              f"without the unit neither: {why[-600:]}")


def probed(out: str) -> None:
    """Checks the probe's output about the unit."""
    for line, what in (
            ("started: 0", "the unit starts, by Type=notify and its socket"), ("ready: 0", "it serves on the socket"),
            ("reloaded: 0", "systemctl reload waits for the reload"), ("StatusText=Serving\n", "and its status says so"),
            ("reloaded wrongly: 0", "a reload of a wrong configuration ends, too"),
            ("StatusText=Serving with the previous configuration: ", "and the status says what is wrong"),
            ("replaced by the watchdog: 1", "one that no longer gets on is replaced"), ("stopped: 0", "it stops"),
            ("end of the probe", "the probe has come to its end")):
        check(line in out, f"systemd: {what}", out)
    for line in (r"CapEff:\s+0+$", r"NoNewPrivs:\s+1$", r"Seccomp:\s+2$"):
        check(re.search(line, out, re.MULTILINE) is not None, f"systemd: {line}", out)
    check(re.search(r"Uid:\s+0\b", out) is None, "systemd: it is not root", out)
    confined = re.search(r"confined: its process is confined by (.*)", out)
    check(confined is not None and "seccomp" in confined[1] and "no capabilities" in confined[1] and "not verified" not in confined[1],
          f"systemd: a plugin in a process of its own: {confined and confined[1]}", out)


def development(root: Root, package: Path) -> None:
    shutil.copy(package, root.folder / "tmp" / package.name)
    said = root.call("apt-get", "-q", "install", "-y", "--no-install-recommends", "pkg-config", "gcc", "libc6-dev", f"/tmp/{package.name}")
    check(said.returncode == 0, "skillhost-dev installs", said.stdout[-800:] + said.stderr[-800:])
    lacking = [name for name in sorted(shipped_files()) if not (root.folder / "usr" / name).is_file()]
    check(not lacking, "both packages together have every file", lacking)
    example = root.folder / "tmp/plugin"
    shutil.copytree(ROOT / "examples/source-plugin-c", example)
    built = root.call("sh", "-c", "cd /tmp/plugin && cc -std=c11 -shared -fPIC $(pkg-config --cflags skillhost-plugin) *.c"
                                  " $(pkg-config --libs skillhost-plugin) -o plugin.so")
    check(built.returncode == 0, "a plugin is built with its pkg-config file", built.stderr)
    held = root.call("skillhost", "check", "/tmp/plugin/plugin.so")
    check(held.returncode == 0 and held.stdout != "", "skillhost check finds nothing wrong with it", held.stdout[-600:] + held.stderr[-600:])
    shutil.rmtree(example)


def removed(root: Root) -> None:
    said = root.call("apt-get", "-q", "remove", "-y", "skillhost", "skillhost-dev")
    check(said.returncode == 0 and not (root.folder / "usr/bin/skillhost").exists(), "removed", said.stderr)
    check((root.folder / "etc/skillhost/skillhost.yaml").is_file(), "the configuration outlives a removal")
    said = root.call("dpkg", "--purge", "skillhost", "skillhost-dev")
    check(said.returncode == 0, "purged", said.stderr)
    root.leave()  # processes on this machine do not count as left
    left = [str(path.relative_to(root.folder)) for path in root.folder.rglob("*skillhost*")
            if not str(path.relative_to(root.folder)).startswith(("tmp/", "var/lib/apt/", "var/cache/apt/", "var/log/"))]
    check(not left, "nothing is left but the system user, which Debian keeps", left)


def main() -> int:
    need_root_and_debian("apt-get", "debootstrap", "tar")
    (ROOT / "build/packages").mkdir(parents=True, exist_ok=True)
    server, headers = built_packages()
    lint((server, headers))
    with tempfile.TemporaryDirectory() as name:
        root = Root(Path(name) / "root")
        try:
            whole_life(root, server, headers)
        finally:
            root.leave()
    return checks.finish()


def whole_life(root: Root, server: Path, headers: Path) -> None:
    shutil.copy(server, root.folder / "tmp" / server.name)
    check(root.call("apt-get", "-q", "update").returncode == 0, "apt-get update")
    # Installs a systemd, which makes the system user and runs the unit.
    said = root.call("apt-get", "-q", "install", "-y", "--no-install-recommends", "systemd-sysv", "ca-certificates")
    check(said.returncode == 0, "a Debian with systemd", said.stdout[-800:] + said.stderr[-800:])
    said = root.call("apt-get", "-q", "install", "-y", "--no-install-recommends", f"/tmp/{server.name}")
    check(said.returncode == 0, "skillhost installs", said.stdout[-1500:] + said.stderr[-1500:])
    print(root.call("dpkg-query", "-W", "-f", "Depends: ${Depends}\n", "skillhost").stdout.strip())
    unit(root.folder)
    configuration(root)
    contents(root)
    served(root)
    booted(root)
    development(root, headers)
    removed(root)


if __name__ == "__main__":
    sys.exit(main())
