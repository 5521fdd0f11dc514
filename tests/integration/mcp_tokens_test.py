#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests how the source `mcp` gets its tokens: from an authorization server that is fit or unfit, and from a program.
mcp_tokens_test.py SERVER ROOT [CASE ...]"""
import base64
import json
import sys
import time
import urllib.parse

from checks import Checks
from loopback import Handler, Loopback
from mcp_server import McpHandler, McpServer
from mcp_source_cases import Place, run_cases
from session import DEADLINE
from source_cases import SLOWNESS, names, soon

SECRET = "canary/secret+of=robot"
checks = Checks()
check = checks.check


class IssuerHandler(Handler):
    def do_GET(self):
        owner = self.server
        owner.asked.append(self.path)
        if self.path != "/.well-known/oauth-authorization-server":
            return self.say(404)
        document = {"issuer": owner.url, "token_endpoint": owner.url + "/token",
                    "token_endpoint_auth_methods_supported": ["client_secret_basic"], **owner.document}
        return self.say(200, {"Content-Type": "application/json"}, json.dumps(document).encode())

    def do_POST(self):
        owner = self.server
        owner.asked.append(self.path)
        form = {name: values[0] for name, values in urllib.parse.parse_qs(self.body().decode()).items()}
        scheme, _, encoded = (self.headers.get("Authorization") or " ").partition(" ")
        if scheme == "Basic":
            form["client_id"], form["client_secret"] = map(urllib.parse.unquote, base64.b64decode(encoded).decode().split(":"))
        owner.forms.append((scheme, form))
        if owner.fault:
            return owner.fault(self)
        if (form.get("client_id"), form.get("client_secret")) != ("robot", SECRET) or scheme not in owner.accepts:
            return self.tell(401, {"error": "invalid_client"})
        owner.count += 1
        if owner.protects:
            owner.protects.token = f"token-{owner.count}"
        return self.tell(200, {"access_token": f"token-{owner.count}", "token_type": "Bearer", **owner.more})

    def tell(self, status, document, **fields):
        return self.say(status, {"Content-Type": "application/json", **fields}, json.dumps(document).encode())


class Issuer(Loopback):
    """Gives tokens, of which the newest alone is accepted by the server that it `protects`. `fault` answers in its
    place; `document` and `more` replace members of its document and of its answers."""

    def __init__(self, protects=None):
        self.protects, self.fault, self.count, self.accepts = protects, None, 0, ("Basic",)
        self.asked, self.forms, self.document, self.more = [], [], {}, {"expires_in": 3600}
        super().__init__(IssuerHandler)


class ProtectedHandler(McpHandler):
    def do_GET(self):
        if not self.path.startswith("/.well-known/"):
            return super().do_GET()
        document = {"resource": self.server.url, "authorization_servers": [self.server.named], "scopes_supported": ["skills:read"]}
        found = self.path == "/.well-known/oauth-protected-resource/mcp" and self.server.named
        return self.say(200 if found else 404, {"Content-Type": "application/json"}, json.dumps(document).encode())


def protected():
    """Returns a server with a skill that accepts no token yet, and names no authorization server."""
    server = McpServer(token="none yet")
    server.RequestHandlerClass, server.named = ProtectedHandler, None
    server.skill("first")
    return server


def client(server, issuer, **more):
    return {"url": server.url, "client_id": "robot", "client_secret": "env:ROBOT_SECRET", "issuer": issuer.url, **more}


def refused(place, config, words):
    """Checks that nothing is served, with these words, and that the secret is nowhere."""
    status, log = place.status(config, ROBOT_SECRET=SECRET)
    said = json.dumps(status) + log
    check(status["skills"] == 0 and words in status.get("failure", ""), f"{words}: {said}")
    for secret in (SECRET, urllib.parse.quote(SECRET, safe=""), base64.b64encode(f"robot:{SECRET}".encode()).decode()):
        check(secret not in said, f"the secret: {said}")


def signs_in(place):
    """A token is got once, used until its end, and replaced when the server refuses it."""
    with protected() as other, Issuer(other) as issuer:
        other.named, other.listens = issuer.url, True
        other.capabilities["resources"] = {"listChanged": True}
        with place.start(client(other, issuer, subscribe=True), ROBOT_SECRET=SECRET) as session:
            check(soon(lambda: names(session) == ["first"]), session.server.stderr())
            check(other.wait(lambda: other.streams, DEADLINE * SLOWNESS), "it listens, with the same token")
            for count in range(2, 5):
                session.tool("reload_skills_directory")
                check(soon(lambda count=count: len(other.asked("skills/list")) >= count), "a look")
            check(issuer.count == 1, f"one token for all: {issuer.asked}")
            scheme, form = issuer.forms[0]
            check(scheme == "Basic" and form["grant_type"] == "client_credentials" and form["scope"] == "skills:read"
                  and form["resource"] == other.url, form)
            other.token = "another"
            other.skill("second")
            session.tool("reload_skills_directory")
            check(soon(lambda: names(session) == ["first", "second"]), session.server.stderr())
            check(issuer.count == 2, f"the refused token is replaced: {issuer.asked}")
            log = session.server.stderr()
            check("WARN" not in log and "token-" not in log and SECRET not in log, log)
        for file in place.cache.rglob("*"):
            check(file.is_dir() or not any(text in file.read_bytes() for text in (SECRET.encode(), b"token-")), f"a secret is in {file}")


def expires(place):
    """A token is renewed before its end, so that the server never sees an old one."""
    with protected() as other, Issuer(other) as issuer:
        other.named, issuer.more = issuer.url, {"expires_in": 66}  # it is renewed after 6 s
        with place.start(client(other, issuer, refresh_minutes=0.01), ROBOT_SECRET=SECRET) as session:
            check(soon(lambda: issuer.count >= 2, 20 + DEADLINE * SLOWNESS), f"{issuer.asked} {session.server.stderr()}")
            check(soon(lambda: names(session) == ["first"]), session.server.stderr())
            fields = [(method, head.get("Authorization")) for method, _, head in other.requests]
            check(all(token and token.startswith("Bearer token-") for _, token in fields[1:]), fields)
            check("WARN" not in session.server.stderr(), session.server.stderr())


def provider_away(place):
    """If the provider is away when a token is to be renewed, the token is used until its end."""
    with protected() as other, Issuer(other) as issuer:
        other.named, issuer.more = issuer.url, {"expires_in": 66}  # it is renewed after 6 s, and good for a minute more
        with place.start(client(other, issuer, refresh_minutes=0.01), ROBOT_SECRET=SECRET) as session:
            check(soon(lambda: names(session) == ["first"]), session.server.stderr())
            issuer.fault = lambda handler: handler.say(503)
            asked = issuer.asked.count("/token")
            check(soon(lambda: issuer.asked.count("/token") > asked, 20 + DEADLINE * SLOWNESS), f"it asks again: {issuer.asked}")
            other.skill("second")
            check(soon(lambda: names(session) == ["first", "second"]), session.server.stderr())
            check("WARN" not in session.server.stderr(), session.server.stderr())


def is_refused(place):
    """The server refuses every token: that is said, and the provider is not asked without end."""
    with protected() as other, Issuer() as issuer:
        other.named = issuer.url
        refused(place, client(other, issuer), "the server answers 401: the token is not accepted")
        check(2 <= issuer.count <= 4, f"one more try at each of two looks: {issuer.asked}")


def endpoints(place):
    """A token endpoint that answers in any other way is named with the reason."""
    def html(status):
        return lambda handler: handler.say(status, {"Content-Type": "text/html"}, b"<html>Welcome</html>")

    def echo(handler):
        scheme, form = handler.server.forms[-1]
        return handler.tell(400, {"error": "invalid_request", "error_description": f"not {form} and {handler.headers.get('Authorization')}"})

    def stall(handler):
        return handler.say(200, {"Content-Type": "application/json"}, b"{", hold_after=1, length=1000)

    with protected() as other, Issuer(other) as issuer, Issuer() as elsewhere:
        other.named = issuer.url
        server = f"the authorization server {issuer.url}"
        for name, fault, words in (
                ("401", lambda handler: handler.tell(401, {"error": "invalid_client", "error_description": "no such robot"}), f"{server} refuses: invalid_client: no such robot"),
                ("401 in HTML", html(401), f"{server} refuses: HTTP status 401"), ("HTML", html(200), f"{server} sent no access token"),
                ("redirect", lambda handler: handler.say(307, {"Location": elsewhere.url + "/token"}), f"{server} refuses: HTTP status 307, and no redirect is followed"),
                ("500", html(500), f"{server}: HTTP status 500"), ("busy", lambda handler: handler.say(503, {"Retry-After": "3000"}), "next try in 50 min"),
                ("echo", echo, "***masked***"), ("stalls", stall, "did not answer in time (deadline_ms)"),
                ("huge", lambda handler: handler.say(200, {"Content-Type": "application/json"}, b" " * (2 << 20)), "/token: the answer has more than 1048576 bytes"),
                ("no token", lambda handler: handler.tell(200, {"access_token": "two words"}), f"{server} sent no access token"),
                ("bound token", lambda handler: handler.tell(200, {"access_token": "t", "token_type": "DPoP"}), "only Bearer tokens can be used")):
            issuer.fault = fault
            place.cache = place.folder / name
            # The request for a token has a limit of its own, 30 s, which must not end it first.
            refused(place, client(other, issuer, deadline_ms=int(min(4000 * SLOWNESS, 20000)) if name == "stalls" else 60000), words)
        check(elsewhere.asked == [], f"a redirect is followed: {elsewhere.asked}")
        issuer.fault = None
        for document, words in (({"token_endpoint": "http://192.0.2.1/token"}, "http://192.0.2.1/token: must be an https:// address"),
                                ({"token_endpoint": "https://10.0.0.1/token"}, "leads to 10.0.0.1, which is no public address"),
                                ({"token_endpoint": None}, "no other way to tokens (token_endpoint): give a token with token"),
                                ({"token_endpoint_auth_methods_supported": ["private_key_jwt"]}, "takes no client secret"),
                                ({"issuer": "https://other.example"}, 'calls itself "https://other.example"')):
            issuer.document = document
            refused(place, client(other, issuer), words)
        check(issuer.forms[-1][0] == "Basic" and issuer.count == 0, "none of them got a token")


def other_issuers(place):
    """The secret goes to the configured issuer alone."""
    with protected() as other, Issuer(other) as issuer, Issuer(other) as thief:
        other.named = thief.url
        refused(place, client(other, issuer), f'the MCP server names the authorization server "{thief.url}", and issuer names {issuer.url}')
        other.named = None
        refused(place, client(other, issuer), "the client secret is not sent")
        check(thief.forms == [] and issuer.forms == [], f"{thief.forms} {issuer.forms}")


def given_endpoint(place):
    """With grant_url, no document is needed. The secret goes into the header, or into the form if that is refused."""
    for accepts in ("Basic", ""):
        with protected() as other, Issuer(other) as issuer:
            issuer.accepts = (accepts,)
            config = {"url": other.url, "client_id": "robot", "client_secret": "env:ROBOT_SECRET", "grant_url": issuer.url + "/token", "scope": "a b"}
            place.cache = place.folder / f"given-{accepts}"
            status, log = place.status(config, ROBOT_SECRET=SECRET)
            check(status["skills"] == 1 and "failure" not in status, f"{status} {log}")
            check(set(issuer.asked) == {"/token"} and issuer.forms[-1][1]["scope"] == "a b", f"{issuer.asked} {issuer.forms}")


def fails_later(place):
    """While there is no token, what was fetched last is served."""
    with protected() as other, Issuer(other) as issuer:
        other.named = issuer.url
        with place.start(client(other, issuer), ROBOT_SECRET=SECRET) as session:
            check(soon(lambda: names(session) == ["first"]), session.server.stderr())
            other.token, issuer.fault = "another", lambda handler: handler.say(503)
            session.tool("reload_skills_directory")
            words = f"the authorization server {issuer.url}: HTTP status 503; serving 1 skill"
            check(soon(lambda: session.listing() and words in session.server.stderr()), session.server.stderr())
            check(names(session) == ["first"], names(session))


def prints(place):
    """A program prints the token, and again when the server refuses it."""
    with protected() as other:
        file = place.folder / "token"
        runs = place.folder / "runs"
        file.write_text("first-token\n")
        other.token = "first-token"
        config = {"url": other.url, "token_command": ["sh", "-c", f"echo run >>{runs}; cat {file}"]}
        with place.start(config) as session:
            check(soon(lambda: names(session) == ["first"]), session.server.stderr())
            for count in (2, 3):
                session.tool("reload_skills_directory")
                check(soon(lambda count=count: len(other.asked("skills/list")) >= count), "a look")
            check(runs.read_text() == "run\n", "it runs once")
            file.write_text("second-token\n")
            other.token = "second-token"
            other.skill("second")
            session.tool("reload_skills_directory")
            check(soon(lambda: names(session) == ["first", "second"]), session.server.stderr())
            check(runs.read_text() == "run\n" * 2 and "token" not in session.server.stderr().replace("token_command", ""), session.server.stderr())
        begun = time.monotonic()
        for command, words in ((["/no/such/program"], " cannot be started: No such file or directory"), (["true"], " prints no token: run it by hand to see why"),
                               (["echo", "two words"], " prints something that is no token"),
                               (["sleep", "60"], " does not end within 10 s")):
            place.cache = place.folder / command[0].strip("/").replace("/", "-")
            refused(place, {"url": other.url, "token_command": command}, words)
        check(time.monotonic() - begun < 40 * SLOWNESS, "a program that hangs is ended")


sys.exit(run_cases(checks, (signs_in, expires, provider_away, is_refused, endpoints, other_issuers, given_endpoint, fails_later, prints)))
