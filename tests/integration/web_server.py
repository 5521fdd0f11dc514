# SPDX-License-Identifier: Apache-2.0
"""A web server on loopback that publishes skills, and misbehaves on request."""
import hashlib
import io
import json
import tarfile
import zipfile

from loopback import Handler, Loopback

FOLDER = "/.well-known/agent-skills/"
SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"


def digest(body):
    return "sha256:" + hashlib.sha256(body).hexdigest()


def skill_md(name, body="Body.\n"):
    return f"---\nname: {name}\ndescription: Does {name}.\n---\n{body}".encode()


def tar_gz(files, links=(), form=tarfile.GNU_FORMAT):
    """Makes an archive. `files`: path → bytes; `links`: path, target pairs."""
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


class WebHandler(Handler):
    def do_GET(self):
        owner = self.server
        owner.requests.append((self.path, self.headers.get("Authorization")))
        answer = owner.answers.get(self.path)
        if callable(answer):
            self.close_connection = True
            try:
                return answer(self)
            except OSError:
                return None  # the client has gone, as it should
        if answer is None:
            return self.say(404, body=b"nothing here\n")
        if owner.etags and self.headers.get("If-None-Match") == f'"{digest(answer)}"':
            return self.say(304)
        return self.say(200, {"ETag": f'"{digest(answer)}"'}, answer)


class Publisher(Loopback):
    """A server with a well-known index. `answers`: path → the body, or a function of the handler."""

    def __init__(self):
        self.answers, self.requests, self.entries, self.etags = {}, [], [], True
        super().__init__(WebHandler)

    def entry(self, name, body, kind="skill-md", **changed):
        """Adds an entry to the index; with `serve` False its file does not exist."""
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
