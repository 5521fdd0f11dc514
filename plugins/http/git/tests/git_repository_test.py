#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real git clients clone, fetch and pull the git repository of a running server: git_repository_test.py SERVER. It is
skipped where git is not installed."""
import base64
import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import DEADLINE, SLOWNESS, Checks, until  # noqa: E402
from http_server import Running, modern  # noqa: E402
from session import write_skill  # noqa: E402

SERVER = sys.argv[1]
ON = ("--set", "http.git=true")
REPOSITORY = "/git/skills.git"
REQUEST = {"Content_Type": "application/x-git-upload-pack-request"}
checks = Checks()
check = checks.check


def url(server: Running) -> str:
    return f"http://127.0.0.1:{server.port}{REPOSITORY}"


def git(*words: str, fails: bool = False, **environment: str) -> str:
    """Runs git without the settings of this machine, and returns what it prints."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    run = subprocess.run(["git", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60 * SLOWNESS, check=False,
                         env={**clean, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C",
                              "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t", **environment})
    check((run.returncode != 0) == fails, f"git {' '.join(words)}: {run.returncode} {run.stderr}")
    return run.stdout + run.stderr


def files(folder: Path) -> dict[str, tuple[bytes, bool]]:
    """Returns the bytes and the executable bit of each file below a folder."""
    return {str(file.relative_to(folder)): (file.read_bytes(), os.access(file, os.X_OK))
            for file in sorted(folder.rglob("*")) if file.is_file() and ".git" not in file.relative_to(folder).parts}


def packet(text: str) -> bytes:
    return f"{len(text) + 4:04x}{text}".encode()


def fetch(want: str, *lines: str) -> bytes:
    return (packet("command=fetch\n") + b"0001" + packet(f"want {want}\n") + b"".join(packet(line + "\n") for line in lines) +
            packet("done\n") + b"0000")


def post(server: Running, body: bytes, **fields: str) -> tuple[Any, bytes]:
    connection, response = server.open("POST", REPOSITORY + "/git-upload-pack", body, **{**REQUEST, "Git_Protocol": "version=2", **fields})
    answer = response.read()
    connection.close()
    return response, answer


def latest(server: Running, *options: str) -> str:
    return git(*options, "ls-remote", url(server), "HEAD").split()[0]


class House:
    """A folder of skills, and servers that serve it."""

    def __init__(self, folder: Path):
        self.folder, self.skills = folder, folder / "skills"
        for name in ("alpha", "beta", "beta-2", "gamma"):
            write_skill(self.skills, name, f"Does {name}.")
        tool = self.skills / "alpha" / "bin" / "tool.sh"
        tool.parent.mkdir()
        tool.write_bytes(b"#!/bin/sh\r\necho \xff\n")
        tool.chmod(0o755)
        (self.skills / "alpha" / "empty").write_bytes(b"")
        (self.skills / "alpha" / ".gitignore").write_bytes(b"*\n")
        (self.skills / "beta" / "data.bin").write_bytes(os.urandom(300_000))
        (self.skills / "beta" / "copy.md").write_bytes((self.skills / "alpha" / "SKILL.md").read_bytes())

    def serve(self, *options: str) -> Running:
        return Running(SERVER, str(self.skills), *ON, *options)

    def change(self, server: Running, act: Any) -> str:
        """Changes something and waits until the server has another commit, which it returns."""
        before = latest(server)
        act()
        until(lambda: latest(server) != before, "the repository changes")
        return latest(server)


