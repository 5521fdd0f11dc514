#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skills from our own registry that is first right and then wrong in every way. oci_faults_test.py SERVER"""
import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

from checks import Checks
from loopback import certificate
from oci_registry import LAYER, MANIFEST, SKILL, Registry, descriptor, digest
from session import Session
from source_cases import SERVER, SLOWNESS, names, reported, soon
from web_server import skill_md, tar_gz

KEY = """-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE3bfljLLNjTqZfprz7jFENRIaXQ4P
zqtgJd/wJFZkfCIv0ccU/Oqk1mm6y0J7ZyMqSDYQgpMHFFi89XFSwj/sdQ==
-----END PUBLIC KEY-----
"""
SECRET = "s3cr3t-0f-th3-r3g1stry"
# `source status` makes a source look at the start and once more for changes. A third look follows if the first one has
# failed before the list is requested.
MAX_LOOKS = 3
checks = Checks()
check = checks.check


class Place:
    """A folder for one case, and a cache that outlives a server."""

    def __init__(self, folder):
        self.folder, self.cache = Path(folder), Path(folder) / "cache"

    def command(self, config, *words, **environment):
        file = self.folder / "skillhost.json"
        file.write_text(json.dumps({"sources": [{"name": "oci", "plugin": "oci", "config": {"plain_http": True, **config}}]}))
        more = [f"{name}={value}" for name, value in environment.items()]
        return ["env", f"XDG_CACHE_HOME={self.cache}", "SKILLHOST_STARTUP_WAIT_MS=60000", *more, SERVER, "--config", str(file), *words]

    def start(self, config, *words, **environment):
        return Session(self.command(config, *words, **environment))

    def run(self, config, *words, **environment):
        return subprocess.run(self.command(config, *words, **environment), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60 * SLOWNESS, check=False)

    def status(self, config, **environment):
        """Returns the status of the source, and the log."""
        run = self.run(config, "source", "status", "--json", **environment)
        status = json.loads(run.stdout)["sources"][0]
        return status, run.stderr + "\n".join(status.get("warnings", []))

    def fresh(self, number):
        self.cache = self.folder / f"cache-{number}"


def skill(name, **files):
    return tar_gz({"SKILL.md": skill_md(name), **{path.replace("__", "/"): data for path, data in files.items()}})


def text(session, name):
    return json.dumps(session.call("tools/call", name="load_skill", arguments={"skill_name": name, "force_reload": True}))


def loads(registry, place, config=None):
    """Checks reading by tag, by digest and by index, following, and reading again with the registry away."""
    one = registry.manifest("team/one", "1", skill("one", notes__n=b"N"))
    arm = {**registry.manifest("team/two", "arm", skill("wrong")), "platform": {"os": "linux", "architecture": "arm64"}}
    amd = {**registry.manifest("team/two", "amd", skill("two"), artifact=SKILL, labels={
        "dev.toolhive.skills.name": "two", "dev.toolhive.skills.files": '["SKILL.md", "gone.md"]'}),
           "platform": {"os": "linux", "architecture": "amd64"}}
    registry.index("team/two", "1", [arm, amd], artifactType=SKILL)
    many = tar_gz({"a/SKILL.md": skill_md("three-a"), "b/SKILL.md": skill_md("three-b"), "b/gone": b"x"})
    registry.manifest("three", "latest", many, tar_gz({"b/.wh.gone": b"", "bin/sh": b"x"}, [("bin/link", "/etc/passwd")]))
    plain = registry.blob(skill_md("four"), "text/markdown", annotations={"org.opencontainers.image.title": "SKILL.md"})
    registry.manifest("four", "latest", plain)
    config = config or {"references": [f"{registry.name}/team/one@{one['digest']}", f"{registry.name}/team/two:1",
                                       f"{registry.name}/three", f"{registry.name}/four"], "refresh_minutes": 0.01}
    with place.start(config) as session:
        check(soon(lambda: names(session) == ["four", "one", "three-a", "three-b", "two"]), f"{names(session)} {session.server.stderr()}")
        check('its labels name "gone.md"' in session.server.stderr(), session.server.stderr())
        check("/etc/passwd" not in session.server.stderr(), "a link that is in no skill concerns nobody")
        begun = len(registry.requests)
        check(soon(lambda: session.tool("list_skills") and len(registry.requests) >= begun + 6), "it looks again")
        unchanged = set(registry.asked(begun))
        check(unchanged == {"HEAD /v2/team/two/manifests/1", "HEAD /v2/three/manifests/latest", "HEAD /v2/four/manifests/latest"},
              f"an unchanged look: {unchanged}")
        begun = len(registry.requests)
        changed = registry.manifest("three", "latest", many, tar_gz({"a/SKILL.md": skill_md("three-a", "Unicycle.\n")}))
        check(soon(lambda: "Unicycle" in text(session, "three-a")), "the new layer")
        fetched = [path for path in registry.asked(begun) if path.startswith("GET")]
        check(f"GET /v2/three/manifests/{changed['digest']}" in fetched and len(fetched) == 2,
              f"the manifest and the one layer that is new: {fetched}")
    return config


