#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the JSON of an older skills server is served unchanged: older_configuration_test.py SERVER. It uses
both kinds of source: a local folder, and a real git repository behind a real git server on loopback."""
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from git_servers import BACKEND, PythonServer, Repository
from checks import Checks
from session import DEADLINE, Session, write_skill

SERVER = sys.argv[1]
checks = Checks()
check = checks.check


def older(url, **more):
    return {
        "skill_sources": [
            {"type": "github", "url": url, "comment": "the team's skills", **more},
            {"type": "local", "path": "~/.claude/skills", "comment": "my own"},
            {"type": "local", "path": "~/none/there", "comment": "a folder that does not exist yet"}],
        "embedding_model": "all-MiniLM-L6-v2",
        "default_top_k": 2,
        "max_skill_content_chars": None,
        "comment_max_chars": "Set to an integer to truncate, or null",
        "load_skill_documents": True,
        "max_image_size_bytes": 5242880,
        "allowed_image_extensions": [".png", ".jpg"],
        "text_file_extensions": [".md", ".py"],
        "auto_update_enabled": True,
        "auto_update_interval_minutes": 60,
        "github_api_token": "ghp_for_github_alone"}


def start(folder, configuration):
    file = Path(folder, "config.json")
    file.write_text(json.dumps(configuration))
    return Session(["env", f"HOME={folder}/home", f"XDG_CACHE_HOME={folder}/cache", "SKILLHOST_STARTUP_WAIT_MS=60000",
                    SERVER, "--config", str(file)])


def names(session):
    return sorted(skill["name"] for skill in session.tool("list_skills")["skills"])


def main():
    if not shutil.which("git") or not Path(BACKEND).exists():
        print("skipped: git and its http-backend are not installed")
        return 77
    with tempfile.TemporaryDirectory(prefix="skillhost-older-") as folder:
        root = Path(folder, "root")
        root.mkdir()
        mine = Path(folder, "home/.claude/skills")
        write_skill(mine, "own", "Mine alone.")
        made = Repository(root, "team")
        for place, name in (("skills", "alpha"), ("skills", "beta"), ("other", "gamma")):
            write_skill(made.tree / place, name, f"Does {name}.")
        (made.tree / "skills/alpha/guide.md").write_text("How alpha is done.\n")
        made.push()
        with PythonServer(root) as server:
            url = f"{server.url}/team.git"
            with start(folder, older(url)) as session:
                check(names(session) == ["alpha", "beta", "gamma", "own"], f"{names(session)} {session.server.stderr()}")
                found, deadline = [], time.monotonic() + DEADLINE
                while len(found) < 2 and time.monotonic() < deadline:  # the index follows the sources
                    found = session.tool("find_helpful_skills", task_description="do alpha or beta or gamma")["results"]
                check(len(found) == 2, f"default_top_k holds: {found}")
                read = session.tool("read_skill_document", skill_name="alpha", document_path="guide.md")
                check("How alpha is done." in json.dumps(read), f"a document: {read}")
                log = session.server.stderr()
                loud = [line for line in log.splitlines() if "WARNING" in line or "ERROR" in line]
                check(len(loud) == 1 and "embedding_model: there is no model in" in loud[0] and "skillhost model fetch" in loud[0],
                      f"what is to be done for the model, and no other noise: {log}")
                check("ghp_for_github_alone" not in log, log)
                write_skill(mine, "later", "Comes later.")
                while "later" not in names(session):
                    session.wait_for("notifications/resources/list_changed", DEADLINE)
                check(True, "a local change is followed")
            check(not any(secret for _, _, secret in server.requests), "the token is for GitHub alone")
            with start(folder, older(url, subpath="skills")) as session:
                check(names(session) == ["alpha", "beta", "later", "own"], f"subpath: {names(session)}")
        with start(folder, older(f"file://{root}/team.git", subpath="other")) as session:
            check(names(session) == ["gamma", "later", "own"], f"file: {names(session)} {session.server.stderr()}")
        off = dict(older(f"file://{root}/team.git"), auto_update_enabled=False)
        with start(folder, off) as session:
            check("gamma" in names(session), f"without updates: {names(session)}")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
