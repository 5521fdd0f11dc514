#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skills of other MCP servers: of this server itself, and of a made one that misbehaves.
mcp_source_test.py SERVER ROOT [CASE ...]"""
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

from checks import Checks
from loopback import SilentServer, certificate
from mcp_server import EXTENSION, LEGACY, McpServer, skill_md
from mcp_source_cases import Place, manifests, run_cases, text_of
from session import DEADLINE, Session, write_skill
from source_cases import SERVER, SLOWNESS, names, soon

ROOT = Path(sys.argv[2])
TOKEN = "s3cr3t-f0r-th3-0th3r-s3rv3r"
CHANGED = "notifications/resources/list_changed"
checks = Checks()
check = checks.check


def own_server(place):
    """This server serves its skills to another one, with a token: byte for byte, also after a change, while it is
    away, after a restart, and when it is back."""
    folder = place.folder / "skills"
    for example in (ROOT / "examples/skills").iterdir():
        if (example / "SKILL.md").is_file():
            shutil.copytree(example, folder / example.name)
    write_skill(folder, "plain", "Does it.")
    (folder / "plain/data ü").mkdir()
    (folder / "plain/data ü/some bytes").write_bytes(bytes(range(256)) * 40)
    (folder / "plain/lines.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    (folder / "plain/empty.txt").write_bytes(b"")
    write_skill(folder / "plain", "nested", "Is within another skill.")
    tokens = place.folder / "tokens"
    token = subprocess.run([SERVER, "token", "add", "alice", "--scope", "skills:read", "--file", str(tokens)],
                           capture_output=True, text=True, timeout=60, check=True).stdout.split()[-1]
    options = (str(folder), "--auth", "static", "--set", "auth.config=" + json.dumps({"file": str(tokens)}))
    other = place.other(*options)
    port, config = other.port, {"url": f"http://127.0.0.1:{other.port}/mcp", "token": "env:OTHER_TOKEN"}
    with Session([SERVER, "--skills-dir", str(folder)]) as near:
        expected = manifests(near, "skills")
    status, log = place.status(config, OTHER_TOKEN="wrong")
    check("the server answers 401: the token is not accepted" in status.get("failure", "") and status["skills"] == 0, f"{status} {log}")
    status, log = place.status({"url": config["url"]})
    check("the server answers 401: it needs a token" in status.get("failure", ""), f"{status} {log}")
    begun = time.monotonic()
    with place.start({**config, "subscribe": True}, OTHER_TOKEN=token) as session:
        got = {path.removeprefix("skills/"): files for path, files in manifests(session).items()}
        print(f"  {len(got)} skills, {sum(map(len, got.values()))} files after {time.monotonic() - begun:.2f} s")
        check(got == expected and len(got) >= 5, f"{sorted(got)} and not {sorted(expected)}")
        facts = session.call("skills/list")["skills"][0]["_meta"]["org.skillhost/facts"]
        check(facts["kind"] == "mcp" and facts["server"] == config["url"] and facts["server_name"] == "skillhost", facts)
        begun = time.monotonic()
        write_skill(folder, "plain", "Does it.", "Unicycle.\n")
        write_skill(folder, "later", "Comes later.")
        check(soon(lambda: "later" in names(session) and "Unicycle" in text_of(session, "plain")), session.server.stderr())
        print(f"  changes seen after {time.monotonic() - begun:.2f} s")
        shutil.rmtree(folder / "later")
        check(soon(lambda: "later" not in names(session)), "a skill that is gone")
        check(other.end() == 0, "the other server's end")
        session.tool("reload_skills_directory")
        check(soon(lambda: session.listing() and "next try in" in session.server.stderr()), session.server.stderr())
        check("Unicycle" in text_of(session, "plain"), "served while the other server is away")
        check(token not in session.server.stderr(), "the token is in the log")
        check(session.end() is None, "the end")
    with place.start({**config, "subscribe": True}, OTHER_TOKEN=token) as session:
        check("Unicycle" in text_of(session, "plain"), "served from the cache by the next start")
        check(soon(lambda: session.listing() and "cannot be asked" in session.server.stderr()), session.server.stderr())
        write_skill(folder, "plain", "Does it.", "Tandem.\n")
        again = place.other(*options, "--port", str(port))
        check(again.port == port, "the same port")
        check(soon(lambda: (session.tool("reload_skills_directory"), "Tandem" in text_of(session, "plain"))[1]), session.server.stderr())
    for file in place.cache.rglob("state.json"):
        check(token.encode() not in file.read_bytes(), f"the token is in {file}")


def families(place):
    """Both families of revisions, with answers as one text and as events: nested paths, bytes of all kinds, pages."""
    files = {"refs/bin": bytes(range(256)), "refs/ünï code.md": "é\r\n".encode(), "empty": b"", "bom.txt": b"\xef\xbb\xbfx"}
    for modern in (True, False):
        for sends_events in (False, True):
            with McpServer(modern=modern, sends_events=sends_events, token=TOKEN) as other:
                other.page = 2
                for path in ("acme/billing/refunds", "b", "c", "d/e"):
                    other.skill(path, {urllib.parse.quote(file): data for file, data in files.items()})
                place.cache = place.folder / f"{modern}-{sends_events}"
                with place.start({"url": other.url, "token": TOKEN}) as session:
                    got = manifests(session)
                    check(sorted(got) == ["acme/billing/refunds", "b", "c", "d/e"], f"{sorted(got)} {session.server.stderr()}")
                    for path, served in got.items():
                        wanted = {**files, "SKILL.md": skill_md(path.rsplit("/", 1)[-1])}
                        check(served == {file: "sha256:" + hashlib.sha256(data).hexdigest() for file, data in wanted.items()}, f"{path}: {served}")
                    asked = len(other.asked("resources/read"))
                    check(asked == 8, f"files with equal bytes are fetched once: {asked}")
                    session.tool("reload_skills_directory")
                    check(soon(lambda: len(other.asked("skills/list")) >= 4), other.asked("skills/list"))
                    check(len(other.asked("resources/read")) == asked, "what is known is not fetched again")
                    protocol = session.call("skills/list")["skills"][0]["_meta"]["org.skillhost/facts"]["protocol"]
                    check(protocol == ("2026-07-28" if modern else "2025-11-25"), protocol)
                check(soon(lambda: not other.sessions), f"sessions are ended: {other.sessions}")
                for method, _, fields in other.requests:
                    check(fields.get("Authorization") == f"Bearer {TOKEN}", f"the token of {method}")
                    if not modern and method not in ("server/discover", "initialize"):
                        check(fields.get("MCP-Protocol-Version") == LEGACY, f"the revision of {method}: {fields}")
                    if modern and method == "resources/read":
                        check(fields.get("Mcp-Method") == method and "Mcp-Name" in fields, fields)


def faults_of_skills(place):
    """Each wrong skill is named with the reason, and the others are served."""
    def stall(handler, identity):
        handler.say(200, {"Content-Type": "application/json"}, b"{", hold_after=1, length=1000)

    def fail(handler, identity):
        handler.say(500, body=b"Oops")

    def garbage(handler, identity):
        handler.say(200, {"Content-Type": "application/json"}, b'{"jsonrpc": "2.0", "id": 1, "result": {"contents"')

    def huge(handler, identity):
        handler.result(identity, {"contents": [{"uri": "x", "text": "x" * 3_000_000}]})

    def brackets(handler, identity):
        handler.result(identity, {"contents": [{"uri": "x", "text": "x"}], "more": [[]] * 10_000})

    def nothing(handler, identity):
        handler.result(identity, {"contents": []})

    def question(handler, identity):
        handler.say(200, {"Content-Type": "application/json"}, json.dumps({"jsonrpc": "2.0", "id": identity, "result": {
            "resultType": "input_required", "inputRequests": {}}}).encode())

    def page(handler, identity):
        handler.say(200, {"Content-Type": "text/html; charset=utf-8"}, b"<html>")

    with McpServer() as other:
        other.skill("good", {"more.md": b"More.\n"})
        other.skill("last")
        broken = {"stalling": (stall, "too slow"), "failing": (fail, "HTTP status 500"), "garbled": (garbage, "is no JSON object that can be read"),
                  "huge": (huge, "the answer has more than"), "bracketed": (brackets, "the answer cannot be read: more than 10000 values"),
                  "empty": (nothing, "the server's answer has no content"),
                  "asking": (question, "wants to know more"), "paged": (page, "the answer is text/html and not application/json"), "missing": (None, "there is no such resource"),
                  "lying": (skill_md("another"), "and not that of the list")}
        for name, (content, _) in broken.items():
            other.skill(name, {"x.md": f"X of {name}.\n".encode()})
            other.contents[f"skill://{name}/x.md"] = content
        other.skill("dynamic", resources="dynamic")
        other.skill("nameless", frontmatter={})
        other.skill("strange", uri="https://a.example/strange/SKILL.md")
        other.skill("../up")
        other.skill("big", {"x": b"x" * 2_000_000})
        other.skill("many", {f"f{i}": b"%d" % i for i in range(20)})
        other.skill("unsigned")["resources"][0]["digest"] = "md5:0"
        other.entries.append({"name": "no URI"})
        config = {"url": other.url, "deadline_ms": 8000, "max_skill_bytes": 1 << 20, "max_skill_files": 10}
        with place.start(config) as session:
            check(soon(lambda: names(session) == ["good", "last"]), f"{names(session)} {session.server.stderr()}")
            check(soon(lambda: session.listing() and "skill lying left out" in session.server.stderr()), session.server.stderr())
            log = session.server.stderr()
            for name, (_, words) in broken.items():
                check(any(f"{other.url}: skill {name} left out: x.md: " in line and words in line for line in log.splitlines()), f"{name}: {words}: {log}")
            for words in ("skill://dynamic/SKILL.md left out: the server does not list its files",
                          "skill://nameless/SKILL.md left out: the server does not say its name",
                          "https://a.example/strange/SKILL.md left out: a file of it lies outside",
                          "skill://../up/SKILL.md left out: its URI is no skill://",
                          "skill://big/SKILL.md left out: it has more than 1048576 bytes (max_skill_bytes)",
                          "skill://many/SKILL.md left out: it has more than 10 files (max_skill_files)",
                          "the server gives no SHA-256 digest of SKILL.md", 'an entry without a text "uri" is left out'):
                check(words in log, f"{words}: {log}")
            # A skill that was served stays as it was.
            other.skill("good", {"more.md": b"Even more.\n"})
            other.contents["skill://good/more.md"] = fail
            other.skill("last", {"SKILL.md": skill_md("last", "Unicycle.\n")})
            check(soon(lambda: (session.tool("reload_skills_directory"), "Unicycle" in text_of(session, "last"))[1]), session.server.stderr())
            check("skill good stays as it was: more.md: the server refuses to send it: HTTP status 500" in session.server.stderr(), session.server.stderr())
            check("Body." in text_of(session, "good"), "the version before")
            other.contents["skill://good/more.md"] = b"Even more.\n"
            wanted = "sha256:" + hashlib.sha256(b"Even more.\n").hexdigest()
            check(soon(lambda: (session.tool("reload_skills_directory"), manifests(session)["good"]["more.md"] == wanted)[1]), "mended")


def faults_of_servers(place):
    """A server with which nothing can be done is named with the reason."""
    def circle(handler, message):
        return handler.result(message["id"], {"skills": [], "nextCursor": "again"}) or True

    def refuse(handler, message):
        return handler.refuse(message["id"], -32603, "the disk is full") or True

    def forget(handler, message):
        return handler.refuse(message["id"], -32601, "no such method") or True

    def page(handler, message):
        return handler.say(200, {"Content-Type": "text/html; charset=utf-8"}, b"<html>") or True

    def busy(handler, message):
        return handler.say(503, {"Retry-After": "3000"}) or True

    def absent(handler, message):
        return handler.say(404) or True

    def drip(handler, message):
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        handler.close_connection = True
        while not handler.server.over.wait(0.05):
            handler.wfile.write(b" " * 1000)
            handler.wfile.flush()

    def endless(handler, message):
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        handler.close_connection = True
        while not handler.server.over.is_set():
            handler.wfile.write(b" " * (1 << 20))

    def away(handler, message):
        return handler.say(307, {"Location": target.url + "?key=s3cr3t"}) or True

    with McpServer() as target:
        target.skill("a")
        hooks = {"circle": ({"skills/list": circle}, "skills/list: the pages lead in a circle"),
                 "refusal": ({"skills/list": refuse}, "skills/list: the server answers with error -32603: the disk is full"),
                 "unknown": ({"skills/list": forget}, "skills/list: the server declares it and does not know it"),
                 "page": ({"server/discover": page}, "the server is no MCP server: it answers with text/html"),
                 "busy": ({"server/discover": busy}, "the server answers 503"),
                 "absent": ({"server/discover": absent, "initialize": absent}, "initialize: the server answers with error -32603: HTTP status 404"),
                 "away": ({"server/discover": away}, f"the server redirects to {target.url}: url must name"),
                 "drip": ({"skills/list": drip}, "did not answer in time (deadline_ms)"),
                 "endless": ({"skills/list": endless}, "the answer has more than 67108864 bytes")}
        for name, (hook, words) in hooks.items():
            with McpServer(token=TOKEN) as other:
                other.skill("a")
                other.hooks = hook
                place.cache = place.folder / name
                status, log = place.status({"url": other.url, "token": TOKEN, "deadline_ms": 6000 if name != "endless" else 60000})
                check(status["skills"] == 0 and f"{other.url}: " in status.get("failure", "") and words in status["failure"], f"{name}: {words}: {status} {log}")
        check(target.requests == [], f"a redirect is followed: {target.requests}")
    with McpServer() as other:
        other.contents["skill://pdf/SKILL.md"] = skill_md("pdf")
        other.capabilities = {"resources": {}}
        status, log = place.status({"url": other.url})
        check(f"does not have the extension {EXTENSION}" in status.get("failure", "") and "lists the resource skill://pdf/SKILL.md" in status["failure"], f"{status} {log}")
    with SilentServer() as other:
        status, log = place.status({"url": other.url + "/mcp", "deadline_ms": 3000})
        check("deadline_ms" in status.get("failure", ""), f"silent: {status} {log}")
    with McpServer() as other:
        other.skill("a")
        status, log = place.status({"url": other.url, "max_fetch_bytes": 100})
        check("sends more than 100 bytes (max_fetch_bytes)" in status.get("failure", ""), f"{status} {log}")
    status, log = place.status({"url": other.url})
    check("cannot be asked" in status.get("failure", ""), f"nobody listens: {status} {log}")
    made = certificate(place.folder)
    if made:
        with McpServer(certificate=made) as other:
            other.skill("a")
            status, _ = place.status({"url": other.url})
            check("cannot be asked" in status.get("failure", "") and other.requests == [], f"an unknown authority: {status}")
            status, log = place.status({"url": other.url, "ca_file": made[0]})
            check(status["skills"] == 1, f"a known one: {status} {log}")


def private_addresses(place):
    """A name that leads to an address of this network is not contacted, unless that is allowed."""
    name = os.uname().nodename
    run = subprocess.run(["getent", "ahosts", name], capture_output=True, text=True, timeout=60)
    if run.returncode != 0 or "." not in run.stdout:
        return print("  skipped: the name of this machine leads to no address")
    status, log = place.status({"url": f"https://{name}:9/mcp"})
    if "which is no public address" not in status.get("failure", ""):
        print(f"  {name}: {run.stdout.split()[0]}")
    check("which is no public address (allow_private_addresses)" in status.get("failure", ""), f"{status} {log}")
    status, log = place.status({"url": f"https://{name}:9/mcp", "allow_private_addresses": True})
    check("cannot be asked" in status.get("failure", ""), f"{status} {log}")


def very_many(place):
    """Of 100,000 skills the first ones are served, and reading ends there."""
    with McpServer() as other:
        other.page = 1000
        for i in range(1000):
            other.skill(f"s{i:04}")
        other.entries += [{"uri": f"skill://more/s{i}/SKILL.md", "frontmatter": {"name": f"s{i}", "description": "d"}, "resources": []}
                          for i in range(99_000)]
        begun = time.monotonic()
        with place.start({"url": other.url, "max_skills": 300}) as session:
            check(soon(lambda: session.tool("list_skills", limit=1)["total"] == 300, 60 * SLOWNESS), session.server.stderr())
            print(f"  300 of 100,000 after {time.monotonic() - begun:.2f} s")
            check("it lists more than 300 skills, and those beyond are left out (max_skills)" in session.server.stderr(), session.server.stderr())
        check(len(other.asked("skills/list")) == 1, other.asked("skills/list"))


def changing(place):
    """Skills that change while they are read, sessions that end, and lists that say that they are incomplete."""
    with McpServer(modern=False) as other:
        for i in range(40):
            other.skill(f"s{i:02}")
        reads = []

        def change(handler, message):
            """Changes a skill between its listing and its reading, and ends the session once in the middle."""
            reads.append(message["params"]["uri"])
            if len(reads) == 1:
                other.skill("s39", {"SKILL.md": skill_md("s39", "Unicycle.\n")})
            if len(reads) == 20:
                other.sessions.clear()

        other.hooks["resources/read"] = change
        with place.start({"url": other.url}) as session:
            check(soon(lambda: len(names(session)) == 40), f"{names(session)} {session.server.stderr()}")
            check("Unicycle" in text_of(session, "s39"), "the changed skill")
            log = session.server.stderr()
            check("left out" not in log and "WARN" not in log, f"nothing is wrong: {log}")
        # Another start: the list of a server that is loading names less than there is.
        other.hooks.clear()
        kept = other.entries
        other.entries, other.meta = kept[:1], {"org.skillhost/loading": {"sources": ["x"]}}
        with place.start({"url": other.url}) as session:
            check(soon(lambda: session.listing() and "still loading" in session.server.stderr()), session.server.stderr())
            check(len(names(session)) == 40, f"{names(session)}")
            other.meta = {"org.skillhost/failures": [{"skill": "s05", "uri": "skill://s05", "reason": "unreadable"}]}
            check(soon(lambda: (session.tool("reload_skills_directory"), names(session) == ["s00", "s05"])[1]), names(session))
            other.meta = None
            check(soon(lambda: (session.tool("reload_skills_directory"), names(session) == ["s00"])[1]), names(session))
            other.entries = []
            check(soon(lambda: (session.tool("reload_skills_directory"), names(session) == [])[1]), names(session))


def told(place):
    """A server that tells of changes is asked at once, in both families, also after its streams have broken. Its other
    notifications mean nothing, and its requests are answered."""
    with contextlib.ExitStack() as stack:
        def start(name, other):
            other.capabilities["resources"] = {"listChanged": True}
            other.skill("first")
            place.cache = place.folder / name
            return stack.enter_context(place.start({"url": other.url, "subscribe": True, "refresh_minutes": 0}))

        def busy(handler, message):
            return handler.say(503, {"Retry-After": "3000"}) or True

        silent = stack.enter_context(McpServer(modern=False))
        start("silent", silent)
        away = stack.enter_context(McpServer(modern=False))
        away.hooks["GET"] = busy
        start("away", away)
        for one in (silent, away):
            check(soon(lambda one=one: one.asked("GET") and one.asked("skills/list")), "its stream is wanted")
        listening = []
        for modern in (True, False):
            other = stack.enter_context(McpServer(modern=modern))
            other.listens = True
            may_begin = threading.Event()

            def hold(handler, message, may_begin=may_begin):
                may_begin.wait(DEADLINE * SLOWNESS)

            other.hooks["subscriptions/listen" if modern else "GET"] = hold
            session = start(f"told-{modern}", other)
            listening.append((other, session))
            check(soon(lambda: names(session) == ["first"]), session.server.stderr())
            other.skill("early")
            may_begin.set()
            check(soon(lambda: names(session) == ["early", "first"]), f"a change before the first stream: {session.server.stderr()}")
            other.skill("second")
            check(other.tell("notifications/tools/list_changed") == 1, "one stream")
            other.tell("ping", id="a ping")
            other.tell("roots/list", id=7)
            check(other.wait(lambda: len(other.answers) == 2, DEADLINE * SLOWNESS), f"its requests are answered: {other.answers}")
            check({"jsonrpc": "2.0", "id": "a ping", "result": {}} in other.answers, other.answers)
            check([one["error"]["code"] for one in other.answers if one["id"] == 7] == [-32601], other.answers)
            check(len(other.streams) == 1 and len(other.asked("skills/list")) == 2, f"{other.asked('skills/list')}")
            other.break_streams()
        for other, session in listening:
            # A stream that broke is opened again after 30 s.
            check(other.wait(lambda: other.streams, 60 + DEADLINE * SLOWNESS), "it listens again")
            check(soon(lambda: names(session) == ["early", "first", "second"]), session.server.stderr())
            check(len(other.asked("skills/list")) == 3, f"another notification means nothing: {other.asked('skills/list')}")
            other.skill("third")
            other.tell(CHANGED)
            check(soon(lambda: names(session) == ["early", "first", "second", "third"]), session.server.stderr())
            begun = time.monotonic()
            check(session.end() is None and time.monotonic() - begun < 5 * SLOWNESS, "the end")
        # By now, streams that were refused before the others broke would have been asked for again.
        check(len(silent.asked("GET")) == 1 and len(silent.asked("skills/list")) == 1, f"405: {silent.requests}")
        check(len(away.asked("GET")) == 1 and len(away.asked("skills/list")) == 1, f"Retry-After: {away.requests}")
    with McpServer() as other:  # it says that it tells, and does not
        other.capabilities["resources"] = {"listChanged": True}
        other.skill("first")
        with place.start({"url": other.url, "subscribe": True, "refresh_minutes": 0.01}) as session:
            check(soon(lambda: names(session) == ["first"] and other.asked("subscriptions/listen")), session.server.stderr())
            other.skill("second")
            check(soon(lambda: names(session) == ["first", "second"]), "it is looked at regularly")


def peak_memory(session):
    """Returns the most bytes that the server of the session has had in memory."""
    for line in Path(f"/proc/{session.server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    raise AssertionError("the kernel does not say how much memory a process has used")


def flooded(place):
    """A stream of notifications that is too much is given up, with the reason, and costs no memory."""
    floods = {"event": (b"data: " + b"x" * (2 << 20) + b"\n\n", "the answer has more than 1048576 bytes"),
              "line": (b"x" * 65536, "the answer has more than 1048576 bytes"),
              "data": (b"data: xxxxxxxxxxxxxxxx\n" * 1000, "the answer has more than 1048576 bytes"),
              "junk": (b"data: {\n\n" * 10_000, "the answer is no JSON object that can be read"),
              "comments": (b": still here\n\n" * 5000, "the server sends more than 16777216 bytes a minute"),
              "notifications": (b'data: {"jsonrpc": "2.0", "method": "notifications/x"}\n\n' * 1000, "the server sends more than 16777216 bytes a minute")}
    with McpServer() as other:
        other.skill("first")
        with place.start({"url": other.url}) as session:
            check(soon(lambda: names(session) == ["first"]), session.server.stderr())
            usual = peak_memory(session)
    for modern in (True, False):
        for name, (chunk, words) in floods.items():
            with McpServer(modern=modern) as other:
                other.capabilities["resources"] = {"listChanged": True}
                other.skill("first")
                ended = threading.Event()

                def flood(handler, message, chunk=chunk, ended=ended):
                    handler.begin_stream()
                    with contextlib.suppress(OSError):
                        while not handler.server.over.is_set():
                            handler.wfile.write(chunk)
                    ended.set()
                    return True

                other.hooks["subscriptions/listen" if modern else "GET"] = flood
                place.cache = place.folder / f"{modern}-{name}"
                with place.start({"url": other.url, "subscribe": True}, SKILLHOST_LOG_LEVEL="DEBUG") as session:
                    check(ended.wait(DEADLINE * SLOWNESS), f"{modern} {name}: the stream is given up")
                    found = f"{other.url}: waiting for changes: "
                    check(soon(lambda: session.listing() and any(found in line and words in line for line in session.server.stderr().splitlines())),
                          f"{modern} {name}: {words}: {session.server.stderr()}")
                    more = peak_memory(session) - usual
                    check(more < 48 << 20, f"{modern} {name}: {more} bytes more in memory")
                    check(names(session) == ["first"], "it serves")


def modern_call(server, method, **params):
    """Returns the result of a request to a server over HTTP, in the later revisions."""
    params["_meta"] = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    fields = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": method}
    if "name" in params:
        fields["Mcp_Name"] = params["name"]
    return server.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, **fields)[1]["result"]


def mutual(place):
    """Two servers that are each other's source: each has what the other one has, once, and names the loop."""
    os.environ["XDG_CACHE_HOME"] = str(place.cache)

    def server(name, other, *more):
        folder = place.folder / name
        write_skill(folder, "own-" + name, "Does it.")
        file = place.folder / f"{name}.json"
        sources = [{"name": "other", "plugin": "mcp", "config": {"url": f"http://127.0.0.1:{other}/mcp", "subscribe": False, "refresh_minutes": 0.01}}] if other else []
        file.write_text(json.dumps({"sources": sources}))
        return place.other(str(folder), "--config", str(file), *more)

    def uris(server):
        return sorted(skill["uri"].removesuffix("/SKILL.md") for skill in modern_call(server, "skills/list")["skills"])

    def looks(server):
        plugins = modern_call(server, "tools/call", name="get_server_stats", arguments={})["structuredContent"]["data"]["plugins"]
        return next(one for one in plugins if one.get("instance") == "other")["reported"].get("polls", 0)

    alone = server("here", None)
    there = server("there", alone.port)
    check(soon(lambda: uris(there) == ["skill://other/here/own-here", "skill://there/own-there"]), f"{uris(there)} {there.log}")
    alone.end()
    here = server("here", there.port, "--port", str(alone.port))
    expected = {here: ["skill://here/own-here", "skill://other/other/here/own-here", "skill://other/there/own-there"],
                there: ["skill://other/here/own-here", "skill://other/other/there/own-there", "skill://there/own-there"]}
    # After the restart of the one, the other one looks again in at most 30 s.
    check(soon(lambda: all(uris(one) == listed for one, listed in expected.items()), 40 + DEADLINE * SLOWNESS), f"{uris(here)} {uris(there)}")
    begun = {one: looks(one) for one in expected}
    check(soon(lambda: all(looks(one) >= begun[one] + 8 for one in expected)), "they look again")
    for one, listed in expected.items():
        check(uris(one) == listed, f"a longer path: {uris(one)}")
        own = "here" if one is there else "there"
        words = f"1 skill left out, such as skill://other/other/{own}/own-{own}/SKILL.md: they were read from this server before, and are back through"
        check(sum(words in line for line in one.log) == 1, f"the loop is named once: {words}: {one.log}")
    del os.environ["XDG_CACHE_HOME"]


