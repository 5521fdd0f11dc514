#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the forbidden reads and connections of a plugin: plugin_reach_test.py SERVER PLUGIN Each attempt is also
made without any confinement (a thread, or network: auto), which proves that it can succeed."""
import errno
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import Checks, until  # noqa: E402
from http_server import Running, legacy  # noqa: E402
from reachable import DEADLINE, Datagrams, Introspection, Listener, Proxy, WebServer  # noqa: E402
from session import Session  # noqa: E402
from web_server import Publisher, skill_md  # noqa: E402

SERVER, PLUGIN = (str(Path(one).resolve()) for one in sys.argv[1:3])
DENIED = f"errno {errno.EACCES}"
REFUSED = (DENIED, f"errno {errno.EPERM}", f"errno {errno.EAFNOSUPPORT}")
KEY = "-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----\n"
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
NO_PROXY = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY", "no_proxy", "NO_PROXY"), "")
checks = Checks()
check = checks.check


class Plugin:
    """A server with the plugin as its only tool."""

    def __init__(self, environment=None, **keys):
        self.folder = tempfile.TemporaryDirectory()
        configuration = Path(self.folder.name, "configuration.json")
        configuration.write_text(json.dumps({"search": {"plugin": "none"},
                                             "tools": [{"name": "reach", "plugin": PLUGIN, **keys}]}))
        self.session = Session([SERVER, "--config", str(configuration)], {**NO_PROXY, **(environment or {})})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session.server.kill()
        self.folder.cleanup()

    def attempt(self, how, to="", say=""):
        result = self.session.call("tools/call", name="attempt", arguments={"how": how, "to": to, "say": say})
        return result["content"][0]["text"]

    def log(self):
        return self.session.server.stderr()

    def logs(self, text):
        """Waits for a text in the log: another thread writes the log, so a line may follow the answer."""
        until(lambda: text in self.log(), f"{text!r} in the log: {self.log()}")

    def forwarder(self):
        """Returns port and credentials of the forwarder, as the plugin sees them."""
        found = re.search(r"^https_proxy=http://([^@\n]*)@127\.0\.0\.1:(\d+)$", self.attempt("environment"), re.M)
        assert found, self.attempt("environment")
        return int(found[2]), found[1]


def certificates(folder):
    """Makes a folder like /etc/ssl, with files that may be read and files that may not."""
    certs, private, elsewhere = (Path(folder, name) for name in ("certs", "private", "elsewhere"))
    for one in (certs, private, elsewhere):
        one.mkdir()
    files = {certs / "ca.pem": (CERTIFICATE, 0o644, True), elsewhere / "company.pem": (CERTIFICATE, 0o644, True),
             certs / "both.pem": (CERTIFICATE + KEY, 0o644, False), certs / "group.pem": (CERTIFICATE, 0o640, False),
             private / "key.pem": (KEY, 0o600, False), private / "open.pem": (KEY, 0o644, False)}
    for file, (text, mode, _) in files.items():
        file.write_text(text)
        file.chmod(mode)
    (certs / "company.pem").symlink_to(elsewhere / "company.pem")
    (certs / "linked.pem").symlink_to(private / "open.pem")
    (certs / "hash.0").symlink_to("ca.pem")
    return certs, {**{str(file): may for file, (_, _, may) in files.items()}, str(certs / "company.pem"): True,
                   str(certs / "linked.pem"): False, str(certs / "hash.0"): True}


def reads():
    with tempfile.TemporaryDirectory() as folder:
        certs, files = certificates(folder)
        environment = {"SSL_CERT_DIR": str(certs)}
        with Plugin(environment, isolation="thread") as free, Plugin(environment) as held:
            for file, may in files.items():
                check(free.attempt("read", file).startswith("read "), f"control: {file} can be read")
                how = held.attempt("read", file)
                check(how.startswith("read ") if may else how == DENIED, f"{file}: {how}")
            for place in ("/etc/ssl/private", "/etc/pki/tls/private", "/usr/local/etc", "/root", "/proc"):
                if free.attempt("list", place) == "listed":
                    check(held.attempt("list", place) == DENIED, f"the folder {place} is listed")
            for bundle in ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/openssl.cnf"):
                if Path(bundle).exists():
                    check(held.attempt("read", bundle).startswith("read "), f"{bundle} can be read")
            check("SSL_CERT_DIR" in free.attempt("read", "/proc/self/environ"), "control: the environment of a process")
            for how, to in (("read", "/proc/self/environ"), ("read", "/proc/1/environ"), ("read of parent", "/environ"),
                            ("read of parent", "/cmdline"), ("read of parent", "/mem")):
                check(held.attempt(how, to) == DENIED, f"{how} {to}: {held.attempt(how, to)}")


def credentials():
    """Checks that the proxy's password stays with the host, although the proxy is used."""
    with Proxy() as proxy, WebServer() as server:
        environment = {"https_proxy": f"http://user:hush@127.0.0.1:{proxy.port}", "http_proxy": f"http://user:hush@127.0.0.1:{proxy.port}"}
        url = f"http://127.0.0.1:{server.port}/page"
        with Plugin(environment, isolation="thread") as free, Plugin(environment) as held, \
                Plugin(environment, network=[f"127.0.0.1:{server.port}"]) as listed:
            check("hush" in free.attempt("environment"), "control: a thread sees the password")
            for plugin in (held, listed):
                seen = plugin.attempt("environment")
                check("hush" not in seen and "https_proxy=http://plugin:" in seen, f"the environment: {seen}")
                how = plugin.attempt("fetch", url)
                check("status 200" in how and "BY PROXY" in how, f"a request by the proxy: {how}")
                how = plugin.attempt("fetch", url, "tunnel")
                check("status 200 tunnel 200" in how and "REACHED" in how, f"a tunnel by the proxy: {how}")
            asked = len(proxy.heard)
            how = listed.attempt("fetch", "http://127.0.0.1:9/")
            check("status 403" in how and len(proxy.heard) == asked, f"another host by the proxy: {how}")
            # Two requests are sent at once: the second one was never permitted.
            port, secret = listed.forwarder()
            smuggled = (f"GET {url} HTTP/1.1\r\nProxy-Authorization: {basic(secret)}\r\n\r\n"
                        "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            how = listed.attempt("connect", f"127.0.0.1:{port}", smuggled)
            check("BY PROXY" in how and not any("evil" in head for head in proxy.heard), f"a second request: {how} {proxy.heard[-1]}")
        socks = {"https_proxy": "socks5://user:hush@127.0.0.1:1080"}
        with Plugin(socks) as held:
            seen = held.attempt("environment")
            check("https_proxy=socks5://127.0.0.1:1080" in seen and "hush" not in seen, f"a proxy of another kind: {seen}")
            held.logs("named without user and password")
            check("hush" not in held.log(), f"and the log: {held.log()}")


def basic(secret):
    import base64
    return "Basic " + base64.b64encode(secret.encode()).decode()


def direct():
    """Checks connections that avoid the forwarder."""
    with Listener() as listener, Datagrams() as datagrams, Plugin() as free, Plugin(network=["127.0.0.1:1"]) as held, \
            Plugin(network="none") as none:
        to = f"127.0.0.1:{listener.port}"
        for how in ("connect", "connect again", "connect by sending"):
            came = free.attempt(how, to, "x")
            check("BANNER" in came, f"control: {how}: {came}")
            for plugin, word in ((held, "x"), (held, "shut"), (none, "x")):
                before = listener.visitors()
                came = plugin.attempt(how, to, word)
                check(came.startswith("errno "), f"{how} {word} {to}: {came}")
                check(listener.visitors() == before, f"{how} {word}: somebody came")
        check(free.attempt("datagram", f"127.0.0.1:{datagrams.port}") == "sent" and datagrams.came(), "control: a datagram")
        check(free.attempt("datagram", "127.0.0.53:53") == "sent", "control: a question to a name server")
        for how in ("six", "netlink"):
            check(free.attempt(how) == "made", f"control: {how}: {free.attempt(how)}")
        with Plugin(isolation="thread") as unconfined:
            check(unconfined.attempt("listen", "127.0.0.1:0") == "listens", "control: listening")
        check(free.attempt("listen", "127.0.0.1:0") in REFUSED, "no plugin listens in a process of its own")
        check(free.attempt("many") == "200", "control: many sockets")
        for plugin in (held, none):
            for how in ("datagram", "six", "netlink", "raw", "mptcp", "unix", "listen"):
                came = plugin.attempt(how, f"127.0.0.1:{datagrams.port if how == 'datagram' else 0}")
                check(came in REFUSED, f"{how}: {came}")
            check(plugin.attempt("datagram", "127.0.0.53:53") in REFUSED, "a question to a name server")
        check(not datagrams.came(), "no datagram came")
        # A rule for the forwarder's port would permit that port on every address.
        port, _ = held.forwarder()
        with Listener("127.0.0.2", port) as elsewhere:
            check("BANNER" in free.attempt("connect", f"127.0.0.2:{port}", "x"), "control: the forwarder's port elsewhere")
            before = elsewhere.visitors()
            came = held.attempt("connect", f"127.0.0.2:{port}", "x")
            check(came == DENIED and elsewhere.visitors() == before, f"the forwarder's port elsewhere: {came}")
        held.logs(f"reach: connection to 127.0.0.2:{port} refused")


def forwarded():
    with WebServer() as server, WebServer() as other:
        name = f"localhost:{server.port}"
        with Plugin() as free, Plugin(network=[f"127.0.0.1:{server.port}"]) as held, \
                Plugin(network=[name, "127.0.0.1"]) as named, Plugin(network=[name, f"127.0.0.0/8:{server.port}"]) as local:
            url, elsewhere = f"http://127.0.0.1:{server.port}/a", f"http://127.0.0.1:{other.port}/"
            for way in ("", "tunnel"):
                how = held.attempt("fetch", url, way)
                check("REACHED" in how and "status 200" in how, f"an allowed host {way}: {how}")
                check("REACHED" in free.attempt("fetch", elsewhere, way), "control: another host")
                how = held.attempt("fetch", elsewhere, way)
                check("403" in how and "REACHED" not in how, f"a host that is not listed {way}: {how}")
                # The name leads to this machine: the name is listed, but its address is not, or is listed for another
                # port.
                by_name = f"http://localhost:{server.port}/"
                check("REACHED" in free.attempt("fetch", by_name, way), "control: a name")
                how = named.attempt("fetch", by_name, way)
                check("403" in how and "REACHED" not in how, f"a name that leads to this machine {way}: {how}")
                how = local.attempt("fetch", by_name, way)
                check("REACHED" in how, f"with its network listed {way}: {how}")
                for spelling in (f"http://2130706433:{server.port}/", f"http://0x7f.1:{server.port}/", f"http://[::ffff:127.0.0.1]:{other.port}/"):
                    how = held.attempt("fetch", spelling, way)
                    # libcurl may have made a usual address of it, which is listed.
                    check("REACHED" not in how or str(server.port) in spelling, f"{spelling} {way}: {how}")
            server.redirect = elsewhere
            check("REACHED" in free.attempt("fetch", url), "control: a redirect")
            before = other.visitors()
            how = held.attempt("fetch", url)
            check("status 403" in how and other.visitors() == before, f"a redirect to another host: {how}")
            server.redirect = None
            held.logs(f"connection to 127.0.0.1:{other.port} refused, not in `network`")
            secrets(held, server)
            nonsense(held, url)


def auth_plugins():
    """Checks that the built-in auth plugins use no proxy of the environment, but the forwarder where they are
    confined."""
    with tempfile.TemporaryDirectory() as folder, Introspection() as provider:
        file = Path(folder, "configuration.json")
        for network in ("auto", [f"127.0.0.1:{provider.port}"], ["127.0.0.1:1"]):
            file.write_text(json.dumps({"auth": {"plugin": "oauth", "network": network, "config": {
                "introspection_url": f"http://127.0.0.1:{provider.port}/", "client_id": "c", "client_secret": "s", "require_audience": False}}}))
            if network == ["127.0.0.1:1"]:
                break
            running = Running(SERVER, folder, "--config", str(file))
            response, text = running.ask("POST", body=legacy("ping"), Authorization="Bearer known")
            check(response.status == 200, f"network {network}: {response.status} {text}")
            running.end()
        before = provider.visitors()
        # The plugin asks its provider before anybody may connect.
        done = subprocess.run([SERVER, "serve", "--transport", "http", "--port", "0", "--config", str(file)],
                              capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **NO_PROXY})
        check(done.returncode == 2 and "403" in done.stderr, f"another provider than is listed: {done.returncode} {done.stderr}")
        check(provider.visitors() == before, "and that was asked")