def clones(house: House, place: Path) -> None:
    """Checks that each version of the protocol gives the same files, and that git finds no fault in the objects."""
    server = house.serve()
    heads = set()
    for version in ("0", "1", "2"):
        for depth in ((), ("--depth", "1")):
            clone = place / f"version-{version}{'-shallow' if depth else ''}"
            git("-c", f"protocol.version={version}", "-c", "transfer.fsckObjects=true", "clone", "-q", *depth, url(server), str(clone))
            check(files(clone / "skills") == files(house.skills), f"version {version} {depth}: the files are those of the skills")
            check(git("-C", str(clone), "fsck", "--strict", "--full") == "", f"version {version} {depth}: fsck")
            check(git("-C", str(clone), "status", "--porcelain") == "", f"version {version} {depth}: nothing differs")
            heads.add(git("-C", str(clone), "rev-parse", "HEAD"))
            check(git("-C", str(clone), "symbolic-ref", "HEAD") == "refs/heads/main\n", f"version {version}: the branch")
    check(len(heads) == 1, f"one commit: {heads}")
    market = json.loads((clone / ".claude-plugin/marketplace.json").read_text())
    check(market["name"] == "skillhost" and market["plugins"][0]["source"] == "./", f"the marketplace: {market}")
    trace = place / "trace-unchanged"
    git("-c", "protocol.version=2", "-C", str(clone), "fetch", "-q", GIT_TRACE_PACKET=str(trace))
    sent = trace.read_text()
    check("command=ls-refs" in sent and "command=fetch" not in sent, f"git asks for no pack if nothing has changed: {sent}")
    server.end()


def repeated(house: House) -> None:
    """Checks that another process, which has the same files in another folder, has the same commit."""
    server, copy = house.serve(), house.folder / "copy"
    shutil.copytree(house.skills, copy)
    other = Running(SERVER, str(copy), *ON)
    check(latest(server) == latest(other), "two replicas have the same commit")
    before = latest(server)
    server.end()
    other.end()
    server = house.serve()
    check(latest(server) == before, "the commit is the same after a restart")
    server.end()
    server = house.serve("--set", "http.git_plugin=team-skills")
    check(latest(server) != before, "the name of the marketplace is part of the commit")
    server.end()
    shutil.rmtree(copy)


def pulls(house: House, place: Path) -> None:
    """Checks git pull after a change, and after a restart of the server with another change."""
    server = house.serve()
    whole, shallow, plain = place / "whole", place / "shallow", place / "plain"
    git("clone", "-q", "-c", "pull.rebase=true", url(server), str(whole))
    git("clone", "-q", "-c", "pull.rebase=true", "--depth", "1", url(server), str(shallow))
    git("clone", "-q", url(server), str(plain))

    def first() -> None:
        write_skill(house.skills, "beta", "Does beta better.")
        shutil.rmtree(house.skills / "gamma")

    house.change(server, first)
    for clone in (whole, shallow):
        git("-C", str(clone), "pull", "-q")
        check(files(clone / "skills") == files(house.skills), f"{clone.name}: pull brings a change")
    shutil.copytree(plain, place / "old")
    for version, clone in (("0", place / "old"), ("2", plain)):
        advice = git("-c", f"protocol.version={version}", "-C", str(clone), "fetch", "--progress")
        check("git pull --rebase" in advice, f"version {version}: a person learns how to update: {advice}")
    check("divergent" in git("-C", str(plain), "pull", fails=True), "without a setting git asks how to pull")
    git("-C", str(plain), "pull", "-q", "--rebase")
    check(files(plain / "skills") == files(house.skills), "git pull --rebase needs no setting")
    server.end()
    write_skill(house.skills, "delta", "Does delta.")
    server = house.serve()
    for clone in (whole, shallow, plain):
        git("-C", str(clone), "remote", "set-url", "origin", url(server))
        git("-C", str(clone), "pull", "-q", "--rebase")
        check(files(clone / "skills") == files(house.skills), f"{clone.name}: pull after a restart")
        git("-C", str(clone), "fsck", "--strict", "--full")
    (whole / "mine.txt").write_text("mine")
    git("-C", str(whole), "add", "mine.txt")
    git("-C", str(whole), "commit", "-q", "-m", "mine")
    house.change(server, lambda: write_skill(house.skills, "delta", "Does delta better."))
    git("-C", str(whole), "pull", "-q")
    check(files(whole / "skills") == files(house.skills) and (whole / "mine.txt").exists(), "a commit of one's own stays")
    server.end()


