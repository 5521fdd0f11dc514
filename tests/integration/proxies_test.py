#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that a server behind nginx and haproxy knows its clients: proxies_test.py SERVER SKILLS"""
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER, SKILLS = sys.argv[1:3]
CLIENT = "127.0.0.77"  # address of the proxy's client; the proxy connects from 127.0.0.1
checks = Checks()
check = checks.check


def found(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Proxy:
    def __init__(self, port, *command):
        self.port = port
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        def listens():
            assert self.process.poll() is None, self.process.stderr.read()
            with socket.socket() as one:
                return one.connect_ex(("127.0.0.1", port)) == 0
        until(listens, f"{command[0]} listens")

    def ask(self, method="tools/list", **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE, source_address=(CLIENT, 0))
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                   **{name.replace("_", "-"): value for name, value in fields.items()}}
        connection.request("POST", "/mcp", json.dumps(legacy(method)), headers)
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status

    def end(self):
        self.process.terminate()
        self.process.wait(DEADLINE)
        self.process.stderr.close()


def nginx(folder, server, stream=False, unix=False):
    port = free_port()
    upstream = f"unix:{folder}/skillhost.sock" if unix else f"127.0.0.1:{server}"
    temporary = "".join(f"{one}_temp_path {folder}/{one};" for one in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    http = f"""http {{ access_log off; {temporary} upstream s {{ server {upstream}; keepalive 4; }}
      server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://s; proxy_http_version 1.1;
        proxy_set_header Connection ""; proxy_set_header Host localhost;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; }} }} }}"""
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr; events {{}} {http}")
    return Proxy(port, found("nginx"), "-c", str(folder / "nginx.conf"), "-p", str(folder), "-e", "stderr")


def haproxy(folder, server, mode, send):
    port = free_port()
    forward = "option forwardfor" if mode == "http" else ""
    (folder / "haproxy.cfg").write_text(f"""
defaults
  mode {mode}
  timeout connect 10s
  timeout client 30s
  timeout server 30s
listen front
  bind 127.0.0.1:{port}
  {forward}
  server one 127.0.0.1:{server} {send}
""")
    return Proxy(port, found("haproxy"), "-db", "-f", str(folder / "haproxy.cfg"))


def seen(server):
    """Returns the addresses of the requests in the log."""
    return re.findall(r"tools/list.*from ([0-9.]+|unix):", "".join(server.log))


def knows(server, proxy, what, expected=CLIENT, **fields):
    before = len(seen(server))
    status = proxy.ask(**fields)
    check(status == 200, f"{what}: {status}")
    until(lambda: len(seen(server)) > before, "the line of the request")
    check(seen(server)[-1] == expected, f"{what}: {seen(server)[-1]} in place of {expected}")


def behind_nginx(folder):
    server = Running(SERVER, SKILLS, "--set", "http.trusted_proxies=127.0.0.1")
    proxy = nginx(folder, server.port)
    knows(server, proxy, "nginx: X-Forwarded-For")
    knows(server, proxy, "nginx: an address that the client makes up", X_Forwarded_For="198.51.100.1")
    status = proxy.ask(Forwarded="for=198.51.100.1")
    check(status == 400, f"nginx: Forwarded of the client against X-Forwarded-For of nginx: {status}")
    until(lambda: "http.forwarded_field" in "".join(server.log), "the advice to say which field it is")
    proxy.end()
    server.end()
    server = Running(SERVER, SKILLS, "--set", "http.trusted_proxies=10.0.0.0/8")
    proxy = nginx(folder, server.port)
    knows(server, proxy, "nginx, not trusted", "127.0.0.1")
    proxy.end()
    server.end()
    server = Running(SERVER, SKILLS, "--set", "http.trusted_proxies=unix", "--listen", "127.0.0.1",
                     "--listen", f"unix:{folder}/skillhost.sock")
    proxy = nginx(folder, server.port, unix=True)
    knows(server, proxy, "nginx over a unix socket")
    proxy.end()
    server.end()


def behind_haproxy(folder):
    server = Running(SERVER, SKILLS, "--set", "http.trusted_proxies=127.0.0.1")
    proxy = haproxy(folder, server.port, "http", "")
    knows(server, proxy, "haproxy: X-Forwarded-For")
    proxy.end()
    server.end()
    server = Running(SERVER, SKILLS, "--set", "http.trusted_proxies=127.0.0.1", "--set", "http.proxy_protocol=true", ready=False)
    for send in ("send-proxy", "send-proxy-v2", "send-proxy-v2 check check-send-proxy inter 50"):
        proxy = haproxy(folder, server.port, "tcp", send)
        knows(server, proxy, f"haproxy: {send}")
        knows(server, proxy, f"haproxy: {send}, a field of the client", X_Forwarded_For="198.51.100.1")
        proxy.end()
    proxy = haproxy(folder, server.port, "tcp", "")
    try:
        status = proxy.ask()
    except (http.client.HTTPException, OSError):
        status = 0
    check(status == 0, f"haproxy without the PROXY protocol: {status}")
    until(lambda: "make the proxy send the PROXY protocol" in "".join(server.log), "the advice to send the PROXY protocol")
    proxy.end()
    server.end()


def main():
    ran = []
    for name, test in (("nginx", behind_nginx), ("haproxy", behind_haproxy)):
        if not found(name):
            print(f"{name} is not installed: what stands behind it is not tested")
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            test(Path(folder))
        ran.append(name)
    if not ran:
        return 77
    return checks.finish()


sys.exit(main())