def sources():
    """Checks that a built-in source works where its host is listed, and asks nobody where it is not."""
    with tempfile.TemporaryDirectory() as folder, Publisher() as publisher, Publisher() as elsewhere:
        file = Path(folder, "configuration.json")
        publisher.entry("alpha", skill_md("alpha"))
        elsewhere.entry("beta", skill_md("beta"))
        address = publisher.url.split("/")[2]
        for url, names, asked in ((publisher.url, ["alpha"], publisher), (elsewhere.url, [], elsewhere)):
            file.write_text(json.dumps({"search": {"plugin": "none"}, "sources": [
                {"name": "web", "plugin": "well_known", "config": {"url": url}, "network": [address]}]}))
            before = len(asked.requests)
            with Session([SERVER, "--config", str(file)], NO_PROXY) as session:
                check([one["name"] for one in session.listing()["skills"]] == names, f"skills of {url}: {session.server.stderr()}")
            check((len(asked.requests) > before) == bool(names), f"whether {url} was asked")
        file.write_text(file.read_text().replace(json.dumps([address]), '"auto"'))
        with Session([SERVER, "--config", str(file)], NO_PROXY) as session:
            check([one["name"] for one in session.listing()["skills"]] == ["beta"], f"control: the other one: {session.server.stderr()}")


