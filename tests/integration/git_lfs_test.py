#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests files that Git LFS keeps beside a repository, with servers that are right and wrong: git_lfs_test.py SERVER."""
import base64
import hashlib
import json
import subprocess
import sys
import time

from git_servers import PythonServer
from loopback import certificate
from session import DEADLINE
from source_cases import TOKEN, expect, run_cases, soon, told

BATCH = "/r.git/info/lfs/objects/batch"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40


def pointer(content, size=None):
    oid = hashlib.sha256(content).hexdigest()
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {len(content) if size is None else size}\n"


class Lfs:
    """Git LFS's batch API in place of a server's; `href` is the address of a file, `content` the bytes sent."""

    def __init__(self, files):
        self.files = {hashlib.sha256(one).hexdigest(): one for one in files}
        self.href = lambda oid: f"{self.server.url}/objects/{oid}"
        self.fields, self.status, self.wait, self.move, self.seen = {}, 200, {}, None, []
        self.content = self.files.get
        self.refused, self.asked = {}, []  # by oid: the answer for a file, and the requested files

    def __call__(self, request):
        path = request.path.partition("?")[0]
        if path == BATCH:
            self.seen.append(("batch", request.headers.get("Authorization")))
            if self.status != 200:
                request.say(self.status, self.wait)
            else:
                self.answer(request)
            return True
        if not path.startswith("/objects/"):
            return False
        self.seen.append(("file", request.headers.get("Authorization"), request.headers.get("X-Mark")))
        oid = path.rpartition("/")[2]
        self.asked.append(oid)
        if oid in self.refused:
            request.say(*self.refused[oid])
        elif self.move:
            request.say(302, {"Location": self.move + path})
        else:
            request.say(200, {}, self.content(oid) or b"")
        return True

    def answer(self, request):
        objects = []
        for oid, content in self.files.items():
            action = {"href": self.href(oid), "header": self.fields}
            objects.append({"oid": oid, "size": len(content), "actions": {"download": action}})
        body = json.dumps({"transfer": "basic", "objects": objects}).encode()
        request.say(200, {"Content-Type": "application/vnd.git-lfs+json"}, body)


def repository(place, text=None):
    made = place.repository(skills=("alpha",))
    (made.tree / "alpha" / "picture.png").write_text(text or pointer(PICTURE))
    made.push()
    return made


def picture(session):
    """Returns the served bytes of the picture, or None."""
    session.listing()
    answer = session.answer("resources/read", uri="skill://remote/alpha/picture.png")
    return base64.b64decode(answer["result"]["contents"][0].get("blob", "")) if "result" in answer else None


def fetched(place):
    """Checks that files are fetched with the token, completely, and are still there when the server is away."""
    repository(place)
    lfs = Lfs([PICTURE])
    with PythonServer(place.root, token=TOKEN, answer=lfs) as server:
        lfs.server = server
        config = {"url": f"{server.url}/r.git", "token": TOKEN}
        with place.start(config) as session:
            expect(picture(session) == PICTURE, f"the picture: {session.server.stderr()}")
            expect("pointer of Git LFS" not in session.server.stderr(), "it is not said to be left out")
            place.end(session)
        expect({kind for kind, *_ in lfs.seen} == {"batch", "file"}, f"asked: {lfs.seen}")
        expect(all(one[1] == server.auth for one in lfs.seen), f"the token goes with both: {lfs.seen}")
    with place.start(config) as session:
        expect(picture(session) == PICTURE, "from the cache")


