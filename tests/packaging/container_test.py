#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the container: built by buildah, then run as an engine would run it, with a read-only root, no privileges
and a /tmp in memory: the main job over HTTP and stdio, the health check, the list of its parts, no secrets."""
from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

from debian import PLACE, ROOT, SKILLS, Checks, built_packages, debian_root, done, need_root_and_debian, over_stdio, run

USER = 65532
ARCHIVE = PLACE / "container" / "skillhost-container.tar"
SBOM = ARCHIVE.with_name("skillhost-container.cdx.json")
# These patterns find keys and tokens; the image's own environment belongs to its configuration.
SECRETS = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----[\r\n]|ghp_[A-Za-z0-9]{36}|AKIA[0-9A-Z]{16}")
checks = Checks()
check = checks.check


def blob(folder: Path, digest: str) -> Path:
    return folder / "blobs" / digest.replace(":", "/")


class Image:
    """The archive, unpacked, with the settings of its configuration."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.root.mkdir()
        parts = folder / "archive"
        parts.mkdir()
        self.unpack(ARCHIVE, parts)
        index = json.loads((parts / "index.json").read_text())
        manifest = json.loads(blob(parts, index["manifests"][0]["digest"]).read_text())
        self.configuration: dict[str, Any] = json.loads(blob(parts, manifest["config"]["digest"]).read_text())["config"]
        for layer in manifest["layers"]:
            self.unpack(blob(parts, layer["digest"]), self.root)
            for mark in list(self.root.rglob(".wh.*")):  # marks a file that this layer removes
                if mark.name == ".wh..wh..opq":
                    raise RuntimeError(f"{mark}: a layer that hides a folder as a whole, which is not expected here")
                gone = mark.with_name(mark.name[4:])
                if gone.is_dir() and not gone.is_symlink():
                    shutil.rmtree(gone)
                else:
                    gone.unlink(missing_ok=True)
                mark.unlink()
        shutil.rmtree(parts)

    @staticmethod
    def unpack(archive: Path, folder: Path) -> None:
        done = run("tar", "-C", folder, "-xf", archive)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def command(self, *words: str, network: bool = False) -> list[str]:
        """Returns a command that runs `words` in it: in namespaces of its own, its root read-only, as its user,
        without privileges. The folder for a cache can be written as far as its owner permits; a new volume is the
        same, because it gets owner and mode of that folder."""
        script = ('set -e; root=$1; shift; mount --bind "$root" "$root"; mount --bind "$1" "$root/skills"; shift;'
                  'mount -o remount,bind,ro "$root/skills"; mount --bind "$root/var/cache/skillhost" "$root/var/cache/skillhost"; mount -t proc proc "$root/proc"; mount -t tmpfs tmpfs "$root/tmp";'
                  'chmod 1777 "$root/tmp"; mount --bind /dev "$root/dev"; mount -o remount,bind,ro "$root";'
                  + ('ip link set lo up 2>/dev/null || ifconfig lo up;' if network else '') +
                  'exec env -i "$@"')
        environment = self.configuration["Env"]
        user, group = self.configuration["User"].split(":")
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", *(["--net"] if network else []), "sh", "-c", script, "sh",
                str(self.root), str(SKILLS), *environment, "chroot", str(self.root), "setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups",
                "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", *words]

    def start(self, *arguments: str) -> list[str]:
        return [*self.configuration["Entrypoint"], *(arguments or self.configuration["Cmd"])]


def others_refused(folder: Path) -> None:
    """Checks that a package of another commit is refused, because it would get the label of this one."""
    control = folder / "other/DEBIAN/control"
    control.parent.mkdir(parents=True)
    control.write_text("Package: skillhost\nVersion: 0.0.1\nArchitecture: all\nMaintainer: Nobody <nobody@example.invalid>\nDescription: another\n")
    place = folder / "packages"
    place.mkdir()
    for name in ("skillhost_0.0.1_all.deb", "skillhost_0.0.2_all.deb"):
        made = run("dpkg-deb", "--build", folder / "other", place / name)
        assert made.returncode == 0, made.stderr
        said = run(ROOT / "packaging/container/build", "--output", folder / "out", "--packages", place.name, cwd=folder)
        words = "its version is 0.0.1" if name.startswith("skillhost_0.0.1") else "there are 2"
        check(said.returncode == 1 and words in said.stderr and not (folder / "out").exists(),
              f"it takes no package that {'is of another version' if '0.0.1' in name else 'is one of several'}", said.stderr[-600:])