def served(place):
    with Registry() as registry:
        config = loads(registry, place)
    # From here on, the registry is away.
    with place.start({**config, "refresh_minutes": 60}) as session:
        check(names(session) == ["four", "one", "three-a", "three-b", "two"], f"{names(session)} {session.server.stderr()}")
        check("Unicycle" in text(session, "three-a"), "what was fetched last")


def no_network_for_digests(place):
    with Registry() as registry:
        one = registry.manifest("one", "1", skill("one"))
        config = {"references": [f"{registry.name}/one:1"], "pin": one["digest"]}
        check(place.status(config)[0]["skills"] == 1, "the first start")
        registry.manifest("one", "1", skill("other"))
        begun = len(registry.requests)
        check(place.status(config)[0]["skills"] == 1 and registry.asked(begun) == [], f"pinned: {registry.asked(begun)}")


def tag_patterns(place):
    with Registry() as registry:
        for tag in ("v1.9", "v1.10", "v2.0-rc1", "other"):
            registry.manifest("s", tag, skill(f"skill-{tag.replace('.', '-')}"))
        registry.tags("s", ["v1.9", "other"], ["v1.10", "sha256-" + "0" * 64 + ".sig"], ["v2.0-rc1"])
        for tags, take, wanted in ((["v1.*"], "newest", ["skill-v1-10"]), (["v*"], "newest", ["skill-v2-0-rc1"]),
                                   (["v*"], "all", ["skill-v1-10", "skill-v1-9", "skill-v2-0-rc1"]), (["x*"], "all", [])):
            place.fresh(f"{tags}{take}")
            with place.start({"repository": f"{registry.name}/s", "tags": tags, "take": take}) as session:
                check(names(session) == wanted, f"{tags} {take}: {names(session)} {session.server.stderr()}")
        registry.answers["/v2/s/tags/list"] = lambda handler: handler.say(200, {"Link": '</v2/s/tags/list>; rel="next"'}, b'{"tags": []}')
        status, _ = place.status({"repository": f"{registry.name}/s", "tags": ["v*"]})
        check("more than 100 pages" in status.get("failure", ""), f"pages in a circle: {status}")
        registry.answers["/v2/s/tags/list"] = lambda handler: handler.say(200, {"Link": '<https://other.example/>; rel="next"'}, b'{"tags": []}')
        status, _ = place.status({"repository": f"{registry.name}/s", "tags": ["v*"]})
        check("continues at another host" in status.get("failure", ""), f"pages elsewhere: {status}")


