#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the state that two servers share by a real engine, except sessions: hooks, tokens, rate limits, readiness,
and wrong configurations: state_test.py SERVER SKILLS"""
from __future__ import annotations

import hmac
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "auth"))
from checks import DEADLINE, Checks, until  # noqa: E402
from fake import Fake  # noqa: E402
from http_server import MODERN, Running, legacy, modern  # noqa: E402

SERVER, SKILLS = (str(Path(one).resolve()) for one in sys.argv[1:3])
SECRET = "a secret that all replicas know, of the state"
HOOK_SECRET = "a secret of 16 or more"
TOKEN = "token-that-nobody-else-sees"
checks = Checks()
check = checks.check


class Engine:
    """Runs redis-server on a local socket, and reads its keys and its log of writes."""

    def __init__(self, folder: str) -> None:
        self.folder, self.address = folder, f"{folder}/engine.sock"
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [str(shutil.which("redis-server")), "--port", "0", "--unixsocket", self.address, "--dir", self.folder,
             "--save", "", "--appendonly", "yes"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        until(lambda: self.says("PING") == "PONG", "the engine answers")

    def stop(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait(DEADLINE)

    def says(self, *words: str) -> str:
        run = subprocess.run(["redis-cli", "-s", self.address, *words], capture_output=True, text=True, check=False,
                             timeout=DEADLINE)
        return run.stdout.strip()

    def holds(self, pattern: str) -> bool:
        return self.says("KEYS", "skillhost:" + pattern) != ""

    def everything(self) -> str:
        """Returns all keys, and the file of all writes."""
        files = [file.read_bytes().decode("latin-1") for file in Path(self.folder).rglob("*.aof")]
        return self.says("KEYS", "*") + "".join(files)


@contextmanager
def engine_of_its_own() -> Iterator[Engine]:
    with tempfile.TemporaryDirectory(prefix="st") as folder:
        engine = Engine(folder)
        try:
            yield engine
        finally:
            engine.stop()


def shared(address: str, **more: object) -> list[str]:
    state = {"plugin": "valkey", "config": {"address": address}, "secret": SECRET, **more}
    return [part for key, value in state.items()
            for part in ("--set", f"state.{key}={value if isinstance(value, str) else json.dumps(value)}")]


def status_of(server: Running, token: str = "") -> tuple[int, dict[str, object]]:
    response, text = server.ask("GET", "/readyz", **({"Authorization": f"Bearer {token}"} if token else {}))
    return response.status, json.loads(text)


def hooks(engine: Engine, folder: str) -> None:
    """Checks that a hook or a reload at one server makes the other one look too."""
    skills = Path(folder, "skills")
    skills.mkdir()
    sources = [{"name": "team", "config": {"directories": [str(skills)], "watch": "off"}, "webhook_secret": HOOK_SECRET}]
    a, b = (Running(SERVER, SKILLS, "--set", "sources=" + json.dumps(sources), *shared(engine.address)) for _ in range(2))

    def offers(server: Running, name: str) -> bool:
        _, answer = server.post(legacy("tools/call", name="list_skills", arguments={}))
        return name in answer["result"]["content"][0]["text"]

    def write(name: str) -> None:
        (skills / name).mkdir()
        (skills / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Came later.\n---\nText.\n")

    check(not offers(a, "first-comer") and not offers(b, "first-comer"), "neither has it yet")
    write("first-comer")
    body = b'{"ref": "refs/heads/main"}'
    signature = "sha256=" + hmac.new(HOOK_SECRET.encode(), body, "sha256").hexdigest()
    response, _ = a.ask("POST", "/hooks/team", body, X_Hub_Signature_256=signature)
    check(response.status == 202, f"the hook: {response.status}")
    until(lambda: offers(a, "first-comer"), "the server that was told has the skill")
    until(lambda: offers(b, "first-comer"), "the other one has the skill")
    write("second-comer")
    _, answer = b.post(legacy("tools/call", name="reload_skills_directory", arguments={}))
    check("1 added" in str(answer), f"the reload: {answer}")
    until(lambda: offers(a, "second-comer"), "the other one looks after a reload")
    for server in (a, b):
        check(server.end() == 0, "an orderly end")
        check(SECRET not in "".join(server.log) and HOOK_SECRET not in "".join(server.log), "no secret is in the log")


def tokens(engine: Engine, _: str) -> None:
    """Checks that one server asks the provider for both; a token that is refused at one is refused at both, and its
    streams end."""
    with Fake() as fake:
        known = {"active": True, "sub": "whom-it-names", "aud": "https://skills.example/mcp", "exp": 4_000_000_000,
                 "scope": "skills:read skills:manage"}
        # The provider must refuse an invented token: the plugin tries one at the start.
        said = {TOKEN: json.dumps(known).encode()}
        fake.behaviours["/introspect"] = lambda handler: handler.say(
            200, body=next((text for token, text in said.items() if token in handler.asked), b'{"active": false}'))
        settings = {"introspection_url": fake.url + "/introspect", "client_id": "c", "client_secret": "s", "cache_seconds": 8}
        options = ["--set", "auth.plugin=oauth", "--set", "auth.config=" + json.dumps(settings),
                   "--set", "http.public_url=https://skills.example/mcp", "--set", "http.allowed_hosts=127.0.0.1"]
        a, b = (Running(SERVER, SKILLS, *options, *shared(engine.address)) for _ in range(2))
        own = {"Authorization": f"Bearer {TOKEN}"}

        def asked() -> int:
            return sum(TOKEN in one[3] for one in fake.asked)

        def accepted(server: Running) -> bool:
            return server.post(legacy("tools/list"), **own)[0].status == 200

        check(accepted(a) and asked() == 1, f"the first asks the provider: {asked()}")
        until(lambda: engine.holds("token/*"), "the answer is at the engine")
        check(accepted(b) and asked() == 1, f"the second does not: {asked()}")
        listen = modern("subscriptions/listen", id="s1", notifications={"resourcesListChanged": True})
        connection, stream = b.open("POST", body=listen, MCP_Protocol_Version=MODERN, Mcp_Method="subscriptions/listen", **own)
        check(stream.status == 200, f"a stream at the second: {stream.status}")
        said.clear()
        until(lambda: not accepted(a), "the first asks anew, and is told no")
        check(stream.read() is not None, "the stream at the second has ended")  # within the deadline of the connection
        connection.close()
        check(not accepted(b), "the second refuses it")
        kept = engine.everything()
        check(TOKEN not in kept and "whom-it-names" not in kept, "the engine holds neither token nor name")
        for server in (a, b):
            check(server.end() == 0, "an orderly end")
            check(TOKEN not in "".join(server.log), "the token is in no log")


def rates(engine: Engine, _: str) -> None:
    """Checks that one client at two servers has the limit of one, except for the calls that each server accepts
    before it hears of the other."""
    options = ["--set", "rate_limit.requests_per_second=2", "--set", "rate_limit.burst=10"]
    a, b = (Running(SERVER, SKILLS, *options, *shared(engine.address)) for _ in range(2))

    def let_through(server: Running, times: int) -> int:
        return sum("result" in server.post(legacy("tools/list", id=i))[1] for i in range(times))

    check(let_through(a, 12) >= 10, "a burst at the first")
    until(lambda: engine.holds("rate/*"), "what the first let through is counted at the engine")
    taken = 0

    def learnt() -> bool:
        nonlocal taken
        let_through(a, 1)
        _, answer = b.post(legacy("tools/list", id=1))
        if "result" in answer:
            taken += 1
            return False
        # By its own limit the second server would accept the next call within half a second; a longer wait counts the
        # calls at the first.
        return int(answer["error"]["data"]["retryAfterMs"]) > 600

    until(learnt, "the second learns of the first")
    check(taken <= 15, f"the second lets a burst through at most: {taken}")
    for server in (a, b):
        check(server.end() == 0, "an orderly end")


def away(engine: Engine, _: str) -> None:
    """Checks that a server goes on without the engine, reports it, and recovers when the engine is back; it also
    starts without the engine."""
    a = Running(SERVER, SKILLS, *shared(engine.address))
    check(status_of(a)[1].get("state") == {"reachable": True}, f"at the start: {status_of(a)}")
    engine.stop()

    def says(server: Running, status: str, reachable: bool) -> bool:
        code, text = status_of(server)
        return code == 200 and text["status"] == status and text.get("state") == {"reachable": reachable}

    until(lambda: says(a, "degraded", False), "readiness says degraded")
    check("result" in a.post(legacy("tools/list"))[1], "what reads goes on")
    late = Running(SERVER, SKILLS, *shared(engine.address))
    until(lambda: says(late, "degraded", False), "a start without the engine")
    check("the server starts without the engine" in "".join(late.log), "and it says so")
    check("skillhost_state_reachable 0" in late.ask("GET", "/metrics")[1], "the gauge")
    engine.start()
    for server in (a, late):
        until(lambda one=server: says(one, "ready", True), "readiness when the engine is back")
    check("skillhost_state_reachable 1" in late.ask("GET", "/metrics")[1], "the gauge, when it is back")
    for server in (a, late):
        check(server.end() == 0, "an orderly end")


def commands(engine: Engine, folder: str) -> None:
    """Checks that a wrong configuration ends the start with its key, and that doctor and plugins show the instance."""
    file = Path(folder, "skillhost.yaml")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")}

    def run(*words: str, **state: object) -> subprocess.CompletedProcess[str]:
        whole = {"transport": "http", "http": {"port": 0},
                 "sources": [{"name": "team", "config": {"directories": [SKILLS]}}],
                 "state": {"plugin": "valkey", "config": {"address": engine.address}, "secret": SECRET, **state}}
        file.write_text(json.dumps(whole))
        return subprocess.run([SERVER, *words, "--config", str(file)], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60, check=False, env=environment)

    for state, words in (({"secret": None}, "state.plugin: the replicas need a secret"),
                         ({"secret": "short"}, "state.secret"),
                         ({"plugin": "no-such"}, "state.plugin"),
                         ({"config": {"adress": "x"}}, "state.config"),
                         ({"prefix": "a:b"}, "state.prefix")):
        done = run("serve", **state)
        check(done.returncode == 1 and words in done.stderr, f"{state}: {done.returncode} {done.stderr[-400:]}")
        check(SECRET not in done.stderr, "a secret is shown")
    done = run("plugins")
    check("instance state" in done.stdout and "org.skillhost.valkey" in done.stdout, f"plugins: {done.stdout} {done.stderr}")
    done = run("doctor")
    check("valkey can do its work" in done.stdout, f"doctor: {done.stdout[-1500:]} {done.stderr}")
    done = run("doctor", config={"address": f"{folder}/nobody.sock"})
    check(done.returncode == 1 and "replicas would share nothing" in done.stdout, f"doctor without an engine: {done.stdout[-1500:]}")
    for done in (run("--print-config"), run("doctor")):
        check(SECRET not in done.stdout + done.stderr, "a secret is shown")
    lines = json.dumps(legacy("ping")) + "\n"
    done = subprocess.run([SERVER, "serve", "--skills-dir", SKILLS, *shared(engine.address)], input=lines, capture_output=True,
                          text=True, timeout=60, check=False, env=environment)
    check(done.returncode == 0 and "state.plugin: a server on stdio leaves it alone" in done.stderr, f"stdio: {done.returncode} {done.stderr[-400:]}")


def main() -> int:
    if not shutil.which("redis-server") or not shutil.which("redis-cli"):
        print("redis-server is not installed: ./bootstrap --tests installs it")
        return 77
    for scene in (hooks, tokens, rates, away, commands):
        with tempfile.TemporaryDirectory() as folder, engine_of_its_own() as engine:
            try:
                scene(engine, folder)
            except Exception as why:  # pylint: disable=broad-except
                check(False, f"{scene.__name__}: {type(why).__name__}: {why}")
    return checks.finish()


sys.exit(main())