def wrong(place):
    """Checks that wrong files are left out with the reason, and everything else is served."""
    cases = {
        "other bytes": (lambda lfs: setattr(lfs, "content", lambda _: PICTURE[::-1]), "other bytes came"),
        "less": (lambda lfs: setattr(lfs, "content", lambda _: PICTURE[:-1]), "bytes came where the pointer says"),
        "more": (lambda lfs: setattr(lfs, "content", lambda _: PICTURE + b"x"), "sends more than"),
        "no api": (lambda lfs: setattr(lfs, "status", 404), "answers 404"),
        "moved": (lambda lfs: setattr(lfs, "status", 302), "answers 302"),
        "no https": (lambda lfs: setattr(lfs, "href", lambda oid: f"http://localhost:1/objects/{oid}"), "no https"),
        "nonsense": (lambda lfs: setattr(lfs, "href", lambda _: 7), "cannot be read"),
        "unknown": (lambda lfs: setattr(lfs, "files", {}), "does not name files|has no such file"),
    }
    repository(place)
    for number, (name, (spoil, words)) in enumerate(cases.items()):
        lfs = Lfs([PICTURE])
        with PythonServer(place.root, answer=lfs) as server:
            lfs.server = server
            spoil(lfs)
            with place.start({"url": f"{server.url}/r.git"}, cache=place.folder / f"cache-{number}") as session:
                expect(picture(session) is None, f"{name}: served")
                expect(session.tool("load_skill", skill_name="alpha") is not None, f"{name}: the rest is served")
                log = session.server.stderr()
                expect(any(one in log for one in words.split("|")) and "left out: it is a pointer" in log, f"{name}: {log}")


def too_large(place):
    """Checks that no server is asked for files above max_file_bytes."""
    repository(place)
    lfs = Lfs([PICTURE])
    with PythonServer(place.root, answer=lfs) as server:
        lfs.server = server
        with place.start({"url": f"{server.url}/r.git", "max_file_bytes": 1000}) as session:
            expect(picture(session) is None and not lfs.seen, f"asked: {lfs.seen}")


def elsewhere(place):
    """Checks that the token goes to no other place, by a redirect or a file's address; fields for that place do."""
    made = certificate(place.folder)
    if made is None:
        return
    repository(place)
    for number, kind in enumerate(("address", "redirect")):
        lfs, other = Lfs([PICTURE]), Lfs([PICTURE])
        with PythonServer(place.root, answer=other, certificate=made) as there, \
                PythonServer(place.root, token=TOKEN, answer=lfs, certificate=made) as here:
            lfs.server = here
            if kind == "address":
                lfs.href, lfs.fields = lambda oid: f"{there.url}/objects/{oid}?key=1", {"X-Mark": "yes", "Bad Name": "x"}
            else:
                lfs.move = there.url
            config = {"url": f"{here.url}/r.git", "token": TOKEN, "ca_file": made[0]}
            with place.start(config, cache=place.folder / f"cache-{number}") as session:
                expect(picture(session) == PICTURE, f"{kind}: {session.server.stderr()}")
            expect(other.seen == [("file", None, "yes" if kind == "address" else None)], f"{kind}: {other.seen}")


def later(place):
    """Checks that the next refresh, of the same commit, gets files that the server lacked before."""
    repository(place)
    lfs = Lfs([PICTURE])
    lfs.status = 503
    with PythonServer(place.root, answer=lfs) as server:
        lfs.server = server
        with place.start({"url": f"{server.url}/r.git"}) as session:
            expect(picture(session) is None, "nothing yet")
            expect(told(session, "answers 503"), session.server.stderr())
            lfs.status = 200
            until = time.monotonic() + DEADLINE
            while picture(session) != PICTURE:
                expect(time.monotonic() < until, f"not served: {session.server.stderr()}")
                session.tool("reload_skills_directory")


