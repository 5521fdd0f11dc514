# SPDX-License-Identifier: Apache-2.0
"""Common parts of the tests of the Debian package and of the container: a root of Debian 12, the packages, a client."""
from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent.parent
PLACE = ROOT / "build" / "packages"  # kept from one run to the next
BUILT = os.environ.get("SKILLHOST_BUILT", "")
PACKAGES = PLACE / ("deb-built" if BUILT else "deb")
SKILLS = ROOT / "examples" / "skills"
FIRST_SKILL = "code-review"
LATEST = "2025-11-25"
DAY = 86400


def skip(why: str) -> NoReturn:
    print(f"skipped: {why}", flush=True)
    sys.exit(77)


def need_root_and_debian(*programs: str) -> None:
    if not Path("/etc/debian_version").is_file():
        skip("a Debian package is built on Debian or Ubuntu")
    if os.geteuid() != 0:
        skip("a root of Debian is made and entered by root alone")
    for program in programs:
        if shutil.which(program) is None:
            skip(f"{program} is not installed")


class Checks:
    """Prints the results of checks, and counts the failures."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def check(self, holds: bool, what: str, why: object = "") -> None:
        print(f"{'ok    ' if holds else 'FAILED'} {what}" + ("" if holds else f": {why}"), flush=True)
        self.passed += holds
        self.failed += not holds

    def finish(self) -> int:
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def run(*words: str | Path, timeout: float = 900, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], text=True, capture_output=True, timeout=timeout, check=False,
                          stdin=more.pop("stdin", subprocess.DEVNULL if "input" not in more else None), **more)


def debian_root() -> Path:
    """Returns the archive of a minimal root of Debian 12, made by debootstrap once a day."""
    archive = PLACE / "debian-12.tar"
    if archive.is_file() and time.time() - archive.stat().st_mtime < DAY:
        return archive
    folder = PLACE / "debian-12.new"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    begun = time.monotonic()
    made = run("debootstrap", "--variant=minbase", "bookworm", folder)
    if made.returncode != 0:
        skip(f"debootstrap cannot make a root of Debian 12: {(made.stdout + made.stderr)[-300:]}")
    # The root uses the machine's own sources of packages: a mirror, a proxy.
    new = archive.with_suffix(".tar.new")
    packed = run("tar", "-C", folder, "-cf", new, ".")
    if packed.returncode != 0:
        raise RuntimeError(packed.stderr)
    new.rename(archive)
    shutil.rmtree(folder)
    print(f"a root of Debian 12 by debootstrap: {time.monotonic() - begun:.0f} s")
    return archive


def built_packages() -> tuple[Path, Path]:
    """Returns skillhost and skillhost-dev of the committed state; builds them when they are not there yet."""
    version = run(ROOT / "packaging/deb/build", "--print-version").stdout.strip()

    def found() -> list[Path]:
        return [one for name in ("skillhost", "skillhost-dev") for one in PACKAGES.glob(f"{name}_{version}_*.deb")]

    # Packages of a build folder need no compilation, and its files may have changed since the last time.
    if BUILT or len(found()) != 2:
        PACKAGES.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        with (PLACE / "deb.log").open("w", encoding="utf-8") as log:
            code = subprocess.run([ROOT / "packaging/deb/build", "--output", PACKAGES], stdin=subprocess.DEVNULL, stdout=log,
                                  stderr=subprocess.STDOUT, check=False).returncode
        if code != 0 or len(found()) != 2:
            print((PLACE / "deb.log").read_text(encoding="utf-8", errors="replace")[-4000:])
            print(f"FAILED packaging/deb/build: exit code {code}")
            sys.exit(1)
        print(f"packaging/deb/build: {time.monotonic() - begun:.0f} s")
    server, development = found()
    for package in (server, development):
        size = run("dpkg-deb", "--field", package, "Installed-Size").stdout.strip()
        print(f"{package.name}: {package.stat().st_size / 1e6:.2f} MB, installed {int(size) / 1e3:.1f} MB")
    return server, development


def request(id_: int, method: str, **parameters: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": parameters}


def initialize() -> dict[str, Any]:
    return request(1, "initialize", protocolVersion=LATEST, capabilities={}, clientInfo={"name": "test", "version": "1"})


def main_job() -> list[dict[str, Any]]:
    return [initialize(), {"jsonrpc": "2.0", "method": "notifications/initialized"}, request(2, "tools/list"),
            request(3, "tools/call", name="load_skill", arguments={"skill_name": FIRST_SKILL})]


def done(checks: Checks, where: str, answers: dict[int, dict[str, Any]]) -> None:
    """Checks that the main job is done: the client is greeted, and reads a skill."""
    checks.check("skillhost" in json.dumps(answers.get(1, {}).get("result", {}).get("serverInfo", {})), f"{where}: initialize", answers)
    tools = [tool["name"] for tool in answers.get(2, {}).get("result", {}).get("tools", [])]
    checks.check("load_skill" in tools, f"{where}: tools/list", tools)
    result = answers.get(3, {}).get("result", {})
    text = json.dumps(result)
    wanted = (SKILLS / FIRST_SKILL / "SKILL.md").read_text(encoding="utf-8").split("---\n", 2)[2].strip().splitlines()[0]
    checks.check(not result.get("isError", True if not result else False) and json.dumps(wanted)[1:-1] in text,
                 f"{where}: load_skill {FIRST_SKILL}", text[:400])


def over_stdio(checks: Checks, where: str, command: list[str]) -> float:
    """Does the main job over stdio; returns the seconds until initialize was answered."""
    begun = time.monotonic()
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdin and server.stdout
    first, *rest = main_job()
    server.stdin.write(json.dumps(first) + "\n")
    server.stdin.flush()
    answers = {}
    line = server.stdout.readline()
    took = time.monotonic() - begun
    if line:
        answers[1] = json.loads(line)
    out, errors = server.communicate("".join(json.dumps(one) + "\n" for one in rest), timeout=60)
    for text in out.splitlines():
        message = json.loads(text)
        if "id" in message and "result" in message:
            answers[message["id"]] = message
    done(checks, where, answers)
    checks.check(server.returncode == 0, f"{where}: ends with its client", f"exit code {server.returncode}: {errors[-600:]}")
    return took


def asked_over_http(port: int) -> dict[int, dict[str, Any]]:
    """Returns the answers to the main job over HTTP, in one session."""
    answers: dict[int, dict[str, Any]] = {}
    session: dict[str, str] = {}
    for message in main_job():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("POST", "/mcp", json.dumps(message).encode(), {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": LATEST, **session})
        answer = connection.getresponse()
        text = answer.read().decode()
        if identifier := answer.headers["Mcp-Session-Id"]:
            session = {"Mcp-Session-Id": identifier}
        if "event-stream" in (answer.headers["Content-Type"] or ""):
            text = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")][-1]
        if "id" in message:
            answers[message["id"]] = json.loads(text) if text.startswith("{") else {"status": answer.status, "text": text}
        connection.close()
    return answers


if __name__ == "__main__":  # within a network namespace: prints the answers of a server there
    print(json.dumps(asked_over_http(int(sys.argv[1]))))
