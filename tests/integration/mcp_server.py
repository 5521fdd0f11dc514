# SPDX-License-Identifier: Apache-2.0
"""An MCP server with skills over HTTP on loopback, of either family of revisions, that misbehaves on request."""
import base64
import hashlib
import json
import secrets
import socket
import threading

from loopback import Handler, Loopback

MODERN, LEGACY = "2026-07-28", "2025-11-25"
EXTENSION = "io.modelcontextprotocol/skills"


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def skill_md(name, body="Body.\n"):
    return f"---\nname: {name}\ndescription: Does {name}.\n---\n{body}".encode()


class McpHandler(Handler):
    def do_POST(self):
        owner, message = self.server, json.loads(self.body())
        if "method" not in message:
            self.say(202)
            with owner.lock:
                owner.answers.append(message)
                owner.changed.notify_all()
            return None
        method, identity = message["method"], message.get("id")
        with owner.lock:
            owner.requests.append((method, message.get("params", {}).get("uri"), dict(self.headers)))
        if owner.token and self.headers.get("Authorization") != f"Bearer {owner.token}":
            return self.say(401, {"WWW-Authenticate": "Bearer"})
        if method in owner.hooks and (said := owner.hooks[method](self, message)) is not None:
            return None
        if identity is None:
            return self.say(202)
        is_modern = "io.modelcontextprotocol/protocolVersion" in message.get("params", {}).get("_meta", {})
        if is_modern and not owner.modern:
            return self.refuse(identity, -32601, "no such method", 400)
        if not is_modern and method != "initialize" and self.headers.get("Mcp-Session-Id") not in owner.sessions:
            return self.say(404)
        return self.serve(method, identity, message.get("params", {}), is_modern)

    def serve(self, method, identity, params, is_modern):
        owner = self.server
        if method in ("server/discover", "initialize"):
            named = {"name": "made", "version": owner.version}
            said = {"capabilities": owner.capabilities, "supportedVersions": [MODERN], "protocolVersion": LEGACY,
                    "serverInfo": named, "_meta": {"io.modelcontextprotocol/serverInfo": named}}
            if method == "initialize":
                session = secrets.token_hex(8)
                owner.sessions.add(session)
                return self.result(identity, said, {"Mcp-Session-Id": session})
            return self.result(identity, said)
        if method == "skills/list":
            begin = int(params.get("cursor", 0))
            page = {"skills": owner.entries[begin:begin + owner.page]}
            if owner.meta:
                page["_meta"] = owner.meta
            if begin + owner.page < len(owner.entries):
                page["nextCursor"] = str(begin + owner.page)
            return self.result(identity, page)
        if method == "resources/read":
            content = owner.contents.get(params["uri"])
            if callable(content):
                return content(self, identity)
            if content is None:
                return self.refuse(identity, -32602, "there is no such resource")
            return self.result(identity, {"contents": [dict(contained(content), uri=params["uri"])]})
        if method == "resources/list":
            return self.result(identity, {"resources": [{"uri": uri, "name": uri} for uri in owner.contents]})
        if method == "subscriptions/listen" and owner.listens:
            return self.stream([{"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {}}])
        return self.refuse(identity, -32601, "no such method", 404 if is_modern else 200)

    def do_GET(self):
        with self.server.lock:
            self.server.requests.append(("GET", None, dict(self.headers)))
        if "GET" in self.server.hooks and self.server.hooks["GET"](self, None) is not None:
            return None
        if self.server.listens and self.headers.get("Mcp-Session-Id") in self.server.sessions:
            return self.stream([])
        return self.say(405)

    def do_DELETE(self):
        self.server.sessions.discard(self.headers.get("Mcp-Session-Id"))
        return self.say(200)

    def stream(self, first):
        """Sends events until the server ends: `first`, and those that tell() adds."""
        owner = self.server
        self.begin_stream()
        with owner.lock:
            owner.streams.append(self)
            for message in first:
                self.event(message)
            owner.changed.notify_all()
        owner.over.wait()

    def begin_stream(self):
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()

    def event(self, message):
        try:
            self.wfile.write(f"event: message\ndata: {json.dumps(message)}\n\n".encode())
            self.wfile.flush()
        except OSError:
            pass  # the client has gone

    def result(self, identity, result, fields=()):
        text = json.dumps({"jsonrpc": "2.0", "id": identity, "result": {"resultType": "complete", **result}})
        if self.server.sends_events:
            later = json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
            return self.say(200, {"Content-Type": "text/event-stream", **dict(fields)}, f": hello\n\ndata: {text}\n\ndata: {later}\n\n".encode())
        return self.say(200, {"Content-Type": "application/json", **dict(fields)}, text.encode())

    def refuse(self, identity, code, words, status=200):
        self.say(status, {"Content-Type": "application/json"}, json.dumps(
            {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": words}}).encode())


def contained(content):
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"blob": base64.b64encode(content).decode()}


class McpServer(Loopback):
    """`contents`: URI → bytes, or a function of handler and id. `hooks`: method → a function of handler and message,
    which returns None to let the server answer."""

    def __init__(self, modern=True, token=None, sends_events=False, certificate=None, port=0):
        self.modern, self.token, self.sends_events, self.listens = modern, token, sends_events, False
        self.version, self.page, self.meta = "1.0", 50, None
        self.capabilities = {"resources": {}, "extensions": {EXTENSION: {}}}
        self.entries, self.contents, self.hooks, self.requests, self.sessions, self.streams = [], {}, {}, [], set(), []
        self.answers = []  # to requests of this server
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        super().__init__(McpHandler, certificate)
        self.url += "/mcp"

    def skill(self, path, files=None, **changed):
        """Adds a skill, or replaces that of the same path. `files`: path → bytes; `changed` replaces members of the entry."""
        name = path.rsplit("/", 1)[-1]
        files = {"SKILL.md": skill_md(name), **(files or {})}
        root = f"skill://{path}/"
        for file, data in files.items():
            self.contents[root + file] = data
        entry = {"uri": root + "SKILL.md", "frontmatter": {"name": name, "description": f"Does {name}."},
                 "resources": [{"uri": root + file, "digest": sha256(data), "size": len(data)} for file, data in files.items()
                               if isinstance(data, bytes)], **changed}
        self.drop(path)
        self.entries.append(entry)
        return entry

    def drop(self, path):
        self.entries = [one for one in self.entries if one.get("uri") != f"skill://{path}/SKILL.md"]

    def tell(self, method, **more):
        """Sends a notification to all who listen (or a request, with `id`), and returns how many they are."""
        with self.lock:
            for stream in self.streams:
                stream.event({"jsonrpc": "2.0", "method": method, **more})
            return len(self.streams)

    def wait(self, condition, seconds):
        """Waits until condition() holds, which uses streams or answers."""
        with self.changed:
            return self.changed.wait_for(condition, seconds)

    def break_streams(self):
        with self.lock:
            for stream in self.streams:
                stream.connection.shutdown(socket.SHUT_RDWR)
            self.streams.clear()

    def asked(self, method, begin=0):
        """Returns the URIs of the requests of this method."""
        with self.lock:
            return [uri for asked, uri, _ in self.requests[begin:] if asked == method]