def catalogues(place):
    with Registry() as registry, Registry() as other:
        one, two = registry.manifest("one", "1", skill("one")), registry.manifest("list", "two", skill("two"))
        other.manifest("three", "1", skill("three"))
        lines = f"# ours\n{registry.name}/one:1\n{other.name}/three:1\nno reference\n".encode()
        registry.manifest("lines", "latest", registry.blob(lines, "text/plain"))
        registry.index("list", "latest", [two])
        with place.start({"catalogue": f"{registry.name}/lines"}) as session:
            check(names(session) == ["one"] and not other.requests, f"{names(session)} {other.requests}")
            check(f"allow_registries does not name {other.name}" in session.server.stderr() and "line 4" in session.server.stderr(),
                  session.server.stderr())
        with place.start({"catalogue": f"{registry.name}/lines", "allow_registries": [other.name]}) as session:
            check(soon(lambda: names(session) == ["one", "three"]), f"{names(session)} {session.server.stderr()}")
        with place.start({"catalogue": f"{registry.name}/list", "references": [f"{registry.name}/one@{one['digest']}"]}) as session:
            check(names(session) == ["one", "two"], f"an index: {names(session)} {session.server.stderr()}")
        # An unreadable catalogue removes nothing else, and its last entries stay.
        both = {"catalogue": f"{registry.name}/list", "references": [f"{registry.name}/one:1"]}
        with place.start({**both, "catalogue": f"{registry.name}/absent"}) as session:
            check(soon(lambda: names(session) == ["one"]), f"{names(session)} {session.server.stderr()}")
            check(soon(lambda: f"the catalogue {registry.name}/absent" in session.server.stderr()), session.server.stderr())
        place.run(both, "source", "refresh")
        kept = {key: registry.manifests.pop(key) for key in list(registry.manifests) if key[0] == "list"}
        registry.manifest("one", "1", skill("one", **{"more.md": b"more"}))
        place.run(both, "source", "refresh")
        with place.start(both) as session:
            check(soon(lambda: names(session) == ["one", "two"] and "more" in text(session, "one")),
                  f"{names(session)} {session.server.stderr()}")
        registry.manifests.update(kept)


