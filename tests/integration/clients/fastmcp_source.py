#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the source `mcp` serves the skills of FastMCP's server: fastmcp_source.py SERVER SOURCE_ROOT CACHE_DIR
Exits 77 with a message when FastMCP cannot be installed here."""
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import hostile  # noqa: E402
from checks import DEADLINE, SLOWNESS, Checks, until  # noqa: E402
from ports import HeldPort  # noqa: E402
from session import Session, write_skill  # noqa: E402

checks = Checks()
check = checks.check


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def served(session):
    """Returns path of the skill → path → digest."""
    found = {}
    for skill in session.call("skills/list")["skills"]:
        root = skill["uri"].removesuffix("SKILL.md")
        found[root.removeprefix("skill://other/").rstrip("/")] = {
            urllib.parse.unquote(one["uri"].removeprefix(root)): one["digest"] for one in skill["resources"]}
    return found


def on_disk(root):
    return {str(entry.parent.relative_to(root)): {
        str(file.relative_to(entry.parent)): "sha256:" + hashlib.sha256(file.read_bytes()).hexdigest()
        for file in entry.parent.rglob("*") if file.is_file()} for entry in root.rglob("SKILL.md")}


def main():
    server, root, cache = os.path.realpath(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    command = hostile.python_client(cache, "fastmcp_server.py")
    with tempfile.TemporaryDirectory(prefix="skillhost-fastmcp-") as scratch:
        skills = Path(scratch) / "skills"
        shutil.copytree(root / "examples/skills", skills)
        (skills / "code-review/references/bytes").write_bytes(bytes(range(256)))
        (skills / "code-review/references/ünïcode a.md").write_bytes("é\r\n".encode())
        for form in ("extension", "resources"):
            held = HeldPort()
            port = held.number
            configuration = Path(scratch) / "skillhost.json"
            configuration.write_text(json.dumps({"sources": [{"name": "other", "plugin": "mcp", "config": {
                "url": f"http://127.0.0.1:{port}/mcp", "refresh_minutes": 0.02}}]}))
            other = subprocess.Popen([*command, str(skills), str(port), form], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
            try:
                until(lambda: listens(port), "FastMCP listens", 60 * SLOWNESS)
                started = ["env", f"XDG_CACHE_HOME={scratch}/{form}", "SKILLHOST_STARTUP_WAIT_MS=60000", server, "--config", str(configuration)]
                if form == "resources":
                    run = subprocess.run([*started, "source", "status", "--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
                    failure = json.loads(run.stdout)["sources"][0].get("failure", "")
                    print(f"  {failure}")
                    check("does not have the extension" in failure and "lists the resource skill://" in failure, failure)
                    continue
                with Session(started) as session:
                    got = served(session)
                    check(got == on_disk(skills) and len(got) >= 3, f"{got} and not {on_disk(skills)}: {session.server.stderr()}")
                    facts = session.call("skills/list")["skills"][0]["_meta"]["org.skillhost/facts"]
                    print(f"  {facts}")
                    check(facts["server_name"] == "Skills" and facts["server_version"] == "7.1", facts)
                    write_skill(skills, "later", "Comes later.")
                    until(lambda: "later" in served(session), "a change is seen", DEADLINE * SLOWNESS)
                    other.kill()
                    other.wait()
                    check(served(session) == on_disk(skills), "served while FastMCP is away")
            finally:
                other.kill()
                other.wait()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