def asking(place):
    """A server may ask for a sign of life before it answers, also with an id that our request has."""
    for modern in (True, False):
        for same in (False, True):
            with McpServer(modern=modern) as other:
                def ping(handler, message, other=other, same=same):
                    handler.begin_stream()
                    # With the second answer, the client has seen what the server says to the first one.
                    for identity in (message["id"] if same else "a ping", "another"):
                        handler.event({"jsonrpc": "2.0", "id": identity, "method": "ping"})
                        other.wait(lambda identity=identity: any(one["id"] == identity for one in other.answers), DEADLINE * SLOWNESS)
                    content = other.contents[message["params"]["uri"]].decode()
                    handler.event({"jsonrpc": "2.0", "id": message["id"], "result": {
                        "resultType": "complete", "contents": [{"uri": message["params"]["uri"], "text": content}]}})
                    return True

                other.skill("first")
                other.hooks["resources/read"] = ping
                place.cache = place.folder / f"asking-{modern}-{same}"
                status, log = place.status({"url": other.url})
                check(status["skills"] == 1 and "failure" not in status, f"{modern} {same}: {status} {log}")
                check([one.get("result") for one in other.answers] == [{}, {}], other.answers)


def shared_files(place):
    """A file that several skills have is asked for in another one if one of them cannot give it."""
    def fail(handler, identity):
        handler.say(500)

    with McpServer() as other:
        for name in ("a", "b", "c", "d"):
            other.skill(name, {"LICENSE": b"Do what you want.\n"})
        for name in ("a", "b"):
            other.contents[f"skill://{name}/LICENSE"] = fail
        with place.start({"url": other.url}) as session:
            # With these bytes, all of them are whole.
            check(soon(lambda: names(session) == ["a", "b", "c", "d"]), names(session))
            asked = [uri for uri in other.asked("resources/read") if uri.endswith("/LICENSE")]
            check(asked == [f"skill://{name}/LICENSE" for name in ("a", "b", "c")], asked)
    with McpServer() as other:
        for name in ("a", "b"):
            other.skill(name, {"LICENSE": b"Do what you want.\n"})
            other.contents[f"skill://{name}/LICENSE"] = fail
        place.cache = place.folder / "none"
        with place.start({"url": other.url}) as session:
            check(names(session) == [], names(session))
            for name in ("a", "b"):
                words = f"skill {name} left out: LICENSE: the server refuses to send it: HTTP status 500"
                check(soon(lambda words=words: session.listing() is not None and words in session.server.stderr()), session.server.stderr())