def little(house: House) -> None:
    """Checks that an update sends only what has changed."""
    for number in range(300):
        write_skill(house.skills, f"filler-{number}", f"Fills {number}.")
    server = house.serve()
    before = latest(server)
    whole = len(post(server, fetch(before))[1])
    now = house.change(server, lambda: write_skill(house.skills, "filler-7", "Fills 7, again."))
    update = len(post(server, fetch(now, "thin-pack", f"have {before}"))[1])
    check(update < 1_000 < 100_000 < whole, f"an update has {update} bytes, a clone has {whole}")
    check(len(post(server, fetch(now, f"have {before}"))[1]) > 5_000, "without thin-pack the whole list of skills is sent")
    check(len(post(server, fetch(now, f"have {now}"))[1]) < 100, "a client that has everything receives nothing")
    # The same bytes with another time are another revision for the source, and the same commit.
    write_skill(house.skills, "filler-7", "Fills 7, again.")
    os.utime(house.skills / "filler-7" / "SKILL.md", (1, 1))
    until(lambda: b"PACK" in post(server, fetch(latest(server), "thin-pack", f"have {before}"))[1], "the same bytes can be fetched")
    check(latest(server) == now, "the same bytes are the same commit")
    response, answer = post(server, fetch(now, f"have {'0' * 40}"))
    check(response.status == 200 and len(answer) > 100_000, "an unknown commit is ignored")
    server.end()
    for number in range(300):
        shutil.rmtree(house.skills / f"filler-{number}")


def refusals(house: House, place: Path) -> None:
    server = house.serve()
    now = latest(server)
    clone = place / "refused"
    git("clone", "-q", url(server), str(clone))
    check("this repository is read-only" in git("-C", str(clone), "push", "origin", "HEAD:other", fails=True), "a push is refused with the reason")
    blob = git("-C", str(clone), "rev-parse", "HEAD:skills/alpha/SKILL.md").strip()
    for wanted in (blob, "0" * 40):
        for version, body in (("2", fetch(wanted)), ("0", packet(f"want {wanted} side-band-64k\n") + b"0000" + packet("done\n"))):
            response, answer = post(server, body, Git_Protocol=f"version={version}")
            check(response.status == 200 and b"ERR only the latest commit can be fetched" in answer, f"{wanted} is refused: {answer!r}")
    for method, path, status, words in (
            ("GET", "/info/refs", 403, "smart HTTP"), ("GET", "/HEAD", 404, "smart HTTP"), ("GET", "/objects/info/packs", 404, "smart HTTP"),
            ("GET", "/info/refs?service=git-receive-pack", 403, "read-only"), ("POST", "/git-receive-pack", 403, "read-only"),
            ("PUT", "/info/refs", 405, "only GET"), ("GET", "/../x.git/info/refs", 404, ""), ("GET", "/git-upload-pack", 404, "")):
        response, text = server.ask(method, REPOSITORY + path)
        check(response.status == status and words in text, f"{method} {path}: {response.status} {text}")
    check(server.ask("GET", "/git/other.git/info/refs?service=git-upload-pack")[0].status == 404, "there is no other repository")
    for body in (b"", b"0000", b"zzzz", b"0003", b"ffff", packet("command=fetch\n"), packet("command=push\n") + b"0000", fetch("12"),
                 fetch(now)[:-4], fetch(now, "filter blob:none"), b"\0" * 1000, os.urandom(1000)):
        for version in ("0", "2"):
            response, answer = post(server, body, Git_Protocol=f"version={version}")
            check(response.status == 400 or (version == "0" and body == b"0000" and answer == b""), f"{body[:40]!r}: {response.status} {answer[:100]!r}")
    check(post(server, fetch(now), Content_Type="text/plain")[0].status == 415, "another type of content")
    check(post(server, fetch(now), Content_Encoding="br")[0].status == 415, "another coding of content")
    packed = gzip.compress(fetch(now))
    check(b"PACK" in post(server, packed, Content_Encoding="gzip")[1], "a packed request is read")
    check(post(server, packed[:-3], Content_Encoding="gzip")[0].status == 400, "half a packed request")
    check(post(server, gzip.compress(b"0" * 100_000_000), Content_Encoding="gzip")[0].status == 413, "a request that unpacks to 100 MB")
    for body, coding in ((b"0" * 2_000_000, "identity"), (gzip.compress(b"0" * 2_000_000), "gzip")):
        check(post(server, body, Content_Encoding=coding)[0].status == 413, f"a request of 2 MB, {coding}")
    negotiation = packet(f"want {now} multi_ack_detailed side-band-64k\n") + b"0000" + packet(f"have {now}\n") * 1_000
    response, answer = post(server, negotiation + b"0000", Git_Protocol="version=0")
    check(response.status == 200 and answer == packet(f"ACK {now} common\n") + packet(f"ACK {now} ready\n") + packet("NAK\n"),
          f"each commit is acknowledged once: {len(answer)} bytes, {answer[:200]!r}")
    response, answer = post(server, gzip.compress(negotiation + b"0000" * 100_000), Git_Protocol="version=0", Content_Encoding="gzip")
    check(response.status == 400 and len(answer) < 1_000, f"a hundred thousand flush packets are refused: {response.status}, {len(answer)} bytes")
    check(server.ask("GET", "/readyz")[0].status == 200, "the server goes on")
    check(server.end() == 0, "the server ends in order")