def logins(place):
    """Checks Bearer and Basic, from the configuration and from Docker's file; with refusals, loops, and a missing
    realm."""
    with Registry() as registry:
        registry.manifest("one", "1", skill("one"))
        config = {"references": [f"{registry.name}/one:1"]}
        for scheme in ("Bearer", "Basic"):
            registry.require("ada", SECRET, scheme)
            for number, more in enumerate(({"user": "ada", "token": "env:REGISTRY_SECRET"}, {"docker_config": str(place.folder / "auth.json")})):
                place.fresh(f"{scheme}{number}")
                login = base64.b64encode(f"ada:{SECRET}".encode()).decode()
                (place.folder / "auth.json").write_text(json.dumps({"auths": {registry.name: {"auth": login}}}))
                begun = len(registry.requests)
                status, log = place.status({**config, **more}, REGISTRY_SECRET=SECRET)
                check(status["skills"] == 1 and SECRET not in log, f"{scheme} {more}: {status} {log}")
                tokens = [path for _, path, _ in registry.requests[begun:] if path.startswith("/token")]
                check(len(tokens) == (scheme == "Bearer"), f"one token for all: {registry.asked(begun)}")
                check(all("scope=repository%3Aone%3Apull" in path and "service=here" in path for path in tokens), f"{tokens}")
            place.fresh(scheme)
            for wrong in ({}, {"user": "ada", "token": "wrong"}):
                begun = len(registry.requests)
                status, log = place.status({**config, **wrong})
                check(status["state"] == "failed" and "answers 401" in status["failure"], f"{scheme} {wrong}: {status}")
                check(len(registry.requests) - begun <= MAX_LOOKS * 3, f"it ends after one login: {registry.asked(begun)}")
        # A registry that requests a wider scope, or another repository, gets no token for either.
        registry.require("ada", SECRET)
        for scope in ("repository:one:pull,push,delete", "repository:secret:pull", "registry:catalog:*", "", "repository:one:pull repository:two:push"):
            place.fresh(f"scope{len(scope)}")
            registry.scope = scope
            begun = len(registry.requests)
            status, _ = place.status({**config, "user": "ada", "token": SECRET})
            asked = [urllib.parse.parse_qs(path.partition("?")[2]).get("scope") for _, path, _ in registry.requests[begun:] if path.startswith("/token")]
            check(status["skills"] == 1 and asked == [["repository:one:pull"]], f"the challenge names {scope!r}: {asked} {status}")
        registry.scope = None
        registry.require("ada", SECRET)
        place.fresh("loop")
        registry.wanted = "Bearer never"  # whatever token it has issued
        begun = len(registry.requests)
        status, _ = place.status({**config, "user": "ada", "token": SECRET})
        check("the login is not accepted" in status.get("failure", ""), f"a circle of 401: {status}")
        asked = [path.partition("?")[0] for path in registry.asked(begun)]
        looks = len(asked) // 3
        circle = ["HEAD /v2/one/manifests/1", "GET /token", "HEAD /v2/one/manifests/1"]
        check(2 <= looks <= MAX_LOOKS and asked == circle * looks, f"asked, logged in, asked: {asked}")
        for realm, words in (("http://other.example/token", "is asked without https"), ("nothing", "is no address"),
                             ("https://127.0.0.2:1/token", "no public address")):
            registry.realm = realm
            status, log = place.status({**config, "user": "ada", "token": SECRET})
            check(words in status.get("failure", ""), f"{realm}: {status}")
        registry.realm = registry.url + "/token"
        registry.answers["/token"] = lambda handler: handler.say(200, body=b'{"token": "a\\r\\nX-Evil: 1"}')
        status, _ = place.status({**config, "user": "ada", "token": SECRET})
        check("gives no token" in status.get("failure", ""), f"a token with a line feed: {status}")
        registry.answers.clear()
        registry.require("ada", SECRET)
        login, wrong = (base64.b64encode(f"ada:{secret}".encode()).decode() for secret in (SECRET, "wrong"))
        for number, auths in enumerate(({f"{registry.name}/one": {"auth": login}, registry.name: {"auth": wrong}},
                                        {f"{registry.name}/two": {"auth": wrong}, f"https://{registry.name}/v1/": {"auth": login}})):
            place.fresh(f"podman{number}")
            (place.folder / "auth.json").write_text(json.dumps({"auths": auths, "credHelpers": {registry.name: "pass"}}))
            status, log = place.status({**config, "docker_config": str(place.folder / "auth.json")})
            check(status["skills"] == 1 and SECRET not in log, f"{auths}: {status} {log}")
        place.fresh("files")
        for content, words in (("{", "no JSON object"), (json.dumps({"credHelpers": {registry.name: "pass"}}), "docker-credential-pass"),
                               (json.dumps({"auths": {registry.name: {"identitytoken": SECRET}}}), "gives no token (401)")):
            (place.folder / "auth.json").write_text(content)
            status, log = place.status({**config, "docker_config": str(place.folder / "auth.json")})
            check(words in status.get("failure", "") and SECRET not in log, f"{content}: {status}")
    for file in place.folder.rglob("state.json"):
        check(SECRET.encode() not in file.read_bytes(), f"the secret is in {file}")


def said_once(place):
    """Checks that the status names a fault once."""
    public = place.folder / "key.pub"
    public.write_text(KEY)
    with Registry() as registry:
        for name in ("one", "two"):
            registry.manifest(name, "1", skill(name))
        of = {name: f"{registry.name}/{name}:1" for name in ("one", "two", "none")}
        for number, (chosen, more, words) in enumerate((
                (("one",), {"trusted_keys": [str(public)]}, ("no signature of it",)),
                (("one", "two"), {"trusted_keys": [str(public)]}, (f"{of['one']}: it is not signed", f"{of['two']} left out: it is not signed")),
                (("one", "none"), {}, ("none/manifests/1 answers 404",)), (("none",), {}, ("none/manifests/1 answers 404",)))):
            config = {"references": [of[name] for name in chosen], **more}
            for form in ((), ("--json",)):
                place.fresh(f"once{number}{form}")
                run = place.run(config, "source", "status", *form)
                said = run.stdout + run.stderr
                check(run.returncode == 1 and all(said.count(one) == 1 for one in words), f"{chosen} {form}: {said}")
                check("20784 days" not in said and ("stale" if chosen == ("one", "none") else "failed") in said, said)


