#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that client certificates and header fields reach the auth plugin: callers_test.py SERVER PLUGIN SKILLS"""
import contextlib
import http.client
import json
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER, PLUGIN, SKILLS = sys.argv[1:4]
checks = Checks()
check = checks.check


def openssl(folder, *arguments):
    run = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, text=True, timeout=DEADLINE)
    assert run.returncode == 0, run.stderr


def certificate(folder, name, subject, names="", issuer=None, days="2"):
    """Makes NAME.pem and NAME.key, signed by ISSUER or by itself."""
    extensions = ["-addext", f"subjectAltName={names}"] if names else []
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-utf8",
            "-subj", subject, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", days, *extensions,
            *(["-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key", "-addext", "basicConstraints=CA:FALSE"]
              if issuer else []))


class Client:
    def __init__(self, server, folder, name=None):
        self.server = server
        self.context = ssl.create_default_context(cafile=folder / "server.pem")
        if name:
            self.context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")

    def ask(self, **fields):
        """Returns the status, or None without a connection."""
        connection = http.client.HTTPSConnection("localhost", self.server.port, timeout=DEADLINE, context=self.context)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                   **{name.replace("_", "-"): value for name, value in fields.items()}}
        try:
            connection.request("POST", "/mcp", json.dumps(legacy("tools/list")), headers)
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()


def script(folder):
    ok = {"scopes": ["skills:read"], "expires_in": 3600}
    manager = {**ok, "scopes": ["skills:read", "skills:manage"]}
    (folder / "script.json").write_text(json.dumps({
        "tokens": {"good-token": {**ok, "subject": "by-token"}},
        "callers": {"CN=ada,O=House": {**ok, "subject": "ada"}, "uri:spiffe://house/bob": {**manager, "subject": "bob"},
                    "x-remote-user=cleo": {**ok, "subject": "cleo"},
                    "x-remote-user=dora": {**manager, "subject": "dora"}}}))
    (folder / "sources.json").write_text(json.dumps({"sources": [{
        "name": "broken", "plugin": "filesystem", "config": {"directories": [SKILLS], "max_files": 1}}]}))


def options(folder, isolation, *further):
    return ["--config", str(folder / "sources.json"), "--auth", PLUGIN, "--set", f"auth.isolation={isolation}",
            "--set", "auth.config=" + json.dumps({"file": str(folder / "script.json")}),
            "--set", f"auth.allow_read={folder}", *further]


def ready(server, folder, name=None, **fields):
    """Returns the status of /readyz and its text about a failed source. Uses TLS if `folder` has certificates."""
    connection = (http.client.HTTPSConnection("localhost", server.port, timeout=DEADLINE,
                                              context=Client(server, folder, name).context) if folder
                  else http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE))
    with contextlib.closing(connection):
        connection.request("GET", "/readyz", headers={key.replace("_", "-"): value for key, value in fields.items()})
        response = connection.getresponse()
        return response.status, json.loads(response.read()).get("failures")


def readiness(server, folder, what, asked):
    """Checks that only managers get reasons, whatever credential they show, and that no other caller is refused for
    the credential of a usual request."""
    for who, (fields, manages) in asked.items():
        status, failures = ready(server, folder, **fields)
        check(status == 200 and bool(failures) == manages, f"{what}/readyz of {who}: {status} {failures}")
    status, _ = ready(server, folder, "eve" if folder else None, Authorization="Bearer bad-token")
    check(status == 401, f"{what}/readyz with a wrong token: {status}")


def subject_of(server):
    return re.findall(r"tools/list.* for \"([^\"]*)\"", "".join(server.log))


def comes_in(server, status, expected, what, subject=None):
    check(status == expected, f"{what}: {status} in place of {expected}")
    if subject:
        until(lambda: subject in subject_of(server)[-1:], f"{what}: a request of {subject}")


