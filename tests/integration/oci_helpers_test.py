#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests logins that only a credential helper of Docker's keeps, with helpers that answer rightly and wrongly: in
`skillhost skill push` and `pull`, and in the source. oci_helpers_test.py SERVER"""
import base64
import json
import os
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

from checks import SLOWNESS, Checks
from distribution import Distribution
from oci_cases import run_cases
from oci_registry import Registry
from session import Session, write_skill
from source_cases import names, soon
from web_server import skill_md, tar_gz

SERVER = str(Path(sys.argv[1]).resolve())
SECRET, NEWER = "s3cr3t-0f-th3-h3lp3r", "s3cr3t-0f-t0d4y"
NONE = "echo credentials not found in native keychain; exit 1"
checks = Checks()
check = checks.check


def answer(secret, user="ada"):
    return f"""printf '{{"ServerURL":"%s","Username":"{user}","Secret":"{secret}"}}' "$server\""""


class Place:
    """A folder for one case, with helpers in PATH that record what they are asked."""

    def __init__(self, folder):
        self.folder, self.calls = Path(folder), Path(folder) / "calls"
        (self.folder / "bin").mkdir()
        self.environment = {**os.environ, "HOME": str(folder), "SKILLHOST_CONFIG": "", "XDG_CACHE_HOME": str(self.folder / "cache"),
                            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "DOCKER_CONFIG"):
            self.environment.pop(name, None)
        write_skill(self.folder, "pdf", "Reads PDF.")

    def helper(self, script, name="fake"):
        """Writes a helper, and forgets earlier calls."""
        file, fresh = self.folder / f"bin/docker-credential-{name}", self.folder / "helper"
        fresh.write_text(f"#!/bin/sh\nserver=$(cat)\necho \"{name} $1 $server\" >>'{self.calls}'\n{script}\n")
        fresh.chmod(0o755)
        fresh.rename(file)  # a running helper keeps its script
        self.calls.write_text("")

    def asked(self):
        return self.calls.read_text().splitlines()

    def logins(self, **document):
        (self.folder / ".docker").mkdir(exist_ok=True)
        file = self.folder / ".docker/config.json"
        file.write_text(json.dumps(document))
        return str(file)

    def run(self, *words, code=0):
        run = subprocess.run([SERVER, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=60 * SLOWNESS, check=False, env=self.environment, cwd=self.folder)
        check(run.returncode == code, f"{words} ends with {code}: {run.returncode} {run.stdout} {run.stderr}")
        check(not any(one in run.stdout + run.stderr for one in (SECRET, NEWER)), f"{words}: a secret is in what it says")
        return run.stdout if code == 0 else run.stderr

    def push(self, registry, *words, tag="1", code=0):
        return self.run("skill", "push", "./pdf", f"{registry.name}/team/pdf:{tag}", "--plain-http", *words, code=code)

    def source(self, config, *words, isolation="auto"):
        """Returns the command of a server with one source of the registry and another of a folder."""
        write_skill(self.folder / "local", "local", "Is here.")
        file = self.folder / "skillhost.json"
        file.write_text(json.dumps({"sources": [
            {"name": "oci", "plugin": "oci", "isolation": isolation, "config": {"plain_http": True, **config}},
            {"name": "here", "plugin": "filesystem", "config": {"directories": [str(self.folder / "local")]}}]}))
        return ["--config", str(file), *words]

    def start(self, config):
        return Session(["env", *(f"{name}={self.environment[name]}" for name in ("HOME", "PATH", "XDG_CACHE_HOME")), "SKILLHOST_CONFIG=",
                        SERVER, *self.source(config)])

    def status(self, config, **options):
        run = subprocess.run([SERVER, *self.source(config, "source", "status", "--json", **options)], stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=60 * SLOWNESS, check=False, cwd=self.folder,
                             env={**self.environment, "SKILLHOST_STARTUP_WAIT_MS": "60000"})
        check(not any(one in run.stdout + run.stderr for one in (SECRET, NEWER)), f"a secret is in {run.stdout} {run.stderr}")
        return next(one for one in json.loads(run.stdout)["sources"] if one["name"] == "oci")


def skill(name):
    return tar_gz({"SKILL.md": skill_md(name)})


def commands(place):
    """Checks which helper runs for a command, what it is asked, and what its answers lead to."""
    helper = ("--credential-helper", "fake")
    with Registry() as registry:
        file = place.logins(credHelpers={registry.name: "fake"})
        for number, scheme in enumerate(("Bearer", "Basic")):
            registry.require("ada", SECRET, scheme)
            place.helper(answer(SECRET))
            said = place.push(registry, tag=f"a{number}", code=1)
            check("docker-credential-fake, which is only run if --credential-helper names it" in said and file in said, said)
            said = place.push(registry, "--credential-helper", "other", tag=f"a{number}", code=1)
            check("only run if --credential-helper names it" in said and not place.asked(), f"{said} {place.asked()}")
            place.push(registry, *helper, tag=f"a{number}")
            check(place.asked() == [f"fake get {registry.name}"], f"asked once for all requests: {place.asked()}")
            place.run("skill", "pull", f"{registry.name}/team/pdf:a{number}", "--plain-http", "--into", f"out{number}", *helper)
            check((place.folder / f"out{number}/pdf/SKILL.md").is_file(), "pulled")
            place.helper(answer("wrong"))
            said = place.push(registry, *helper, tag=f"b{number}", code=1)
            check("the login is not accepted" in said and len(place.asked()) == 1, f"{said} {place.asked()}")
            place.helper(NONE)
            said = place.push(registry, *helper, tag=f"b{number}", code=1)
            check("it needs a login, and docker-credential-fake has none" in said, said)
            place.helper(f"echo {SECRET}; echo {SECRET} >&2; exit 3")
            said = place.push(registry, *helper, tag=f"b{number}", code=1)
            check(f"the login for {registry.name}: docker-credential-fake ended with exit code 3" in said, said)
        place.helper("sleep 600")
        said = place.push(registry, *helper, "--timeout", "1", code=1)
        check("it took longer than 1 s" in said, said)
        (place.folder / "bin/docker-credential-fake").unlink()
        check("docker-credential-fake cannot be started" in place.push(registry, *helper, code=1), "a helper that is not there")
        # A registry that wants no login gets none, and the helper is not asked.
        registry.login = None
        place.helper(answer(SECRET))
        place.logins(credsStore="fake")
        place.push(registry, *helper, tag="c")
        check(not place.asked() and not any(SECRET in str(given) for _, _, given in registry.requests[-3:]), f"{place.asked()}")
        (place.folder / "token").write_text(SECRET)
        for words, says in ((("--credential-helper", "../fake"), "must be the NAME of a program"),
                            (("--credential-helper", "fake", "--token-file", "token"), "in place of a token")):
            check(says in place.push(registry, *words, code=1), f"{words}")


def identity_tokens(place):
    """Checks that an identity token goes to the authority, in the body of a request, and nowhere else."""
    with Registry() as registry:
        got = []

        def give(handler):
            # The registry has read the body already, and keeps the last one.
            fields = urllib.parse.parse_qs(registry.last_body.decode())
            got.append(fields)
            is_right = fields.get("refresh_token") == [SECRET] and fields.get("grant_type") == ["refresh_token"]
            handler.say(200 if is_right else 401, body=json.dumps({"access_token": registry.token, "error": SECRET}).encode())
        registry.require("", "unused")
        registry.answers["POST", "/token"] = give
        place.helper(answer(SECRET, "<token>"))
        for number, document in enumerate(({"credHelpers": {registry.name: "fake"}}, {"auths": {registry.name: {"identitytoken": SECRET}}})):
            place.logins(**document)
            place.push(registry, "--credential-helper", "fake", tag=f"a{number}")
        check(got and all(one["service"] == ["here"] and one["scope"][0].startswith("repository:team/pdf:pull") for one in got), f"{got}")
        check(not any(SECRET in path + str(given) for _, path, given in registry.requests), f"{registry.requests}")
        place.helper(answer(NEWER, "<token>"))
        place.logins(credHelpers={registry.name: "fake"})
        said = place.push(registry, "--credential-helper", "fake", tag="b", code=1)
        check("gives no token (401)" in said, said)
        registry.require("ada", SECRET, "Basic")
        place.helper(answer(SECRET, "<token>"))
        said = place.push(registry, "--credential-helper", "fake", tag="b", code=1)
        check("and the login is an identity token" in said, said)


def followed(place):
    """Checks that the source asks the helper once, and again when the registry refuses what it said."""
    for scheme in ("Basic", "Bearer"):
        with Registry() as registry:
            registry.require("ada", SECRET, scheme)
            registry.manifest("one", "1", skill("one"))
            registry.manifest("two", "1", skill("two"))
            place.helper(answer(SECRET))
            config = {"references": [f"{registry.name}/one:1", f"{registry.name}/two:1"], "refresh_minutes": 0.002,
                      "docker_config": place.logins(credsStore="fake"), "docker_helpers": ["fake"]}
            with place.start(config) as session:
                check(soon(lambda: names(session) == ["local", "one", "two"]), f"{names(session)} {session.server.stderr()}")
                begun = len(registry.requests)
                check(soon(lambda: len(registry.requests) > begun + 10), "it looks again and again")
                check(place.asked() == [f"fake get {registry.name}"], f"{scheme}: asked once: {place.asked()}")
                place.helper(answer(NEWER))
                registry.token = "t0ken2"
                registry.require("ada", NEWER, scheme)
                registry.manifest("one", "1", skill("three"))
                check(soon(lambda: names(session) == ["local", "three", "two"]), f"{names(session)} {session.server.stderr()}")
                check(place.asked() == [f"fake get {registry.name}"], f"{scheme}: asked once more: {place.asked()}")
                log = session.server.stderr()
                check(SECRET not in log and NEWER not in log, log)
                registry.token = "t0ken3"
                registry.require("ada", "another", scheme)
                place.helper(answer(SECRET, "<token>"))
                words = "the login is an identity token" if scheme == "Basic" else "gives no token (401)"
                check(soon(lambda: names(session) and words in session.server.stderr()), session.server.stderr())
                login = "Basic " + base64.b64encode(f":{SECRET}".encode()).decode()
                check(not any(login == given for _, _, given in registry.requests), "an identity token is no password")
                check(names(session) == ["local", "three", "two"], "what was served stays")
                check(len(place.asked()) == 1, f"once for all artefacts: {place.asked()}")
            shutil.rmtree(place.folder / "cache")


def faults(place):
    """Checks that a helper that fails or hangs is named, and holds up no other skill."""
    with Registry() as registry:
        registry.require("ada", SECRET)
        registry.manifest("one", "1", skill("one"))
        registry.manifest("two", "1", skill("two"))
        config = {"references": [f"{registry.name}/one:1", f"{registry.name}/two:1"], "docker_config": place.logins(credHelpers={registry.name: "fake"})}
        place.helper(answer(SECRET))
        status = place.status(config)
        check("docker-credential-fake, which is only run if docker_helpers names it" in status["failure"], f"{status}")
        check(not place.asked(), f"nothing is run: {place.asked()}")
        config["docker_helpers"] = ["fake"]
        for script, words in (("exit 1", "ended with exit code 1"), (f"echo {SECRET}", "prints no JSON object"), (f"yes {SECRET}", "prints more than"),
                              (answer(SECRET).replace("$server", "other.example"), "prints the login for another server"),
                              (NONE, "it needs a login, and docker-credential-fake has none")):
            place.helper(script)
            status = place.status(config)
            check(status["state"] == "failed" and words in status["failure"], f"{script}: {status}")
            check(len(place.asked()) <= 3, f"once in each look: {place.asked()}")
        doctor = subprocess.run([SERVER, "doctor", "--json", *place.source(config)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                check=False, timeout=60 * SLOWNESS, env=place.environment)
        check("make the helper give a login" in doctor.stdout and "config: {token" not in doctor.stdout, f"{doctor.stdout} {doctor.stderr}")
        place.helper("sleep 600")
        with place.start({**config, "deadline_ms": 2000}) as session:
            check(soon(lambda: place.asked()), "the helper runs")
            said = session.call("tools/call", name="load_skill", arguments={"skill_name": "local"})
            check(said["structuredContent"]["success"], f"another source's skill: {said}")
            check(soon(lambda: names(session) and "did not answer in time" in session.server.stderr()), session.server.stderr())
        place.helper(answer(SECRET))
        status = place.status(config, isolation="process")
        check("docker-credential-fake cannot be started" in status["failure"] and "isolation: thread" in status["failure"], f"{status}")
        check(not place.asked(), f"a confined process starts nothing: {place.asked()}")
        status = place.status(config)
        check(status["state"] != "failed" and status["skills"] == 2, f"{status}")
        # Where other machines reach the server, a source of this kind stays in the server, and a warning says so.
        words = place.source({**config, "deadline_ms": 1000})
        document = json.loads(Path(words[1]).read_text())
        document.update(transport="http", http={"listen": ["0.0.0.0"], "port": 0, "allow_anonymous": True})
        Path(words[1]).write_text(json.dumps(document))
        run = subprocess.run([SERVER, "plugins", "--json", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                             timeout=60 * SLOWNESS, env=place.environment)
        where = {one.get("instance"): one.get("isolation") for one in json.loads(run.stdout)}
        check(where.get("oci") == "thread" and "(one that docker_helpers names)" in run.stderr, f"{where} {run.stderr}")


def real(place):
    """Checks a login by a helper to Docker's own registry."""
    if not shutil.which("docker-registry") or not shutil.which("perl"):
        print("  skipped: docker-registry or perl is not installed")
        return 77
    with Distribution(place.folder, "ada", SECRET) as registry:
        place.helper(answer(SECRET))
        file = place.logins(credsStore="fake", auths={registry.name: {}})
        check("only run if --credential-helper names it" in place.push(registry, code=1), "not named")
        place.push(registry, "--credential-helper", "fake")
        check(len(place.asked()) == 1, f"{place.asked()}")
        place.run("skill", "pull", f"{registry.name}/team/pdf:1", "--plain-http", "--into", "out", "--credential-helper", "fake")
        check((place.folder / "out/pdf/SKILL.md").read_bytes() == (place.folder / "pdf/SKILL.md").read_bytes(), "pulled")
        config = {"repository": f"{registry.name}/team/pdf", "docker_config": file, "docker_helpers": ["fake"]}
        status = place.status(config)
        check(status["skills"] == 1 and status["state"] != "failed", f"{status}")
        place.helper(NONE)
        shutil.rmtree(place.folder / "cache")
        check("docker-credential-fake has none" in place.status(config).get("failure", ""), "no login")
    return 0


sys.exit(run_cases(checks, (commands, identity_tokens, followed, faults, real), Place, sys.argv[2:]))