def many_haves(house: House, place: Path) -> None:
    """Checks clients with many commits of their own, none of which the server knows: git packs its long requests."""
    server = house.serve()
    clone = place / "many"
    git("clone", "-q", url(server), str(clone))
    stream = "".join(f"commit refs/heads/own\ncommitter t <t> {number} +0000\ndata 1\nx\n" + ("from refs/heads/main^0\n" if number == 0 else "")
                     for number in range(500))
    subprocess.run(["git", "-C", str(clone), "fast-import", "--quiet"], input=stream.encode(), check=True, timeout=60)
    server.end()
    for version in ("2", "0"):
        write_skill(house.skills, "alpha", f"Does alpha for many, {version}.")
        server = house.serve()
        trace = place / f"trace-{version}"
        git("-c", f"protocol.version={version}", "-C", str(clone), "fetch", "-q", url(server), "main", GIT_TRACE_CURL=str(trace))
        check(git("-C", str(clone), "rev-parse", "FETCH_HEAD").strip() == latest(server), f"version {version}: a client with many commits fetches")
        check("Content-Encoding: gzip" in trace.read_text(), f"version {version}: git packs its request")
        server.end()


def two_callers(house: House, place: Path) -> None:
    """Checks that each caller sees the own skills, and gets no objects of others."""
    secret = house.folder / "secret"
    write_skill(secret, "payroll", "Figures of the payroll.")
    tokens = house.folder / "tokens"
    token = {who: subprocess.run([SERVER, "token", "add", who, "--scope", "skills:read", "--file", str(tokens)],
                                 capture_output=True, text=True, timeout=60, check=True).stdout.split()[-1] for who in ("ada", "bob")}
    file = house.folder / "two.json"
    file.write_text(json.dumps({
        "sources": [{"name": "secret", "config": {"directories": [str(secret)]}}], "http": {"git": True},
        "auth": {"plugin": "static", "config": {"file": str(tokens)}},
        "access": {"visibility": [{"sources": ["secret"], "principals": ["ada"]}]}}))
    server = Running(SERVER, str(house.skills), "--config", str(file))
    header = {who: ("-c", f"http.extraHeader=Authorization: Bearer {token[who]}") for who in token}
    names = {}
    for who in token:
        clone = place / who
        git(*header[who], "clone", "-q", url(server), str(clone))
        names[who] = {one.name for one in (clone / "skills").iterdir()}
    check(names["ada"] == names["bob"] | {"payroll"} and "payroll" not in names["bob"], f"what each sees: {names}")
    heads = {who: latest(server, *header[who]) for who in token}
    check(heads["ada"] != heads["bob"], "they see different commits")
    hidden = git("-C", str(place / "ada"), "rev-parse", "HEAD:skills/payroll/SKILL.md", "HEAD:skills/payroll", "HEAD:skills").split()
    for wanted in (heads["ada"], *hidden):
        for version, body in (("2", fetch(wanted)), ("2", fetch(heads["bob"], f"want {wanted}")),
                              ("0", packet(f"want {wanted} side-band-64k\n") + b"0000" + packet("done\n"))):
            _, answer = post(server, body, Git_Protocol=f"version={version}", Authorization=f"Bearer {token['bob']}")
            check(b"ERR only the latest commit" in answer and b"PACK" not in answer, f"bob does not get {wanted}: {answer[:100]!r}")
    _, answer = post(server, packet("command=fetch\n") + b"0001" + packet(f"want {heads['bob']}\n") + packet(f"have {heads['ada']}\n") + b"0000",
                     Authorization=f"Bearer {token['bob']}")
    check(b"NAK" in answer and b"ACK" not in answer, f"bob does not learn that a commit of ada exists: {answer!r}")
    with_password = url(server).replace("//", f"//git:{token['ada']}@")
    git("clone", "-q", with_password, str(place / "password"))
    check((place / "password/skills/payroll").is_dir(), "the token is taken as a password")
    for what, options, address in (("no token", (), url(server)), ("a wrong one", ("-c", "http.extraHeader=Authorization: Bearer wrong"), url(server)),
                                   ("a wrong password", (), url(server).replace("//", "//git:wrong@"))):
        said = git(*options, "clone", "-q", address, str(place / "none"), fails=True)
        check("could not read Username" in said or "Authentication failed" in said, f"{what}: {said}")
    for path in ("/info/refs?service=git-upload-pack", "/git-upload-pack"):
        for fields in ({}, {"Authorization": "Basic " + base64.b64encode(b"git:wrong").decode()}):
            response, _ = server.ask("POST" if path == "/git-upload-pack" else "GET", REPOSITORY + path, **fields)
            challenges = response.headers.get_all("WWW-Authenticate") or []
            check(response.status == 401 and any(one.startswith("Basic realm=") for one in challenges) and
                  any(one.startswith("Bearer") for one in challenges), f"{path} with {fields}: {response.status} {challenges}")
    response, _ = server.ask("GET", REPOSITORY + "/info/refs?service=git-upload-pack", Authorization=f"Bearer {token['bob']}", Host="elsewhere.example.org")
    check(response.status == 403, f"a foreign host is refused: {response.status}")
    check(not any(one in "".join(server.log) for one in token.values()), "the log has no token")
    server.end()