def told_to_wait(place):
    """Checks that a server with Retry-After is not asked earlier, while the repository is still followed."""
    made = repository(place)
    lfs = Lfs([PICTURE])
    lfs.status, lfs.wait = 503, {"Retry-After": "3600"}
    with PythonServer(place.root, answer=lfs) as server:
        lfs.server = server
        with place.start({"url": f"{server.url}/r.git"}) as session:
            expect(picture(session) is None, "nothing yet")
            expect(told(session, "answers 503"), session.server.stderr())
            lfs.status = 200
            for name in ("beta", "gamma"):
                (made.tree / name).mkdir()
                (made.tree / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Is {name}.\n---\n")
                made.push()
                until = time.monotonic() + DEADLINE
                while name not in [one["name"] for one in session.listing()["skills"]]:
                    expect(time.monotonic() < until, f"{name} is not served: {session.server.stderr()}")
                    session.tool("reload_skills_directory")
            expect(lfs.seen == [("batch", None)], f"asked: {lfs.seen}")
            expect(picture(session) is None, "still nothing")


def reloaded(session, look):
    """Returns the result of `look` after the source was asked again."""
    session.tool("reload_skills_directory")
    return look(session)


def asked_too_often(place):
    """Checks that after 429 for one file no other is requested, and that a file that is always refused blocks no
    other."""
    contents = [PICTURE + bytes([number]) for number in range(5)]
    made = place.repository(skills=("alpha",))
    for number, content in enumerate(contents):
        (made.tree / "alpha" / f"{number}.png").write_text(pointer(content))
    made.push()

    def served(session):
        return {number for number in range(5)
                if "result" in session.answer("resources/read", uri=f"skill://remote/alpha/{number}.png")}

    lfs = Lfs(contents)
    with PythonServer(place.root, answer=lfs) as server:
        lfs.server = server
        config = {"url": f"{server.url}/r.git"}
        for number, fields in enumerate(({"Retry-After": "3600"}, {})):
            lfs.refused, lfs.asked = {oid: (429, fields) for oid in lfs.files}, []
            with place.start(config, cache=place.folder / f"cache-{number}") as session:
                expect(told(session, "answers 429: it was asked too often"), session.server.stderr())
                for _ in range(2):
                    expect(reloaded(session, served) == set(), "nothing is there")
                expect(session.tool("load_skill", skill_name="alpha") is not None, "the skill is served")
            expect(len(lfs.asked) == 1, f"asked: {lfs.asked}")
        always = lfs.asked[0]
        lfs.refused = {always: (429, {"Retry-After": "1"})}
        others = {number for number, content in enumerate(contents) if hashlib.sha256(content).hexdigest() != always}
        with place.start(config, cache=place.folder / "cache-always") as session:
            expect(soon(lambda: reloaded(session, served) == others), f"{served(session)} {session.server.stderr()}")
            lfs.refused = {}
            expect(soon(lambda: len(reloaded(session, served)) == 5), f"{served(session)} {session.server.stderr()}")


def pinned(place):
    """Checks that the server of a pinned commit is asked until its files exist or are missing for good, and that no
    lock is made earlier."""
    commit = repository(place).push()
    lfs = Lfs([PICTURE])
    later = {oid: (429, {"Retry-After": "1"}) for oid in lfs.files}
    with PythonServer(place.root, answer=lfs) as server:
        lfs.server = server
        config = {"url": f"{server.url}/r.git", "pin": commit}

        def quiet_start():
            looked = len(server.requests)
            with place.start(config) as session:
                session.tool("reload_skills_directory")
                served = picture(session)
            expect(len(server.requests) == looked, f"a start asked for {server.requests[looked:]}")
            return served

        lfs.refused = later
        with place.start(config) as session:
            expect(told(session, "answers 429") and picture(session) is None, session.server.stderr())
            lfs.refused = {}
            expect(soon(lambda: reloaded(session, picture) == PICTURE), session.server.stderr())
            place.end(session)
        expect(quiet_start() == PICTURE, "from the cache")
        place.cache, lfs.status = place.folder / "without", 404
        with place.start(config) as session:
            expect(told(session, "answers 404") and reloaded(session, picture) is None, session.server.stderr())
            place.end(session)
        expect(quiet_start() is None, "there is no such file")
        lfs.status = 200
        for number, refused in enumerate((later, {})):
            lfs.refused = refused
            command = [*place.command({"url": config["url"]}, cache=place.folder / f"lock-{number}"), "lock"]
            run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
            expect((run.returncode == 0) == (not refused), f"lock: {run.returncode} {run.stderr}")
            expect(not refused or "answers 429" in run.stderr, run.stderr)


if __name__ == "__main__":
    sys.exit(run_cases([fetched, wrong, too_large, elsewhere, later, told_to_wait, asked_too_often, pinned]))
