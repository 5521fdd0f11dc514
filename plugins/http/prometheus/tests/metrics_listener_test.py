#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests /metrics on separate addresses with a separate token, for a server over HTTP and on stdio.
metrics_listener_test.py SERVER SKILLS"""
import atexit
import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import Running, modern  # noqa: E402
from prometheus_server import Prometheus  # noqa: E402

SERVER, SKILLS = sys.argv[1:3]
TOKEN = "a-token-of-the-metrics"
checks = Checks()
check = checks.check
Object = dict[str, Any]


def metrics_port(log: list[str]) -> int:
    def port() -> int | None:
        found = re.search(r"metrics on https?://[^/]*:(\d+)/metrics", "".join(log))
        return int(found[1]) if found else None
    until(lambda: port() is not None, "the log says where the metrics are")
    return port() or 0


def get(port: int, path: str = "/metrics", method: str = "GET", secure: ssl.SSLContext | None = None, **headers: str) -> tuple[int, str]:
    connection = (http.client.HTTPSConnection("127.0.0.1", port, timeout=DEADLINE, context=secure) if secure
                  else http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE))
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def configured(folder: Path, **settings: Any) -> Path:
    file = folder / "skillhost.yaml"
    file.write_text(json.dumps({"metrics": settings}))
    return file


def own_listener(folder: Path) -> None:
    secret = folder / "token"
    secret.write_text(TOKEN + "\n")
    file = configured(folder, listen=["127.0.0.1:0", f"unix:{folder}/metrics.sock"], token=f"${{file:{secret}}}")
    server = Running(SERVER, SKILLS, "--config", str(file))
    port = metrics_port(server.log)
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    rows: list[tuple[str, int, str, str, dict[str, str]]] = [
        ("with the token", 200, "GET", "/metrics", bearer),
        ("without one", 401, "GET", "/metrics", {}),
        ("with another one", 401, "GET", "/metrics", {"Authorization": "Bearer another-token-of-it"}),
        ("with half of it", 401, "GET", "/metrics", {"Authorization": f"Bearer {TOKEN[:8]}"}),
        ("by another scheme", 401, "GET", "/metrics", {"Authorization": "Basic YTpi"}),
        ("the token in the query", 400, "GET", f"/metrics?access_token={TOKEN}", bearer),
        ("another path", 404, "GET", "/mcp", bearer),
        ("another method", 405, "POST", "/metrics", bearer),
        ("of a page elsewhere", 403, "GET", "/metrics", {**bearer, "Origin": "https://evil.example"}),
        ("by a name that was made to point here", 403, "GET", "/metrics", {**bearer, "Host": "evil.example"}),
    ]
    for what, status, method, path, headers in rows:
        given, text = get(port, path, method, **headers)
        check(given == status, f"{what}: {given} in place of {status}: {text[:100]}")
        check(status == 200 or "skillhost_build_info" not in text, f"{what}: no figure is told")
        check(TOKEN not in text, f"{what}: the token is not told")
    check('skillhost_source_up{source=' in get(port, **bearer)[1], "every series is there")
    check(server.ask("GET", "/metrics")[0].status == 404, "beside the endpoint there are none then")
    check(server.ask("GET", "/healthz")[0].status == 200, "health stays there")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.settimeout(DEADLINE)
        unix.connect(f"{folder}/metrics.sock")
        unix.sendall(f"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: unix.recv(65536), b""))
    check(b" 200 " in answer.split(b"\r\n")[0] and b"skillhost_build_info" in answer, f"over a unix socket: {answer[:80]!r}")
    check(TOKEN not in "".join(server.log), "the token is not in the log")
    check(server.end() == 0, "an orderly end")


class OnStdio:
    """A server on stdio whose log is collected while it runs."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen([SERVER, "serve", "--skills-dir", SKILLS, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.log: list[str] = []
        threading.Thread(target=lambda: self.log.extend(self.process.stderr or ()), daemon=True).start()

    def ask(self, message: Object) -> Object:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(DEADLINE)