def left_out(house: House, place: Path) -> None:
    """Checks what the repository cannot have, and that it is no more than skills/list shows."""
    write_skill(house.skills, "hidden", "No model sees it.\ndisable-model-invocation: true")
    write_skill(house.skills, "long", "Too long. " * 200)
    for name in ("large", "many"):
        write_skill(house.skills, name, f"Too {name}.")
    with (house.skills / "large" / "data.bin").open("wb") as data:
        data.truncate(17 << 20)
    for number in range(600):
        (house.skills / "many" / f"{number}.md").touch()
    (house.skills / "beta" / ".gitattributes").write_text("* text eol=crlf\n")
    (house.skills / "beta" / ".gitmodules").write_text("[submodule \"x\"]\n\tpath = -x\n\turl = -x\n")
    other = house.folder / "other"
    write_skill(other, "alpha", "Another alpha.")
    write_skill(house.skills, "leaky", "Has a key.", "The key is " + "AKIA" + "Q3ZV7XKM2LWR5TYB.\n")
    write_skill(house.skills, "twins", "Has two files of one name, to some systems.")
    for name in ("A.md", "a.md"):
        (house.skills / "twins" / name).write_text(name)
    server = Running(SERVER, str(house.skills), *ON, "--skills-dir", str(other))
    clone = place / "left-out"
    git("-c", "transfer.fsckObjects=true", "clone", "-q", url(server), str(clone))
    listed, cursor = set(), {}
    while True:
        page = server.post(modern("skills/list", **cursor), Mcp_Method="skills/list", Mcp_Protocol_Version="2026-07-28")[1]["result"]
        listed |= {skill["uri"].removesuffix("/SKILL.md").rsplit("/", 1)[1] for skill in page["skills"]}
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    served = {one.name for one in (clone / "skills").iterdir()}
    check(served == listed - {"leaky", "twins"} and not served & {"long", "large", "many"} and {"leaky", "twins"} <= listed,
          f"the skills of the list: {served} {listed}")
    expected = {name: value for name, value in files(house.skills / "beta").items() if name not in (".gitattributes", ".gitmodules")}
    check(files(clone / "skills" / "beta") == expected, "files that change how git works are left out")
    for what in (': "other/alpha" cannot be the name of a folder there', "/beta/.gitattributes: git does not allow this path",
                 "/leaky: unless http.git_leaked_keys is true: ", "/twins: a.md differs from another file only in case or Unicode form"):
        until(lambda what=what: any("left out of the git repository: " in line and what in line for line in server.log), f"the log tells: {what}")
    server.end()
    check("Q3ZV7XKM2LWR5TYB" not in "".join(server.log), "the log has no key")
    server = house.serve("--set", "http.git_leaked_keys=true")
    clone = place / "with-keys"
    git("clone", "-q", url(server), str(clone))
    check(files(clone / "skills/leaky") == files(house.skills / "leaky"), "with http.git_leaked_keys the skill is served")
    server.end()
    for name in ("hidden", "long", "large", "many", "leaky", "twins"):
        shutil.rmtree(house.skills / name)
    for name in (".gitattributes", ".gitmodules"):
        (house.skills / "beta" / name).unlink()


