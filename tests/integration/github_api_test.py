#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skills through GitHub's REST API, with a server that counts requests: github_api_test.py SERVER. Prints the
number of requests of each step."""
import base64
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from git_servers import git
from github_server import GithubServer, api, looks_again
from session import write_skill
from source_cases import CHANGED, SLOWNESS, TOKEN, expect, names, run_cases, soon, text, told


def documents(session):
    """Returns every document of every skill with its served bytes."""
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
            expect(soon(lambda: session.listing() and len(server.requests) > count), "it looks")
            expect("Body of skill-39" in text(session, "skill-39"), "its text")
            place.end(session)
        print(f"  restart, unchanged: {server.kinds(count)}")
        expect(server.kinds(count) == {"look": 1}, f"{server.requests[count:]}")
        count = len(server.requests)
        with place.start(dict(api(server), url="owner/few"), cache=place.folder / "few") as session:
            expect(names(session) == ["alpha", "beta"], "few skills")
        print(f"  first load of 2 skills: {server.kinds(count)}")
        expect(server.kinds(count) == {"blob": 2, "look": 1, "tree": 1}, f"{server.requests[count:]}")
        # An archive would contain mostly unwanted files, so the wanted ones are fetched one by one.
        (made.tree / "large.bin").write_bytes(bytes(34_000_000))
        made.push()
        count = len(server.requests)
        with place.start(api(server), cache=place.folder / "single") as session:
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


def truncated_trees(place):
    made = place.repository(skills=[])
    for folder in ("skills/one", "skills/two/three", "docs/a", "docs/b"):
        write_skill(made.tree / Path(folder).parent, Path(folder).name, f"Is at {folder}.")
        (made.tree / folder / "notes.md").write_text(folder)
    made.push()
    with GithubServer(place.root) as server:
        server.max_entries = 4
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
    """Checks that git and the API give the same documents and the same findings for one repository."""
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
    (tree / "beta" / "module").mkdir()  # otherwise the next commit drops it
    git(tree, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},beta/module")
    made.push()
    limits = {"max_file_bytes": 20_000}
    with place.start({"url": str(made.bare), **limits}, cache=place.folder / "git") as session:
        wanted, log = documents(session), session.server.stderr()
    complaints = sorted(line.split("] ")[-1] for line in log.splitlines() if "[remote]" in line and "left out" in line)
    expect(len(wanted) > 6 and len(complaints) == 4, f"{wanted} {log}")
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


def tokens(place):
    """Checks that a token from a command is in no file, no message, and no request to another host."""
    place.repository()
    folder = place.folder / "bin"
    folder.mkdir()
    said = folder / "gh"
    said.write_text(f"#!/bin/sh\n[ \"$1 $2\" = \"auth token\" ] && echo {TOKEN}\n")
    said.chmod(0o755)
    (folder / "mute").write_text(f"#!/bin/sh\necho {TOKEN} >&2\nexit 1\n")
    (folder / "mute").chmod(0o755)
    with GithubServer(place.root, token=TOKEN) as server:
        for command, count, words in (([str(said), "auth", "token"], 2, "with 2 skills"), ([str(folder / "mute")], 0, "ended with exit code 1"),
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


def app_tokens(place):
    """Checks that tokens of a GitHub App are asked for with its signature, kept, renewed before their end, and never shown."""
    if not shutil.which("openssl"):
        print("  skipped: openssl is not installed")
        return
    made, key, public = place.repository(), place.folder / "app.pem", place.folder / "public.pem"
    for words in ("genrsa", "-out", key, "2048"), ("rsa", "-in", key, "-pubout", "-out", public):
        subprocess.run(["openssl", *words], check=True, capture_output=True, timeout=60)
    given, life = [], {"seconds": 3600}

    def give(authorization):
        head, claims, signature = authorization.removeprefix("Bearer ").split(".")
        padded = [base64.urlsafe_b64decode(part + "==") for part in (head, claims, signature)]
        (place.folder / "signature").write_bytes(padded[2])
        verified = subprocess.run(["openssl", "dgst", "-sha256", "-verify", public, "-signature", place.folder / "signature"],
                                  input=f"{head}.{claims}".encode(), capture_output=True, timeout=60)
        said = json.loads(padded[1])
        if verified.returncode or said["iss"] != "Iv1.app" or not said["iat"] < time.time() < said["exp"] < time.time() + 600:
            return 401, None, None
        given.append(f"{TOKEN}-{len(given)}")
        return 201, given[-1], time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + life["seconds"]))

    with GithubServer(place.root, token=TOKEN) as server:
        server.app_tokens = give
        config = api(server, app_id="Iv1.app", app_installation_id="45", app_private_key=f"${{file:{key}}}")
        with place.start(dict(config, refresh_minutes=0.02)) as session:
            expect(names(session) == ["alpha", "beta"], session.server.stderr())
            expect(looks_again(session, server, 3) and len(given) == 1, f"the token is kept: {server.kinds()}")
            place.end(session)
        life["seconds"] = 250  # so a token is too short for another look
        with place.start(dict(config, refresh_minutes=0.02)) as session:
            expect(soon(lambda: session.listing() and len(given) > 3), f"it is renewed: {server.kinds()}")
            made.skill("gamma", "Is new.")
            made.push()
            expect(soon(lambda: "gamma" in names(session)), session.server.stderr())
            place.end(session)
        life["seconds"] = 3600
        renewed_at_once(place, made, server, given, config)
        for more, words in (({"app_installation_id": "46"}, "has no installation 46"), ({"app_id": "other"}, "do not belong together")):
            with place.start(dict(config, **more), cache=place.folder / f"cache-{len(words)}") as session:
                expect(told(session, words), session.server.stderr())
        server.app_tokens = lambda _: (201, "", "soon")
        with place.start(config, cache=place.folder / "cache-odd") as session:
            expect(told(session, "has no token"), session.server.stderr())
    secrets = [TOKEN.encode(), key.read_bytes().splitlines()[5]]
    for file in [path for path in place.folder.rglob("*") if path.is_file() and "cache" in str(path)]:
        expect(not any(secret in file.read_bytes() for secret in secrets), f"a secret is in {file}")
    for session in place.sessions:
        expect(not any(secret.decode() in session.server.stderr() for secret in secrets), "a secret is in the log")


def renewed_at_once(place, made, server, given, config):
    """Checks that a refused token of an app is replaced in the same look, once."""
    revoked = []

    def refuse(handler, _kind):
        if handler.headers.get("Authorization").removeprefix("Bearer ") not in revoked:
            return False
        handler.problem(401, "Bad credentials")
        return True

    server.answer = refuse
    with place.start(dict(config, refresh_minutes=0)) as session:  # it looks only when it is told to
        expect("delta" not in names(session), session.server.stderr())
        before, since = len(given), len(server.requests)
        revoked.append(given[-1])
        made.skill("delta", "Is new.")
        made.push()
        session.tool("reload_skills_directory")
        expect("delta" in names(session), f"a new token is asked for at once: {server.kinds(since)} {session.server.stderr()}")
        expect(len(given) == before + 1, f"and only one: {server.kinds(since)}")
        server.answer = lambda handler, _kind: handler.problem(401, "Bad credentials") or True
        since = len(server.requests)
        session.call("tools/call", name="reload_skills_directory", arguments={})
        expect(told(session, "the token is not accepted (also with a new token of the app Iv1.app)"), session.server.stderr())
        expect(server.kinds(since) == {"app": 1, "look": 2}, f"it is tried once: {server.kinds(since)}")
        expect("delta" in names(session), "what is known is served")
        server.answer = None
        made.skill("epsilon", "Is new.")
        made.push()
        session.tool("reload_skills_directory")
        expect("epsilon" in names(session), f"the next look asks for a token again: {server.kinds(since)} {session.server.stderr()}")
        session.server.finish()


def killed_while_fetching(place):
    """Checks that the next start works after the server was killed at random moments of a first and a later fetch."""
    made = place.repository(skills=[f"skill-{i:02}" for i in range(40)])
    rounds = 500 if os.environ.get("SKILLHOST_LONG_TESTS") == "1" else 10
    luck = random.Random(int(os.environ.get("SKILLHOST_TEST_SEED", time.time_ns())))
    with GithubServer(place.root) as server:
        config = api(server, refresh_minutes=0)
        for number in range(rounds):
            if number % 3 == 0:
                shutil.rmtree(place.cache, ignore_errors=True)
            made.skill("skill-07", "Changes.", f"Round {number}. {luck.randbytes(2000).hex()}")
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


if __name__ == "__main__":
    sys.exit(run_cases([first_load_and_restart, one_changed_skill, truncated_trees, as_by_git, tokens, app_tokens, killed_while_fetching]))