def redirects(place):
    """Checks that another host is only asked for content with a digest, and never with a secret."""
    with Registry() as registry, Registry() as other:
        body = skill("one")
        registry.require("ada", SECRET)
        registry.manifest("one", "1", body)
        other.blobs[digest(body)] = body
        path = f"/v2/one/blobs/{digest(body)}"
        registry.answers[path] = lambda handler: handler.say(307, {"Location": f"{other.url}{path}?X-Signature=abc"})
        strict = {"references": [f"{registry.name}/one:1"], "user": "ada", "token": SECRET}
        status, _ = place.status(strict)
        check("no public address" in status.get("failure", "") and not other.requests, f"another port of this machine: {status}")
        config = {**strict, "allow_private_addresses": True}
        place.fresh(0)
        status, log = place.status(config)
        check(status["skills"] == 1, f"a blob from elsewhere: {status} {log}")
        check([given for _, _, given in other.requests] == [None], f"what another host got: {other.requests}")
        place.fresh(1)
        other.answers[path] = lambda handler: handler.say(401, {"WWW-Authenticate": f'Bearer realm="{other.url}/token"'})
        begun = len(other.requests)
        status, _ = place.status(config)
        check("answers 401" in status.get("failure", "") and {given for _, _, given in other.requests[begun:]} == {None}
              and not any("/token" in path for path in other.asked(begun)), f"another host asks for a login: {status} {other.requests}")
        registry.answers["/v2/one/manifests/1"] = lambda handler: handler.say(302, {"Location": f"{other.url}{path}"})
        begun = len(other.requests)
        status, _ = place.status(config)
        check("no digest vouches" in status.get("failure", "") and len(other.requests) == begun, f"a tag from elsewhere: {status}")
        del registry.answers["/v2/one/manifests/1"]
        registry.answers[path] = lambda handler: handler.say(307, {"Location": path})
        status, _ = place.status(config)
        check("too often" in status.get("failure", ""), f"a circle: {status}")
        registry.answers[path] = lambda handler: handler.say(307, {"Location": "http://169.254.169.254/latest"})
        status, _ = place.status(strict)
        check("no public address" in status.get("failure", ""), f"metadata: {status}")


def tls(place):
    files = certificate(place.folder)
    if files is None:
        return print("  skipped: there is no openssl here")
    with Registry(files) as registry:
        one = registry.manifest("one", "1", skill("one"))
        registry.answers["/v2/one/manifests/1"] = lambda handler: handler.say(302, {"Location": f"http://{registry.name}/x"})
        config = {"references": [f"{registry.name}/one:1"], "plain_http": False}
        status, _ = place.status(config)
        check("certificate" in status.get("failure", "").lower(), f"a certificate of nobody: {status}")
        status, _ = place.status({**config, "ca_file": files[0]})
        check("redirects to" in status.get("failure", ""), f"from https to http: {status}")
        del registry.answers["/v2/one/manifests/1"]
        status, log = place.status({**config, "ca_file": files[0]})
        check(status["skills"] == 1, f"{status} {log}")
        check(status["revision"].endswith(one["digest"]), f"{status}")
    return None