def secrets(held, server):
    port, secret = held.forwarder()
    ask = f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\n{{}}\r\n"
    good = f"Proxy-Authorization: {basic(secret)}\r\n"
    for what, field, status in (("no secret", "", 407), ("a wrong secret", f"Proxy-Authorization: {basic('plugin:' + '0' * 48)}\r\n", 407),
                                ("half of it", good[:-10] + "\r\n", 407), ("control: the secret", good, 200)):
        for who, answer in (("the plugin", held.attempt("connect", f"127.0.0.1:{port}", ask.format(field))),
                            ("another process", "heard " + say(port, ask.format(field).encode()))):
            check(answer.startswith(f"heard HTTP/1.1 {status} "), f"{what}, {who}: {answer[:100]}")


def say(port, text):
    """Returns the first data after `text` is sent there; b"" when the connection only ends."""
    with socket.create_connection(("127.0.0.1", port), DEADLINE) as connection:
        connection.sendall(text)
        try:
            return connection.recv(4096).decode("latin-1")
        except ConnectionResetError:
            return ""


def nonsense(held, url):
    """Checks that each malformed head is refused, and the forwarder serves on."""
    port, secret = held.forwarder()
    field = f"Proxy-Authorization: {basic(secret)}\r\n"
    target = url.split("/")[2]
    heads = [
        "\r\n\r\n", "GET\r\n\r\n", f"GET / HTTP/1.1\r\n{field}\r\n", f"GET {url} HTTP/2.0\r\n{field}\r\n", f"GET  {url} HTTP/1.1\r\n{field}\r\n",
        f"GET ftp://{target}/ HTTP/1.1\r\n{field}\r\n", f"GET https://{target}/ HTTP/1.1\r\n{field}\r\n", f"GET http://user@{target}/ HTTP/1.1\r\n{field}\r\n",
        f"CONNECT {target.split(':')[0]} HTTP/1.1\r\n{field}\r\n", f"CONNECT {target}0000 HTTP/1.1\r\n{field}\r\n", f"CONNECT {target}/x HTTP/1.1\r\n{field}\r\n",
        f"CONNECT [::1 HTTP/1.1\r\n{field}\r\n", f"CONNECT 127.1:80 HTTP/1.1\r\n{field}\r\n", f"CONNECT ..:80 HTTP/1.1\r\n{field}\r\n",
        f"CONNECT {target} HTTP/1.1\r\n {field}\r\n", f"CONNECT {target} HTTP/1.1\r\n{field}{field}\r\n", f"CONNECT {target}\0 HTTP/1.1\r\n{field}\r\n",
        f"CONNECT {target} HTTP/1.1\n{field}\r\n\r\n", f"GET {url} HTTP/1.1\r\n{field}Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        f"GET {url} HTTP/1.1\r\n{field}Content-Length: -1\r\n\r\n", f"GET {url} HTTP/1.1\r\n{field}Transfer-Encoding: chunked\r\n\r\n",
        f"GET {url} HTTP/1.1\r\n{field}A B: c\r\n\r\n", f"GET {url} HTTP/1.1\r\n{field}: c\r\n\r\n", f"G(T {url} HTTP/1.1\r\n{field}\r\n", "\x16\x03\x01\x02\0\x01\r\n\r\n",
    ]
    for head in heads:
        answer = say(port, head.encode("latin-1"))
        check(answer.startswith("HTTP/1.1 400 "), f"{head[:60]!r}: {answer[:60]!r}")
    check(say(port, b"GET " + b"x" * 20_000).startswith("HTTP/1.1 431 "), "a head without an end")
    opened = [socket.create_connection(("127.0.0.1", port), DEADLINE) for _ in range(100)]
    check("REACHED" in held.attempt("fetch", url), "beside a hundred connections that say nothing")
    for one in opened:
        one.close()
    check("REACHED" in held.attempt("fetch", url), "and after them")
    check(held.attempt("many") == "64", "a plugin has 64 connections at once")
    until(lambda: "REACHED" in held.attempt("fetch", url), "and others when it has closed them")
    # The next process of the plugin is confined like the one before.
    crashed = held.session.answer("tools/call", name="attempt", arguments={"how": "crash"})
    check("error" in crashed or crashed["result"].get("isError"), f"control: a crash: {crashed}")
    until(lambda: "REACHED" in held.attempt("fetch", url), "a request after a crash")
    check(held.attempt("datagram", "127.0.0.53:53") in REFUSED, "a datagram after a crash")