def kept_state(place):
    """What is kept says when the files were fetched, also if the server writes their URIs in another way; and a failure to
    keep it does not hide why a refresh failed."""
    def state():
        file, = place.cache.rglob("state.json")
        return file, json.loads(file.read_text())

    def denied(handler, message):
        return handler.say(401) or True

    with McpServer() as other:
        other.skill("a", {"x%20y": b"one"})
        config = {"url": other.url}
        check(place.status(config)[0]["skills"] == 1, "the first start")
        file, kept = state()
        kept["skills"][0]["fetched"] = 1_000_000_000
        file.write_text(json.dumps(kept))
        entry = other.skill("a", {"x%20y": b"one"}, _meta={"org.skillhost/folder": "skill://elsewhere/a"})
        entry["resources"][1]["uri"] = "skill://a/x%20%79"
        with place.start(config) as session:
            check(soon(lambda: session.listing() and state()[1]["skills"][0]["folder"] == "skill://elsewhere/a"), state()[1])
            check(state()[1]["skills"][0]["fetched"] == 1_000_000_000, state()[1])
            def facts():
                return session.call("skills/list")["skills"][0]["_meta"]["org.skillhost/facts"]
            check(facts()["fetched_at"] == "2001-09-09T01:46:40Z", facts())
        check(len(other.asked("resources/read")) == 2, "nothing is fetched again")
        other.skill("b")
        other.hooks["resources/read"] = denied
        file.unlink()
        file.mkdir()
        status, log = place.status(config)
        check("the server answers 401" in status.get("failure", ""), f"{status} {log}")


def confined(place):
    """In a process of its own the plugin does the same."""
    with McpServer() as other:
        other.listens = True
        other.capabilities["resources"] = {"listChanged": True}
        other.skill("first", {"refs/a.md": b"A.\n"})
        command = place.command({"url": other.url, "subscribe": True}, isolation="process")
        with Session(command) as session:
            check(soon(lambda: names(session) == ["first"]), session.server.stderr())
            check(other.wait(lambda: other.streams, DEADLINE * SLOWNESS), "it listens")
            other.skill("second")
            other.tell(CHANGED)
            check(soon(lambda: names(session) == ["first", "second"]), session.server.stderr())
            check(len(manifests(session)["first"]) == 2, "its files")
            check(session.end() is None, "the end")


sys.exit(run_cases(checks, (own_server, families, faults_of_skills, faults_of_servers, private_addresses, very_many, changing, told,
                            flooded, mutual, asking, shared_files, kept_state, confined)))
