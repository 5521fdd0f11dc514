# SPDX-License-Identifier: Apache-2.0
"""A registry on loopback that stores content for a test, and lies on request."""
import base64
import hashlib
import json
import re
import urllib.parse

from loopback import Handler, Loopback

INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
SKILL = "dev.toolhive.skills.v1"


def digest(body):
    return "sha256:" + hashlib.sha256(body).hexdigest()


def descriptor(body, kind, **more):
    return {"mediaType": kind, "digest": digest(body), "size": len(body), **more}


class RegistryHandler(Handler):
    def do_HEAD(self):
        self.do_GET()

    def say(self, status, fields=(), body=b"", hold_after=None, length=None):
        if self.command == "HEAD":
            return super().say(status, fields, b"", hold_after, len(body) if length is None else length)
        return super().say(status, fields, body, hold_after, length)

    def do_POST(self):
        self.write()

    def do_PUT(self):
        self.write()

    def write(self):
        """Handles the start of an upload, a whole blob, or a manifest."""
        owner, parts, body = self.server, urllib.parse.urlsplit(self.path), self.body()
        given = self.headers.get("Authorization")
        owner.last_body = body
        owner.requests.append((self.command, self.path, given))
        answer = owner.answers.get((self.command, parts.path))
        if answer:
            return answer(self)
        if owner.login and given != owner.wanted:
            return self.say(401, {"WWW-Authenticate": owner.challenge(parts.path, "pull,push")}, b"{}")
        if self.command == "POST":
            return self.say(202, {"Location": owner.upload or parts.path + "1?state=s"})
        repository, _, rest = parts.path.removeprefix("/v2/").rpartition("/")
        if "/blobs/uploads" in repository:
            named = urllib.parse.parse_qs(parts.query)["digest"][0]
            if named != digest(body):
                return self.say(400, body=b'{"errors": [{"code": "DIGEST_INVALID", "message": "another digest"}]}')
            owner.blobs[named] = body
        else:
            kind = self.headers["Content-Type"]
            for name in (rest, digest(body)):
                owner.manifests[repository.removesuffix("/manifests"), name] = (kind, body)
        return self.say(201, {"Docker-Content-Digest": digest(body)})

    def do_GET(self):
        owner, path = self.server, urllib.parse.urlsplit(self.path).path
        given = self.headers.get("Authorization")
        owner.requests.append((self.command, self.path, given))
        answer = owner.answers.get((self.command, path), owner.answers.get(path))
        if callable(answer):
            try:
                return answer(self)
            except OSError:
                self.close_connection = True
                return None  # the client has gone, as it should
        if answer is None and owner.login and not path.startswith("/token"):
            if given != owner.wanted:
                return self.say(401, {"WWW-Authenticate": owner.challenge(path)}, b"{}")
        if answer is None and path.startswith("/token"):
            return owner.give_token(self, given)
        kind, body = answer or owner.found(path)
        if body is None:
            return self.say(404, body=b"{}")
        return self.say(200, {"Content-Type": kind, "Docker-Content-Digest": digest(body)}, body)


class Registry(Loopback):
    """`answers` maps a path, or (method, path), to (media type, body) or a function of the handler. `requests`
    records (method, path, Authorization)."""

    def __init__(self, certificate=None):
        self.answers, self.requests, self.blobs, self.manifests = {}, [], {}, {}
        self.login, self.wanted, self.token = None, None, "t0ken"
        self.scope = None  # scope in its challenge, instead of the needed one
        self.last_body = b""  # of the last request that wrote
        self.upload = None  # upload address, instead of here
        super().__init__(RegistryHandler, certificate)
        self.name = f"127.0.0.1:{self.port}"
        self.realm = self.url + "/token"

    def require(self, user, secret, scheme="Bearer"):
        self.login = "Basic " + base64.b64encode(f"{user}:{secret}".encode()).decode()
        self.wanted = f"Bearer {self.token}" if scheme == "Bearer" else self.login

    def challenge(self, path, actions="pull"):
        if self.wanted == self.login:
            return 'Basic realm="here"'
        repository = re.split("/(?:blobs|manifests|tags)/", path.removeprefix("/v2/"))[0]
        scope = f"repository:{repository}:{actions}" if self.scope is None else self.scope
        return f'Bearer realm="{self.realm}",service="here",scope="{scope}"'

    def give_token(self, handler, given):
        if given != self.login:
            return handler.say(401, body=b"{}")
        return handler.say(200, body=json.dumps({"token": self.token, "expires_in": 300}).encode())

    def found(self, path):
        repository, _, rest = path.removeprefix("/v2/").rpartition("/")
        repository, _, kind = repository.rpartition("/")
        if kind == "manifests":
            return self.manifests.get((repository, rest), (None, None))
        return "application/octet-stream", self.blobs.get(rest) if kind == "blobs" else None

    def blob(self, body, kind, **more):
        self.blobs[digest(body)] = body
        return descriptor(body, kind, **more)

    def put(self, repository, tag, document, kind):
        """Stores a document under its digest and then under the tag, so that nobody finds a tag without a manifest.
        Returns its descriptor."""
        body = json.dumps(document).encode()
        for reference in (digest(body), tag):
            self.manifests[repository, reference] = (kind, body)
        return descriptor(body, kind)

    def manifest(self, repository, tag, *layers, labels=None, artifact=None, annotations=None):
        """Stores a manifest. `layers` are bytes of a tar.gz, or descriptors."""
        config = self.blob(json.dumps({"architecture": "amd64", "os": "linux", "config": {"Labels": labels or {}}}).encode(), CONFIG)
        made = [self.blob(one, LAYER) if isinstance(one, bytes) else one for one in layers]
        document = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": made}
        if artifact:
            document["artifactType"] = artifact
        if annotations:
            document["annotations"] = annotations
        return self.put(repository, tag, document, MANIFEST)

    def index(self, repository, tag, manifests, **more):
        return self.put(repository, tag, {"schemaVersion": 2, "mediaType": INDEX, "manifests": manifests, **more}, INDEX)

    def tags(self, repository, *pages):
        """Stores the list of tags, page by page."""
        path = f"/v2/{repository}/tags/list"

        def answer(handler):
            number = int(urllib.parse.parse_qs(urllib.parse.urlsplit(handler.path).query).get("page", ["0"])[0])
            more = {"Link": f'<{path}?page={number + 1}>; rel="next"'} if number + 1 < len(pages) else {}
            handler.say(200, {"Content-Type": "application/json", **more}, json.dumps({"name": repository, "tags": pages[number]}).encode())
        self.answers[path] = answer

    def asked(self, begin=0):
        return [f"{method} {path}" for method, path, _ in self.requests[begin:]]
