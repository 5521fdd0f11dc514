#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests three replicas behind the balancers of examples/deploy, with only ports and paths changed: balancer_test.py
SERVER SOURCE_ROOT BUILD_ROOT SCRIPTED_PLUGIN SKILLS"""
from __future__ import annotations

import errno
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import yaml

from balancers import (CLIENT, NAME, Client, Program, Readers, Replica, found, free_ports, substituted, without_state)
from checks import DEADLINE, Checks, until
from http_server import INITIALIZE, LEGACY, legacy
from loopback import Handler, Loopback
from session import write_skill

SERVER, ROOT, BUILD, SCRIPTED, SKILLS = (str(Path(path).resolve()) for path in sys.argv[1:6])
RECIPES = Path(ROOT) / "examples" / "deploy"
STATE = Path(BUILD) / "plugins" / "state" / "valkey" / "valkey.so"
SKILL = "greeter"
checks = Checks()
check = checks.check


class Blocking:
    """A source of one replica with a skill whose files can be read only when this test allows it."""

    def __init__(self, folder: Path, number: int) -> None:
        self.pipe = folder / f"pipe-{number}"
        os.mkfifo(self.pipe)
        text = "---\nname: tarpit\ndescription: Sinks whoever reads it.\n---\nBody.\n"
        self.script = folder / f"script-{number}.json"
        self.documents = [{"skill": "tarpit", "text": text}, {"skill": "tarpit", "path": "slow.md", "text": "Slow, but here."}]
        self.script.write_text(json.dumps({"documents": self.documents}))
        self.source = {"name": "slow", "plugin": SCRIPTED, "isolation": "thread", "config": {"file": str(self.script)}}
        self.writer = -1

    def block(self) -> None:
        beside = self.script.with_suffix(".new")
        beside.write_text(json.dumps({"documents": self.documents, "read": {"do": "block", "fifo": str(self.pipe)}}))
        beside.replace(self.script)

    def has_reader(self) -> bool:
        """Returns whether a call waits here. Then call release()."""
        try:
            self.writer = os.open(self.pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as why:
            if why.errno != errno.ENXIO:
                raise
            return False
        return True

    def release(self) -> None:
        os.close(self.writer)


class Setting:
    """HAProxy's recipe with the output of ./prepare, and three replicas with its skillhost.yaml."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.recipe = folder / "recipe"
        shutil.copytree(RECIPES / "haproxy", self.recipe, ignore=shutil.ignore_patterns("secrets"))
        subprocess.run([self.recipe / "prepare", NAME], check=True, stdout=subprocess.DEVNULL, timeout=60)
        self.secrets = self.recipe / "secrets"
        self.certificate = self.secrets / "skills.pem"
        self.token = self.make_token("alice")
        self.variables = dict(line.split("=", 1) for line in (self.secrets / "skillhost.env").read_text().splitlines())
        self.skills = folder / "skills"
        shutil.copytree(SKILLS, self.skills)
        self.options: list[str] = []
        self.engine: Program | None = None
        configuration = self.recipe / "skillhost.yaml"
        if STATE.is_file() and found("redis-server"):
            self.engine = self.start_engine()
            engine = {**yaml.safe_load(configuration.read_text())["state"]["config"], "address": f"127.0.0.1:{self.engine.port}"}
            self.options = ["--set", f"state.config={json.dumps(engine)}"]
        else:
            print("the recipe's state is left out: the plugin valkey is not built, or redis-server is not installed")
            configuration = folder / "skillhost.yaml"
            configuration.write_text(without_state((self.recipe / "skillhost.yaml").read_text()))
        self.configuration = configuration
        self.blocking = [Blocking(folder, number) for number in range(3)]
        self.replicas = [self.start_replica(blocking) for blocking in self.blocking]

    def make_token(self, name: str) -> str:
        made = subprocess.run([SERVER, "token", "add", name, "--scope", "skills:read", "--file", self.secrets / "tokens.json"],
                              check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60)
        return made.stdout.strip()

    def start_engine(self) -> Program:
        """Starts it with the recipe's valkey.conf and the users that ./prepare has made."""
        (port,) = free_ports(1)
        (self.folder / "data").mkdir()
        text = substituted((self.recipe / "valkey.conf").read_text(), {
            "port 6379": f"port {port}", "bind 0.0.0.0": "bind 127.0.0.1", "dir /data": f"dir {self.folder}/data",
            "/etc/valkey/secrets/users.acl": f"{self.secrets}/users.acl"})
        (self.folder / "valkey.conf").write_text(text)
        return Program(port, str(found("redis-server")), str(self.folder / "valkey.conf"))

    def start_replica(self, blocking: Blocking) -> Replica:
        sources = [{"name": "team", "plugin": "filesystem", "config": {"directories": [str(self.skills)]}}, blocking.source]
        return Replica(SERVER, self.configuration, *self.options, "--set", "http.trusted_proxies=127.0.0.1",
                       "--set", f"auth.config={json.dumps({'file': str(self.secrets / 'tokens.json')})}",
                       "--set", f"sources={json.dumps(sources)}", "--set", "rate_limit.requests_per_second=0",
                       XDG_CACHE_HOME=str(blocking.script.with_suffix(".cache")), **self.variables)

    def ports(self) -> list[int]:
        return [replica.port for replica in self.replicas]

    def haproxy(self, ports: list[int], **further: str) -> "Haproxy":
        return Haproxy(self.folder, self.recipe, self.certificate, ports, further)

    def nginx(self) -> Program:
        (port,) = free_ports(1)
        text = substituted((RECIPES / "nginx" / "skillhost.conf").read_text(), {
            "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;", "/etc/nginx/skills.pem": str(self.certificate),
            **{f"replica-{number}:8080": f"127.0.0.1:{one}" for number, one in enumerate(self.ports(), 1)}})
        (self.folder / "skillhost.conf").write_text(text)
        temporary = " ".join(f"{one}_temp_path {self.folder}/{one};" for one in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        main = self.folder / "nginx.conf"
        main.write_text(f"daemon off; pid {self.folder}/nginx.pid; error_log stderr; worker_processes 1; events {{}}\n"
                        f"http {{ access_log off; {temporary} include {self.folder}/skillhost.conf; }}\n")
        command = [str(found("nginx")), "-c", str(main), "-p", str(self.folder), "-e", "stderr"]
        tested = subprocess.run([*command, "-t"], stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        check(tested.returncode == 0 and "warn" not in tested.stderr, f"nginx -t: {tested.stderr}")
        return Program(port, *command)

    def client(self, port: int) -> Client:
        return Client(port, self.certificate, self.token)


class Haproxy(Program):
    """Runs HAProxy with the recipe's haproxy.cfg; `further` are deliberate changes of a test."""

    def __init__(self, folder: Path, recipe: Path, certificate: Path, ports: list[int], further: dict[str, str]) -> None:
        (port,) = free_ports(1)
        self.admin = folder / f"admin-{port}.sock"
        text = substituted((recipe / "haproxy.cfg").read_text(), {
            "bind :8443 ": f"bind 127.0.0.1:{port} ", "/etc/haproxy/skills.pem": str(certificate),
            "/run/haproxy/admin.sock": str(self.admin),
            **{f"server replica-{number} replica-{number}:8080": f"server replica-{number} 127.0.0.1:{one}"
               for number, one in enumerate(ports, 1)}})
        for old, new in further.items():
            assert old in text, old
            text = text.replace(old, new)
        file = folder / f"haproxy-{port}.cfg"
        file.write_text(text)
        command = [str(found("haproxy")), "-db", "-f", str(file)]
        tested = subprocess.run([*command, "-c"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        check(tested.returncode == 0 and "WARNING" not in tested.stdout, f"haproxy -c: {tested.stdout}")
        super().__init__(port, *command)
        until(self.takes_commands, "haproxy takes commands")

    def takes_commands(self) -> bool:
        """Returns whether somebody listens on the socket, which exists earlier."""
        with socket.socket(socket.AF_UNIX) as one:
            return one.connect_ex(str(self.admin)) == 0

    def tell(self, command: str) -> str:
        with socket.socket(socket.AF_UNIX) as one:
            one.settimeout(DEADLINE)
            one.connect(str(self.admin))
            one.sendall(command.encode() + b"\n")
            return one.makefile().read()

    def state(self, number: int) -> str:
        """Returns the state of a replica in `show stat`: UP, DOWN, DRAIN, …"""
        lines = self.tell("show stat").splitlines()
        column = lines[0].lstrip("# ").split(",").index("status")
        return next(line.split(",")[column] for line in lines if line.startswith(f"replicas,replica-{number},"))

    def wait_for(self, number: int, state: str) -> None:
        until(lambda: self.state(number).startswith(state), f"replica-{number} is {state}")

    def wait_for_all(self) -> None:
        for number in (1, 2, 3):
            self.wait_for(number, "UP")


def counts(setting: Setting, mark: str) -> list[int]:
    return [len(replica.requests(mark)) for replica in setting.replicas]


def reaches_all(setting: Setting, client: Client, what: str) -> None:
    mark = f"{what}-round"
    for _ in range(30):
        status, answer = client.ask("tools/list", mark)
        check(status == 200 and "result" in answer, f"{what}: {status} {answer}")
    until(lambda: sum(counts(setting, mark)) == 30, "a line for each request")
    check(counts(setting, mark) == [10, 10, 10], f"{what}: round robin reaches all three: {counts(setting, mark)}")


def tells_the_client(setting: Setting, client: Client, what: str) -> None:
    lies = {"X-Forwarded-For": "198.51.100.1", "Forwarded": "for=198.51.100.2"}
    for mark, fields in ((f"{what}-address", {}), (f"{what}-lie", lies)):
        status, _ = client.ask("tools/list", mark, fields)
        check(status == 200, f"{mark}: {status}")
        until(lambda mark=mark: sum(counts(setting, mark)) == 1, "the line of the request")
        line = next(line for replica in setting.replicas for line in replica.requests(mark))
        check(f"from {CLIENT}:" in line and "198.51.100" not in line, f"{mark}: the client's address is in {line}")


def keeps_to_itself(client: Client, what: str) -> None:
    for path in ("/metrics", "/readyz", "/healthz"):
        status, _ = client.plain("GET", path)
        check(status == 404, f"{what}: {path} of one replica is not shown: {status}")
    status, text = client.plain("GET", "/.well-known/oauth-protected-resource")
    check(status in (200, 404) and "not found\n" != text, f"{what}: what clients look for is: {status} {text}")
    client = Client(client.port, Path(client.certificate), "skh_wrong")
    status, _ = client.ask("tools/list")
    check(status == 401, f"{what}: a wrong token is refused: {status}")


def a_replica_is_killed(setting: Setting, balancer: Haproxy | None, client: Client, what: str) -> None:
    """Checks that SIGKILL during reads costs no right answer, and that the restarted replica gets requests again."""
    readers = Readers(client, SKILL)
    for number in (2, 3):
        readers.more(50)
        setting.replicas[number - 1].kill()
        if balancer:
            balancer.wait_for(number, "DOWN")
        readers.more(100)
        setting.replicas[number - 1].start()
        if balancer:
            balancer.wait_for(number, "UP")
        until(lambda number=number: setting.replicas[number - 1].requests("reader"), f"{what}: replica-{number} is asked again")
    wrong = readers.end()
    check(not wrong, f"{what}: {len(wrong)} reads of {readers.right} failed, the first: {wrong[:1]}")
    check(readers.right > 300, f"{what}: {readers.right} reads")


def a_replica_drains(setting: Setting, balancer: Haproxy, client: Client) -> None:
    """Checks that after SIGTERM a running call is answered by its replica, and all others elsewhere."""
    for blocking in setting.blocking:
        blocking.block()
    connection = client.connect()
    readers = Readers(client, SKILL)
    answers: list[http.client.HTTPResponse] = []
    caller = threading.Thread(daemon=True, target=lambda: answers.append(client.send(
        connection, "tools/call", "slow", name="read_skill_document",
        arguments={"skill_name": "tarpit", "document_path": "slow.md"})))
    caller.start()
    holders: list[int] = []

    def held() -> bool:
        holders.extend(number for number, blocking in enumerate(setting.blocking) if blocking.has_reader())
        return bool(holders)
    until(held, "a replica has the slow call")
    number = holders[0]
    replica = setting.replicas[number]
    replica.process.terminate()
    until(lambda: any("stopping" in line for line in list(replica.log)), "the replica stops")
    readers.more(20)
    setting.blocking[number].release()
    caller.join(DEADLINE)
    text = answers[0].read().decode() if answers else ""
    check(bool(answers) and answers[0].status == 200 and "Slow, but here." in text, f"the call that ran is answered: {text[:300]}")
    check(replica.process.wait(DEADLINE) == 0, "the replica ends in order")
    balancer.wait_for(number + 1, "DOWN")
    wrong = readers.end()
    check(not wrong, f"drain: {len(wrong)} reads of {readers.right} failed, the first: {wrong[:1]}")
    connection.close()
    for blocking in setting.blocking:
        blocking.script.write_text(json.dumps({"documents": blocking.documents}))
    replica.start()
    balancer.wait_for_all()


def a_replica_is_taken_out(setting: Setting, balancer: Haproxy, client: Client) -> None:
    """Follows doc/operations.md: the balancer drains the replica first, then it is ended, and nobody asks it any
    more."""
    check(balancer.tell("set server replicas/replica-1 state drain").strip() == "", "the balancer takes the command")
    balancer.wait_for(1, "DRAIN")
    for _ in range(9):
        client.ask("tools/list", "drained")
    until(lambda: sum(counts(setting, "drained")) == 9, "a line for each request")
    check(counts(setting, "drained")[0] == 0, f"a drained replica is not asked: {counts(setting, 'drained')}")
    check(setting.replicas[0].end() == 0, "and ends in order")
    setting.replicas[0].start()
    balancer.tell("set server replicas/replica-1 state ready")
    balancer.wait_for(1, "UP")
    for _ in range(9):
        client.ask("tools/list", "returned")
    until(lambda: sum(counts(setting, "returned")) == 9, "a line for each request")
    check(counts(setting, "returned")[0] == 3, f"once it is back it is: {counts(setting, 'returned')}")


def listen(client: Client) -> http.client.HTTPResponse:
    connection = client.connect()
    response = client.send(connection, "subscriptions/listen", "stream", notifications={"toolsListChanged": True, "promptsListChanged": True})
    check(response.status == 200, f"a stream opens: {response.status}")
    line = response.readline()
    while b"acknowledged" not in line:
        assert line, "the stream ended before it began"
        line = response.readline()
    return response


def heard(response: http.client.HTTPResponse, word: bytes) -> bool:
    """Returns whether the stream brings the word before it ends."""
    try:
        while line := response.readline():
            if word in line:
                return True
    except (OSError, http.client.HTTPException):
        pass
    return False


def ended_within(response: http.client.HTTPResponse, seconds: float) -> bool:
    """Returns whether the stream ends in that time; comments and events are skipped."""
    end = time.monotonic() + seconds
    descriptor = response.fp.raw._sock  # type: ignore[union-attr]
    try:
        while (left := end - time.monotonic()) > 0:
            descriptor.settimeout(left)
            if not response.readline():
                return True
    except TimeoutError:
        return False
    except (OSError, http.client.HTTPException):
        return True
    return False


def streams_stay(setting: Setting) -> None:
    """Checks streams with 2 s limits for requests, which is less than the interval between comments."""
    short = {"timeout client 60s": "timeout client 2s", "timeout server 130s": "timeout server 2s",
             "timeout http-keep-alive 60s": "timeout http-keep-alive 2s"}
    balancer = setting.haproxy(setting.ports(), **short)
    balancer.wait_for_all()
    stream = listen(setting.client(balancer.port))
    check(not ended_within(stream, 6), "a stream stays open longer than other requests may be silent")
    stream = listen(setting.client(balancer.port))
    write_skill(setting.skills, "newcomer", "A skill that was not there before.")
    check(heard(stream, b"list_changed"), "a change reaches the client through the balancer")
    balancer.end()
    # Without the rule the stream is cut, so it is the rule that keeps it.
    balancer = setting.haproxy(setting.ports(), **short, **{"  http-request set-timeout server 10m if stream\n": ""})
    balancer.wait_for_all()
    check(ended_within(listen(setting.client(balancer.port)), 10), "without its rule a stream is cut")
    balancer.end()


class Breaking(Handler):
    """A replica that is ready, and closes the connection within each request."""

    def do_GET(self) -> None:
        self.say(200, {"Content-Type": "application/json"}, b'{"status": "ready"}\n')

    def do_POST(self) -> None:
        self.server.asked.append(self.headers.get("X-Request-Id", "") + " " + self.body().decode())  # type: ignore[attr-defined]
        self.close_connection = True


def only_reads_are_repeated(setting: Setting) -> None:
    with Loopback(Breaking) as breaking:
        breaking.asked = []  # type: ignore[attr-defined]
        # Two of three break, so that repeated requests are seen; no broken one is taken out meanwhile.
        balancer = setting.haproxy([breaking.port, breaking.port, setting.ports()[2]],
                                   **{" observe layer4 error-limit 1 on-error mark-down": ""})
        balancer.wait_for_all()
        client = setting.client(balancer.port)
        for _ in range(6):
            status, answer = client.ask("tools/list", "again")
            check(status == 200, f"a read is asked again where it is answered: {status} {answer}")
        check(len(breaking.asked) >= 4, f"and was asked elsewhere before: {len(breaking.asked)}")  # type: ignore[attr-defined]
        for what, ask in (("a tool that may change something", lambda: client.call("reload_skills_directory", "once")[0]),
                          ("a request that names no method", lambda: client.plain(
                              "POST", "/mcp", b'{"jsonrpc":"2.0","id":1,"method":"ping"}', Content_Type="application/json",
                              X_Request_Id="once")[0])):
            breaking.asked.clear()  # type: ignore[attr-defined]
            statuses = [ask() for _ in range(3)]
            check(sorted(statuses)[1:] == [502, 502], f"{what} fails where it is broken off: {statuses}")
            check(len(breaking.asked) == 2, f"{what} is sent once each: {breaking.asked}")  # type: ignore[attr-defined]
        balancer.end()


def sessions_stay(setting: Setting) -> None:
    """Checks the lines that examples/deploy/README.md adds to haproxy.cfg if there is no engine."""
    page = (RECIPES / "README.md").read_text()
    lines = [line.strip() for line in page.splitlines() if line.strip().startswith("stick")]
    check(len(lines) == 3, f"README.md has the lines: {lines}")
    rule = "  balance roundrobin\n"
    balancer = setting.haproxy(setting.ports(), **{rule: rule + "".join(f"  {line}\n" for line in lines)})
    balancer.wait_for_all()
    client = setting.client(balancer.port)
    body = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}

    def call(session: str) -> int:
        return client.plain("POST", "/mcp", json.dumps(legacy("tools/list")).encode(), Mcp_Session_Id=session,
                            MCP_Protocol_Version=LEGACY, **body)[0]
    opened: list[str] = []
    for _ in range(6):
        connection = client.connect()
        connection.request("POST", "/mcp", json.dumps(INITIALIZE), {
            "Authorization": f"Bearer {client.token}", **{name.replace("_", "-"): value for name, value in body.items()}})
        response = connection.getresponse()
        response.read()
        connection.close()
        check(response.status == 200, f"a session opens: {response.status}")
        opened.append(response.headers["Mcp-Session-Id"])
    statuses = [call(session) for session in opened for _ in range(6)]
    check(statuses == [200] * 36, f"each session stays where it is known: {statuses}")
    if setting.engine is None:
        # Without these lines a session does not stay.
        other = setting.haproxy(setting.ports())
        other.wait_for_all()
        client = setting.client(other.port)
        statuses = [call(opened[0]) for _ in range(6)]
        check(sorted(statuses) == [200, 200, 404, 404, 404, 404], f"without an engine and these lines: {statuses}")
        other.end()
    balancer.end()


def sessions_are_shared(setting: Setting, client: Client, what: str) -> None:
    """Checks that with the engine a session works at each replica."""
    if setting.engine is None:
        return
    body = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection = client.connect()
    connection.request("POST", "/mcp", json.dumps(INITIALIZE), {
        "Authorization": f"Bearer {client.token}", **{name.replace("_", "-"): value for name, value in body.items()}})
    response = connection.getresponse()
    response.read()
    connection.close()
    session = response.headers["Mcp-Session-Id"]
    mark = f"{what}-shared"
    for _ in range(9):
        status, text = client.plain("POST", "/mcp", json.dumps(legacy("tools/list")).encode(), Mcp_Session_Id=session,
                                    MCP_Protocol_Version=LEGACY, X_Request_Id=mark, **body)
        check(status == 200, f"{what}: a session at any replica: {status} {text[:300]}")
    until(lambda: sum(counts(setting, mark)) == 9, "a line for each request")
    check(counts(setting, mark) == [3, 3, 3], f"{what}: at all three: {counts(setting, mark)}")


def behind_haproxy(setting: Setting) -> None:
    balancer = setting.haproxy(setting.ports())
    balancer.wait_for_all()
    client = setting.client(balancer.port)
    reaches_all(setting, client, "haproxy")
    tells_the_client(setting, client, "haproxy")
    keeps_to_itself(client, "haproxy")
    check(client.plain("GET", "/balancer")[0] == 200, "haproxy says that it has replicas")
    sessions_are_shared(setting, client, "haproxy")
    a_replica_is_killed(setting, balancer, client, "haproxy")
    a_replica_is_taken_out(setting, balancer, client)
    a_replica_drains(setting, balancer, client)
    balancer.end()
    only_reads_are_repeated(setting)
    sessions_stay(setting)
    streams_stay(setting)


def behind_nginx(setting: Setting) -> None:
    balancer = setting.nginx()
    client = setting.client(balancer.port)
    reaches_all(setting, client, "nginx")
    tells_the_client(setting, client, "nginx")
    keeps_to_itself(client, "nginx")
    sessions_are_shared(setting, client, "nginx")
    a_replica_is_killed(setting, None, client, "nginx")
    stream = listen(client)
    write_skill(setting.skills, "latecomer", "A skill that came later.")
    check(heard(stream, b"list_changed"), "nginx: a change reaches the client")
    balancer.end()


def main() -> int:
    balancers = {"haproxy": behind_haproxy, "nginx": behind_nginx}
    there = [name for name in balancers if found(name)]
    for name in sorted(balancers.keys() - set(there)):
        print(f"{name} is not installed: the recipe for it is not tested")
    if not there or not shutil.which("openssl"):
        print("skipped: no balancer, or no openssl")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        setting = Setting(Path(folder))
        for name in there:
            balancers[name](setting)
        for replica in setting.replicas:
            check(replica.end() == 0, "a replica ends in order")
        if setting.engine:
            setting.engine.end()
    return checks.finish()


sys.exit(main())