def build() -> str:
    """Builds the image, and returns the version of the package that is in it."""
    package, _ = built_packages()
    begun = time.monotonic()
    said = run(ROOT / "packaging/container/build", "--output", ARCHIVE.parent, "--base", debian_root(), "--packages", PLACE / "deb",
               timeout=900)
    check(said.returncode == 0 and ARCHIVE.is_file() and SBOM.is_file(), "packaging/container/build", said.stdout[-1500:] + said.stderr[-3000:])
    if said.returncode != 0:
        sys.exit(checks.finish())
    print(f"packaging/container/build: {time.monotonic() - begun:.0f} s")
    return run("dpkg-deb", "--field", package, "Version").stdout.strip()


def described(image: Image, version: str) -> None:
    configuration = image.configuration
    check(configuration.get("User") == f"{USER}:{USER}", "it is not root", configuration)
    check("8080/tcp" in configuration.get("ExposedPorts", {}), "the port is named")
    labels = configuration.get("Labels") or {}
    revision = run("git", "-C", ROOT, "rev-parse", "HEAD").stdout.strip()
    for name, value in (("title", "skillhost"), ("licenses", "Apache-2.0"), ("version", version), ("revision", revision)):
        check(labels.get(f"org.opencontainers.image.{name}") == value, f"label {name}", labels)
    check(not [one for one in configuration["Env"] if re.search("token|secret|password|key", one, re.IGNORECASE)], "no secret in the environment")
    files = [path for path in image.root.rglob("*") if path.is_file() and not path.is_symlink()]
    size = sum(path.stat().st_size for path in files)
    print(f"image: {ARCHIVE.stat().st_size / 1e6:.1f} MB as archive, {size / 1e6:.1f} MB unpacked, {len(files)} files")
    # The search covers text files alone: libraries contain the first line of a key, to recognise one.
    told = [str(path) for path in files if path.stat().st_size < 1 << 20 and b"\0" not in (data := path.read_bytes()) and SECRETS.search(data)]
    check(not told, "no key in a file", told)
    writable = [str(path.relative_to(image.root)) for path in image.root.rglob("*") if not path.is_symlink() and path.lstat().st_uid == USER]
    check(writable == ["var/cache/skillhost"], "its user owns the folder for a cache, and nothing else", writable)


def listed(image: Image, folder: Path) -> None:
    """Checks that the list is a valid CycloneDX document, and agrees with dpkg's list of the image."""
    document = json.loads(SBOM.read_text())
    names = {(one["name"], one["version"]) for one in document["components"]}
    said = run("dpkg-query", f"--admindir={image.root}/var/lib/dpkg", "-W", "-f", "${db:Status-Status} ${Package} ${Version}\n").stdout
    inside = {tuple(line.split()[1:]) for line in said.splitlines() if line.startswith("installed ")}
    check(bool(inside) and inside <= names, f"every one of {len(inside)} packages is in the list", inside - names)
    for name in ("libre2-dev", "librust-blake3-dev", "nlohmann-json3-dev", "libcli11-dev", "libtomlplusplus-dev", "libvalijson-dev"):
        check(name in {one for one, _ in names}, f"{name} is compiled in, and is in the list")
    licensed = sum("licenses" in one for one in document["components"])
    print(f"SBOM: {len(names)} components, {licensed} with licences, CycloneDX {document['specVersion']}")
    place = folder / "venv"
    venv.create(place, with_pip=True)
    got = run(place / "bin/python", "-m", "pip", "install", "--quiet", "cyclonedx-python-lib[json-validation]", timeout=300)
    if got.returncode != 0:
        print(f"skipped: the validator of CycloneDX cannot be had: {got.stderr[-200:]}")
        return
    code = ("import sys; from cyclonedx.validation.json import JsonStrictValidator as V; from cyclonedx.schema import SchemaVersion as S;"
            "e = V(S.V1_5).validate_str(open(sys.argv[1]).read()); print(e or ''); sys.exit(e is not None)")
    for text, good in ((document, True), ({**document, "components": [{"name": "x"}]}, False)):
        file = folder / "document.json"
        file.write_text(json.dumps(text))
        said_of = run(place / "bin/python", "-c", code, file)
        check((said_of.returncode == 0) == good, "CycloneDX's validator takes it" if good else "and would not take what is wrong",
              said_of.stdout + said_of.stderr)


