#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what a start on stdio with one folder of skills loads, and when: lean_start_test.py SERVER SKILLS. Libraries
that bring many others along are loaded only when they are needed. The client is answered before any plugin is
loaded, and over HTTP clients may connect before any plugin except the auth plugin is loaded."""
import os
import sys
import tempfile
from pathlib import Path

from checks import until
from http_server import Running
from session import Session

SERVER, SKILLS = sys.argv[1:3]
HEAVY = ("libarchive", "libcurl", "libgit2", "libxml2", "libicu", "libre2")


def answered_first():
    """Checks the order of the loader's and the log's lines, which go to one file."""
    session = Session([SERVER, "--no-config", "--skills-dir", SKILLS], dict(os.environ, LD_DEBUG="files"))
    session.tool("list_skills")
    session.end()
    lines = session.server.stderr().splitlines()
    loaded = next((at for at, line in enumerate(lines) if "filesystem.so" in line), None)
    answered = next((at for at, line in enumerate(lines) if "initialize test: ok" in line), None)
    if loaded is None or answered is None:
        print("FAILED the order cannot be seen:", loaded, answered)
        return False
    if loaded < answered:
        print("FAILED a plugin is loaded before initialize is answered")
    return answered < loaded


def sends_last():
    """Checks that the telemetry library is loaded when there is something to send."""
    session = Session([SERVER, "--no-config", "--skills-dir", SKILLS, "--set", "telemetry.otlp_endpoint=http://127.0.0.1:9"],
                      dict(os.environ, LD_DEBUG="files"))
    session.tool("list_skills")
    until(lambda: "the collector does not accept" in session.server.stderr(), "something is sent")
    session.end()
    lines = session.server.stderr().splitlines()
    loaded = next((at for at, line in enumerate(lines) if "libcurl.so" in line), None)
    answered = next((at for at, line in enumerate(lines) if "initialize test: ok" in line), None)
    if loaded is None or answered is None or loaded < answered:
        print("FAILED libcurl is loaded before initialize is answered:", loaded, answered)
        return False
    return True


def search_last():
    """Checks that the search plugin is loaded once the list of all skills is complete."""
    session = Session([SERVER, "--no-config", "--skills-dir", SKILLS], dict(os.environ, LD_DEBUG="files"))
    session.tool("list_skills")
    session.tool("find_helpful_skills", task_description="anything")
    session.end()
    lines = session.server.stderr().splitlines()
    listed = next((at for at, line in enumerate(lines) if "catalogue 1: " in line), None)
    loaded = next((at for at, line in enumerate(lines) if "hybrid.so" in line), None)
    if listed is None or loaded is None or loaded < listed:
        print("FAILED the search plugin is loaded first:", loaded, listed)
        return False
    return True


def listens_first():
    """Checks the order over HTTP: the auth plugin, then the listener, then everything else."""
    with tempfile.TemporaryDirectory() as folder:
        keys = Path(folder, "keys.json")
        keys.write_text('{"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k", '
                        '"x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}')
        auth = f'auth.config={{"issuer": "https://id.example.org", "jwks_file": "{keys}"}}'
        os.environ["LD_DEBUG"] = "files"
        server = Running(SERVER, SKILLS, "--set", "auth.plugin=jwt", "--set", auth)
        del os.environ["LD_DEBUG"]
        code = server.end()
    before, _, after = "".join(server.log).partition(" serving on ")
    right = "jwt.so" in before and "filesystem.so" not in before and "filesystem.so" in after and code == 0
    if not right:
        print("FAILED the order over HTTP:", code, before[-500:], after[-500:])
    return right


def ends_by_wrong_configuration():
    """Checks that a fault that only a plugin's schema can find ends the start with exit code 1, whether or not a
    client was answered."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wrong.yaml")
        path.write_text("sources:\n  - {name: a, plugin: filesystem, config: {directories: [.], nonsense: 3}}\n")
        session = Session([SERVER, "--config", str(path)])
        code = session.server.process.wait(60)
        said = session.server.stderr()
        if code == 1 and 'unknown key "nonsense"' in said and "wrong.yaml:2:" in said:
            return True
        print("FAILED the end by a wrong configuration:", code, said[-500:])
        return False


def says_what_is_wrong_when_stopped():
    """Checks the same over HTTP, where the server is stopped as soon as it serves."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wrong.yaml")
        path.write_text("sources:\n  - {name: a, plugin: filesystem, config: {directories: [.], nonsense: 3}}\n")
        server = Running(SERVER, SKILLS, "--config", str(path), ready=False)
        code = server.end()
    said = "".join(server.log)
    if code != 1 or 'unknown key "nonsense"' not in said:
        print("FAILED a wrong configuration at the end:", code, said[-500:])
        return False
    return True


def main():
    if not (answered_first() and sends_last() and search_last() and listens_first() and ends_by_wrong_configuration()
            and says_what_is_wrong_when_stopped()):
        return 1
    session = Session([SERVER, "--skills-dir", SKILLS])
    session.tool("list_skills")
    session.tool("find_helpful_skills", task_description="anything")
    maps = Path(f"/proc/{session.server.process.pid}/maps").read_text()
    loaded = sorted({Path(line.split()[-1]).name for line in maps.splitlines() if ".so" in line})
    wrong = session.end()
    if wrong:
        print("FAILED", wrong)
        return 1
    if "libc.so.6" not in loaded:
        print("FAILED these are not its libraries:", loaded)
        return 1
    found = [name for name in loaded if name.startswith(HEAVY)]
    print("FAILED it has loaded" if found else f"{len(loaded)} files loaded, none of", *(found or HEAVY))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