def certificates(folder, isolation, required):
    tls = ["--tls-certificate", str(folder / "server.pem"), "--tls-key", str(folder / "server.key"),
           "--set", f"http.tls_client_ca={folder / 'ca.pem'}",
           "--set", f"http.tls_client_certificates={'required' if required else 'optional'}"]
    server = Running(SERVER, SKILLS, *options(folder, isolation, *tls), ready=not required)
    what = f"{isolation}, {'required' if required else 'optional'}: "
    ada, bob, eve = (Client(server, folder, name) for name in ("ada", "bob", "eve"))
    comes_in(server, ada.ask(), 200, what + "a subject that is known", "ada")
    comes_in(server, ada.ask(), 200, what + "the same again", "ada")
    comes_in(server, bob.ask(), 200, what + "a name that is known", "bob")
    comes_in(server, eve.ask(), 401, what + "a certificate of nobody")
    comes_in(server, eve.ask(Authorization="Bearer good-token"), 200, what + "the same with a token", "by-token")
    comes_in(server, eve.ask(Authorization="Bearer bad-token"), 401, what + "with a wrong token")
    comes_in(server, Client(server, folder, "stranger").ask(), None, what + "of another authority")
    until(lambda: re.search(r"127\.0\.0\.1:\d+ is refused: its client certificate: ", "".join(server.log)),
          "a line that says what is wrong with the certificate")
    nobody = Client(server, folder)
    comes_in(server, nobody.ask(), None if required else 401, what + "no certificate")
    comes_in(server, nobody.ask(Authorization="Bearer good-token"), None if required else 200, what + "only a token")
    readiness(server, folder, what, {"ada": ({"name": "ada"}, False), "bob": ({"name": "bob"}, True),
                                     "eve": ({"name": "eve"}, False)})
    if required:
        until(lambda: "it shows no client certificate" in "".join(server.log), "a line that says what is missing")
    if shutil.which("curl"):
        run = subprocess.run(["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", folder / "server.pem",
                              "--cert", folder / "ada.pem", "--key", folder / "ada.key", "-d",
                              json.dumps(legacy("tools/list")), "-H", "Content-Type: application/json",
                              f"https://localhost:{server.port}/mcp"], capture_output=True, text=True, timeout=DEADLINE)
        check(run.stdout == "200", f"{what}curl: {run.stdout} {run.stderr}")
    server.end()


def headers(folder, isolation):
    rules = ["--set", "auth.headers=X-Remote-User,X-Other", "--set", "http.trusted_proxies=127.0.0.1"]
    server = Running(SERVER, SKILLS, *options(folder, isolation, *rules))

    def ask(**fields):
        return server.post(legacy("tools/list"), **fields)[0].status

    what = f"{isolation}, headers: "
    comes_in(server, ask(X_Remote_User="cleo"), 200, what + "of a proxy", "cleo")
    comes_in(server, ask(X_Remote_User="secret-mallory"), 401, what + "of nobody")
    comes_in(server, ask(X_Another="x"), 401, what + "a field that is not named")
    comes_in(server, ask(), 401, what + "none")
    comes_in(server, ask(Authorization="Bearer good-token", X_Other="y"), 200, what + "beside a token", "by-token")
    readiness(server, None, what, {"dora": ({"X_Remote_User": "dora"}, True), "cleo": ({"X_Remote_User": "cleo"}, False),
                                   "mallory": ({"X_Remote_User": "secret-mallory"}, False), "nobody": ({}, False)})
    server.end()
    log = "".join(server.log)
    check("secret-mallory" not in log, f"{what}a value is in the log")
    check("***masked***" in log, f"{what}what the plugin quotes is masked")
    server = Running(SERVER, SKILLS, *options(folder, isolation, "--set", "auth.headers=X-Remote-User",
                                              "--set", "http.trusted_proxies=10.0.0.0/8"))
    status = server.post(legacy("tools/list"), X_Remote_User="cleo")[0].status
    check(status == 401, f"{what}of somebody who is no proxy: {status}")
    server.end()
    server = Running(SERVER, SKILLS, *options(folder, isolation, "--set", "auth.headers=X-Remote-User",
                                              "--set", "auth.headers_from=anyone"))
    status = server.post(legacy("tools/list"), X_Remote_User="cleo")[0].status
    check(status == 200, f"{what}of anyone: {status}")
    server.end()


def refused(folder, what, words, *further):
    run = subprocess.run([SERVER, "serve", "--transport", "http", "--port", "0", "--skills-dir", SKILLS, *further],
                         capture_output=True, text=True, timeout=DEADLINE)
    check(run.returncode == 1 and words in run.stderr, f"{what}: {run.returncode} {run.stderr}")


def main():
    if not shutil.which("openssl"):
        print("openssl is not installed: there is nothing to make certificates with")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script(folder)
        certificate(folder, "server", "/CN=localhost", "DNS:localhost")
        certificate(folder, "ca", "/CN=Authority")
        certificate(folder, "other", "/CN=Authority")
        certificate(folder, "ada", "/O=House/CN=ada", "DNS:ada.house", "ca")
        certificate(folder, "bob", "/CN=b", "URI:spiffe://house/bob,IP:10.0.0.1,email:b@house", "ca")
        certificate(folder, "eve", "/CN=eve", issuer="ca")
        certificate(folder, "stranger", "/O=House/CN=ada", issuer="other")
        for isolation in ("thread", "process"):
            certificates(folder, isolation, True)
            certificates(folder, isolation, False)
            headers(folder, isolation)
        refused(folder, "authorities without TLS", "http.tls_client_ca is for TLS", "--set",
                f"http.tls_client_ca={folder / 'ca.pem'}")
        refused(folder, "authorities that are none", "the client authorities", "--set",
                f"http.tls_client_ca={folder / 'ada.key'}", "--tls-certificate", str(folder / "server.pem"),
                "--tls-key", str(folder / "server.key"))
        refused(folder, "fields of nobody", "auth.headers are taken from trusted proxies", "--auth", PLUGIN, "--set",
                "auth.headers=X-User")
    return checks.finish()


sys.exit(main())