def lies(place):
    """Checks that each wrong artefact is reported, and that the rest is served."""
    ended = threading.Event()

    def endless(handler):
        handler.send_response(200)
        handler.end_headers()
        while not ended.is_set():
            handler.wfile.write(b" " * 65536)

    with Registry() as registry:
        registry.manifest("good", "1", skill("good"))
        bad = {}

        def wrong(name, words, *layers, **more):
            bad[name] = words
            return registry.manifest(name, "1", *layers, **more)

        def lying(name, words, body, told=None, **more):
            bad[name] = words
            layer = {**descriptor(told or body, LAYER), **more}
            registry.answers[f"/v2/{name}/blobs/{layer['digest']}"] = ("x", body) if isinstance(body, bytes) else body
            registry.manifest(name, "1", layer)

        lying("liar", "has the digest sha256:", skill("liar"), skill("truth", x=b"y"), size=len(skill("liar")))
        lying("short", "bytes, and the manifest says", skill("short")[:-1], skill("short"))
        lying("long", "has more than", skill("long") + b"x", skill("long"))
        lying("endless", "has more than", endless, b"x")
        wrong("too-large", "max_artefact_bytes", {**descriptor(b"x", LAYER), "size": 1 << 39})
        wrong("outside", "no path within the layer", tar_gz({"SKILL.md": skill_md("outside"), "../x": b"x"}))
        wrong("absolute", "no path within the layer", tar_gz({"SKILL.md": skill_md("absolute"), "/x": b"x"}))
        wrong("leaving", "is a link that leads", tar_gz({"SKILL.md": skill_md("leaving")}, [("l", "../../etc/passwd")]))
        wrong("bomb", "100 times its size", skill("bomb", zero=b"\0" * (12 << 20)))
        wrong("text", "damaged", b"x" * 600)
        wrong("nothing", "no layer of it holds a SKILL.md", tar_gz({"README.md": b"x"}))
        index = {"mediaType": MANIFEST, "digest": "sha256:" + "0" * 64, "size": 1}
        bad["ten-thousand"] = "10000 manifests, and there may be 1024"
        registry.index("ten-thousand", "1", [{**index, "size": i} for i in range(10_000)])
        bad["differ"] = "the others differ"
        registry.index("differ", "1", [{**registry.manifest("differ", one, skill(one)), "platform": {"os": "linux", "architecture": one}}
                                       for one in ("arm64", "s390x")])
        bad["nested"] = "names an index"
        registry.index("nested", "1", [registry.index("nested", "x", [])])
        bad["both"] = "at once"
        registry.put("both", "1", {"mediaType": MANIFEST, "layers": [], "manifests": []}, MANIFEST)
        bad["html"] = "must be a JSON object"
        registry.answers["/v2/html/manifests/1"] = ("text/html", b"<html>")
        registry.answers["/v2/html/manifests/" + digest(b"<html>")] = ("text/html", b"<html>")
        bad["swapped"] = "has the digest sha256:"
        first, second = (registry.manifest("swapped", tag, skill(tag)) for tag in ("1", "2"))
        registry.manifests["swapped", first["digest"]] = registry.manifests["swapped", "2"]
        check(second["digest"] != first["digest"], "two manifests")
        bad["long-manifest"] = "has more than 4194304 bytes"
        registry.manifest("long-manifest", "1", skill("x"))
        registry.answers[("GET", "/v2/long-manifest/manifests/" + digest(registry.manifests["long-manifest", "1"][1]))] = endless
        # If a registry gives no digest, the manifest is requested by the tag.
        registry.manifest("mute", "1", skill("mute"))
        body = registry.manifests["mute", "1"][1]
        registry.answers["/v2/mute/manifests/1"] = lambda handler: handler.say(200, {"Content-Type": MANIFEST}, body)
        references = [f"{registry.name}/{name}:1" for name in ("good", *bad, "mute")]
        with place.start({"references": references}) as session:
            check(soon(lambda: names(session) == ["good", "mute"]), f"served: {names(session)}")
            log = session.server.stderr()
        ended.set()
        for name, words in bad.items():
            check(any(f"/{name}:1" in line and words in line for line in log.splitlines()), f"{name}: {words}: {log}")
        # An index without linux/amd64 whose manifests have equal layers is one skill.
        body = skill("same")
        registry.index("same", "1", [{**registry.manifest("same", one, body, annotations={"of": one}),
                                      "platform": {"os": "linux", "architecture": one}} for one in ("arm64", "s390x")])
        with place.start({"references": [f"{registry.name}/same:1"]}) as session:
            check(names(session) == ["same"], f"{names(session)} {session.server.stderr()}")


