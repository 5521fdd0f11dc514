# SPDX-License-Identifier: Apache-2.0
"""A web server on loopback that publishes skills, and lies when it is told to."""
import hashlib
import http.server
import io
import json
import socketserver
import tarfile
import threading
import zipfile

FOLDER = "/.well-known/agent-skills/"
SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"


def digest(body):
    return "sha256:" + hashlib.sha256(body).hexdigest()


def skill_md(name, body="Body.\n"):
    return f"---\nname: {name}\ndescription: Does {name}.\n---\n{body}".encode()


def tar_gz(files, links=(), form=tarfile.GNU_FORMAT):
    """`files`: path → bytes; `links`: path, target pairs."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", format=form) as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(data), 0o755 if path.endswith(".sh") else 0o644
            archive.addfile(entry, io.BytesIO(data))
        for path, target in links:
            entry = tarfile.TarInfo(path)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
    return out.getvalue()


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return out.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        owner = self.server.owner
        owner.requests.append((self.path, self.headers.get("Authorization")))
        answer = owner.answers.get(self.path)
        if callable(answer):
            self.close_connection = True
            try:
                return answer(self)
            except OSError:
                return None  # the client has gone, as it should
        if answer is None:
            return self.say(404, b"nothing here\n")
        if owner.etags and self.headers.get("If-None-Match") == f'"{digest(answer)}"':
            return self.say(304, b"")
        return self.say(200, answer, ETag=f'"{digest(answer)}"')

    def say(self, status, body, length=None, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 304:
            self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Quiet(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a client that was killed


class Publisher:
    """`answers`: path → the body, or a function of the handler."""

    def __init__(self):
        self.answers, self.requests, self.entries, self.etags = {}, [], [], True
        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.http.owner = self
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()

    def entry(self, name, body, kind="skill-md", **changed):
        """One more in the index; with `serve` False there is no such file."""
        path = FOLDER + (f"{name}/SKILL.md" if kind == "skill-md" else f"{name}.archive")
        if changed.pop("serve", True):
            self.answers[path] = body
        made = {"name": name, "type": kind, "description": f"Does {name}.", "url": path,
                "digest": digest(body) if isinstance(body, bytes) else "sha256:" + "0" * 64, **changed}
        self.entries.append({key: value for key, value in made.items() if value is not None})
        self.publish()

    def drop(self, name):
        self.entries = [one for one in self.entries if one["name"] != name]
        self.publish()

    def publish(self, **changed):
        document = {"$schema": SCHEMA, "skills": self.entries, **changed}
        self.answers[FOLDER + "index.json"] = json.dumps(
            {key: value for key, value in document.items() if value is not None}).encode()

    def asked(self, begin=0):
        return [path for path, _ in self.requests[begin:]]
