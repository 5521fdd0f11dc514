#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests links that lead out of a skill, from every kind of source and by every way to read: links_test.py SERVER"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER = sys.argv[1]
SECRET = "SECRETMARK"
checks = Checks()
check = checks.check
# Each entry maps the name of a link in the skill alpha to its target.
LEAVING = {"leak.md": "../gamma/SKILL.md", "whole": "../gamma", "deep": "../gamma/deep", "more.md": "../gamma/deep/more.md", "shared.md": "../shared/note.md",
           "unlisted.md": "../.private/note.md", "twice.md": "docs/again.md", "docs/again.md": "../../gamma/SKILL.md",
           "up": "..", "out.md": "../../outside.md", "inner.md": "inner/own.md"}
STAYING = {"alias.md": "docs/own.md", "docs/home.md": "../readme.md"}


def skill(place, name, text="Text.", category=""):
    place.mkdir(parents=True)
    category = f"metadata:\n  category: {category}\n" if category else ""
    (place / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Says something.\n{category}---\n{text}\n")


def fill(pub):
    skill(pub / "alpha", "alpha")
    (pub / "alpha/docs").mkdir()
    (pub / "alpha/docs/own.md").write_text("OWNMARK")
    (pub / "alpha/readme.md").write_text("OWNMARK")
    skill(pub / "alpha/inner", "inner", SECRET, "internal")
    (pub / "alpha/inner/own.md").write_text(SECRET)
    skill(pub / "gamma", "gamma", SECRET, "internal")
    (pub / "gamma/deep").mkdir()
    (pub / "gamma/deep/more.md").write_text(SECRET)
    for place in (pub / "shared/note.md", pub / ".private/note.md", pub.parent / "outside.md"):
        place.parent.mkdir(exist_ok=True)
        place.write_text(SECRET)
    (pub / "linked").symlink_to("alpha")  # a whole skill may be a link
    (pub / "entry").mkdir()
    (pub / "entry/SKILL.md").symlink_to("../gamma/SKILL.md")
    for name, target in {**LEAVING, **STAYING, "chapter": "docs"}.items():
        (pub / "alpha" / name).symlink_to(target)


def tool(running, name, **arguments):
    return json.dumps(running.post(legacy("tools/call", name=name, arguments=arguments))[1])


def ask(running, skills):
    """Returns all answers about these skills that a visitor gets."""
    told = {"list": tool(running, "list_skills", detail=True), "tools": json.dumps(running.post(legacy("tools/list"))[1]),
            "search": tool(running, "find_helpful_skills", task_description=SECRET)}
    for name in skills:
        for path in ("", "**", "**/*.md", *LEAVING, "whole/SKILL.md", "deep/more.md", "up/gamma/SKILL.md"):
            told[f"{name}: {path}"] = tool(running, "read_skill_document", skill_name=name, document_path=path)
        told[f"{name} loaded"] = tool(running, "load_skill", skill_name=name)
        for path in (*LEAVING, "whole/SKILL.md", "deep/more.md", "up/gamma/SKILL.md", "SKILL.md"):
            for method in ("resources/read", "resources/directory/read"):
                told[f"{method} {name}/{path}"] = json.dumps(running.post(legacy(method, uri=f"skill://{name}/{path}"))[1])
    return told


def visit(what, staying, *options):
    running = Running(SERVER, *options, "--allow-anonymous", "--set",
                      "access.visibility=" + json.dumps([{"categories": ["internal"], "scopes": ["staff"]}]))
    until(lambda: "alpha" in tool(running, "list_skills"), f"{what}: the skills")
    told = ask(running, ("pub/alpha", "pub/linked", "pub/entry"))
    for question, answer in told.items():
        check(SECRET not in answer, f"{what}: {question}: {answer[:300]}")
    for path in staying:
        answer = tool(running, "read_skill_document", skill_name="pub/alpha", document_path=path)
        check("OWNMARK" in answer, f"{what}: control: {path} is read, which stays in the skill: {answer[:300]}")
    check(running.end() == 0, f"{what}: the end")
    return "".join(running.log), told


def filesystem(pub):
    log, told = visit("filesystem", (*STAYING, "chapter/own.md"), str(pub))
    for name in ("leak.md", "shared.md", "deep"):
        check(f"alpha/{name}: skipped: the symbolic link leads" in log, f"the log names {name}")
    linked = told["pub/linked: **"]
    check("docs/own.md" in linked, f"control: a skill whose folder is a link is served: {linked[:300]}")
    # Without the rule the same words are in the answers, so their absence is due to the rule.
    running = Running(SERVER, str(pub))
    until(lambda: "gamma" in tool(running, "list_skills"), "the skills")
    check(SECRET in tool(running, "load_skill", skill_name="gamma"), "control: the secret is read by who may")
    check(SECRET not in tool(running, "read_skill_document", skill_name="pub/alpha", document_path="leak.md"), "but not by the link")
    # A link that replaces a listed file is not read either, and a hard link is the file.
    (pub / "alpha/readme.md").unlink()
    (pub / "alpha/readme.md").symlink_to("../gamma/SKILL.md")
    answer = tool(running, "read_skill_document", skill_name="pub/alpha", document_path="readme.md")
    check(SECRET not in answer, f"exchanged: {answer[:300]}")
    os.link(pub / "gamma/SKILL.md", pub / "alpha/hard.md")
    until(lambda: SECRET in tool(running, "read_skill_document", skill_name="pub/alpha", document_path="hard.md"), "what cannot be told apart")
    (pub / "alpha/hard.md").unlink()
    (pub / "alpha/readme.md").unlink()
    (pub / "alpha/readme.md").write_text("OWNMARK")
    check(running.end() == 0, "the end")


def git(pub, folder):
    repository = folder / "pub.git-work"
    shutil.copytree(pub, repository, symlinks=True)
    name = ["git", "-C", str(repository), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    subprocess.run([*name, "add", "-A"], check=True)
    subprocess.run([*name, "commit", "-q", "-m", "x"], check=True)
    file = folder / "configuration.json"
    file.write_text(json.dumps({"sources": [{"name": "pub", "plugin": "github", "config": {"url": str(repository)}}]}))
    empty = folder / "empty"
    empty.mkdir()
    visit("git", STAYING, str(empty), "--config", str(file))


def validated(pub):
    run = subprocess.run([SERVER, "validate", str(pub)], capture_output=True, text=True, timeout=DEADLINE)
    for name in ("leak.md", "shared.md", "more.md"):
        check(f"{name}: warning: the link is not followed: it leads" in run.stdout, f"validate tells of {name}: {run.stdout[:900]}")
    check("alias.md: warning" not in run.stdout, "control: and not of those that stay")


def saved(pub, folder):
    """Checks that the store takes no link from a folder, and from a source only the served files."""
    store = str(folder / "store")
    run = subprocess.run([SERVER, "skill", "save", str(pub / "alpha"), "--skill-dir", store], capture_output=True, text=True, timeout=DEADLINE)
    check(run.returncode != 0 and "is a link" in run.stderr, f"save: {run.stdout} {run.stderr}")
    check(not any(SECRET in one.read_text(errors="replace") for one in Path(store).rglob("*") if one.is_file()), "nothing was saved")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        pub = folder / "pub"
        fill(pub)
        filesystem(pub)
        validated(pub)
        saved(pub, folder)
        git(pub, folder)
    return checks.finish()


sys.exit(main())