def restless(house: House, place: Path) -> None:
    """Checks that clones succeed at once and have everything else while one file is rewritten without a pause."""
    write_skill(house.skills, "restless", "Has a file that never rests.")
    (house.skills / "restless/data").write_bytes(b"0")
    expected = {name: value for name, value in files(house.skills).items() if not name.startswith("restless/")}
    server = house.serve()
    ended, begun = threading.Event(), threading.Event()

    def rewriting() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            (house.skills / "restless/data").write_bytes(b"%d" % number * (number % 1000))
            if number == 100:
                begun.set()

    thread = threading.Thread(target=rewriting)
    thread.start()
    try:
        check(begun.wait(DEADLINE), "the file is being rewritten")
        for number, version in enumerate(("2", "0", "2", "1")):
            clone = place / f"restless-{number}"
            git("-c", f"protocol.version={version}", "-c", "transfer.fsckObjects=true", "clone", "-q", *(("--depth", "1") if number == 2 else ()), url(server), str(clone))
            found = {name: value for name, value in files(clone / "skills").items() if not name.startswith("restless/")}
            check(found == expected, f"clone {number} has all other skills: {found.keys()}")
            # The file may have been read between two changes.
            check((clone / "skills/restless/data").is_file() or
                  any("/restless, for now: it changes faster than it can be read" in line for line in server.log), "the log tells what is left out")
    finally:
        ended.set()
        thread.join()
    check(server.end() == 0, "the server ends in order")
    shutil.rmtree(house.skills / "restless")