def bad_days(place):
    """Checks a registry that is too busy, broken or gone: known skills stay, and the registry is left alone."""
    with Registry() as registry:
        for name in ("one", "two"):
            registry.manifest(name, "1", skill(name))
        config = {"references": [f"{registry.name}/{name}:1" for name in ("one", "two")]}
        check(place.status(config)[0]["skills"] == 2, "both")
        for answer, words, requests in (
                (lambda handler: handler.say(429, {"Retry-After": "7000"}), "it was asked too often", 1),
                (lambda handler: handler.say(503, {"Retry-After": "60"}), "answers 503", 1),
                (lambda handler: handler.say(500), "answers 500", 2),
                (lambda handler: handler.say(403), "reading it is not allowed", 2),
                (lambda handler: handler.say(404), "there is no such thing", 2)):
            for name in ("one", "two"):
                registry.answers[f"/v2/{name}/manifests/1"] = answer
            begun = len(registry.requests)
            with place.start(config) as session:
                check(names(session) == ["one", "two"], f"{words}: {names(session)}")
                check(soon(lambda: session.tool("list_skills") and words in session.server.stderr()), f"{words}: {session.server.stderr()}")

                # Asking for a list after a failed look makes the source look again, unless the registry told it to
                # wait.
                def each_look_asks():
                    looks = reported(session, "oci", "polls")
                    asked = len(registry.requests) - begun
                    return 0 < looks == reported(session, "oci", "polls") and asked == looks * requests
                check(soon(each_look_asks), f"{words}: {reported(session, 'oci', 'polls')} looks: {registry.asked(begun)}")
                check(requests != 1 or reported(session, "oci", "polls") == 1, f"{words}: it is left alone: {registry.asked(begun)}")
                if requests == 1 and "often" in words:
                    check("next try in 116 min" in session.server.stderr(), session.server.stderr())
        registry.answers.clear()
        # Only one of them still exists; the other one is kept.
        del registry.manifests["two", "1"]
        changed = registry.manifest("one", "1", skill("one", more=b"x"))
        place_status, log = place.status(config)
        check(changed["digest"] in place_status["revision"] and place_status["skills"] == 2, f"{place_status} {log}")


def always_busy(place):
    """Checks that an artefact that is always refused as requested too often keeps no other from being served."""
    with Registry() as registry:
        for name in ("one", "two", "three"):
            registry.manifest(name, "1", skill(name))
        registry.answers["/v2/one/manifests/1"] = lambda handler: handler.say(429, {"Retry-After": "1"})
        with place.start({"references": [f"{registry.name}/{name}:1" for name in ("one", "two", "three")]}) as session:
            check(soon(lambda: (session.tool("reload_skills_directory"), names(session))[1] == ["three", "two"]),
                  f"{names(session)} {session.server.stderr()}")


def one_of_two_busy(place):
    """Checks that a registry with Retry-After is not asked, while another one of the same source still is."""
    with Registry() as busy, Registry() as other:
        other.manifest("two", "1", skill("two"))
        busy.answers["/v2/one/manifests/1"] = lambda handler: handler.say(429, {"Retry-After": "7000"})
        with place.start({"references": [f"{busy.name}/one:1", f"{other.name}/two:1"]}) as session:
            check(soon(lambda: names(session) == ["two"]), f"{names(session)} {session.server.stderr()}")
            check("next try in 116 min" not in session.server.stderr(), session.server.stderr())
            changed = other.manifest("two", "1", skill("two", more=b"x"))
            begun = len(other.requests)
            check(soon(lambda: (session.tool("reload_skills_directory"), any(changed["digest"] in path for path in other.asked(begun)))[1]),
                  f"what is new at the other registry is read: {other.asked(begun)} {session.server.stderr()}")
            check(len(busy.requests) == 1, f"the busy one is asked once: {busy.asked()}")


