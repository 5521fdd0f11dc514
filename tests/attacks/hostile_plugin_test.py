#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a stranger's plugin under `skillhost check`, `try` and the scan: it gets nothing. hostile_plugin_test.py
SERVER PLUGIN"""
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import Checks  # noqa: E402

SERVER, PLUGIN = sys.argv[1:3]
LINE = re.compile(r"(\w+): secret=(\S*) shadow=(\S*) variable=(\S*) called=(\d+) ran=(\d+) open=(\d)")
checks = Checks()
check = checks.check


class Listener:
    """Accepts connections on a port of the loopback interface, and keeps the data of each."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port, self.heard = self.socket.getsockname()[1], []
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while True:
            connection, _ = self.socket.accept()
            with connection:
                said = connection.recv(100).decode()
            if said == "end":
                return
            self.heard.append(said)

    def end(self):
        """Ends the listener and returns all data that was sent before."""
        socket.create_connection(("127.0.0.1", self.port)).sendall(b"end")
        self.thread.join()
        return set(self.heard)


class Attack:
    """The plugin in a folder of its own, and its targets."""

    def __init__(self, folder):
        self.folder, self.secret, self.variable = Path(folder), secrets.token_hex(16), secrets.token_hex(16)
        for name in ("plugin", "elsewhere"):
            (self.folder / name).mkdir(mode=0o755)
        self.plugin, self.marks = self.folder / "plugin" / "hostile.so", self.folder / "elsewhere"
        shutil.copy(PLUGIN, self.plugin)
        self.plugin.chmod(0o755)
        hidden = self.marks / "secret"
        hidden.touch(mode=0o600)
        hidden.write_text(self.secret + "\n")
        self.listener = Listener()
        (self.folder / "plugin" / "targets").write_text(f"{hidden}\n{self.listener.port}\n{self.marks}\n")

    def ask(self, *arguments):
        held = os.open(self.marks / "secret", os.O_RDONLY)
        os.dup2(held, 50)
        done = subprocess.run([SERVER, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=240,
                              pass_fds=(50,), env={**os.environ, "SKILLHOST_TEST_SECRET": self.variable,
                                   "SKILLHOST_LOG_LEVEL": "INFO", "XDG_CACHE_HOME": str(self.folder / "cache")})
        os.close(50)
        os.close(held)
        return done

    def run(self, *arguments):
        """Returns all output; the output of a plugin appears as lines of the log at INFO."""
        done = self.ask(*arguments)
        return done.stdout + done.stderr

    def marked(self):
        return {one.name.removeprefix("ran-in-") for one in self.marks.glob("ran-in-*")}


def commands(attack, *options):
    """Yields every command that loads code of a plugin, its output, and the expected stages."""
    report = attack.run("check", "--json", *options, attack.plugin)
    yield "check", report, ["create", "list"]
    yield "check --only load", attack.run("check", "--json", "--only", "load", *options, attack.plugin), ["constructor"]
    yield "try list", attack.run("try", attack.plugin, "list", *options), ["constructor", "create", "list"]


def judge(what, text, stages, attack, taken):
    lines = {found[0]: found[1:] for found in LINE.findall(text)}
    for stage in stages:
        check(stage in lines, f"{what}: {stage} was reached: {text[-1500:]}")
        secret, shadow, variable, called, ran, is_open = lines.get(stage, ("",) * 6)
        check(is_open == "0", f"{what}: {stage} has what the caller had open: {lines.get(stage)}")
        if taken:
            check((secret, variable, called, ran) == (attack.secret, attack.variable, "0", "0"),
                  f"control: {what}: {stage} takes all: {lines.get(stage)}")
            check(os.geteuid() != 0 or not shadow.startswith("error"), f"control: {what}: {stage} reads /etc/shadow: {shadow}")
        else:
            check(secret.startswith("error-") and shadow.startswith("error-") and variable == "none" and called != "0"
                  and ran != "0", f"{what}: {stage} takes something: {lines.get(stage)}")
    if not taken:
        check(attack.secret not in text and attack.variable not in text, f"{what}: a secret is in what is printed")


def confined():
    with tempfile.TemporaryDirectory(prefix="skillhost-attack-") as folder:
        attack = Attack(folder)
        for what, text, stages in commands(attack):
            judge(what, text, stages, attack, False)
        judge("the scan", attack.run("plugins", "--plugins-dir", attack.folder / "plugin", "--no-config"), ["constructor"], attack, False)
        check(attack.listener.end() == set(), "nobody was called")
        check(attack.marked() == set(), f"no program ran: {attack.marked()}")


def trusted():
    with tempfile.TemporaryDirectory(prefix="skillhost-attack-") as folder:
        attack = Attack(folder)
        for what, text, stages in commands(attack, "--trusted"):
            judge(what, text, stages, attack, True)
        every = {"constructor", "create", "list"}
        check(attack.listener.end() == every, f"control: all three call: {attack.listener.heard}")
        check(attack.marked() == every, f"control: all three run a program: {attack.marked()}")


def granted():
    """Checks that the plugin may read the files that --allow-read and the configuration name, and no others."""
    with tempfile.TemporaryDirectory(prefix="skillhost-attack-") as folder:
        attack = Attack(folder)
        configuration = attack.folder / "plugin" / "config.json"
        configuration.write_text(json.dumps({"file": str(attack.marks / "secret")}))
        for options in (("--allow-read", attack.marks / "secret"), ("--config", configuration)):
            text = attack.run("try", attack.plugin, "list", *options)
            lines = LINE.findall(text)
            check(len(lines) == 3 and all(one[1] == attack.secret for one in lines), f"{options[0]}: it reads that: {text[-800:]}")
            check(all(one[2].startswith("error-") and one[4] != "0" for one in lines), f"{options[0]}: and no more: {lines}")
        attack.listener.end()


def main():
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(folder)
        report = json.loads(attack.ask("check", "--json", "--only", "elf", attack.plugin).stdout)
        attack.listener.end()
    if "landlock" not in report["confinement"] or "no landlock" in report["confinement"]:
        print(f"skipped: this kernel does not confine: {report['confinement']}")
        return 77
    confined()
    trusted()
    granted()
    return checks.finish()


sys.exit(main())