def on_stdio(folder: Path) -> None:
    """Checks the metrics of a server on stdio, also with a real Prometheus that sends the token."""
    secret = folder / "token"
    secret.write_text(TOKEN)
    server = OnStdio("--config", str(configured(folder, listen=["127.0.0.1:0"], token=f"${{file:{secret}}}")))
    port = metrics_port(server.log)
    answer = server.ask(modern("tools/call", name="load_skill", arguments={"skill_name": "greeter"}))
    check("result" in answer, f"MCP goes on as before: {answer}")
    check(get(port)[0] == 401, "the token is asked for")
    status, text = get(port, Authorization=f"Bearer {TOKEN}")
    check(status == 200 and 'skillhost_tool_seconds_count{tool="load_skill"} 1' in text, f"the call is counted: {status}")
    by_prometheus(folder, port, secret)
    check(server.end() == 0, "it ends with its input")


def by_prometheus(folder: Path, port: int, secret: Path) -> None:
    program = shutil.which("prometheus")
    if not program:
        print("left out: a real Prometheus (prometheus is not installed)")
        return
    job = {"static_configs": [{"targets": [f"127.0.0.1:{port}"]}], "authorization": {"credentials_file": str(secret)}}
    prometheus = Prometheus(program, folder, job)
    try:
        until(lambda: prometheus.value('up{job="skillhost"}') == 1, "the scrape succeeds")
        until(lambda: prometheus.value('skillhost_tool_seconds_count{tool="load_skill"}') == 1, "it has the figures")
    finally:
        prometheus.end()


def taken(folder: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        done = subprocess.run([SERVER, "serve", "--skills-dir", SKILLS, "--config", str(configured(folder, listen=[address]))],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        check(done.returncode != 0 and address in done.stdout, f"an address that is taken ends the start: {done.returncode} {done.stdout[-300:]}")


def without_token(folder: Path) -> None:
    server = Running(SERVER, SKILLS, "--config", str(configured(folder, listen=["127.0.0.1:0"])))
    check(get(metrics_port(server.log))[0] == 200, "on loopback no token is needed")
    check(server.end() == 0, "an orderly end")


def by_address(folder: Path) -> None:
    """Checks that a scraper may name the machine by its address, although users know it by another name."""
    file = folder / "skillhost.json"
    file.write_text(json.dumps({"metrics": {"listen": ["0.0.0.0:0"], "token": TOKEN}, "http": {"public_url": "https://skills.example"}}))
    server = Running(SERVER, SKILLS, "--config", str(file))
    port = metrics_port(server.log)
    check(get(port, Authorization=f"Bearer {TOKEN}", Host=f"10.0.0.7:{port}")[0] == 200, "by an address of the machine")
    check(get(port, Host=f"10.0.0.7:{port}")[0] == 401, "with the token alone")
    check(server.end() == 0, "an orderly end")


def over_tls(folder: Path) -> None:
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                           "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert made.returncode == 0, made.stdout
    file = configured(folder, listen=["127.0.0.1:0"])
    server = Running(SERVER, SKILLS, "--config", str(file), "--tls-certificate", str(certificate), "--tls-key", str(key))
    status, text = get(metrics_port(server.log), secure=ssl.create_default_context(cafile=str(certificate)))
    check(status == 200 and "skillhost_build_info" in text, f"over TLS, as the endpoint: {status}")
    check(server.end() == 0, "an orderly end")


def refused(folder: Path) -> None:
    """Checks configurations with which the server refuses to start, and its messages."""
    rows: list[tuple[Object, str]] = [
        ({"listen": ["127.0.0.1"]}, "metrics.listen: \"127.0.0.1\" is no address"),
        ({"listen": ["127.0.0.1:http"]}, "metrics.listen: \"127.0.0.1:http\" is no address"),
        ({"listen": ["0.0.0.0:0"]}, "metrics.listen: other machines can reach"),
        ({"token": TOKEN}, "metrics.token: the token protects only the addresses of metrics.listen"),
        ({"listen": ["127.0.0.1:0"], "token": "short"}, "metrics.token"),
    ]
    for settings, words in rows:
        done = subprocess.run([SERVER, "serve", "--transport", "http", "--port", "0", "--skills-dir", SKILLS, "--config",
                               str(configured(folder, **settings))], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        check(done.returncode != 0 and words in done.stdout, f"{settings}: {done.returncode} {done.stdout[-300:]}")
        check(TOKEN not in done.stdout, "no message tells the token")


def main() -> int:
    for case in (own_listener, on_stdio, without_token, by_address, over_tls, refused, taken):
        with tempfile.TemporaryDirectory() as name:
            case(Path(name))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