def serving(server: subprocess.Popen[str]) -> tuple[bool, str]:
    assert server.stderr
    log = []
    for line in server.stderr:
        log.append(line)
        if " serving on " in line:
            return True, "".join(log)
    return False, "".join(log)


def inner(server: subprocess.Popen[str]) -> str:
    """Returns the number of the process in the namespaces, seen from here: the child of unshare."""
    return Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()[0]


def cached(image: Image) -> None:
    """Runs it as doc/deploy.md describes, with a volume for the cache."""
    place = image.root / "var/cache/skillhost"
    check(not list(place.iterdir()), "without XDG_CACHE_HOME the cache is elsewhere", list(place.iterdir()))
    over_stdio(checks, "a cache that stays",
               image.command("/usr/bin/env", "XDG_CACHE_HOME=/var/cache", *image.start("serve", "--skills-dir", "/skills")))
    written = sorted(path.name for path in place.iterdir())
    check("instances" in written, "a cache that stays is written", written)


def configured(image: Image) -> None:
    """Runs it as doc/deploy.md describes, with a configuration."""
    (image.root / "etc/skillhost/skillhost.yaml").write_text("skills_dirs: [/skills]\nhttp: {allow_anonymous: true}\n")
    over_http(image, "with a configuration", "serve", "--config", "/etc/skillhost/skillhost.yaml", "--transport", "http",
              "--listen", "0.0.0.0:8080")


def anonymous(image: Image) -> None:
    refused = subprocess.run(image.command(*image.start(), network=True), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    check(refused.returncode == 1 and "--allow-anonymous" in refused.stderr, "it does not serve just anybody by itself", refused.stderr)
    over_http(image, "HTTP", *image.configuration["Cmd"], "--allow-anonymous")


def over_http(image: Image, name: str, *arguments: str) -> None:
    begun = time.monotonic()
    server = subprocess.Popen(image.command(*image.start(*arguments), network=True),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    ready, log = serving(server)
    check(ready, f"{name}: it serves with a read-only root", log)
    if not ready:
        return
    print(f"start until it serves: {(time.monotonic() - begun) * 1000:.0f} ms, with the namespaces")
    process = inner(server)
    status = Path(f"/proc/{process}/status").read_text()
    check(re.search(rf"^Uid:\t{USER}\t", status, re.MULTILINE) is not None and "CapEff:\t0000000000000000" in status, "not root, no capabilities", status)
    enter = ["nsenter", "--target", process, "--net"]
    asked = run(*enter, sys.executable, Path(__file__).with_name("debian.py"), "8080")
    done(checks, name, {int(key): value for key, value in json.loads(asked.stdout).items()} if asked.stdout else {0: {"error": asked.stderr}})
    said = dict(one.split("=", 1) for one in image.configuration["Env"])
    health = ["nsenter", "--target", process, "--net", "--mount", "--pid", "env", "-i", *[f"{k}={v}" for k, v in said.items()], "chroot",
              f"--userspec={image.configuration['User']}", str(image.root), "/usr/bin/skillhost", "health"]
    for words in ([], ["--ready"]):
        asked = run(*health, *words)
        check(asked.returncode == 0, f"the health check is content: health {' '.join(words)}", asked.stderr)
    wrong = run(*health, "http://127.0.0.1:8081")
    check(wrong.returncode == 1 and wrong.stderr != "", "and is not where nothing answers", wrong.stderr)
    touched = run("nsenter", "--target", process, "--mount", "touch", image.root / "etc/x")
    check(touched.returncode != 0 and "Read-only" in touched.stderr, "the root is read-only", touched.stderr)
    os.kill(int(process), signal.SIGTERM)
    server.communicate(timeout=30)
    check(server.returncode == 0, "SIGTERM ends it in order", server.returncode)


def main() -> int:
    need_root_and_debian("apt-get", "debootstrap", "buildah", "tar", "unshare", "nsenter", "setpriv", "chroot", "ip")
    if run("unshare", "--mount", "--pid", "--net", "--fork", "true").returncode != 0:
        print("skipped: no namespaces can be made here")
        return 77
    ARCHIVE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        others_refused(Path(name))
    version = build()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        image = Image(folder)
        described(image, version)
        listed(image, folder)
        took = over_stdio(checks, "stdio", image.command(*image.start("serve", "--skills-dir", "/skills")))
        print(f"stdio: start to the answer of initialize {took * 1000:.0f} ms, with the namespaces")
        cached(image)
        anonymous(image)
        configured(image)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
