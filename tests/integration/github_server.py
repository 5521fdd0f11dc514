# SPDX-License-Identifier: Apache-2.0
"""GitHub's REST API, as far as skills need it, over repositories that git made. It can misbehave.

Repositories lie below a folder as <name>.git and are owner/<name>, below /api/v3 as on an Enterprise server.
Every request is recorded with its kind: look, tree, blob, tarball."""
import json
import re
import subprocess
import time
from pathlib import Path

from loopback import Handler, Loopback
from source_cases import soon

PREFIX = "/api/v3"


def git_bytes(repository, *arguments):
    return subprocess.run(["git", "-C", str(repository), *arguments], check=True, capture_output=True, timeout=120).stdout


class GithubHandler(Handler):
    def do_POST(self):
        """Gives a token to the installation 45, as far as `app_tokens` names its status, token and end."""
        owner = self.server
        authorization = self.headers.get("Authorization")
        owner.requests.append(("app", self.path, authorization))
        if self.path != PREFIX + "/app/installations/45/access_tokens" or owner.app_tokens is None:
            return self.problem(404, "Not Found")
        status, token, expires = owner.app_tokens(authorization)
        owner.token = token
        self.say(status, {"Content-Type": "application/json"}, json.dumps({"token": token, "expires_at": expires}).encode(), costs=0)

    def do_GET(self):
        owner = self.server
        path, _, query = self.path.partition("?")
        found = re.fullmatch(PREFIX + r"(/repos/owner/([\w-]+)|/repositories/([\w-]+))/(commits|git/trees|git/blobs|tarball)/(.+)", path)
        kind = {"commits": "look", "git/trees": "tree", "git/blobs": "blob", "tarball": "tarball"}.get(found and found[4], "other")
        owner.requests.append((kind, self.path, self.headers.get("Authorization")))
        if owner.answer and owner.answer(self, kind):
            return
        if owner.token and self.headers.get("Authorization") != f"Bearer {owner.token}":
            return self.problem(404, "Not Found")
        if kind == "other":
            return self.problem(404, "Not Found")
        if owner.remaining is not None and owner.remaining <= 0:
            return self.problem(403, "API rate limit exceeded")
        repository = owner.root / f"{found[2] or found[3]}.git"
        if not repository.exists():
            return self.problem(404, "Not Found")
        try:
            getattr(self, kind)(repository, found[5], query)
        except subprocess.CalledProcessError:
            self.problem(422 if kind == "look" else 404, "No commit found")

    def look(self, repository, ref, _query):
        heads = git_bytes(repository, "for-each-ref")
        if not heads:
            return self.problem(409, "Git Repository is empty.")
        ref = re.sub("^(heads|tags)/", r"refs/\1/", ref)
        commit = git_bytes(repository, "rev-parse", "--verify", "-q", ref + "^{commit}").decode().strip()
        if self.headers.get("If-None-Match") == f'"{commit}"':
            return self.say(304, {"ETag": f'"{commit}"'}, costs=0)
        self.say(200, {"ETag": f'"{commit}"', "Content-Type": "application/vnd.github.sha"}, commit.encode())

    def tree(self, repository, name, query):
        options = ["-r", "-t"] if "recursive" in query else []
        listed = git_bytes(repository, "ls-tree", "-z", "-l", *options, name).decode()
        entries = []
        for line in listed.split("\0")[:-1]:
            (mode, kind, identity, size), path = line.split("\t")[0].split(), line.split("\t", 1)[1]
            entry = {"path": path, "mode": mode, "type": kind, "sha": identity}
            entries.append(dict(entry, size=int(size)) if kind == "blob" else entry)
        most = self.server.max_entries if options else None
        body = {"sha": name, "tree": entries[:most], "truncated": bool(most and len(entries) > most)}
        self.say(200, {"Content-Type": "application/json; charset=utf-8"}, json.dumps(body).encode())

    def blob(self, repository, name, _query):
        self.say(200, {"Content-Type": "application/vnd.github.raw+json"}, git_bytes(repository, "cat-file", "blob", name))

    def tarball(self, repository, name, _query):
        owner = self.server
        if owner.elsewhere:
            return self.say(302, {"Location": f"{owner.elsewhere}/archive/{repository.stem}/{name}?secret=of-the-archive"})
        self.say(200, {"Content-Type": "application/x-gzip"}, archive_of(repository, name))

    def problem(self, status, message):
        self.say(status, {"Content-Type": "application/json"}, json.dumps({"message": message}).encode(), costs=0)

    def say(self, status, fields, body=b"", hold_after=None, costs=1):
        owner = self.server
        if owner.remaining is not None:
            owner.remaining = max(owner.remaining - costs, 0)
            fields = {"X-RateLimit-Limit": str(owner.limit), "X-RateLimit-Remaining": str(owner.remaining),
                      "X-RateLimit-Reset": str(owner.reset), **fields}
        owner.sent += len(body)
        super().say(status, fields, body, hold_after)


def archive_of(repository, name):
    return git_bytes(repository, "archive", "--format=tar.gz", f"--prefix=owner-{repository.stem}-{name[:7]}/", name)


def looks_again(session, server, count=1):
    """Makes the server ask the remote again, and waits for it."""
    before = len(server.requests)
    return soon(lambda: session.listing() is not None and len(server.requests) >= before + count)


def api(server, **more):
    """Returns the configuration of a source that asks `server` for the repository r."""
    return {"url": "owner/r", "base_url": server.url, "via": "api", **more}


class GithubServer(Loopback):
    """`answer(handler, kind)` may handle a request instead; `remaining` is the budget, None: unlimited."""

    def __init__(self, root, token=None, answer=None, certificate=None):
        self.root, self.token, self.answer = Path(root), token, answer
        self.requests, self.sent, self.max_entries, self.elsewhere, self.app_tokens = [], 0, None, None, None
        self.limit, self.remaining, self.reset = 60, None, int(time.time()) + 3000
        super().__init__(GithubHandler, certificate)

    def kinds(self, since=0):
        """Counts the requests of each kind."""
        kinds = [kind for kind, _, _ in self.requests[since:]]
        return {kind: kinds.count(kind) for kind in sorted(set(kinds))}
