#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Skills by GitHub's REST API, from a server that counts requests and can misbehave: github_api_test.py SERVER.
Prints how many requests each step takes."""
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from git_servers import SilentServer, certificate, git
from git_source_test import CHANGED, SLOWNESS, TOKEN, Missed, Place, expect, names, soon, text, told
from github_server import GithubServer, archive_of
from session import Broken, write_skill


def api(server, **more):
    return {"url": "owner/r", "base_url": server.url, "via": "api", **more}


def looks_again(session, server, count=1):
    """Has the remote asked anew, and waits for it."""
    before = len(server.requests)
    return soon(lambda: session.tool("list_skills") is not None and len(server.requests) >= before + count)


def documents(session):
    """Every document of every skill, with its bytes as they are served."""
    found = {}
    for name in names(session):
        answer = session.tool("read_skill_document", skill_name=name, document_path="**", include_base64=True)
        for document in answer["documents"]:
            found[name, document["path"]] = json.dumps(document, sort_keys=True)
    return found


def first_load_and_restart(place):
    made = place.repository(skills=[f"skill-{i:02}" for i in range(40)])
    place.repository("few")
    with GithubServer(place.root) as server:
        with place.start(api(server)) as session:
            expect(len(names(session)) == 40, f"40 skills: {session.server.stderr()}")
            expect("Body of skill-07" in text(session, "skill-07"), "its text")
            print(f"  first load of 40 skills: {server.kinds()}")
            expect(server.kinds() == {"look": 1, "tarball": 1, "tree": 1}, f"{server.requests}")
            place.end(session)
        count = len(server.requests)
        with place.start(api(server)) as session:
            expect(len(names(session)) == 40, "40 skills after a restart")
            expect(soon(lambda: session.tool("list_skills") and len(server.requests) > count), "it looks")
            expect("Body of skill-39" in text(session, "skill-39"), "its text")
            place.end(session)
        print(f"  restart, unchanged: {server.kinds(count)}")
        expect(server.kinds(count) == {"look": 1}, f"{server.requests[count:]}")
        count = len(server.requests)
        with place.start(dict(api(server), url="owner/few"), cache=place.folder / "few") as session:
            expect(names(session) == ["alpha", "beta"], "few skills")
        print(f"  first load of 2 skills: {server.kinds(count)}")
        expect(server.kinds(count) == {"blob": 2, "look": 1, "tree": 1}, f"{server.requests[count:]}")
        # An archive would hold more than may be fetched: then what is wanted comes by itself.
        (made.tree / "large.bin").write_bytes(random.Random(1).randbytes(300_000))
        made.push()
        count = len(server.requests)
        with place.start(api(server, max_fetch_bytes=200_000), cache=place.folder / "single") as session:
            expect(len(names(session)) == 40, f"40 skills: {session.server.stderr()}")
        print(f"  beside a large file: {server.kinds(count)}")
        expect(server.kinds(count) == {"blob": 40, "look": 1, "tree": 1}, f"{server.kinds(count)}")
    with place.start(api(server)) as session:
        expect(len(names(session)) == 40, "served with the server away")
        expect(told(session, "serving commit", "next try in"), session.server.stderr())


def one_changed_skill(place):
    made = place.repository(skills=[f"skill-{i:03}" for i in range(200)])
    with GithubServer(place.root) as server:
        with place.start(api(server, refresh_minutes=0.02)) as session:
            expect(session.tool("list_skills")["total"] == 200, "200 skills")
            whole, count = server.sent, len(server.requests)
            expect(looks_again(session, server, 2), "it looks again")
            expect(set(server.kinds(count)) == {"look"}, f"unchanged: {server.kinds(count)}")
            made.skill("skill-100", "Does something else.", "unicycle")
            session.notifications.clear()
            count, sent = len(server.requests), server.sent
            made.push()
            session.wait_for(CHANGED)
            expect(soon(lambda: "unicycle" in text(session, "skill-100")), "the new text")
            kinds = server.kinds(count)
            print(f"  the first load moved {whole} bytes, one changed skill {server.sent - sent}: {kinds}")
            expect(kinds.pop("look") >= 1 and kinds == {"blob": 1, "tree": 1}, f"{server.requests[count:]}")
            place.end(session)


def budget_is_spent(place):
    """Not one request while nothing is left, after a restart neither; what is there is served."""
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
        reported = json.loads(shown)["sources"][0]["reported"]
        expect(reported["rate_limit"] == 60 and reported["rate_limit_remaining"] == 0, shown)
        expect(0 < reported["rate_limit_reset_seconds"] <= 3000 and reported["age_seconds"] >= 0, shown)
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
             (451, {}, "", "legal reasons"))
    for number, (status, fields, message, words) in enumerate(cases):
        def answer(handler, _kind):
            handler.say(status, fields, message.encode())
            return True

        with GithubServer(place.root, answer=answer) as server:
            for _ in range(2):
                with place.start(api(server, token=TOKEN), cache=place.folder / f"wait-{number}") as session:
                    expect(names(session) == [], "nothing is served")
                    expect(soon(lambda: any(one in session.server.stderr() for one in (words, "takes no request before"))),
                           f"{words}: {session.server.stderr()}")
                    place.end(session)
            asked = 1 if "next try in" in words else 2
            expect(len(server.requests) == asked, f"{status} {message}: {server.requests}")


def truncated_trees(place):
    made = place.repository(skills=[])
    for folder in ("skills/one", "skills/two/three", "docs/a", "docs/b"):
        write_skill(made.tree / Path(folder).parent, Path(folder).name, f"Is at {folder}.")
        (made.tree / folder / "notes.md").write_text(folder)
    made.push()
    with GithubServer(place.root) as server:
        server.most_entries = 4
        with place.start(api(server)) as session:
            expect(names(session) == ["a", "b", "one", "three"], f"{names(session)} {session.server.stderr()}")
        print(f"  a listing cut after 4 entries: {server.kinds()}")
        count = len(server.requests)
        with place.start(api(server, subpath="skills/two"), cache=place.folder / "sub") as session:
            expect(names(session) == ["three"], f"{names(session)} {session.server.stderr()}")
        print(f"  below a subpath: {server.kinds(count)}")
        expect(not any("docs" in path for _, path, _ in server.requests[count:]), "outside of the subpath")
        expect(server.kinds(count)["tree"] <= 4, f"{server.requests[count:]}")


def as_by_git(place):
    """The same repository by git and by the API: the same documents, and the same complaints."""
    made = place.repository(skills=["alpha", "beta", ".claude/hidden", "twins", "linked"])
    tree = made.tree
    (tree / "alpha" / "run.sh").write_text("echo\n")
    (tree / "alpha" / "run.sh").chmod(0o755)
    (tree / "alpha" / "deep" / "er").mkdir(parents=True)
    (tree / "alpha" / "deep" / "er" / "é.md").write_text("é")
    (tree / "alpha" / "big.bin").write_bytes(b"0" * 50_000)
    (tree / "alpha" / "empty.md").write_text("")
    (tree / "beta" / "out.md").symlink_to("../alpha/SKILL.md")
    (tree / "linked" / "one.md").symlink_to("two.md")
    (tree / "linked" / "two.md").symlink_to("three.md")
    (tree / "linked" / "three.md").write_text("The end of two links.")
    (tree / "twins" / "A.md").write_text("1")
    (tree / "twins" / "a.md").write_text("2")
    (tree / ".claude-plugin").mkdir()
    (tree / ".claude-plugin" / "marketplace.json").write_text(json.dumps({"plugins": [{"name": "p", "source": "./.claude"}]}))
    (tree / "a.txt").write_text("a")
    (tree / "a").mkdir()
    (tree / "a" / "b").write_text("sorts behind a.txt")
    git(tree, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},beta/module")
    made.push()
    limits = {"max_file_bytes": 20_000}
    with place.start({"url": str(made.bare), **limits}, cache=place.folder / "git") as session:
        wanted, log = documents(session), session.server.stderr()
    complaints = sorted(line.split("] ")[-1] for line in log.splitlines() if "left out" in line)
    expect(len(wanted) > 6 and len(complaints) >= 4, f"{wanted} {log}")
    for export in ("", "alpha/deep export-ignore\nbeta/SKILL.md export-ignore\n"):
        if export:
            (tree / ".gitattributes").write_text(export)
            for i in range(30):
                made.skill(f"more-{i}", "Makes an archive worth it.")
            made.push()
            with place.start({"url": str(made.bare), **limits}, cache=place.folder / "git") as session:
                expect(soon(lambda: len(names(session)) > 30), "the new commit")
                wanted = documents(session)
        with GithubServer(place.root) as server:
            with place.start(api(server, **limits), cache=place.folder / f"api{len(export)}") as session:
                found, log = documents(session), session.server.stderr()
            print(f"  {len(found)} documents: {server.kinds()}")
            expect(found == wanted, f"differ: {set(found.items()) ^ set(wanted.items())} {log}")
            expect(bool(export) == ("tarball" in server.kinds()), f"{server.kinds()}")
            for line in complaints:
                expect(line in log, f"not said: {line}\n{log}")


def other_bytes(place):
    """What does not hash to its id is not stored, and what was served stays."""
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
    """A renamed repository is found and said; no other host gets the token, nor answers for the API."""
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


def tokens(place):
    """By a command; in no file, no message, no request to another."""
    place.repository()
    folder = place.folder / "bin"
    folder.mkdir()
    said = folder / "gh"
    said.write_text(f"#!/bin/sh\n[ \"$1 $2\" = \"auth token\" ] && echo {TOKEN}\n")
    said.chmod(0o755)
    (folder / "mute").write_text(f"#!/bin/sh\necho {TOKEN} >&2\nexit 1\n")
    (folder / "mute").chmod(0o755)
    with GithubServer(place.root, token=TOKEN) as server:
        for command, count, words in (([str(said), "auth", "token"], 2, "with 2 skills"), ([str(folder / "mute")], 0, "prints no token"),
                                      ([str(folder / "absent")], 0, "cannot be started")):
            with place.start(api(server, token_command=command), cache=place.folder / f"cache{len(command[0])}{count}") as session:
                expect(len(names(session)) == count, f"{command}: {session.server.stderr()}")
                expect(told(session, words), f"{command}: {session.server.stderr()}")
        with place.start(api(server, token=TOKEN[:-1])) as session:
            expect(told(session, "the token may not see it"), session.server.stderr())
    for file in [path for path in place.folder.rglob("*") if path.is_file() and "cache" in str(path)]:
        expect(TOKEN[:-1].encode() not in file.read_bytes(), f"the token is in {file}")
    for session in place.sessions:
        expect(TOKEN[:-1] not in session.server.stderr(), "the token is in the log")


def killed_while_fetching(place):
    """Killed at random instants of a fetch, of the first and of a later one: the next start works."""
    made = place.repository(skills=[f"skill-{i:02}" for i in range(40)])
    rounds = 500 if os.environ.get("SKILLHOST_LONG_TESTS") == "1" else 10
    luck = random.Random(int(os.environ.get("SKILLHOST_TEST_SEED", time.time_ns())))
    with GithubServer(place.root) as server:
        config = api(server, refresh_minutes=0)
        for number in range(rounds):
            if number % 3 == 0:
                shutil.rmtree(place.cache, ignore_errors=True)
            made.skill("skill-07", f"Round {number}.", luck.randbytes(2000).hex())
            made.push()
            process = subprocess.Popen(place.command(config), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(luck.uniform(0, 0.2 * SLOWNESS))
            except subprocess.TimeoutExpired:
                pass
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdin.close()
            with place.start(config) as session:
                expect(soon(lambda: f"Round {number}." in text(session, "skill-07")), f"round {number}: {session.server.stderr()}")
                expect(len(names(session)) == 40, f"round {number}: {names(session)}")
                place.end(session)
    print(f"  {rounds} kills")


def main():
    if not shutil.which("git"):
        print("skipped: git is not installed")
        return 77
    cases = [first_load_and_restart, one_changed_skill, budget_is_spent, told_to_wait, truncated_trees, as_by_git, other_bytes,
             what_is_wrong_is_said, silent_servers, redirects, tokens, killed_while_fetching]
    chosen = [case for case in cases if not sys.argv[2:] or case.__name__ in sys.argv[2:]]
    failed = 0
    for case in chosen:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="skillhost-github-", ignore_cleanup_errors=True) as scratch:
            place, wrong = Place(scratch), ""
            try:
                case(place)
            except (Missed, Broken) as error:
                wrong = "\n".join(line[:1000] for line in str(error).splitlines() if "[mcp] tools/call" not in line)
            finally:
                for session in place.sessions:
                    session.server.kill()
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok    '} {case.__name__} {time.monotonic() - begun:.1f} s {wrong}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
