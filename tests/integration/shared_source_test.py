#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Three replicas that share a git source: one of them asks, all serve: shared_source_test.py SERVER VALKEY_PLUGIN.
Counts, and prints, what reaches the git server for one change, and how long after the hook all replicas show it."""
from __future__ import annotations

import hmac
import json
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from checks import DEADLINE, Checks, until
from git_servers import BACKEND, PythonServer, Repository
from http_server import MODERN, Running, modern

SERVER, VALKEY = sys.argv[1:3]
SECRET = "a secret of the hook, long enough"
STATE_SECRET = "0123456789abcdef" * 4
checks = Checks()
check = checks.check


class Engine:
    """redis-server on a socket of its own, which it makes again at the same place when it is started again."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "engine"
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", str(self.socket), "--save", "",
                                         "--dir", str(self.socket.parent)], stdout=subprocess.DEVNULL)
        until(self.answers, "the engine answers")

    def answers(self) -> bool:
        assert self.process.poll() is None, "redis-server ended"
        with socket.socket(socket.AF_UNIX) as one:
            return one.connect_ex(str(self.socket)) == 0

    def end(self) -> None:
        self.process.kill()
        self.process.wait(DEADLINE)


class Setting:
    def __init__(self, folder: Path, git: PythonServer, engine: Engine) -> None:
        self.shared = folder / "shared"
        self.git = git
        source = {"name": "team", "plugin": "github", "config": {"url": f"{git.url}/team.git"},
                  "shared": str(self.shared), "webhook_secret": SECRET}
        self.skills = folder / "none"
        self.skills.mkdir()
        self.options = ["--set", "sources=" + json.dumps([source]), "--set", "state.plugin=" + VALKEY,
                        "--set", "state.config=" + json.dumps({"address": f"unix:{engine.socket}"}),
                        "--set", "state.secret=" + STATE_SECRET]

    def start(self) -> Running:
        return Running(SERVER, str(self.skills), *self.options)


def names(server: Running) -> list[str]:
    call = modern("tools/call", name="list_skills", arguments={})
    answer: Any = server.post(call, MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name="list_skills")[1]
    return sorted(one["name"] for one in answer["result"]["structuredContent"]["data"]["skills"])


def hook(server: Running) -> None:
    body = b"{}"
    signature = "sha256=" + hmac.new(SECRET.encode(), body, "sha256").hexdigest()
    response, _ = server.ask("POST", "/hooks/team", body, X_Hub_Signature_256=signature)
    check(response.status == 202, f"the hook: {response.status}")


def shown(servers: list[Running], wanted: list[str]) -> bool:
    return all(names(one) == wanted for one in servers)


def looks(git: PythonServer, since: int) -> list[str]:
    """The looks at the repository: each begins with what its references are."""
    return [path for method, path, _ in git.requests[since:] if method == "GET" and "info/refs" in path]


def one_question_for_all(setting: Setting, repository: Repository) -> list[Running]:
    servers = [setting.start() for _ in range(3)]
    until(lambda: shown(servers, ["alpha", "beta"]), "all replicas show what the repository has")
    check(len(looks(setting.git, 0)) == 1, f"at the start: {setting.git.requests}")
    return servers


def one_change(setting: Setting, repository: Repository, servers: list[Running]) -> None:
    wanted = ["alpha", "beta"]
    for number, told in enumerate(servers):
        name = f"gamma-{number}"
        repository.skill(name, "Came later.")
        repository.push()
        wanted = sorted([*wanted, name])
        # A look that is asked for begins at the earliest a second after the one before it has ended.
        quiet = time.monotonic() + 1.1
        until(lambda quiet=quiet: time.monotonic() > quiet, "the pause after a look is over")
        before = len(setting.git.requests)
        begun = time.monotonic()
        hook(told)
        until(lambda wanted=wanted: shown(servers, wanted), f"all show {name}")
        took = time.monotonic() - begun
        asked = setting.git.requests[before:]
        print(f"  a hook at replica {number}: shown by all after {took * 1000:.0f} ms, "
              f"{len(looks(setting.git, before))} look of {len(asked)} requests")
        check(len(looks(setting.git, before)) == 1, f"one look for three replicas: {asked}")


def another_takes_over(setting: Setting, repository: Repository, servers: list[Running]) -> list[Running]:
    leading = [one for one in servers if any("this replica asks it for all" in line for line in one.log)]
    check(len(leading) == 1, f"one replica asks: {len(leading)}")
    leading[0].process.kill()
    rest = [one for one in servers if one is not leading[0]]
    until(lambda: any("this replica asks it for all" in line for one in rest for line in one.log),
          "another one asks", DEADLINE + 15)
    repository.skill("delta", "Came after the one that asked was killed.")
    repository.push()
    hook(rest[0])
    until(lambda: all("delta" in names(one) for one in rest), "what is new is shown by those that are left")
    return rest


def without_the_engine(setting: Setting, engine: Engine, servers: list[Running]) -> None:
    before = names(servers[0])
    engine.end()
    check(shown(servers, before), "without the engine all is served as before")
    engine.start()


def for_nobody_else(setting: Setting) -> None:
    for path in [setting.shared, *setting.shared.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        check(mode & 0o077 == 0, f"{path} is for its owner alone: {mode:o}")
        if path.is_file():
            text = path.read_bytes()
            check(STATE_SECRET.encode() not in text and SECRET.encode() not in text, f"no secret in {path}")


def main() -> int:
    if not (shutil.which("redis-server") and Path(BACKEND).exists() and Path(VALKEY).is_file()):
        print("redis-server, git-http-backend or the plugin valkey is not here: skipped")
        return 77
    with tempfile.TemporaryDirectory(prefix="skillhost-shared-") as name:
        folder = Path(name)
        repository = Repository(folder, "team")
        for skill in ("alpha", "beta"):
            repository.skill(skill, f"Does {skill}.")
        repository.push()
        engine = Engine(folder)
        try:
            with PythonServer(folder) as git:
                setting = Setting(folder, git, engine)
                servers = one_question_for_all(setting, repository)
                one_change(setting, repository, servers)
                for_nobody_else(setting)
                servers = another_takes_over(setting, repository, servers)
                without_the_engine(setting, engine, servers)
                for one in servers:
                    check(one.end() == 0, "it ends well")
        finally:
            engine.end()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