def while_it_changes(house: House, place: Path) -> None:
    """Checks that clones are whole while a SKILL.md is replaced without a pause, but for a few that say what to do."""
    server = house.serve()
    ended, broken, whole, clones_made = threading.Event(), [], 0, 12

    def changing() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            write_skill(house.skills, "changing", f"Changes {number}.")

    thread = threading.Thread(target=changing)
    thread.start()
    try:
        for number in range(clones_made):
            clone = place / f"changing-{number}"
            clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
            run = subprocess.run(["git", "-c", "transfer.fsckObjects=true", "clone", "-q", url(server), str(clone)], env={**clean, "LC_ALL": "C"},
                                 capture_output=True, text=True, timeout=60 * SLOWNESS, check=False)
            if run.returncode == 0:
                whole += 1
                git("-C", str(clone), "fsck", "--strict", "--full")
                check((clone / "skills/alpha/SKILL.md").read_bytes() == (house.skills / "alpha/SKILL.md").read_bytes(), "a skill beside it is the same")
            elif "run the command again" not in run.stderr and "error: 503" not in run.stderr:
                broken.append(run.stderr)
    finally:
        ended.set()
        thread.join()
    check(not broken, f"a clone says why it fails: {broken}")
    check(whole >= clones_made - 2, f"clones during the changes are whole: {whole} of {clones_made}")
    shutil.rmtree(house.skills / "changing")
    clone = place / "after"

    def cloned() -> bool:
        shutil.rmtree(clone, ignore_errors=True)
        run = subprocess.run(["git", "clone", "-q", url(server), str(clone)], capture_output=True, timeout=60 * SLOWNESS, check=False)
        return run.returncode == 0 and files(clone / "skills") == files(house.skills)

    until(cloned, "a clone after the changes is whole")
    check(server.end() == 0, "the server ends in order")


def gone_clients(house: House) -> None:
    """Checks that clients who leave in the middle of a request or an answer harm nobody."""
    server = house.serve()
    now = latest(server)
    body = fetch(now)
    head = (f"POST {REPOSITORY}/git-upload-pack HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nGit-Protocol: version=2\r\n"
            f"Content-Type: application/x-git-upload-pack-request\r\nContent-Length: {len(body)}\r\n\r\n").encode()
    for sent in (head, head + body[:20], head + body):
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", server.port), DEADLINE) as one:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                one.sendall(sent)
    check(b"PACK" in post(server, body)[1], "others are served")
    results = []
    threads = [threading.Thread(target=lambda: results.append(post(server, body)[1])) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(len(results) == 20 and len(set(results)) == 1, f"{len(results)} clients at once receive the same {len(set(results))} pack")
    check(server.end() == 0, "the server ends in order")


def configured(house: House) -> None:
    server = Running(SERVER, str(house.skills))
    check(server.ask("GET", REPOSITORY + "/info/refs?service=git-upload-pack")[0].status == 404, "there is no repository by default")
    server.end()
    run = subprocess.run([SERVER, "serve", "--transport", "http", "--port", "0", "--skills-dir", str(house.skills), *ON, "--set", "http.git_plugin=Team Skills"],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE, check=False)
    check(run.returncode != 0 and "http.git_plugin: \"Team Skills\" must have" in run.stderr, f"a wrong name: {run.stderr}")
    empty = house.folder / "no-skills"
    empty.mkdir()
    server = Running(SERVER, str(empty), *ON)
    git("clone", "-q", url(server), str(house.folder / "no-clone"))
    check(files(house.folder / "no-clone").keys() == {".claude-plugin/marketplace.json"}, "a repository without skills can be cloned")
    server.end()


if __name__ == "__main__":
    if shutil.which("git") is None:
        print("git is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as clone_folder:
        made, clones_in = House(Path(folder)), Path(clone_folder)
        clones(made, clones_in)
        repeated(made)
        pulls(made, clones_in)
        little(made)
        refusals(made, clones_in)
        many_haves(made, clones_in)
        two_callers(made, clones_in)
        left_out(made, clones_in)
        restless(made, clones_in)
        while_it_changes(made, clones_in)
        gone_clients(made)
        configured(made)
    sys.exit(checks.finish())
