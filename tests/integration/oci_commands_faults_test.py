#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `skillhost skill push` and `pull`, and signatures, with our own registry that is first right and then wrong
in every way. oci_commands_faults_test.py SERVER"""
import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from checks import SLOWNESS, Checks
from distribution import SIGNATURE, STATEMENT, Key, signature_manifest, signature_tag, statement
from oci_cases import run_cases
from oci_registry import INDEX, MANIFEST, Registry, descriptor, digest
from session import Session, write_skill
from web_server import skill_md, tar_gz

SERVER = str(Path(sys.argv[1]).resolve())
SECRET = "s3cr3t-0f-th3-pu5h3r"
checks = Checks()
check = checks.check


class Place:
    """A folder for one case, used as home and as working directory."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.environment = {**os.environ, "HOME": str(folder), "SKILLHOST_CONFIG": ""}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "DOCKER_CONFIG"):
            self.environment.pop(name, None)
        write_skill(self.folder, "pdf", "Reads PDF.")

    def run(self, *words, code=0, **environment):
        """Runs skillhost skill … and returns its output, or its errors if `code` is not 0."""
        run = subprocess.run([SERVER, "skill", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=60 * SLOWNESS, check=False, env={**self.environment, **environment}, cwd=self.folder)
        check(run.returncode == code, f"{words} ends with {code}: {run.returncode} {run.stdout} {run.stderr}")
        check(SECRET not in run.stdout + run.stderr, f"{words}: the secret is in what it says")
        return run.stdout if code == 0 else run.stderr

    def push(self, registry, *words, tag="1", code=0, **environment):
        return self.run("push", "./pdf", f"{registry.name}/team/pdf:{tag}", "--plain-http", *words, code=code, **environment)

    def pull(self, reference, *words, code=0):
        said = self.run("pull", reference, "--plain-http", "--into", "out", *words, code=code)
        check(code == 0 or not list(self.folder.glob("out/*")), f"nothing is written: {list(self.folder.glob('out/*'))}")
        check(not list(self.folder.glob("out/.*")), f"nothing is left: {list(self.folder.glob('out/.*'))}")
        return said


def uploads(place):
    """Checks what push sends and in which order, and that it sends nothing twice."""
    with Registry() as registry:
        place.push(registry)
        asked = registry.asked()
        first_manifest = next(i for i, one in enumerate(asked) if one.startswith("PUT") and "/manifests/" in one)
        check(all("/blobs/" not in one for one in asked[first_manifest:]), f"blobs come first: {asked}")
        check(asked[-1] == "PUT /v2/team/pdf/manifests/1" and sum(one.startswith("PUT") for one in asked) == 6, f"the tag comes last: {asked}")
        begun = len(registry.requests)
        place.push(registry, tag="2")
        asked = registry.asked(begun)
        check(not any(one.startswith("POST") or "/blobs/uploads/" in one for one in asked), f"no blob is sent again: {asked}")
        begun = len(registry.requests)
        check("has this already" in place.push(registry), "the same tag")
        check(registry.asked(begun) == ["HEAD /v2/team/pdf/manifests/1"], f"one look: {registry.asked(begun)}")
        # The registry may name an absolute address on itself, but nowhere else.
        registry.blobs.clear()
        registry.upload = f"{registry.url}/v2/team/pdf/blobs/uploads/7"
        place.push(registry, tag="3")
        check(any(one.startswith("PUT /v2/team/pdf/blobs/uploads/7?digest=sha256") for one in registry.asked()), f"{registry.asked()}")
        # A blob with a redirect exists.
        blob = next(iter(registry.blobs))
        registry.answers["HEAD", f"/v2/team/pdf/blobs/{blob}"] = lambda handler: handler.say(307, {"Location": "https://other.example/x"})
        begun = len(registry.requests)
        place.push(registry, tag="4")
        check(not any(one.startswith("POST") for one in registry.asked(begun)), f"{registry.asked(begun)}")
        with Registry() as other:
            registry.blobs.clear()
            registry.answers.clear()
            for elsewhere in (f"{other.url}/v2/x", "https://other.example/v2/x", "gopher://x/"):
                registry.upload = elsewhere
                check("another host" in place.push(registry, tag="5", code=1), elsewhere)
            check(not other.requests and ("team/pdf", "5") not in registry.manifests, f"{other.requests}")


def logins(place):
    """Checks Bearer and Basic, with a token and with Docker's file."""
    with Registry() as registry:
        file = place.folder / "token"
        file.write_text(SECRET + "\n")
        for number, scheme in enumerate(("Bearer", "Basic")):
            registry.require("ada", SECRET, scheme)
            place.push(registry, "--user", "ada", "--token-env", "T", tag=f"a{number}", T=SECRET)
            place.push(registry, "--user", "ada", "--token-file", "token", tag=f"b{number}")
            (place.folder / ".docker").mkdir(exist_ok=True)
            (place.folder / ".docker/config.json").write_text(json.dumps({"auths": {registry.name: {
                "auth": base64.b64encode(f"ada:{SECRET}".encode()).decode()}}}))
            place.push(registry, tag=f"c{number}")
            place.pull(f"{registry.name}/team/pdf:c{number}", "--force")
            shutil.rmtree(place.folder / "out")
            (place.folder / ".docker/config.json").unlink()
            said = place.push(registry, "--user", "ada", "--token-env", "T", code=1, T="wrong")
            check("answers 401: the login is not accepted" in said and f"{registry.name}/team/pdf:1" in said, said)
            check("it needs a login" in place.push(registry, code=1), scheme)
        scopes = {path for _, path, _ in registry.requests if path.startswith("/token")}
        check(any("pull%2Cpush" in path for path in scopes) and any(path.endswith("pull") for path in scopes), f"{scopes}")
        for words, says in ((("--user", "ada"), "--user goes with a token"), (("--token-env", "NONE"), "the token is empty"),
                            (("--token-env", "A", "--token-file", "token"), "one token is enough"),
                            (("--token-file", "token", "--docker-config", "x"), "in place of a token"),
                            (("--docker-config", "nowhere"), "nowhere")):
            check(says in place.push(registry, *words, code=1), f"{words}: {says}")


def refusals(place):
    """Checks that each failing step is named, with the reference and the status."""
    with Registry() as registry:
        upload, manifest = "/v2/team/pdf/blobs/uploads/", "/v2/team/pdf/manifests/1"

        def answering(method, path, status, words, body=b"{}", **fields):
            registry.blobs.clear()
            registry.answers = {(method, path): lambda handler: handler.say(status, {name.replace("_", "-"): value
                                                                                     for name, value in fields.items()}, body)}
            said = place.push(registry, code=1)
            check(f"{registry.name}/team/pdf:1: " in said and f"answers {status}" in said and words in said, f"{method} {path} {status}: {said}")
            check(("team/pdf", "1") not in registry.manifests, "the tag is not made")
            return said

        denied = b'{"errors": [{"code": "DENIED", "message": "read only\\u001b[2J"}]}'
        check("\x1b" not in answering("POST", upload, 403, "writing there is not allowed: DENIED, read only", denied), "no terminal is spoken to")
        answering("POST", upload, 404, "no such thing")
        answering("POST", upload, 429, "asked again after 7 s", Retry_After="7")
        answering("POST", upload, 503, "asked again after 9 s", Retry_After="9")
        ten_years = answering("POST", upload, 503, "asked again after", Retry_After="315360000")
        check("315360000" not in ten_years, ten_years)
        answering("POST", upload, 500, "sending sha256:")
        answering("POST", upload, 307, "answers 307", Location="https://other.example/")
        answering("HEAD", manifest, 403, "looking at what is there")
        answering("HEAD", manifest, 500, "looking at what is there")
        answering("PUT", upload + "1", 400, "DIGEST_INVALID", b'{"errors": [{"code": "DIGEST_INVALID"}]}')
        answering("PUT", upload + "1", 413, "sending sha256:", b"<html>")
        answering("PUT", manifest, 400, "sending the index")
        registry.answers = {("PUT", manifest): lambda handler: handler.say(201, {"Docker-Content-Digest": digest(b"x")})}
        check("has kept something else" in place.push(registry, code=1), "another digest than what was sent")
        registry.blobs.clear()
        registry.answers = {("POST", upload): lambda handler: handler.say(202)}
        check("no address" in place.push(registry, code=1), "nowhere to send it")
        registry.answers = {("POST", upload): lambda handler: registry.over.wait(60 * SLOWNESS)}
        check("(--timeout)" in place.push(registry, "--timeout", "1", code=1), "a registry that says nothing")
        registry.over.set()
    check("cannot be asked" in place.push(registry, code=1), "a registry that is gone")
    for reference, says in (("pdf:1", "must be a reference"), ("registry.example/Team/pdf", "must be a reference"),
                            ("registry.example/pdf:1", "--plain-http is for registries of this machine")):
        check(says in place.run("push", "./pdf", reference, "--plain-http", code=1), reference)
    check("say what to push" in place.run("push", "./pdf", code=1), "no reference")
    for path, text, says in (("none/README.md", "x", "SKILL.md"), ("bad/SKILL.md", "no front matter", "SKILL.md"),
                             ("marked/.wh.x", "x", ".wh.")):
        folder = place.folder / path.split("/", maxsplit=1)[0]
        if folder.name == "marked":
            write_skill(place.folder, folder.name, "x")
        folder.mkdir(exist_ok=True)
        (place.folder / path).write_text(text)
        check(says in place.run("push", f"./{folder.name}", "127.0.0.1:1/x/y:1", "--plain-http", code=1), path)


def wrong_artefacts(place):
    """Checks artefacts that pull refuses without writing anything."""
    with Registry() as registry:
        def refused(name, words, *layers, **more):
            registry.manifest(name, "1", *layers, **more)
            said = place.pull(f"{registry.name}/{name}:1", code=1)
            check(words in said and f"{registry.name}/{name}:1: " in said, f"{name}: {words}: {said}")

        def skill(name, **files):
            return tar_gz({"SKILL.md": skill_md(name), **files})

        refused("outside", "no path within the layer", tar_gz({"SKILL.md": skill_md("outside"), "../x": b"x"}))
        refused("absolute", "no path within the layer", tar_gz({"SKILL.md": skill_md("absolute"), "/x": b"x"}))
        refused("leaving", "is a link that leads", tar_gz({"SKILL.md": skill_md("leaving")}, [("l", "/etc/passwd")]))
        refused("bomb", "100 times its size", skill("bomb", zero=b"\0" * (12 << 20)))
        refused("nothing", "no layer of it holds a SKILL.md", tar_gz({"README.md": b"x"}))
        for name in ("../out", "a/b", "."):
            refused("named", "", tar_gz({"SKILL.md": f"---\nname: '{name}'\ndescription: x\n---\n".encode()}))
        refused("twice", "two of its skills are called", tar_gz({"a/SKILL.md": skill_md("same"), "b/SKILL.md": skill_md("same")}))
        # Bytes that do not match the digest: the layer, the manifest by digest.
        made = registry.manifest("swapped", "1", skill("swapped"))
        blob = next(path for path, body in registry.blobs.items() if body == skill("swapped"))
        registry.answers[f"/v2/swapped/blobs/{blob}"] = ("x", skill("Swapped"))
        said = place.pull(f"{registry.name}/swapped:1", code=1)
        check("bytes, and the manifest says" in said or "has the digest sha256:" in said, said)
        registry.answers = {f"/v2/swapped/manifests/{made['digest']}": (MANIFEST, b"{}")}
        said = place.pull(f"{registry.name}/swapped@{made['digest']}", code=1)
        check("has the digest " + digest(b"{}") in said, said)
        registry.answers = {"/v2/swapped/manifests/1": lambda handler: handler.say(
            200, {"Content-Type": MANIFEST, "Docker-Content-Digest": digest(b"x")}, b"{}")}
        check("has the digest" in place.pull(f"{registry.name}/swapped:1", code=1), "another digest than the head says")
        registry.answers = {}
        # Several skills become several folders, and an existing one keeps all from being written.
        registry.manifest("many", "1", tar_gz({"a/SKILL.md": skill_md("one"), "b/SKILL.md": skill_md("two"), "b/c/x.md": b"x"}))
        place.pull(f"{registry.name}/many:1")
        check((place.folder / "out/one/SKILL.md").is_file() and (place.folder / "out/two/c/x.md").is_file(), "two skills")
        shutil.rmtree(place.folder / "out/one")
        said = place.run("pull", f"{registry.name}/many:1", "--plain-http", "--into", "out", code=1)
        check("out/two: is there already" in said and not (place.folder / "out/one").exists(), said)
        registry.answers["/v2/busy/manifests/1"] = lambda handler: handler.say(429, {"Retry-After": "3"})
        said = place.run("pull", f"{registry.name}/busy:1", "--plain-http", code=1)
        check("answers 429" in said and "asked again after 3 s" in said, said)


def signatures(place):
    """Checks that each artefact without a valid signature is reported, and affects none of the others."""
    if not shutil.which("openssl"):
        return print("  skipped: there is no openssl here") or 77
    mine, stranger = Key(place.folder, "mine"), Key(place.folder, "stranger", "ed25519")
    with Registry() as registry:
        bad = {}

        def artefact(name):
            return registry.manifest(name, "1", tar_gz({"SKILL.md": skill_md(name)}))["digest"]

        def signed(name, words, *pairs, change=lambda document: document):
            """Signs the artefact with `pairs` of statement and signature, made from its digest."""
            of = artefact(name)
            made = [(text, signature) for text, signature in (pair(of) for pair in pairs)]
            registry.put(name, signature_tag(of), change(signature_manifest(registry.blob, made)), MANIFEST)
            if words:
                bad[name] = words

        def by(key, name=None, digest_of=None, **more):
            def pair(of):
                text = statement(digest_of or of, f"{registry.name}/{name}" if name else "", **more)
                return text, key.sign(text)
            return pair

        def with_layers(**more):
            def change(document):
                document["layers"] = [{**layer, **more} for layer in document["layers"]]
                return document
            return change

        signed("good", None, by(mine, "good"))
        signed("nameless", None, by(mine))
        signed("second", None, by(stranger, "second"), by(mine, "second", digest(b"x")), by(mine, "second"))
        artefact("unsigned")
        bad["unsigned"] = "the registry has no signature of it"
        signed("strange", "by none of the trusted keys", by(stranger, "strange"))
        signed("other-digest", "has signed is another artefact", by(mine, "other-digest", digest(b"x")))
        signed("other-place", "has signed is of another repository", by(mine, "good"))
        signed("other-type", "kind that is not known", by(mine, "other-type", type="attestation"))
        signed("changed", "by none of the trusted keys", lambda of: (statement(of, ""), mine.sign(statement(digest(b"x"), ""))))
        signed("no-json", "is no JSON object", lambda of: (b"x", mine.sign(b"x")))
        signed("many", "33 signatures, and may have 32", *[by(mine)] * 33)
        signed("huge", "and may have 65536", lambda of: (statement(of, "", more="x" * 70_000), mine.sign(statement(of, "", more="x" * 70_000))))
        signed("no-base64", "no base64", lambda of: (statement(of, ""), "!!!"))
        signed("long", "more than 1024 bytes", lambda of: (statement(of, ""), "A" * 2_000))
        signed("no-signature", "has no signature", by(mine), change=with_layers(annotations={}))
        signed("other-media", "is of a kind that is not known", by(mine), change=with_layers(mediaType="text/plain"))
        signed("empty", "has none")
        of = artefact("index")
        registry.index("index", signature_tag(of), [])
        bad["index"] = "are an index and no manifest"
        signed("keyless", "is keyless, by a certificate", by(stranger), change=lambda document: {**document, "layers": [
            {**layer, "annotations": {**layer["annotations"], "dev.sigstore.cosign/certificate": "x"}} for layer in document["layers"]]})
        # A bundle is among the referrers, which a registry lists or keeps under a tag.
        bundle = descriptor(b"{}", MANIFEST, artifactType="application/vnd.dev.sigstore.bundle.v0.3+json")
        of = artefact("bundle")
        registry.index("bundle", of.replace(":", "-"), [bundle])
        of = artefact("listed")
        registry.answers[f"/v2/listed/referrers/{of}"] = (INDEX, json.dumps({"schemaVersion": 2, "mediaType": INDEX, "manifests": [bundle]}).encode())
        bad["bundle"] = bad["listed"] = "its signature is a bundle of sigstore"
        lying = artefact("lying")
        text = statement(lying, "")
        document = {"schemaVersion": 2, "mediaType": MANIFEST, "config": registry.blob(b"{}", "x"), "layers": [
            {"mediaType": STATEMENT, "digest": digest(text), "size": len(text), "annotations": {SIGNATURE: mine.sign(text)}}]}
        registry.answers[f"/v2/lying/blobs/{digest(text)}"] = ("x", text.replace(b"cosign", b"COSIGN"))
        registry.put("lying", signature_tag(lying), document, MANIFEST)
        bad["lying"] = "has the digest sha256:"
        names = ["good", "nameless", "second", *bad]
        file = place.folder / "skillhost.json"
        file.write_text(json.dumps({"sources": [{"name": "oci", "plugin": "oci", "config": {
            "plain_http": True, "references": [f"{registry.name}/{name}:1" for name in names], "trusted_keys": [str(mine.public)]}}]}))
        with Session(["env", f"XDG_CACHE_HOME={place.folder / 'cache'}", "SKILLHOST_STARTUP_WAIT_MS=60000", SERVER, "--config", str(file)]) as session:
            served = sorted(skill["uri"].removesuffix("/SKILL.md").rsplit("/", 1)[1] for skill in session.call("skills/list")["skills"])
            check(served == ["good", "nameless", "second"], f"{served} {session.server.stderr()}")
            log = session.server.stderr().splitlines()
        for name, words in bad.items():
            check(any(f"{registry.name}/{name}:1 left out: " in line and words in line for line in log), f"{name}: {words}: {log}")
            said = place.pull(f"{registry.name}/{name}:1", "--trusted-key", mine.public, code=1)
            check(words in said and "looking at its signatures" in said, f"{name}: {words}: {said}")
        # If a registry refuses to show signatures, it has failed: the artefact does not count as unsigned.
        registry.answers[f"/v2/good/manifests/{signature_tag(digest(registry.manifests['good', '1'][1]))}"] = lambda handler: handler.say(403)
        said = place.pull(f"{registry.name}/good:1", "--trusted-key", mine.public, code=1)
        check("answers 403" in said, said)
        # The same holds if the list of referrers is unavailable: only 404 means that there is none.
        referrers = "/v2/unsigned/referrers/" + digest(registry.manifests["unsigned", "1"][1])
        for status in (401, 403, 405, 429, 500, 503):
            registry.answers[referrers] = lambda handler, status=status: handler.say(status)
            said = place.pull(f"{registry.name}/unsigned:1", "--trusted-key", mine.public, code=1)
            check(f"answers {status}" in said and "no signature" not in said, f"referrers: {status}: {said}")
        registry.answers[referrers] = ("text/html", b"<html>")
        said = place.pull(f"{registry.name}/unsigned:1", "--trusted-key", mine.public, code=1)
        check("its list of referrers cannot be read" in said, said)
        file.write_text(file.read_text().replace(str(mine.public), str(mine.secret)))
        run = subprocess.run([SERVER, "--config", str(file), "source", "status"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=60 * SLOWNESS, check=False, env=place.environment)
        check("is no public key in PEM" in run.stdout + run.stderr, f"{run.stdout} {run.stderr}")
    return 0


sys.exit(run_cases(checks, (uploads, logins, refusals, wrong_artefacts, signatures), Place, sys.argv[2:]))
