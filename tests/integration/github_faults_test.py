#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests GitHub's REST API when it refuses, lies, stalls or redirects: github_faults_test.py SERVER. Prints the
number of requests to an API that accepts no more."""
import io
import json
import subprocess
import sys
import tarfile
import time

from git_servers import git
from github_server import GithubServer, api, archive_of, looks_again
from loopback import SilentServer, certificate
from source_cases import TOKEN, expect, names, reported, run_cases, soon, text, told


def budget_is_spent(place):
    """Checks that no request is made while the budget is spent, even after a restart, and that known skills are
    served."""
    made = place.repository()
    with GithubServer(place.root) as server:
        server.remaining = 4
        with place.start(api(server, refresh_minutes=0.02)) as session:
            expect(names(session) == ["alpha", "beta"], f"served: {session.server.stderr()}")
            expect(server.remaining == 0, f"all four are spent: {server.requests}")
            expect(told(session, "takes no request before", "60 requests an hour", "serving commit", "next try in"),
                   session.server.stderr())
            count = len(server.requests)
            made.skill("gamma", "Is new.")
            made.push()
            session.tool("reload_skills_directory")
            expect(names(session) == ["alpha", "beta"], "stale")
            statistics = json.dumps(session.tool("get_server_stats"))
            expect("rate_limit_remaining" in statistics and "rate_limit_reset_seconds" in statistics, statistics)
        with place.start(api(server)) as session:
            expect(names(session) == ["alpha", "beta"], "stale after a restart")
            expect(told(session, "takes no request before"), session.server.stderr())
        shown = subprocess.run(place.command(api(server)) + ["source", "status", "--json"], capture_output=True, text=True,
                               timeout=60).stdout
        figures = json.loads(shown)["sources"][0]["reported"]
        expect(figures["rate_limit"] == 60 and figures["rate_limit_remaining"] == 0, shown)
        expect(0 < figures["rate_limit_reset_seconds"] <= 3000 and figures["age_seconds"] >= 0, shown)
        print(f"  budget spent: {len(server.requests) - count} requests")
        expect(len(server.requests) == count, f"{server.requests[count:]}")
        with place.start(api(server, token=TOKEN)) as session:
            expect(looks_again(session, server, 0) and told(session, "takes no request before"), "still spent")
        expect(len(server.requests) == count + 1, "a token has a budget of its own")


def told_to_wait(place):
    place.repository()
    cases = ((429, {"Retry-After": "1000"}, "", "next try in 16 min"),
             (403, {"Retry-After": "1000"}, "You have exceeded a secondary rate limit.", "next try in 16 min"),
             (403, {}, "You have exceeded a secondary rate limit.", "next try in 60 s"),
             (403, {}, "Resource not accessible", "reading it is not allowed"),
             (401, {}, "Bad credentials", "the token is not accepted"),
             (451, {}, "", "legal reasons"),
             (200, {f"X-{i}": "x" * 1000 for i in range(80)}, "{}", "the API cannot be asked"))
    for number, (status, fields, message, words) in enumerate(cases):
        def answer(handler, _kind):
            handler.say(status, fields, message.encode())
            return True

        with GithubServer(place.root, answer=answer) as server:
            for _ in range(2):
                begun = len(server.requests)
                with place.start(api(server, token=TOKEN), cache=place.folder / f"wait-{number}") as session:
                    expect(names(session) == [], "nothing is served")
                    expect(soon(lambda: any(one in session.server.stderr() for one in (words, "takes no request before"))),
                           f"{words}: {session.server.stderr()}")
                    # Asking for a list after a failed look makes the source look again, unless the API told it to wait.
                    expect("next try in" in words or soon(lambda: len(server.requests) - begun == reported(session, "remote", "polls")),
                           f"{status} {message}: one request a look: {server.requests}")
                    place.end(session)
            expect("next try in" not in words or len(server.requests) == 1, f"{status} {message}: {server.requests}")


def other_bytes(place):
    """Checks that bytes that do not match their id are not stored, and that the old ones stay served."""
    made = place.repository(skills=[f"skill-{i:02}" for i in range(30)])
    lying = set()
    bomb = io.BytesIO()
    with tarfile.open(fileobj=bomb, mode="w:gz") as packed:
        large = tarfile.TarInfo("r/large")
        large.size = 50_000_000
        packed.addfile(large, io.BytesIO(bytes(large.size)))

    def answer(handler, kind):
        if kind not in lying:
            return False
        if kind == "tree":
            repository = place.root / "r.git"
            listed = [{"path": "evil", "mode": "040000", "type": "tree", "sha": git(repository, "rev-parse", "HEAD^{tree}")}]
            handler.say(200, {}, json.dumps({"sha": git(repository, "rev-parse", "HEAD^{tree}"), "tree": listed, "truncated": False}).encode())
        elif kind == "blob":
            handler.say(200, {}, b"---\nname: evil\ndescription: Was slipped in.\n---\n")
        else:
            handler.say(200, {}, bomb.getvalue())
        return True

    with GithubServer(place.root, answer=answer) as server:
        for kind, words in (("tree", "is not tree"), ("blob", "are other bytes"), ("tarball", "grows to more than")):
            lying.add(kind)
            if kind == "blob":
                (made.tree / ".gitattributes").write_text("skill-0*/SKILL.md export-ignore\n")
                made.push()
            with place.start(api(server), cache=place.folder / kind) as session:
                expect(names(session) == [], f"{kind}: something is served")
                expect(told(session, words), f"{kind}: {session.server.stderr()}")
            lying.clear()
        with place.start(api(server, refresh_minutes=0.02)) as session:
            expect(len(names(session)) == 30, f"honest again: {session.server.stderr()}")
            lying.add("blob")
            made.skill("skill-03", "Is new.")
            made.push()
            expect(told(session, "are other bytes", "serving commit"), session.server.stderr())
            expect(len(names(session)) == 30 and "Body of skill-03" in text(session, "skill-03"), "what was served stays")


def what_is_wrong_is_said(place):
    made = place.repository()
    git(place.root, "init", "-q", "--bare", "empty.git")
    pin = git(made.tree, "rev-parse", "HEAD")
    faults = [0]

    def answer(handler, kind):
        if "/endless/" in handler.path:
            handler.say(200, {}, b"x" * 5_000_000)
        elif "/flaky/" in handler.path or kind == "tree" and faults[0] > 0:
            faults[0] -= kind == "tree"
            handler.say(502, {}, b"Bad gateway")
        else:
            return False
        return True

    with GithubServer(place.root, answer=answer) as server:
        for config, words in (({"subpath": "skils"}, "has no folder \"skils\""), ({"ref": "nowhere"}, "no branch and no tag"),
                              ({"url": "owner/empty"}, "the repository is empty"), ({"url": "owner/gone"}, "it needs a token"),
                              ({"url": "owner/gone", "token": TOKEN}, "the token may not see it"),
                              ({"url": "owner/flaky"}, "answers 502"), ({"url": "owner/endless"}, "with more than"),
                              ({"max_files": 2}, "max_files"), ({"pin": "1" * 40}, "not the pinned"),
                              ({"url": "owner/endless", "max_fetch_bytes": 100000}, "max_fetch_bytes")):
            with place.start({**api(server), **config}, cache=place.folder / words.replace("/", "")) as session:
                expect(names(session) == [], f"{config}: something is served")
                expect(told(session, words), f"{config}: {session.server.stderr()}")
                place.end(session)
        faults[0] = 2
        with place.start(api(server), cache=place.folder / "faults") as session:
            expect(names(session) == ["alpha", "beta"], f"tried again: {session.server.stderr()}")
        made.skill("gamma", "Is not pinned.")
        other = made.push()
        with place.start(api(server, pin=pin), cache=place.folder / "pin") as session:
            expect(names(session) == ["alpha", "beta"], f"the pinned commit: {session.server.stderr()}")
            expect(told(session, "refused commit " + other), session.server.stderr())
        for ref in ("trunk", "refs/heads/trunk", pin):
            with place.start(api(server, ref=ref), cache=place.folder / f"ref{len(ref)}") as session:
                expect(len(names(session)) == (2 if ref == pin else 3), f"{ref}: {session.server.stderr()}")


def silent_servers(place):
    place.repository(skills=[f"skill-{i:02}" for i in range(30)])

    def stop(handler, kind):
        if kind != "tarball":
            return False
        handler.say(200, {}, b"\x1f\x8b" + b"x" * 9000, 8)
        return True

    with SilentServer() as silent, GithubServer(place.root, answer=stop) as stopping:
        for kind, url in (("silent", silent.url), ("within the archive", stopping.url)):
            begun = time.monotonic()
            config = {"url": "owner/r", "base_url": url, "via": "api", "deadline_ms": 1500}
            with place.start(config, wait_ms=0, cache=place.folder / kind) as session:
                expect(soon(lambda: "deadline_ms" in session.server.stderr()), f"{kind}: {session.server.stderr()}")
                print(f"  {kind}: given up after {time.monotonic() - begun:.1f} s")
                place.end(session)


def redirects(place):
    """Checks that a renamed repository is found and reported, and that no other host gets the token or answers for
    the API."""
    place.repository("new", skills=[f"skill-{i:02}" for i in range(30)])
    made = certificate(place.folder)
    if not made:
        print("  skipped: openssl is not installed")
        return
    away = []

    def archive(handler, _kind):
        away.append((handler.path, handler.headers.get("Authorization")))
        handler.say(200, {}, archive_of(place.root / "new.git", "HEAD"))
        return True

    def answer(handler, kind):
        tail = handler.path.split("/repos/owner/", 1)[-1].split("/", 1)[-1]
        if "/repos/owner/old/" in handler.path:
            handler.say(301, {"Location": f"{here.url}/api/v3/repositories/new/{tail}"})
        elif "/repos/owner/away/" in handler.path:
            handler.say(302, {"Location": f"https://localhost:{other.port}/api/v3/repos/owner/new/{tail}"})
        elif "/repos/owner/circle/" in handler.path:
            handler.say(302, {"Location": handler.path})
        else:
            return False
        return True

    with GithubServer(place.root, answer=archive, certificate=made) as other:
        with GithubServer(place.root, token=TOKEN, answer=answer, certificate=made) as here:
            config = api(here, token=TOKEN, ca_file=made[0])
            for url, elsewhere, more, count, words in (
                    ("owner/old", None, {}, 30, "change url"),
                    ("owner/away", None, {}, 0, "which is another server"),
                    ("owner/circle", None, {}, 0, "redirects too often"),
                    ("owner/new", f"https://localhost:{other.port}", {}, 0, "which is no public address"),
                    ("owner/new", f"https://localhost:{other.port}", {"allow_private_addresses": True}, 30, "with 30 skills"),
                    ("owner/new", f"http://localhost:{other.port}", {"allow_private_addresses": True}, 0, "not https://")):
                here.elsewhere = elsewhere
                cache = place.folder / f"{url[6:]}{len(more)}{str(elsewhere)[:5]}"
                with place.start(dict(config, url=url, **more), cache=cache) as session:
                    expect(len(names(session)) == count, f"{url}: {names(session)}\n{session.server.stderr()}")
                    expect(told(session, words), f"{url}: {session.server.stderr()}")
                    expect("of-the-archive" not in session.server.stderr(), "a query is in the log")
            expect(len(away) == 1 and away[0][1] is None, f"the other host: {away}")
            expect(not other.requests[1:], f"the other host was asked: {other.requests}")


if __name__ == "__main__":
    sys.exit(run_cases([budget_is_spent, told_to_wait, other_bytes, what_is_wrong_is_said, silent_servers, redirects]))