def cache(place):
    """Checks a cache that is half-written, from another configuration, or damaged: nothing wrong is served."""
    with Registry() as registry:
        packed = skill("one", more=b"m" * 100)
        registry.manifest("one", "1", packed)
        config = {"references": [f"{registry.name}/one:1"]}
        check(place.status(config)[0]["skills"] == 1, "the first start")
        state = next(place.cache.rglob("state.json"))
        whole = state.read_bytes()
        layer = hashlib.sha256(packed).hexdigest()
        for changed in (whole[:len(whole) // 2], b"", whole.replace(b'"version":1', b'"version":2'), whole.replace(b"SKILL.md", b"../../x")):
            state.write_bytes(changed)
            begun = len(registry.requests)
            check(place.status(config)[0]["skills"] == 1, f"with the state {changed[:40]}")
            check(not any("/blobs/" in path for path in registry.asked(begun)), f"the layer is there by its digest: {registry.asked(begun)}")
        objects = state.parent / "objects"
        for file in objects.iterdir():
            file.write_bytes(file.read_bytes()[:-1] + b"?")
        with place.start(config) as session:
            check(soon(lambda: "Body." in text(session, "one")), f"it is fetched again: {session.server.stderr()}")
        check(hashlib.sha256((objects / layer).read_bytes()).hexdigest() == layer, "the layer is whole again")


def locked(place):
    """Checks that skillhost lock records the digests, and that --locked serves them although the tag has moved."""
    with Registry() as registry:
        first = registry.manifest("one", "1", skill("one"))
        registry.tags("many", ["v1"])
        registry.manifest("many", "v1", skill("many-one"))
        config = {"references": [f"{registry.name}/one:1"], "repository": f"{registry.name}/many"}
        run = place.run(config, "lock")
        lock = json.loads((place.folder / "skills.lock").read_text())
        check(run.returncode == 0 and first["digest"] in json.dumps(lock), f"{run} {lock}")
        registry.manifest("one", "1", skill("one", changed=b"x"))
        registry.manifest("many", "v2", skill("many-two"))
        registry.tags("many", ["v1", "v2"])
        check(place.run(config, "lock", "--check").returncode == 1, "what has changed is seen")
        for number in range(2):  # with the cache, and without
            place.fresh(f"locked-{number}")
            with place.start(config, "--locked") as session:
                check(names(session) == ["many-one", "one"], f"locked: {names(session)} {session.server.stderr()}")
                check("changed" not in text(session, "one"), "the old one")
        registry.manifests = {key: value for key, value in registry.manifests.items() if key[1] != first["digest"]}
        place.fresh("gone")
        with place.start(config, "--locked") as session:
            check(names(session) == [] and "answers 404" in session.server.stderr(), f"the locked one is gone: {session.server.stderr()}")


def killed(place):
    """Checks that after a kill during a fetch, the next start has everything or fetches it."""
    with Registry() as registry:
        wanted = []
        for i in range(20):
            registry.manifest(f"s{i}", "1", skill(f"skill-{i}", data=os.urandom(20_000)))
            wanted.append(f"{registry.name}/s{i}:1")
        config = {"references": wanted}
        for step in range(6):
            process = subprocess.Popen(place.command(config, "source", "status"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(0.03 * (step + 1) * SLOWNESS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        with place.start(config) as session:
            check(soon(lambda: len(names(session)) == 20), f"{names(session)} {session.server.stderr()}")


def main():
    wanted = sys.argv[2:]
    for case in (served, no_network_for_digests, tag_patterns, catalogues, logins, said_once, redirects, tls, lies, bad_days, always_busy, one_of_two_busy, cache, locked, killed):
        if wanted and case.__name__ not in wanted:
            continue
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="skillhost-oci-") as folder:
            case(Place(folder))
        print(f"{case.__name__} {time.monotonic() - begun:.1f} s", flush=True)
    return checks.finish()


sys.exit(main())
