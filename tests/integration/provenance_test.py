#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the origin of each skill, for every source that we ship: in _meta, in `skill info` and in `bom`, whose
output a CycloneDX validator reads. The git server, Docker's registry and the web server run on loopback.
provenance_test.py SERVER"""
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from checks import SLOWNESS, Checks, until
from distribution import Distribution, Key, signature_manifest, signature_tag, statement
from git_servers import BACKEND, PythonServer, Repository, git
from http_server import MODERN, Running, modern
from oci_registry import CONFIG, LAYER, MANIFEST
from session import Session, write_skill
from web_server import Publisher, digest, skill_md, tar_gz

SERVER = sys.argv[1]
TOKEN = "s3cr3t-0f-pr0v3n4nc3"
FACTS = "org.skillhost/facts"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
checks = Checks()


def check(holds: Any, what: str, *more: Any) -> None:
    checks.check(holds, f"{what} {' '.join(map(str, more))}"[:2000])


class Setting:
    """A setting with one source of each kind."""

    def __init__(self, folder: Path, server: PythonServer, registry: Distribution, publisher: Publisher) -> None:
        self.folder, self.server, self.registry, self.publisher = folder, server, registry, publisher
        self.config = folder / "skillhost.json"
        write_skill(folder / "skills", "plain", "Lies in a folder.")
        self.repository = Repository(folder / "root", "team")
        self.repository.skill("tools/deep", "Lies below a folder of a repository.")
        (self.repository.tree / "tools/deep/SKILL.md").write_text(
            "---\nname: deep\ndescription: Lies below a folder.\nlicense: MIT\nversion: '2.1'\nmetadata:\n  author: Ada\n---\nBody.\n")
        (self.repository.tree / "tools/deep/run.sh").write_text("#!/bin/sh\n")
        self.commit = self.repository.push()
        self.packed = tar_gz({"packed/SKILL.md": skill_md("packed")})
        self.artefact = self.put("kept/packed", self.packed)
        self.signed = self.put("kept/signed", tar_gz({"signed/SKILL.md": skill_md("signed")}))
        self.key = Key(folder, "release")
        of = statement(self.signed, f"{registry.name}/kept/signed")
        registry.manifest("kept/signed", signature_tag(self.signed), signature_manifest(
            lambda body, kind: registry.blob("kept/signed", body, kind), [(of, self.key.sign(of))]), MANIFEST)
        self.document = skill_md("published")
        publisher.entry("published", self.document)
        self.archive = tar_gz({"SKILL.md": skill_md("archived")})
        publisher.entry("archived", self.archive, kind="archive")
        self.command("skill", "save", f"{folder}/skills/plain/", "--skill-dir", str(folder / "store"))

    def put(self, repository: str, layer: bytes) -> str:
        config = self.registry.blob(repository, b"{}", CONFIG)
        layers = [self.registry.blob(repository, layer, LAYER)]
        document = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers}
        return self.registry.manifest(repository, "1.2", document, MANIFEST)

    def sources(self) -> list[dict[str, Any]]:
        name = self.registry.name
        return [
            {"name": "own", "config": {"directories": [str(self.folder / "skills")]}},
            {"name": "kept", "plugin": "store", "config": {"directory": str(self.folder / "store")}},
            {"name": "git", "plugin": "github", "config": {"url": f"{self.server.url}/team.git", "ref": "trunk", "token": TOKEN}},
            {"name": "below", "plugin": "github", "config": {"url": f"{self.server.url}/team.git", "subpath": "tools", "token": TOKEN}},
            {"name": "registry", "plugin": "oci", "config": {"references": [f"{name}/kept/packed:1.2"], "plain_http": True}},
            {"name": "sealed", "plugin": "oci", "config": {
                "references": [f"{name}/kept/signed:1.2"], "plain_http": True, "trusted_keys": [str(self.key.public)]}},
            {"name": "web", "plugin": "well_known", "config": {"url": self.publisher.url}},
        ]

    def arguments(self, *words: str, **settings: Any) -> list[str]:
        self.config.write_text(json.dumps({"sources": self.sources(), **settings}))
        return ["env", f"XDG_CACHE_HOME={self.folder}/cache", "SKILLHOST_STARTUP_WAIT_MS=60000", SERVER,
                "--config", str(self.config), *words]

    def run(self, *words: str, code: int = 0, environment: dict[str, str] | None = None, **settings: Any) -> str:
        done = subprocess.run(self.arguments(*words, **settings), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120 * SLOWNESS, env={**os.environ, **(environment or {})})
        check(done.returncode == code, f"{words} ends with {code}:", done.returncode, done.stdout[-300:], done.stderr[-500:])
        check(TOKEN not in done.stdout + done.stderr, f"{words} tells no secret")
        return done.stdout if code == 0 else done.stdout + done.stderr

    def command(self, *words: str) -> None:
        subprocess.run([SERVER, "--no-config", *words], check=True, capture_output=True, timeout=120 * SLOWNESS)



def same_everywhere(setting: Setting) -> dict[str, dict[str, Any]]:
    """Checks that `skill info` prints what local clients get from skills/list and load_skill."""
    all_of = {skill["source"] + "/" + skill["path"]: skill for skill in json.loads(setting.run("skill", "list", "--json"))["skills"]}
    info = {name: json.loads(setting.run("skill", "info", name, "--json")) for name in all_of}
    with Session(setting.arguments("serve")) as session:
        session.tool("list_skills")
        listed = {skill["uri"]: skill["_meta"][FACTS] for skill in session.call("skills/list")["skills"]}
        for name, skill in all_of.items():
            check(info[name]["facts"] == listed[skill["uri"]], f"{name}: info and skills/list", info[name]["facts"], listed[skill["uri"]])
            got = session.call("skills/get", uri=skill["uri"])["skill"]["_meta"][FACTS]
            check(got == listed[skill["uri"]], f"{name}: skills/get", got)
            loaded = session.call("tools/call", name="load_skill", arguments={"skill_name": skill["name"]})
            check(loaded["_meta"][FACTS] == listed[skill["uri"]], f"{name}: load_skill", loaded["_meta"])
    for name, one in info.items():
        kind = one["facts"].get("kind")
        check(kind in ("folder", "store", "git", "oci", "well-known"), f"{name}: its kind", kind)
        check({"integrity", "signature"} <= set(one["facts"]), f"{name}: how it is verified", one["facts"])
        check("fetched_at" in one["facts"] or kind == "folder", f"{name}: when it came", one["facts"])
        check(TIME.fullmatch(one["facts"].get("fetched_at", "2026-01-01T00:00:00Z")), f"{name}: as RFC 3339 writes it", one["facts"])
        check(one["digest"].startswith("sha256:") and one["bytes"] > 0 and one["seen_by"] == [], f"{name}: digest, size, visibility", one)
    return {name: one["facts"] for name, one in info.items()}


def each_source(setting: Setting, facts: dict[str, dict[str, Any]]) -> None:
    url, name = setting.server.url, setting.registry.name
    check(facts["own/plain"]["folder"] == str(setting.folder / "skills/plain"), "the folder", facts["own/plain"])
    kept = facts["kept/plain"]
    check((kept["version"], kept["integrity"], len(kept["checksum"])) == ("1", "blake3", 64), "the store", kept)
    for source, ref, skill in (("git", "trunk", "git/tools/deep"), ("below", None, "below/deep")):
        one = facts[skill]
        wanted = {"repository": f"{url}/team.git", "commit": setting.commit, "path": "tools/deep", "integrity": "sha1"}
        check({key: one.get(key) for key in wanted} == wanted and one.get("ref") == ref, f"{source}: repository, commit and path", one)
    packed = facts["registry/kept/packed/packed"]
    wanted = {"reference": f"{name}/kept/packed:1.2", "manifest_digest": setting.artefact, "archive_digest": digest(setting.packed),
              "path": "packed", "signature": "unchecked"}
    check({key: packed.get(key) for key in wanted} == wanted, "the registry", packed)
    signed = facts["sealed/kept/signed/signed"]
    check((signed["signature"], signed["signer"]) == ("trusted", "release.pub"), "who has signed the artefact", signed)
    index = setting.publisher.answers["/.well-known/agent-skills/index.json"]
    for skill, body in (("web/published", setting.document), ("web/archived", setting.archive)):
        one = facts[skill]
        check((one["index_digest"], one["archive_digest"]) == (digest(index), digest(body)), f"{skill}: digests", one)
        check(one["archive"].startswith(setting.publisher.url) and one["index"].startswith(setting.publisher.url), f"{skill}: addresses", one)


def elsewhere(setting: Setting) -> None:
    """Checks that an HTTP client without the right to manage gets no path of this machine, and that a manager does."""
    tokens = setting.folder / "tokens"
    made = [subprocess.run([SERVER, "token", "add", name, "--scope", scope, "--file", str(tokens)], check=True, capture_output=True,
                           text=True, timeout=60 * SLOWNESS).stdout.strip() for name, scope in (("reader", "skills:read"), ("manager", "skills:manage"))]
    setting.arguments(auth={"plugin": "static", "config": {"file": str(tokens)}})
    running = Running(SERVER, str(setting.folder / "skills"), "--config", str(setting.config))
    try:
        told = []
        for token in made:
            call = modern("tools/call", name="load_skill", arguments={"skill_name": "own/plain"})
            answer = running.post(call, MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name="load_skill",
                                  Authorization=f"Bearer {token}")[1]
            told.append(answer["result"].get("_meta", {}).get(FACTS, {}))
        check("folder" not in told[0] and told[0].get("kind") == "folder", "a reader elsewhere is not told the folder", told)
        check(str(setting.folder) not in json.dumps(told[0]), "nor anything else of this machine", told)
        check(told[1].get("folder") == str(setting.folder / "skills/plain"), "a manager is", told[1])
    finally:
        running.end()


def another_commit(setting: Setting, facts: dict[str, dict[str, Any]]) -> None:
    """Checks that after a commit that changes no skill, all skills have that commit, also after a start without the
    server."""
    def commit_told(session: Session) -> str:
        loaded = session.call("tools/call", name="load_skill", arguments={"skill_name": "below/deep"})
        return str(loaded["_meta"][FACTS]["commit"])

    (setting.repository.tree / "README.md").write_text("Read me.\n")
    with Session(setting.arguments("serve")) as session:
        session.tool("list_skills")
        check(commit_told(session) == setting.commit, "the commit that is served")
        setting.commit = setting.repository.push()
        session.tool("reload_skills_directory")
        until(lambda: commit_told(session) == setting.commit, "the next commit is told of while the server runs")
    one = json.loads(setting.run("skill", "info", "below/deep", "--json"))["facts"]
    check(one["commit"] == setting.commit, "the newest commit", one)
    check(one["fetched_at"] >= facts["below/deep"]["fetched_at"], "and when it came", one)
    again = json.loads(setting.run("skill", "info", "below/deep", "--json"))["facts"]
    check(again == one, "from the cache it is told alike", again, one)
    text = setting.run("skill", "info", "below/deep")
    check(f"commit           {setting.commit}" in text and "digest   sha256:" in text, "for people too", text)


def digest_of(folder: Path) -> str:
    """Returns the digest of sha256sum's output for all files, sorted by path."""
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(folder)}\n"
             for file in sorted(folder.rglob("*")) if file.is_file()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def bill(setting: Setting) -> dict[str, Any]:
    fixed = {"SOURCE_DATE_EPOCH": "1000000000"}
    first = setting.run("bom", "--json", environment=fixed)
    second = setting.run("bom", "--json", environment=fixed)
    differs = [pair for pair in zip(first.splitlines(), second.splitlines()) if pair[0] != pair[1]]
    check(first == second, "of the same the same, byte for byte", differs)
    document: dict[str, Any] = json.loads(first)
    check(document["metadata"]["timestamp"] == "2001-09-09T01:46:40Z", "made when SOURCE_DATE_EPOCH says")
    components = {one["bom-ref"]: one for one in document["components"]}
    deep = components["skill:below/deep"]
    check((deep["type"], deep["version"], deep["licenses"]) == ("application", "2.1", [{"license": {"id": "MIT"}}]), "a skill with a script", deep)
    check(deep["authors"] == [{"name": "Ada"}], "its author", deep)
    check(deep["hashes"][0]["content"] == digest_of(setting.repository.tree / "tools/deep"), "the digest of its files", deep["hashes"])
    check(setting.commit in deep["purl"] and deep["purl"].endswith("#tools/deep"), "where it comes from", deep["purl"])
    check(any(one["type"] == "vcs" and one["url"] == f"{setting.server.url}/team.git" for one in deep["externalReferences"]), "its repository")
    packed = components["skill:registry/kept/packed/packed"]
    check(packed["purl"].startswith("pkg:oci/packed@sha256%3A" + setting.artefact[7:]), "an artefact", packed["purl"])
    plain = components["skill:own/plain"]
    check(plain["type"] == "data" and "purl" not in plain, "a folder", plain)
    for plugin in ("filesystem", "github", "oci", "store", "well_known"):
        check(any(ref.startswith(f"plugin:org.skillhost.{plugin}@") for ref in components), f"the plugin {plugin}", list(components))
    used = {one["ref"]: one.get("dependsOn", []) for one in document["dependencies"]}
    check(used["skill:web/published"][0].startswith("plugin:org.skillhost.well_known@"), "which plugin serves it", used)
    files = json.loads(setting.run("bom", "--json", "--files"))
    named = {one["bom-ref"]: one.get("components", []) for one in files["components"]}
    check([one["name"] for one in named["skill:below/deep"]] == ["SKILL.md", "run.sh"], "with its files", named["skill:below/deep"])
    text = setting.run("bom")
    check("deep" in text and "MIT" in text and re.search(r"\d+ skills, \d+ plugins$", text.strip()), "for people", text)
    validated(setting, [document, files])
    return document


