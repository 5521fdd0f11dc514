#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `skillhost skill push` and `pull` with a real registry (Docker's distribution), the source oci and skopeo,
and with signatures like cosign's. oci_commands_test.py SERVER ROOT"""
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

from checks import SLOWNESS, Checks
from distribution import Distribution, Key, signature_manifest, signature_tag, statement
from oci_cases import run_cases
from oci_registry import INDEX, LAYER, MANIFEST
from session import Session, write_skill

SERVER, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
checks = Checks()
check = checks.check


def digest(body):
    return "sha256:" + hashlib.sha256(body).hexdigest()


def on_disk(folder):
    return {str(file.relative_to(folder)): (digest(file.read_bytes()), bool(file.stat().st_mode & stat.S_IXUSR))
            for file in Path(folder).rglob("*") if file.is_file()}


class Place:
    """A folder for one case, used as home and as working directory."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.environment = {**os.environ, "HOME": str(folder), "SKILLHOST_CONFIG": "", "SKILLHOST_STARTUP_WAIT_MS": "60000"}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "DOCKER_CONFIG"):
            self.environment.pop(name, None)

    def run(self, *words, code=0):
        """Runs skillhost skill … and returns its output, or its errors if `code` is not 0."""
        run = subprocess.run([SERVER, "skill", *map(str, words), "--plain-http"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=60 * SLOWNESS, check=False, env=self.environment, cwd=self.folder)
        check(run.returncode == code, f"{words} ends with {code}: {run.returncode} {run.stdout} {run.stderr}")
        return run.stdout if code == 0 else run.stderr

    def json(self, *words):
        return json.loads(self.run(*words, "--json"))

    def serve(self, references, **config):
        file = self.folder / "skillhost.json"
        file.write_text(json.dumps({"sources": [{"name": "oci", "plugin": "oci", "config": {
            "plain_http": True, "references": references, **config}}]}))
        return Session(["env", f"HOME={self.folder}", f"XDG_CACHE_HOME={self.folder / 'cache'}", "SKILLHOST_STARTUP_WAIT_MS=60000", SERVER,
                        "--config", str(file)])

    def skill(self, name="pdf", **files):
        write_skill(self.folder / "skills", name, f"Reads {name}.")
        folder = self.folder / "skills" / name
        for path, text in files.items():
            (folder / path).write_text(text)
        return folder


def served(session):
    """Returns name → path → digest."""
    found = {}
    for skill in session.call("skills/list")["skills"]:
        root = skill["uri"].removesuffix("SKILL.md")
        found[skill.get("name") or root.rstrip("/").rsplit("/", 1)[1]] = {
            one["uri"].removeprefix(root): one["digest"] for one in skill["resources"]}
    return found


def there_and_back(place):
    """Checks that each of our examples keeps its bytes when it is pushed, served, copied by skopeo and pulled."""
    examples = sorted(file.parent for file in (ROOT / "examples/skills").rglob("SKILL.md"))
    check(len(examples) >= 3, f"examples: {examples}")
    with Distribution(place.folder) as registry:
        references = []
        for folder in examples:
            reference = f"{registry.name}/team/{folder.name}:1.0"
            pushed = place.json("push", folder, reference)
            check(pushed["changed"] and pushed["sent"] == pushed["blobs"] == 3 and pushed["name"] == folder.name, f"{pushed}")
            status, headers, body = registry.ask("GET", f"/v2/team/{folder.name}/manifests/1.0", Accept=INDEX)
            check(status == 200 and digest(body) == pushed["digest"] and headers["Content-Type"] == INDEX, f"the index: {headers} {body}")
            index = json.loads(body)
            _, _, body = registry.ask("GET", f"/v2/team/{folder.name}/manifests/{index['manifests'][0]['digest']}", Accept=MANIFEST)
            check(index["artifactType"] == "dev.toolhive.skills.v1" and [one["mediaType"] for one in json.loads(body)["layers"]] == [LAYER],
                  f"its form: {index} {body}")
            pulled = place.json("pull", reference, "--into", "pulled")
            check(pulled["digest"] == pushed["digest"] and on_disk(place.folder / "pulled" / folder.name) == on_disk(folder),
                  f"what comes back: {pulled}")
            references.append(reference)
            if shutil.which("skopeo"):
                copy = f"{registry.name}/copy/{folder.name}:1.0"
                run = subprocess.run(["skopeo", "--insecure-policy", "copy", "--all", "--quiet", "--src-tls-verify=false",
                                      "--dest-tls-verify=false", f"docker://{reference}", f"docker://{copy}"], capture_output=True, text=True,
                                     timeout=120, check=False)
                check(run.returncode == 0, f"skopeo: {run.stderr}")
                check(place.json("pull", copy, "--into", "copied")["digest"] == pushed["digest"], "skopeo's copy has the same digest")
            # Pushes it by name, from a source that serves it.
            by_name = place.json("push", folder.name, f"{registry.name}/named/{folder.name}", "--skills-dir", ROOT / "examples/skills")
            check(by_name["digest"] == pushed["digest"], f"by name: {by_name} {pushed}")
        if not shutil.which("skopeo"):
            print("  skopeo is not installed: its copies are left out")
        with place.serve(references) as session:
            wanted = {folder.name: {path: one for path, (one, _) in on_disk(folder).items()} for folder in examples}
            check(served(session) == wanted, f"{served(session)} and not {wanted} {session.server.stderr()}")
            check("labels" not in session.server.stderr(), session.server.stderr())


def tags(place):
    """Checks that the same folder gives the same digest, and that a tag moves only on request."""
    folder = place.skill(**{"run.sh": "#!/bin/sh\n"})
    (folder / "run.sh").chmod(0o755)
    with Distribution(place.folder) as registry:
        reference = f"{registry.name}/team/pdf:1"
        first = place.json("push", "./skills/pdf", reference)
        again = shutil.copytree(folder, place.folder / "again" / "pdf")
        for file in again.rglob("*"):
            os.utime(file, (1_000_000_000, 1_000_000_000))
        check(place.json("push", again, reference) == {**first, "changed": False, "sent": 0}, "the same folder somewhere else, at another time")
        check("has this already" in place.run("push", again, reference), "and it says so")
        check(place.json("push", again, f"{registry.name}/team/pdf:2") == {**first, "reference": f"{registry.name}/team/pdf:2", "sent": 0},
              "another tag, for which no blob is sent")
        (folder / "more.md").write_text("More.\n")
        said = place.run("push", folder, reference, code=1)
        check("is there already and names " + first["digest"] in said and "--force" in said and reference in said, said)
        check(place.json("pull", reference, "--into", "first")["digest"] == first["digest"], "it stays as it was")
        check(on_disk(place.folder / "first/pdf")["run.sh"][1], "a program stays one")
        moved = place.json("push", folder, reference, "--force")
        check(moved["changed"] and moved["digest"] != first["digest"], f"{moved}")
        bare = place.json("push", again, f"{registry.name}/by/digest")
        check(bare["digest"] == first["digest"] and registry.ask("GET", "/v2/by/digest/tags/list")[0] == 404
              or not json.loads(registry.ask("GET", "/v2/by/digest/tags/list")[2]).get("tags"), f"without a tag there is none: {bare}")
        check(place.json("pull", f"{registry.name}/by/digest@{first['digest']}", "--into", "bare")["digest"] == first["digest"], "by its digest")
        said = place.run("push", folder, f"{registry.name}/none/x:1@{first['digest']}", code=1)
        check("nothing was sent" in said and registry.ask("GET", "/v2/none/x/tags/list")[0] == 404, said)
        check(place.json("push", again, f"{registry.name}/none/x:1@{first['digest']}")["changed"], "a digest that is right")


def folders(place):
    """Checks where pull writes, and what it leaves alone."""
    place.skill()
    with Distribution(place.folder) as registry:
        reference = f"{registry.name}/team/pdf:1"
        place.run("push", "./skills/pdf", reference)
        check("is there already" in place.run("pull", reference, "--into", "skills", code=1), "a skill that is there")
        (place.folder / "skills/pdf/own.txt").write_text("own")
        place.run("pull", reference, "--into", "skills", "--force")
        check(on_disk(place.folder / "skills/pdf").keys() == {"SKILL.md"}, "it is replaced as a whole")
        (place.folder / "other/pdf").mkdir(parents=True)
        place.run("pull", reference, "--into", "other")
        check((place.folder / "other/pdf/SKILL.md").is_file(), "an empty folder is filled")
        (place.folder / "work/pdf").mkdir(parents=True)
        (place.folder / "work/pdf/thesis.txt").write_text("years")
        said = place.run("pull", reference, "--into", "work", "--force", code=1)
        check("holds no SKILL.md" in said and on_disk(place.folder / "work/pdf").keys() == {"thesis.txt"}, said)
        (place.folder / "linked").mkdir()
        (place.folder / "linked/pdf").symlink_to(place.folder / "skills/pdf")
        before = on_disk(place.folder / "skills/pdf")
        place.run("pull", reference, "--into", "linked", "--force", code=1)
        check((place.folder / "linked/pdf").is_symlink() and on_disk(place.folder / "skills/pdf") == before, "a link is not followed")
        check(not [one for one in place.folder.rglob(".*fetch-*")], "nothing is left beside them")
        place.run("pull", reference)
        check((place.folder / "pdf/SKILL.md").is_file(), "without --into it is the working directory")


def sign(registry, repository, of, key, **more):
    """Signs like `cosign sign --key`."""
    text = statement(of, f"{registry.name}/{repository}", **more)
    made = signature_manifest(lambda body, kind: registry.blob(repository, body, kind), [(text, key.sign(text))])
    registry.manifest(repository, signature_tag(of), made, MANIFEST)


def signatures(place):
    """Checks that only artefacts signed by a trusted key are served and pulled, by their digests, and that others
    are reported."""
    if not shutil.which("openssl"):
        return print("  skipped: there is no openssl here") or 77
    mine, edwards, stranger = Key(place.folder, "mine"), Key(place.folder, "edwards", "ed25519"), Key(place.folder, "stranger")
    with Distribution(place.folder) as registry:
        made = {}
        for name in ("good", "edwards", "unsigned", "strange", "replaced"):
            made[name] = place.json("push", place.skill(name), f"{registry.name}/team/{name}:1")["digest"]
        for name, key in (("good", mine), ("edwards", edwards), ("strange", stranger), ("replaced", mine)):
            sign(registry, f"team/{name}", made[name], key)
        # cosign 3 makes a bundle that refers to the artefact. This registry lists it only under a tag.
        made["bundle"] = place.json("push", place.skill("bundle"), f"{registry.name}/team/bundle:1")["digest"]
        kind = "application/vnd.dev.sigstore.bundle.v0.3+json"
        bundle = {"schemaVersion": 2, "mediaType": MANIFEST, "artifactType": kind, "layers": [registry.blob("team/bundle", b"{}", kind)],
                  "config": registry.blob("team/bundle", b"{}", "application/vnd.oci.empty.v1+json")}
        of = {"mediaType": MANIFEST, "artifactType": kind, "size": len(json.dumps(bundle)),
              "digest": registry.manifest("team/bundle", "bundle", bundle, MANIFEST)}
        registry.manifest("team/bundle", made["bundle"].replace(":", "-"), {"schemaVersion": 2, "mediaType": INDEX, "manifests": [of]}, INDEX)
        # The tag moves to an unsigned artefact.
        place.run("push", place.skill("replaced", **{"evil.md": "Run this."}), f"{registry.name}/team/replaced:1", "--force")
        references = [f"{registry.name}/team/{name}:1" for name in made]
        keys = [str(mine.public), edwards.public.read_text()]
        with place.serve(references, trusted_keys=keys) as session:
            check(sorted(served(session)) == ["edwards", "good"], f"{sorted(served(session))} {session.server.stderr()}")
            log = session.server.stderr()
            for name, words in (("unsigned", "the registry has no signature of it (sha256-"), ("strange", "by none of the trusted keys"),
                                ("replaced", "the registry has no signature of it"), ("bundle", "its signature is a bundle of sigstore")):
                check(any(f"team/{name}:1 left out" in line and words in line for line in log.splitlines()), f"{name}: {words}: {log}")
        # Without keys everything is served; with other keys not even the cached artefacts.
        with place.serve(references) as session:
            check(len(served(session)) == 6, f"without keys: {served(session)}")
        with place.serve(references, trusted_keys=[str(stranger.public)]) as session:
            check(sorted(served(session)) == ["strange"], f"with another key: {sorted(served(session))} {session.server.stderr()}")
        trusted = ("--trusted-key", mine.public, "--trusted-key", edwards.public)
        for name in ("good", "edwards"):
            pulled = place.json("pull", f"{registry.name}/team/{name}:1", "--into", "pulled", *trusted)
            check(pulled["signed_by"] == str((mine if name == "good" else edwards).public), f"{pulled}")
        for name in ("unsigned", "strange", "replaced"):
            said = place.run("pull", f"{registry.name}/team/{name}:1", "--into", "pulled", *trusted, code=1)
            check("is not signed by a trusted key" in said and f"team/{name}:1" in said and not (place.folder / "pulled" / name).exists(), said)
        check("signed_by" not in place.json("pull", f"{registry.name}/team/unsigned:1", "--into", "pulled"), "nobody was asked")
    return 0


sys.exit(run_cases(checks, (there_and_back, tags, folders, signatures), Place, sys.argv[3:], registry=True))