def refused_starts():
    """Checks that a configuration whose promise cannot be kept does not start."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "configuration.json")
        for keys, said in (({"isolation": "thread", "network": "none"}, "whose network cannot be restricted"),
                           ({"isolation": "thread", "network": ["a.example"]}, "whose network cannot be restricted"),
                           ({"network": []}, "names no host"), ({"network": ["none", "a.example"]}, "cannot be in a list of hosts"),
                           ({"network": ["https://a.example/"]}, "is a URL"), ({"network": ["*"]}, "network: auto"),
                           ({"network": ["a.example:0"]}, "no port"), ({"network": ["10.0.0.0/40"]}, "is no network"),
                           ({"network": ["bücher.example"]}, "xn--")):
            file.write_text(json.dumps({"search": {"plugin": "none"}, "tools": [{"name": "reach", "plugin": PLUGIN, **keys}]}))
            done = subprocess.run([SERVER, "plugins", "--config", str(file)], capture_output=True, text=True, timeout=120, check=False)
            check(said in done.stdout + done.stderr, f"{keys}: {done.stdout}{done.stderr}")
        for keys, rule in (({}, "any"), ({"network": "none"}, "none"), ({"network": ["A.example", "*.b.example:8443"]}, "a.example, *.b.example:8443")):
            file.write_text(json.dumps({"search": {"plugin": "none"}, "tools": [{"name": "reach", "plugin": PLUGIN, **keys}]}))
            done = subprocess.run([SERVER, "plugins", "--json", "--config", str(file)], capture_output=True, text=True, timeout=120, check=False)
            shown = [one.get("network") for one in json.loads(done.stdout) if one.get("instance") == "reach"]
            check(shown == [rule], f"{keys}: {shown}")


def main():
    with Plugin() as plugin:
        if plugin.attempt("read", "/proc/self/environ").startswith("read "):
            print("skipped: this kernel has no Landlock")
            return 77
    reads()
    credentials()
    direct()
    forwarded()
    auth_plugins()
    sources()
    refused_starts()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