def validated(setting: Setting, documents: list[dict[str, Any]]) -> None:
    place = setting.folder / "venv"
    venv.create(place, with_pip=True)
    got = subprocess.run([place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                          "cyclonedx-python-lib[json-validation]"], capture_output=True, text=True, timeout=300)
    if got.returncode != 0:
        print(f"skipped: the validator of CycloneDX cannot be had: {got.stderr[-200:]}")
        return
    code = ("import sys; from cyclonedx.validation.json import JsonStrictValidator as V; from cyclonedx.schema import SchemaVersion as S;"
            "e = V(S.V1_6).validate_str(open(sys.argv[1]).read()); print(e or ''); sys.exit(e is not None)")
    wrong = {**documents[0], "components": [{"name": "x"}]}
    for text, good in [*((one, True) for one in documents), (wrong, False)]:
        file = setting.folder / "document.json"
        file.write_text(json.dumps(text))
        said = subprocess.run([place / "bin/python", "-c", code, file], capture_output=True, text=True, timeout=120)
        check((said.returncode == 0) == good, "CycloneDX's validator takes it" if good else "and would not take what is wrong",
              said.stdout[-1500:], said.stderr[-500:])


def what_is_wrong(setting: Setting) -> None:
    said = setting.run("bom", "--files", code=1)
    check("--files is for the document that --json prints" in said, "--files alone", said)
    said = setting.run("bom", code=1, environment={"SOURCE_DATE_EPOCH": "yesterday"})
    check("SOURCE_DATE_EPOCH: must be a whole number" in said, "a time that is none", said)
    said = setting.run("skill", "info", "nobody", code=1)
    check('no skill is named "nobody"' in said, "no such skill", said)
    rules = [{"sources": ["git"], "scopes": ["team"]}]
    one = json.loads(setting.run("skill", "info", "git/tools/deep", "--json", access={"visibility": rules}))
    check(one["seen_by"] == [{"scopes": ["team"], "principals": [], "issuers": []}], "who sees it", one["seen_by"])


def incomplete(setting: Setting) -> None:
    """Checks that a failed source is reported, and that the exit code shows it."""
    for path in (setting.folder / "cache").iterdir():
        shutil.rmtree(path)
    said = setting.run("bom", "--json", code=1)
    check("the source web failed" in said and '"skill:own/plain"' in said, "what is there is told, and what is not", said[-500:])


def main() -> int:
    for needed in ("git", "docker-registry", "openssl"):
        if not shutil.which(needed) or not Path(BACKEND).exists():
            print(f"skipped: {needed} is not installed")
            return 77
    with tempfile.TemporaryDirectory(prefix="skillhost-provenance-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        (folder / "root").mkdir()
        with PythonServer(folder / "root", TOKEN) as server, Distribution(folder) as registry:
            with Publisher() as publisher:
                setting = Setting(folder, server, registry, publisher)
                facts = same_everywhere(setting)
                each_source(setting, facts)
                elsewhere(setting)
                another_commit(setting, facts)
                bill(setting)
                what_is_wrong(setting)
            incomplete(setting)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
