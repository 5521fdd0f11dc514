#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skills from a real registry (Docker's distribution), pushed by real tools: skopeo, and ToolHive's own
packager. oci_test.py SERVER ROOT"""
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

from checks import Checks
from distribution import Distribution
from oci_cases import run_cases
from oci_registry import CONFIG, INDEX, LAYER, MANIFEST, digest
from session import Session
from source_cases import SERVER, SLOWNESS, names, soon

ROOT = Path(sys.argv[2])
PACKAGER = "github.com/stacklok/toolhive-core"  # the Go module, in the last version that Go 1.26 compiles
PACKAGER_VERSION = "v0.0.40"
MAIN = '''package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"github.com/stacklok/toolhive-core/oci/artifact"
	"github.com/stacklok/toolhive-core/oci/skills"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Prints what an artefact says of its skill, and the digests of the files in its layer.
func read(ctx context.Context, store *skills.Store, registry *skills.Registry, reference string) {
	pulled, err := registry.Pull(ctx, store, reference)
	must(err)
	index, err := store.GetIndex(ctx, pulled)
	must(err)
	text, err := store.GetManifest(ctx, index.Manifests[0].Digest)
	must(err)
	var manifest ocispec.Manifest
	must(json.Unmarshal(text, &manifest))
	text, err = store.GetBlob(ctx, manifest.Config.Digest)
	must(err)
	var image ocispec.Image
	must(json.Unmarshal(text, &image))
	config, err := skills.SkillConfigFromImageConfig(&image)
	must(err)
	layer, err := store.GetBlob(ctx, manifest.Layers[0].Digest)
	must(err)
	entries, err := artifact.DecompressTar(layer)
	must(err)
	files := map[string]string{}
	for _, entry := range entries {
		files[entry.Path] = fmt.Sprintf("sha256:%x", sha256.Sum256(entry.Content))
	}
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{"digest": pulled, "name": config.Name, "description": config.Description,
		"listed": config.Files, "files": files}))
}

func main() {
	ctx := context.Background()
	store, err := skills.NewStore(os.Args[1])
	must(err)
	if os.Args[2] == "read" {
		registry, err := skills.NewRegistry(skills.WithPlainHTTP(true))
		must(err)
		read(ctx, store, registry, os.Args[3])
		return
	}
	made, err := skills.NewPackager(store).Package(ctx, os.Args[2], skills.DefaultPackageOptions())
	must(err)
	registry, err := skills.NewRegistry(skills.WithPlainHTTP(true))
	must(err)
	must(registry.Push(ctx, store, made.IndexDigest, os.Args[3]))
	fmt.Println(made.IndexDigest)
}
'''
checks = Checks()
check = checks.check


class Place:
    def __init__(self, folder):
        self.folder = Path(folder)

    def start(self, config, cache="cache"):
        file = self.folder / "skillhost.json"
        file.write_text(json.dumps({"sources": [{"name": "oci", "plugin": "oci", "config": {"plain_http": True, **config}}]}))
        return Session([*self.server(cache), "--config", str(file)])

    def server(self, cache):
        return ["env", f"XDG_CACHE_HOME={self.folder / cache}", "SKILLHOST_STARTUP_WAIT_MS=60000", SERVER]

    def revision(self, cache):
        """Returns the revision of the last configuration's source."""
        run = subprocess.run([*self.server(cache), "--config", str(self.folder / "skillhost.json"), "source", "status", "--json"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60 * SLOWNESS, check=True)
        return json.loads(run.stdout)["sources"][0]["revision"]


def layer_of(folder, prefix):
    """Returns the folder as a layer below `prefix`."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.add(folder, arcname=prefix)
    return gzip.compress(out.getvalue(), mtime=0), hashlib.sha256(out.getvalue()).hexdigest()


def on_disk(folder):
    return {str(file.relative_to(folder)): digest(file.read_bytes()) for file in Path(folder).rglob("*") if file.is_file()}


def manifests(session):
    """Returns the served files: name → path → digest, from skills/list."""
    found = {}
    for skill in session.call("skills/list")["skills"]:
        root = skill["uri"].removesuffix("SKILL.md")
        name = skill.get("name") or root.rstrip("/").rsplit("/", 1)[1]
        found[name] = {one["uri"].removeprefix(root): one["digest"] for one in skill["resources"]}
    return found


def example_skills():
    return sorted(file.parent for file in (ROOT / "examples/skills").rglob("SKILL.md"))


def images(place):
    """Checks an image made like a builder's, copied between registries and into Docker's own format by skopeo."""
    folder = example_skills()[0]
    with Distribution(place.folder) as registry:
        packed, plain = layer_of(folder, "opt/skills/one")
        config = json.dumps({"architecture": "amd64", "os": "linux", "config": {},
                             "rootfs": {"type": "layers", "diff_ids": ["sha256:" + plain]}}).encode()
        document = {"schemaVersion": 2, "mediaType": MANIFEST, "config": registry.blob("image", config, CONFIG),
                    "layers": [registry.blob("image", packed, LAYER)]}
        registry.manifest("image", "1", document, MANIFEST)
        references = [f"{registry.name}/image:1"]
        if shutil.which("skopeo"):
            for form, options in (("v2s2", ()), ("oci", ("--dest-compress-format", "zstd"))):
                subprocess.run(["skopeo", "--insecure-policy", "copy", "--quiet", "--src-tls-verify=false", "--dest-tls-verify=false",
                                "--format", form, *options, f"docker://{references[0]}", f"docker://{registry.name}/copy-{form}:1"],
                               check=True, capture_output=True, timeout=120)
                references.append(f"{registry.name}/copy-{form}:1")
        else:
            print("  skopeo is not installed: its copies are left out")
        for number, reference in enumerate(references):
            begun = time.monotonic()
            with place.start({"references": [reference]}, f"cache-{number}") as session:
                got = manifests(session)
                print(f"  {reference.split('/', 1)[1]}: from start to manifests {time.monotonic() - begun:.2f} s")
                check(list(got.values()) == [on_disk(folder)], f"{reference}: {got} {session.server.stderr()}")
        for number in range(9, 12):
            registry.manifest("image", f"v1.{number}", document | {"annotations": {"version": str(number)}}, MANIFEST)
        with place.start({"repository": f"{registry.name}/image", "tags": ["v*"]}, "cache-tags") as session:
            check(len(names(session)) == 1, f"by tag: {names(session)} {session.server.stderr()}")
        check(":v1.11@" in place.revision("cache-tags"), f"the newest: {place.revision('cache-tags')}")


def of_toolhive(place):
    """Checks that our examples keep their bytes when ToolHive's packager packs and pushes them."""
    packer = build_packager(place)
    if packer is None:
        return 77
    with Distribution(place.folder) as registry:
        references, expected = [], []
        for folder in example_skills():
            reference = f"{registry.name}/team/{folder.name}:v1.0"
            run = subprocess.run([packer, str(place.folder / "store"), str(folder), reference], check=True, capture_output=True, text=True,
                                 timeout=60)
            _, headers, body = registry.ask("GET", f"/v2/team/{folder.name}/manifests/v1.0", Accept=INDEX)
            index = json.loads(body)
            check(headers["Content-Type"] == INDEX and index["artifactType"] == "dev.toolhive.skills.v1" and len(index["manifests"]) == 2,
                  f"what ToolHive pushes: {index}")
            check(digest(body) == run.stdout.strip(), f"its digest: {run.stdout}")
            references.append(reference)
            expected.append(on_disk(folder))
        with place.start({"references": references, "refresh_minutes": 0.01}) as session:
            got = manifests(session)
            check(sorted(map(sorted, got.values())) == sorted(map(sorted, expected))
                  and all(one in got.values() for one in expected), f"{got} and not {expected} {session.server.stderr()}")
            check("labels" not in session.server.stderr(), f"its labels are about its layer: {session.server.stderr()}")
            # A new version under the same tag.
            changed = place.folder / "changed" / example_skills()[0].name
            shutil.copytree(example_skills()[0], changed)
            (changed / "notes.md").write_text("Unicycle.\n")
            subprocess.run([packer, str(place.folder / "store"), str(changed), references[0]], check=True, capture_output=True, timeout=60)
            check(soon(lambda: any("notes.md" in one for one in manifests(session).values())), f"followed: {manifests(session)}")
        # ToolHive can also read the artefacts of `skill push`.
        for folder in example_skills():
            reference = f"{registry.name}/pushed/{folder.name}:v1.0"
            run = subprocess.run([SERVER, "skill", "push", str(folder), reference, "--plain-http", "--json"], check=True, capture_output=True,
                                 text=True, timeout=60)
            pushed = json.loads(run.stdout)
            run = subprocess.run([packer, str(place.folder / "pulled"), "read", reference], check=True, capture_output=True, text=True, timeout=60)
            got = json.loads(run.stdout)
            check(got["digest"] == pushed["digest"] and got["name"] == pushed["name"] and got["description"], f"{got} and not {pushed}")
            check(got["files"] == on_disk(folder) and sorted(got["files"]) == got["listed"], f"{got} and not {on_disk(folder)}")
    return 0


def build_packager(place):
    """Builds the packager; returns None, with a message, without Go or without a network for modules."""
    go = shutil.which("go") or shutil.which("/usr/local/go/bin/go")
    if go is None:
        print("  skipped: there is no Go here, of which ToolHive's packager is made")
        return None
    folder = place.folder / "packager"
    folder.mkdir()
    (folder / "go.mod").write_text("module example.org/packager\n")
    (folder / "main.go").write_text(MAIN)
    for words in (["get", f"{PACKAGER}/oci/skills@{PACKAGER_VERSION}"], ["build", "-o", "packager", "."]):
        run = subprocess.run([go, *words], cwd=folder, capture_output=True, text=True, timeout=300 * SLOWNESS, check=False)
        if run.returncode != 0:
            print(f"  skipped: go {words[0]}: {run.stderr.strip()[-300:]}")
            return None
    return str(folder / "packager")


os.environ.setdefault("GOFLAGS", "-mod=mod")
sys.exit(run_cases(checks, (images, of_toolhive), Place, sys.argv[3:], registry=True))
