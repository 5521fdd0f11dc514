#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skills from well-known indexes, honest ones and others, and the way back: this server reads its own index.
well_known_test.py SERVER ROOT"""
import gzip
import hashlib
import json
import os
import random
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

from checks import Checks
from http_server import Running
from session import Session, write_skill
from source_cases import SERVER, SLOWNESS, names, soon
from web_server import FOLDER, Publisher, digest, skill_md, tar_gz, zipped

ROOT = Path(sys.argv[2])
CORPUS = ROOT.parent / "shared/corpora/real-skills.tar.gz"
INDEX = FOLDER + "index.json"
CATALOG = "/.well-known/ai-catalog.json"
TOKEN = "s3cr3t-f0r-th3-1nd3x"
checks = Checks()
check = checks.check


class Place:
    """A folder for one case, and a cache that outlives a server."""

    def __init__(self, folder):
        self.folder, self.cache = Path(folder), Path(folder) / "cache"
        self.publishers = []

    def publisher(self, *options):
        """Starts this server over HTTP; it ends when the case ends, however that ends."""
        self.publishers.append(Running(SERVER, *options))
        return self.publishers[-1]

    def command(self, config, *words, **environment):
        file = self.folder / "skillhost.json"
        file.write_text(json.dumps({"sources": [{"name": "web", "plugin": "well_known", "config": config}]}))
        more = [f"{name}={value}" for name, value in environment.items()]
        return ["env", f"XDG_CACHE_HOME={self.cache}", "SKILLHOST_STARTUP_WAIT_MS=60000", *more,
                SERVER, "--config", str(file), *words]

    def start(self, config, **environment):
        return Session(self.command(config, **environment))

    def status(self, config, **environment):
        """Returns the status of the source, and the log."""
        run = subprocess.run(self.command(config, "source", "status", "--json", **environment), stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=60 * SLOWNESS)
        status = json.loads(run.stdout)["sources"][0]
        return status, run.stderr + "\n".join(status.get("warnings", []))


def manifests(session):
    """Returns the served files by skills/list: name → path → digest."""
    found, cursor = {}, {}
    while True:
        page = session.call("skills/list", **cursor)
        for skill in page["skills"]:
            root = skill["uri"].removesuffix("SKILL.md")
            found[root.rstrip("/").rsplit("/", 1)[1]] = {
                urllib.parse.unquote(one["uri"].removeprefix(root)): one["digest"] for one in skill["resources"]}
        if "nextCursor" not in page:
            return found
        cursor = {"cursor": page["nextCursor"]}


def on_disk(root):
    """Returns the same of folders with a SKILL.md."""
    found = {}
    for entry in Path(root).rglob("SKILL.md"):
        files = [file for file in entry.parent.rglob("*") if file.is_file()]
        found[entry.parent.name] = {str(file.relative_to(entry.parent)): "sha256:" + hashlib.sha256(file.read_bytes()).hexdigest()
                                    for file in files}
    return found


def round_trip(place, skills, least):
    """Checks that published skills are read again, byte for byte, also when the server has gone."""
    expected = on_disk(skills)
    server = place.publisher(str(skills), "--set", "http.publish=*", "--log-level", "DEBUG")
    response, text = server.ask("GET", INDEX)
    published = {one["name"]: one for one in json.loads(text)["skills"]}
    check(response.status == 200 and len(published) >= least, f"published: {response.status} {sorted(published)}")
    for one in published.values():
        archive = len(expected[one["name"]]) > 1
        check(len(one["description"]) <= 1024, f"the description of {one}")
        check(one["type"] == ("archive" if archive else "skill-md"), f"the type of {one}")
    config = {"url": f"http://127.0.0.1:{server.port}"}
    begun = time.monotonic()
    with place.start(config) as session:
        got = manifests(session)
        print(f"  {len(published)} skills, {sum(map(len, got.values()))} files, from start to manifests "
              f"{time.monotonic() - begun:.2f} s")
        with Session([SERVER, "--skills-dir", str(skills)]) as near:
            listed = set(manifests(near)) & set(published)  # some break a rule of the extension that skills/list belongs to
        check(set(got) == listed and len(got) >= least, f"served: {sorted(got)} and not {sorted(listed)}")
        check(session.tool("list_skills", limit=100)["total"] == len(published), "as many as are published")
        for name in got:
            check(got[name] == expected[name], f"{name}: {got[name]} and not {expected[name]}")
        check(session.end() is None, "the end")
    check(server.end() == 0, "the publisher's end")
    begun = time.monotonic()
    with place.start(config) as session:
        check(manifests(session).keys() == got.keys(), "served with the server away")
        print(f"  with the server away the same after {time.monotonic() - begun:.2f} s")
        check(soon(lambda: session.tool("list_skills") and "ago; next try in" in session.server.stderr()), session.server.stderr())


def examples(place):
    round_trip(place, ROOT / "examples/skills", 4)


def corpus(place):
    if not CORPUS.is_file():
        return print("  skipped: there is no corpus of skills here")
    with tarfile.open(CORPUS) as archive:
        members = [one for one in archive.getmembers() if one.isfile()]
        roots = sorted({str(Path(one.name).parent) for one in members if Path(one.name).name == "SKILL.md"})
        chosen, taken = {}, set()
        for root in roots:
            name = Path(root).name
            inner = any(other != root and (other.startswith(root + "/") or root.startswith(other + "/")) for other in roots)
            if name not in taken and not inner and name.replace("-", "").isalnum() and name == name.lower() and len(chosen) < 48:
                chosen[root] = name
                taken.add(name)
        for one in members:
            root = next((root for root in chosen if one.name.startswith(root + "/")), None)
            if root:
                to = place.folder / "skills" / chosen[root] / one.name[len(root) + 1:]
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(archive.extractfile(one).read())
    for entry in list((place.folder / "skills").rglob("SKILL.md")):
        if f"name: {entry.parent.name}\n" not in entry.read_text(errors="replace"):
            for file in sorted(entry.parent.rglob("*"), reverse=True):
                file.rmdir() if file.is_dir() else file.unlink()
    round_trip(place, place.folder / "skills", 24)


def over_http(place):
    """Checks ETag, HEAD, and missing paths; and rules of visibility while no caller is identified."""
    for name in ("open", "secret", "Odd_Name"):
        write_skill(place.folder / "skills" / ("hr" if name == "secret" else "all"), name, "Does it.")
    folders = [str(place.folder / "skills" / name) for name in ("all", "hr")]
    server = place.publisher(folders[0], "--skills-dir", folders[1], "--set", "http.publish=*",
                     "--set", 'access.visibility=[{"sources": ["hr"], "scopes": ["hr"]}]')
    response, text = server.ask("GET", INDEX)
    index = json.loads(text)
    check([one["name"] for one in index["skills"]] == ["open"], f"published: {index}")
    check(response.headers["Content-Type"] == "application/json" and "max-age" in response.headers["Cache-Control"], "its fields")
    tag = response.headers["ETag"]
    for given, status in ((tag, 304), (f'W/{tag}', 304), (f'"x", {tag}', 304), ("*", 304), ('"x"', 200)):
        response, text = server.ask("GET", INDEX, If_None_Match=given)
        check(response.status == status and bool(text) == (status == 200), f"If-None-Match: {given}: {response.status}")
    response, text = server.ask("HEAD", INDEX)
    check(response.status == 200 and not text and response.headers["ETag"] == tag, "HEAD")
    response, text = server.ask("GET", index["skills"][0]["url"])
    check(digest(text.encode()) == index["skills"][0]["digest"], "the digest holds")
    check(response.headers["Content-Type"].startswith("text/markdown"), "markdown")
    for path in ("secret/SKILL.md", "open.tar.gz", "open", "../open/SKILL.md", "Odd_Name/SKILL.md", "open/SKILL.md/", ""):
        check(server.ask("GET", FOLDER + path)[0].status == 404, path)
    check(server.ask("POST", INDEX, {})[0].status == 405, "POST")
    check(server.ask("GET", INDEX, Host="evil.example")[0].status == 403, "a foreign Host")
    write_skill(folders[0], "later", "Does it later.")
    check(soon(lambda: "later" in server.ask("GET", INDEX)[1]), "what is new is published")
    check(server.end() == 0, "its end")
    server = place.publisher(folders[0])
    check(server.ask("GET", INDEX)[0].status == 404, "nothing is published by default")
    server.end()


def ai_catalog(place):
    """Checks the AI Catalog: it lists the skills of the index, with the URLs and the digests of their files."""
    write_skill(place.folder / "skills/all", "plain", 'Says "yes".')
    write_skill(place.folder / "skills/all", "packed", "Has a file.")
    (place.folder / "skills/all/packed/notes.md").write_text("More.\n")
    write_skill(place.folder / "skills/all", "leaky", "Has a key.")
    (place.folder / "skills/all/leaky/key.txt").write_text("The key is " + "AKIA" + "Q3ZV7XKM2LWR5TYB.\n")
    write_skill(place.folder / "skills/hr", "secret", "Is for few.")
    domain = "https://skills.example.org"
    server = place.publisher(str(place.folder / "skills/all"), "--skills-dir", str(place.folder / "skills/hr"),
                             "--set", "http.publish=*", "--set", f"http.public_url={domain}/team/mcp",
                             "--set", 'access.visibility=[{"sources": ["hr"], "scopes": ["hr"]}]')
    response, text = server.ask("GET", CATALOG)
    check(response.status == 200 and response.headers["Content-Type"] == "application/ai-catalog+json", f"the catalog: {response.status}")
    index, (other, _) = json.loads(server.ask("GET", INDEX)[1])["skills"], server.ask("GET", INDEX)
    tag = response.headers["ETag"]
    check(tag != other.headers["ETag"] and server.ask("GET", CATALOG, If_None_Match=tag)[0].status == 304, "its own tag")
    check(server.ask("GET", INDEX, If_None_Match=tag)[0].status == 200, "which is not the tag of the index")
    check(server.ask("POST", CATALOG, {})[0].status == 405, "POST")
    catalog = json.loads(text)
    check([one["name"] for one in index] == ["packed", "plain"], f"published: {index}")
    check(catalog["specVersion"] == "1.0" and [(one["identifier"], one["digest"], one["url"], one["description"]) for one in catalog["entries"]] ==
          [(f"urn:air:skills.example.org:skill:{one['name']}", one["digest"], domain + one["url"], one["description"]) for one in index],
          f"the same skills: {catalog} {index}")
    for one in catalog["entries"]:
        connection, response = server.open("GET", one["url"].removeprefix(domain))
        check(digest(response.read()) == one["digest"], f"the digest holds: {one}")
        connection.close()
    lines = sum("leaky is not published" in line for line in server.log)
    check(lines == 1, f"the log says once what is left out: {lines}")
    server.end()
    server = place.publisher(str(place.folder / "skills/all"), "--set", "http.publish=*")
    check(server.ask("GET", CATALOG)[0].status == 404, "a server without a domain has no catalog")
    server.end()
    server = place.publisher(str(place.folder / "skills/all"), "--set", f"http.public_url={domain}/mcp")
    check(server.ask("GET", CATALOG)[0].status == 404, "nothing is published by default")
    server.end()


def token_needed(place):
    """Checks that with an auth plugin only permitted readers get the index, or everybody if the configuration says
    so."""
    write_skill(place.folder / "skills", "plain", "Does it.")
    tokens = place.folder / "tokens"
    token = subprocess.run([SERVER, "token", "add", "alice", "--scope", "skills:read", "--file", str(tokens)],
                           capture_output=True, text=True, timeout=60, check=True).stdout.split()[-1]
    auth = ("--auth", "static", "--set", "auth.config=" + json.dumps({"file": str(tokens)}), "--set", "http.publish=*",
            "--set", "http.public_url=https://skills.example.org/mcp")
    server = place.publisher(str(place.folder / "skills"), *auth)
    response, _ = server.ask("GET", INDEX)
    check(response.status == 401 and "WWW-Authenticate" in response.headers, f"without a token: {response.status}")
    check(server.ask("GET", CATALOG)[0].status == 401, "the catalog needs one, too")
    response, text = server.ask("GET", INDEX, Authorization=f"Bearer {token}")
    check(response.status == 200 and "plain" in text and "private" in response.headers["Cache-Control"], "with one")
    config = {"url": f"http://127.0.0.1:{server.port}", "token": "env:INDEX_TOKEN"}
    status, log = place.status(config, INDEX_TOKEN=token)
    check(status["skills"] == 1 and token not in log, f"the source with the token: {status} {log}")
    server.end()
    server = place.publisher(str(place.folder / "skills"), *auth, "--set", "http.publish_openly=true")
    response, text = server.ask("GET", INDEX)
    check(response.status == 200 and "plain" in text and "public" in response.headers["Cache-Control"], "openly")
    check(":plain" in server.ask("GET", CATALOG)[1], "and the catalog")
    server.end()


def followed(place):
    """Checks the requests: an unchanged index takes one request, a changed skill is fetched alone, and a removed one
    disappears."""
    with Publisher() as web:
        for name in ("alpha", "beta", "gamma"):
            web.entry(name, skill_md(name))
        with place.start({"url": web.url, "refresh_minutes": 0.01}) as session:
            check(names(session) == ["alpha", "beta", "gamma"], f"listed: {names(session)} {session.server.stderr()}")
            check(sorted(web.asked()[1:4]) == sorted(FOLDER + f"{name}/SKILL.md" for name in ("alpha", "beta", "gamma")), web.asked())
            begun = len(web.requests)
            check(soon(lambda: session.tool("list_skills") and len(web.requests) >= begun + 2), "it looks again")
            check(set(web.asked(begun)) == {INDEX}, f"an unchanged look: {web.asked(begun)}")
            begun = len(web.requests)
            web.drop("beta")
            web.entry("beta", skill_md("beta", "Unicycle.\n"))
            check(soon(lambda: "Unicycle" in json.dumps(session.call("tools/call", name="load_skill", arguments={
                "skill_name": "beta", "force_reload": True}))), "the new text")
            check([path for path in web.asked(begun) if path != INDEX] == [FOLDER + "beta/SKILL.md"], f"fetched: {web.asked(begun)}")
            web.drop("gamma")
            check(soon(lambda: names(session) == ["alpha", "beta"]), "gone")


def moved(place):
    """Checks an index that lies elsewhere on the same server: the tag of the last answer counts."""
    given = []

    def answer(handler):
        given.append(handler.headers.get("If-None-Match"))
        if given[-1] == '"right"':
            return handler.say(304, {"ETag": '"right"'})
        return handler.say(200, {"ETag": '"right"'}, index)

    with Publisher() as web:
        web.entry("alpha", skill_md("alpha"))
        index = web.answers[INDEX]
        web.answers["/index.json"] = answer
        web.answers[INDEX] = lambda handler: handler.say(302, {"Location": "/index.json", "ETag": '"wrong"'})
        with place.start({"url": web.url, "refresh_minutes": 0.01}) as session:
            check(names(session) == ["alpha"], f"listed: {names(session)} {session.server.stderr()}")
            check(soon(lambda: session.tool("list_skills") and len(given) >= 2), "it looks again")
            check(given[:2] == [None, '"right"'], f"If-None-Match: {given}")


def archives(place):
    """Checks both forms, names beyond ASCII and links within; and archives that nobody should unpack."""
    files = {"SKILL.md": b"", "scripts/run.sh": b"#!/bin/sh\n", "références/été.md": "é\n".encode()}

    def of(name, **more):
        return {**files, "SKILL.md": skill_md(name), **more}

    huge = b"\0" * (12 << 20)
    with Publisher() as web:
        web.entry("gnu", tar_gz(of("gnu")), "archive")
        web.entry("pax", tar_gz(of("pax"), form=tarfile.PAX_FORMAT), "archive")
        web.entry("zipped", zipped(of("zipped")), "archive")
        web.entry("dotted", tar_gz({"./" + path: data for path, data in of("dotted").items()}), "archive")
        web.entry("linked", tar_gz(of("linked"), [("copy.md", "scripts/../SKILL.md")]), "archive")
        bad = {"bomb": (tar_gz(of("bomb", **{"zero": huge})), "100 times as large"),
               "zip-bomb": (zipped(of("zip-bomb", zero=huge)), "100 times as large"),
               "outside": (tar_gz(of("outside", **{"../x": b"x"})), "no safe path"),
               "absolute": (tar_gz(of("absolute", **{"/x": b"x"})), "no safe path"),
               "leaving": (tar_gz(of("leaving"), [("l", "../../etc/passwd")]), "leads to no file"),
               "circle": (tar_gz(of("circle"), [("a", "b"), ("b", "a")]), "in a circle"),
               "wrapped": (tar_gz({"wrapped/SKILL.md": skill_md("wrapped")}), "no SKILL.md at its root"),
               "cased": (tar_gz(of("cased", **{"a.md": b"", "A.md": b""})), "only in case"),
               "many": (tar_gz(of("many", **{f"f{i}": b"" for i in range(600)})), "one file more than the 512"),
               "deep": (tar_gz(of("deep", **{"a/" * 30 + "x": b""})), "too long a path"),
               "cut": (tar_gz(of("cut", big=os.urandom(5000)))[:-3000], "cannot be unpacked"),
               "text": (b"no archive at all", "neither a .tar.gz nor a .zip"),
               "twice": (gzip.compress(tar_gz(of("twice"))), "compressed more than once")}
        for name, (body, _) in bad.items():
            web.entry(name, body, "archive")
        with place.start({"url": web.url}) as session:
            got = manifests(session)
            log = session.server.stderr()
            check(sorted(got) == ["dotted", "gnu", "linked", "pax", "zipped"], f"served: {sorted(got)} {log}")
            for name, paths in got.items():
                more = {"copy.md"} if name == "linked" else set()
                check(set(paths) == set(files) | more, f"{name}: {sorted(paths)}")
            check(got["linked"]["copy.md"] == got["linked"]["SKILL.md"], "a link is a copy")
            for name, (_, words) in bad.items():
                check(any(f"skill {name} " in line and words in line for line in log.splitlines()), f"{name}: {words}: {log}")


def lies(place):
    """Checks that each wrong entry is reported, and the rest is served."""
    def slow(handler):
        handler.say(200, body=b"-", length=1000)
        handler.wfile.flush()
        handler.connection.recv(1)

    def endless(handler):
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * 65536)

    def redirect(target):
        return lambda handler: handler.say(302, {"Location": target})

    with Publisher() as web, Publisher() as other:
        good = skill_md("moved")
        other.answers["/moved"] = good
        web.entry("good", skill_md("good"))
        web.entry("liar", skill_md("liar"), digest=digest(b"other"))
        web.entry("slow", slow)
        web.entry("endless", endless)
        web.entry("cut", lambda handler: handler.say(200, body=b"half", length=100))
        web.entry("away", redirect(other.url + "/moved"))
        web.entry("metadata", redirect("http://169.254.169.254/latest"))
        web.entry("file", redirect("file:///etc/passwd"))
        web.entry("round", redirect(FOLDER + "round/SKILL.md"))
        web.entry("foreign", good, url=other.url + "/moved")
        web.entry("missing", b"x", serve=False)
        web.entry("failing", lambda handler: handler.say(500))
        web.entry("encoded", b"x", digest="sha256:" + "A" * 64)
        web.entry("good", skill_md("good", "Another.\n"), serve=False)
        web.entry("../up", skill_md("up"))
        web.entry("Caps", skill_md("caps"))
        web.entry("odd", skill_md("odd"), "wasm")
        web.entry("no-digest", skill_md("no-digest"), digest=None)
        web.entry("no-url", skill_md("no-url"), url="ftp://x/y")
        web.entry("last", skill_md("last"))
        web.entries.append("no object")
        web.publish()
        config = {"url": web.url, "token": TOKEN, "deadline_ms": 12000, "max_skill_bytes": 1 << 20}
        with place.start(config) as session:
            check(soon(lambda: names(session) == ["good", "last"]), f"served: {names(session)} {session.server.stderr()}")
            # The skills are served before the log names the missing ones.
            check(soon(lambda: session.tool("list_skills") and "cannot be fetched: " in session.server.stderr()), session.server.stderr())
            log = session.server.stderr()
        for words in ('skill liar left out', 'has the digest sha256:', 'skill round left out', 'redirects too often',
                      'skill away left out', f'of another origin, {other.url}', 'skill foreign left out', 'skill metadata left out',
                      'answers 404: there is no such file', 'cannot be fetched: ', 'an earlier entry has that name',
                      '"../up" left out: name: must be 1 to 64', '"Caps" left out: name', 'type: "wasm" is none that is known',
                      '"no-digest" left out: digest: must be', '"encoded" left out: digest', '"no-url" left out: url: "ftp://x/y"',
                      'skills[20] left out: it is no object', "skill endless left out"):
            check(words in log, f"{words}: {log}")
        check(other.requests == [], f"another host was asked: {other.requests}")
        check(all(token == f"Bearer {TOKEN}" for _, token in web.requests), "the token goes with each request")
        check(TOKEN not in log, "the token is in the log")
        # The other origin is named in the configuration: the plugin asks it, without the token.
        web.entries = [one for one in web.entries[:-1] if one["name"] in ("foreign", "last")]
        web.entries[0]["name"] = "moved"
        web.publish()
        place.cache = place.folder / "second"
        status, log = place.status(dict(config, allow_origins=[other.url]))
        check(status["skills"] == 2 and len(other.requests) == 1, f"{status} {log}")
        check({token for _, token in other.requests} == {None}, "the token went to another host")
    for file in [path for path in place.folder.rglob("state.json")]:
        check(TOKEN.encode() not in file.read_bytes(), f"the token is in {file}")


def asked_too_often(place):
    """Checks that after 429 for one file no other is asked for; a file that is always refused keeps none of the
    others away."""
    refused, wait = threading.Event(), "7000"

    def refuse(handler):
        handler.say(429, {"Retry-After": wait})
        refused.set()

    def later(body):
        def answer(handler):
            refused.wait()
            handler.say(200, body=body)
        return answer

    with Publisher() as web:
        wanted = [f"skill-{i:02}" for i in range(20)]
        for name in wanted:
            web.entry(name, skill_md(name))
            web.answers[FOLDER + f"{name}/SKILL.md"] = later(skill_md(name))
        web.answers[FOLDER + f"{wanted[0]}/SKILL.md"] = refuse
        with place.start({"url": web.url}) as session:
            check(soon(lambda: session.listing() and "of 20 skills cannot be fetched" in session.server.stderr()), session.server.stderr())
            files = [path for path in web.asked() if path != INDEX]
            check(len(files) == 6, f"those that were under way: {files}")
        wait, place.cache = "1", place.folder / "always"
        with place.start({"url": web.url}) as session:
            check(soon(lambda: (session.tool("reload_skills_directory"), names(session))[1] == wanted[1:]), f"{names(session)}")


def wrong_indexes(place):
    """Checks whole indexes that are wrong: nothing is served, and the failure names the reason."""
    many = [{"name": f"s{i}", "type": "skill-md", "description": "d", "url": "/x", "digest": "sha256:" + "0" * 64} for i in range(100_000)]

    def endless(handler):
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b" " * (1 << 20))

    def silent(handler):
        handler.say(200, body=b"{", length=1000)
        handler.wfile.flush()
        handler.connection.recv(1)

    def dripping(handler):
        handler.send_response(200)
        handler.end_headers()
        while not ended.wait(0.05):
            handler.wfile.write(b" " * 1000)
            handler.wfile.flush()

    ended = threading.Event()

    with Publisher() as web:
        web.publish()
        cases = {"wrong JSON": (b'{"skills": [', "must be a JSON object"), "no object": (b"[]", "must be a JSON object"),
                 "wrong UTF-8": (b'{"$schema": "\xff"}', "valid UTF-8"), "names twice": (b'{"skills": [], "skills": []}', "a name twice"),
                 "deep": (b"[" * 100_000, "must be a JSON object"), "no version": (b'{"skills": []}', "has no $schema"),
                 "another version": (json.dumps({"$schema": "https://schemas.agentskills.io/discovery/9.0.0/schema.json",
                                                 "skills": []}).encode(), "of a version that is not known"),
                 "no skills": (json.dumps({"$schema": json.loads(web.answers[INDEX])["$schema"]}).encode(), 'no list "skills"'),
                 "endless": (endless, "has more than 33554432 bytes"), "silent": (silent, "too slow"), "dripping": (dripping, "(deadline_ms)"),
                 "cut": (lambda handler: handler.say(200, body=b"{}", length=1000), "cannot be asked"),
                 "a long head": (lambda handler: handler.say(200, {f"X-{i}": "x" * 1000 for i in range(80)}, b"{}"), "cannot be asked"),
                 "gone": (None, "answers 404"), "elsewhere": (lambda handler: handler.say(301, {"Location": "https://other.example/"}),
                                                            "of another origin, https://other.example"),
                 "asked too often": (lambda handler: handler.say(429, {"Retry-After": "7000"}), "next try in 116 min")}
        for name, (body, words) in cases.items():
            web.answers[INDEX] = body
            status, log = place.status({"url": web.url, "deadline_ms": {"silent": 8000, "dripping": 3000}.get(name, 60000)})
            check(status["state"] == "failed" and words in status["failure"], f"{name}: {status} {log}")
        ended.set()
        web.entries = many
        web.publish()
        begun = time.monotonic()
        status, log = place.status({"url": web.url, "max_skills": 3})
        print(f"  an index of 100,000 entries, {len(web.answers[INDEX])} bytes, is read in {time.monotonic() - begun:.2f} s")
        check("99997 entries, left out: there may be 3 (max_skills)" in log, log)
    name = socket.gethostname()
    try:
        socket.getaddrinfo(name, 443)
    except OSError:
        return print("  skipped: this machine's name has no address")
    status, log = place.status({"url": f"https://{name}:1"})
    check("which is no public address (allow_private_addresses)" in status.get("failure", ""), f"a private address: {status} {log}")
    return None


def without_digests(place):
    """Checks an index of version 0.1.0: served only if that is allowed, followed file by file, and never called verified."""
    older = "/.well-known/skills/"

    def publish(**skills):
        for name, files in skills.items():
            web.answers.update({f"{older}{name}/{urllib.parse.quote(path)}": data for path, data in files.items()})
        web.answers[older + "index.json"] = json.dumps({"skills": [
            {"name": name, "description": "d", "files": list(files)} for name, files in skills.items()]}).encode()

    with Publisher() as web:
        one, two = {"SKILL.md": skill_md("one"), "a b/ü#.md": b"deep"}, {"SKILL.md": skill_md("two")}
        publish(one=one, two=two, **{"gone-file": {"SKILL.md": skill_md("gone-file"), "gone": b""}})
        del web.answers[older + "gone-file/gone"]
        status, _ = place.status({"url": web.url})
        check(status["state"] == "failed" and "/.well-known/skills/index.json has no $schema" in status["failure"]
              and "allow_unverified: true" in status["failure"], f"{status}")
        check(not any("SKILL.md" in path for path in web.asked()), f"nothing else is asked: {web.asked()}")
        config = {"url": web.url, "allow_unverified": True, "refresh_minutes": 0.01}
        with place.start(config) as session:
            expected = {name: {path: digest(data) for path, data in files.items()} for name, files in (("one", one), ("two", two))}
            check(manifests(session) == expected, f"{manifests(session)} {session.server.stderr()}")
            log = session.server.stderr()
            check("skill gone-file left out" in log and "it has no digests" in log, log)
            skill = session.call("tools/call", name="load_skill", arguments={"skill_name": "one"})
            facts = skill["_meta"]["org.skillhost/facts"]
            check(facts["integrity"] == "none" and "archive_digest" not in facts and facts["index"] == web.url + older + "index.json"
                  and facts["archive"] == web.url + older + "one/SKILL.md", f"{facts}")
            # The index stays, and a file changes. Then a file fails, and the skill stays as it was.
            web.answers[older + "one/SKILL.md"] = skill_md("one", "New.\n")
            check(soon(lambda: manifests(session)["one"]["SKILL.md"] == digest(skill_md("one", "New.\n"))), f"{manifests(session)}")
            begun, web.answers[older + "two/SKILL.md"] = len(web.requests), lambda handler: handler.say(500)
            check(soon(lambda: web.asked(begun).count(older + "two/SKILL.md") > 0 and "1 of 3 skills cannot be fetched" in session.server.stderr()
                       and names(session)), session.server.stderr())
            check(names(session) == ["one", "two"], f"{names(session)}")
        served = web.answers
        web.answers = {}
        with place.start(config) as session:
            check(names(session) == ["one", "two"], "from the cache, with the server away")
        with place.start({**config, "allow_unverified": False}) as session:
            check(names(session) == [], "what is in the cache is not verified either")
        # An index with digests takes precedence.
        web.answers = served
        web.entry("three", skill_md("three"))
        begun = len(web.requests)
        with place.start(config) as session:
            check(soon(lambda: names(session) == ["three"]), f"{names(session)} {session.server.stderr()}")
            skill = session.call("tools/call", name="load_skill", arguments={"skill_name": "three"})
            check(skill["_meta"]["org.skillhost/facts"]["integrity"] == "sha256", f"{skill}")
        check(not any(path.startswith(older) for path in web.asked(begun)), f"{web.asked(begun)}")
        # Limits of a skill hold for its files together.
        del web.answers[INDEX]
        publish(one={"SKILL.md": skill_md("one"), "large": b"x" * 6000, "larger": b"x" * 6000})
        place.cache = place.folder / "other"
        status, log = place.status({"url": web.url, "allow_unverified": True, "max_skill_bytes": 10_000})
        check("more than 10000 bytes (max_skill_bytes)" in log, f"{status} {log}")


def cache(place):
    """Checks caches that are half-written, from a newer version, damaged, or without a place: a start never fails,
    and nothing wrong is served."""
    with Publisher() as web:
        web.entry("one", skill_md("one"))
        web.entry("two", tar_gz({"SKILL.md": skill_md("two"), "more.md": b"more"}), "archive")
        config = {"url": web.url}
        check(place.status(config)[0]["skills"] == 2, "the first start")
        state = next(place.cache.rglob("state.json"))
        whole = state.read_bytes()
        for text in (whole[:len(whole) // 2], b"", whole.replace(b'"version":1', b'"version":2'),
                     whole.replace(b"SKILL.md", b"../../../x")):
            state.write_bytes(text)
            begun = len(web.requests)
            check(place.status(config)[0]["skills"] == 2, f"with the state {text[:40]}")
            check(set(web.asked(begun)) == {INDEX}, f"what is there by its digest is not fetched: {web.asked(begun)}")
        state.write_bytes(whole)
        objects = sorted((state.parent / "objects").iterdir())
        check(len(objects) == 2, f"{objects}")
        for damaged in objects:
            body = damaged.read_bytes()
            damaged.write_bytes(body[:-1] + b"?")
        with place.start(config) as session:
            check(soon(lambda: names(session) == ["one", "two"]), f"{names(session)} {session.server.stderr()}")
            got = manifests(session)
            check(got["one"]["SKILL.md"] == digest(skill_md("one")), f"damaged bytes are not served: {got}")
        (state.parent / "objects" / "x").write_text("")
        status, _ = place.status(config)
        check(status["skills"] == 2, "after it was fetched again")
        for path in sorted(place.cache.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        state.parent.mkdir(parents=True)
        (state.parent / "objects").write_text("in the way")
        status, log = place.status(config)
        check(status["skills"] == 2 and "nothing is kept for the next start" in log, f"{status} {log}")


def killed(place):
    """Kills the server at any instant while it fetches, twelve times, two at once: the next start has everything, or
    fetches it."""
    with Publisher() as web:
        for i in range(40):
            name = f"skill-{i}"
            web.entry(name, tar_gz({"SKILL.md": skill_md(name), "data": os.urandom(20_000)}), "archive")
        for _ in range(6):
            both = [subprocess.Popen(place.command({"url": web.url}, "source", "status"), stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
            for process in both:
                try:
                    process.wait(random.uniform(0, 0.4) * SLOWNESS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        begun = len(web.requests)
        with place.start({"url": web.url}) as session:
            check(soon(lambda: len(names(session)) == 40), f"{names(session)} {session.server.stderr()}")
            got = manifests(session)
            for path, body in web.answers.items():
                name = path.removeprefix(FOLDER).removesuffix(".archive")
                if name in got:
                    check(got[name]["SKILL.md"] == digest(skill_md(name)), f"{name}: {got[name]}")
            check(len(got) == 40, f"{sorted(got)}")
            print(f"  {len(web.asked(begun))} requests at the last start, {begun} at those before")


def main():
    wanted = sys.argv[3:]
    for case in (examples, corpus, over_http, ai_catalog, token_needed, followed, moved, archives, lies, asked_too_often, wrong_indexes, without_digests, cache, killed):
        if wanted and case.__name__ not in wanted:
            continue
        print(case.__name__, flush=True)
        with tempfile.TemporaryDirectory(prefix="skillhost-well-known-") as folder:
            place = Place(folder)
            try:
                case(place)
            finally:
                for one in place.publishers:
                    one.process.kill()
                    one.process.wait()
    return checks.finish()


sys.exit(main())
