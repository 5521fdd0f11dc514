#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests addresses that users paste: pages, repositories without a skill in place, shallow and too large ones.
addresses_test.py SERVER"""
import os
import shutil
import subprocess
import sys

from git_servers import PythonServer, git
from github_server import GithubServer
from source_cases import SERVER, expect, names, run_cases, told


class Person:
    """Runs the program with its own home."""

    def __init__(self, place):
        self.place, self.home = place, place.folder / "home"
        self.home.mkdir()
        self.file = self.home / ".config/skillhost/skillhost.yaml"
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "SKILLHOST_", "GIT_"))}
        self.environment = {**keep, "HOME": str(self.home)}

    def run(self, *words):
        done = subprocess.run([SERVER, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              cwd=self.place.folder, env=self.environment)
        return done.returncode, done.stdout, done.stderr

    def adds(self, word, origin, skills, *options):
        code, out, err = self.run("add", word, *options)
        count = f"{skills} skill" + ("" if skills == 1 else "s")
        expect(code == 0 and f": {count} from {origin}\n" in out and not err, f"add {word}: {code} {out} {err}")
        self.file.unlink()

    def refuses(self, word, *parts, options=()):
        code, out, err = self.run("add", word, *options)
        expect(code == 1 and not out and "Nothing was written" in err, f"add {word}: {code} {out} {err}")
        for part in parts:
            expect(part in err, f"add {word}: no \"{part}\" in {err}")
        expect(not self.file.exists(), "something was written")


def owned(place, made, name="a/b"):
    """Serves a repository under a path without .git, as a browser shows it."""
    path = place.root / name
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(made.bare)
    return made


def pages(place):
    made = owned(place, place.repository(skills=[]))
    for folder in ("skills/pdf", "skills/my notes"):
        made.skill(folder, "Does that.")
    first = made.push()
    git(made.tree, "push", "-q", str(made.bare), "HEAD:refs/heads/feature/x", "HEAD:refs/tags/skills")
    made.skill("skills/later", "Came later.")
    made.push()
    person = Person(place)
    with PythonServer(place.root) as server:
        url = f"{server.url}/a/b"
        for page, origin, skills in (
                ("/tree/trunk", "@trunk", 3), ("/tree/trunk/skills", "/skills@trunk", 3),
                ("/tree/feature/x", "@feature/x", 2), ("/tree/feature/x/skills/pdf?tab=readme#usage", "/skills/pdf@feature/x", 1),
                ("/tree/trunk/skills/my%20notes", "/skills/my notes@trunk", 1),
                ("/-/blob/feature/x/skills/pdf/SKILL.md", "/skills/pdf@feature/x", 1), ("/-/tree/trunk/skills/pdf", "/skills/pdf@trunk", 1),
                ("/src/branch/feature/x/skills", "/skills@refs/heads/feature/x", 2), ("/src/tag/skills", "@refs/tags/skills", 2),
                (f"/-/commit/{first[:8]}", f"@{first}", 2), (f"@{first[:7]}", f"@{first}", 2), ("?tab=readme#x", "", 3)):
            person.adds(url + page, url + origin, skills)
        # A tag has the name of a folder; the longest existing ref wins.
        git(made.tree, "push", "-q", str(made.bare), f"{first}:refs/tags/trunk/skills")
        code, out, err = person.run("add", f"{url}/tree/trunk/skills/pdf")
        expect(code == 1 and 'has no folder "pdf"' in err, f"the tag trunk/skills: {code} {out} {err}")
        git(made.tree, "push", "-q", str(made.bare), ":refs/tags/trunk/skills")
        person.refuses(f"{url}/tree/nowhere/x", 'no branch and no tag "nowhere"')
        person.refuses(f"{url}/tree/trunk/nowhere", 'has no folder "nowhere"')
        person.refuses(f"{url}@{'0' * 12}", "no commit \"000000000000\"")
        # Written by hand: a wrong address is reported, with the probable ref.
        with place.start({"url": url, "ref": "feature/x/skills"}, cache=place.folder / "hand") as session:
            expect(told(session, 'no tag "feature/x/skills", but "feature/x": write the folder behind it as subpath'),
                   session.server.stderr())
        for wrong, words in (("https://github.com/a/b/tree/main", "is a page of a repository"),
                             ("https://git.example.org/a/b/-/tree/main", "is a page of a repository"),
                             ("github.com/a", "write https:// before it"), ("github.com/a/b", "write https:// before it")):
            run = subprocess.run(place.command({"url": wrong}), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            expect(run.returncode == 1 and words in run.stderr, f"{wrong}: {run.returncode} {run.stderr}")
    person.adds(str(made.bare), str(made.bare), 3)
    person.adds(f"{made.bare}@feature/x", f"{made.bare}@feature/x", 2)
    code, out, err = person.run("add", str(made.tree / "skills/pdf/SKILL.md"))
    expect(code == 0 and "1 skill from" in out, f"a file: {code} {out} {err}")


def unanswered(place):
    """Checks that a failing remote does not count as lacking a ref, whatever its address looks like."""
    made = owned(place, place.repository(skills=["skills/pdf"]), "a/pref")
    git(made.tree, "push", "-q", str(made.bare), "HEAD:refs/heads/feature/x")
    person, asked = Person(place), []

    def answer(handler):
        asked.append(handler.path)
        if len(asked) == 1:
            return False  # the longest reading, a ref that does not exist
        handler.say(503)
        return True

    with PythonServer(place.root, answer=answer) as server:
        person.refuses(f"{server.url}/a/pref/tree/feature/x/skills/pdf/more", "answers 503")
    # Two of the five readings are tried; asking for a list after a failed look makes the server ask the remote again.
    expect(len(asked) <= 4, f"no further reading is tried: {asked}")


def nothing_to_serve(place):
    """Checks that a repository without served skills gives the reason and the remedy."""
    inner = place.repository("inner", skills=["deep"])
    made = place.repository(skills=[".claude/skills/one", ".claude/skills/two"])
    person = Person(place)
    with PythonServer(place.root) as server:
        url = f"{server.url}/r.git"
        person.refuses(url, "holds no skill that can be served but 2 skills below folders whose names begin with a dot, such as "
                            ".claude/skills/one: add it with --hidden")
        person.adds(url, url, 2, "--hidden")
        code, out, err = person.run("add", url, "--no-check")
        expect(code == 0 and out.startswith("added r to "), f"unseen: {code} {out} {err}")
        person.file.unlink()
        made = place.repository("outer", skills=[])
        git(made.tree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.bare), "vendor/skills")
        made.push()
        person.refuses(f"{server.url}/outer.git", "vendor/skills: is a submodule, and left out: to serve its skills, add its own repository, "
                            f"{inner.bare}")
    folder = place.folder / "folder"
    shutil.copytree(made.tree / "vendor/skills/deep", folder / ".agents/skills/deep")
    person.refuses("./folder", "but 1 skill below folders", ".agents/skills/deep: add it with --hidden")
    person.adds("./folder", folder, 1, "--hidden")
    (folder / "bad").mkdir()
    (folder / "bad/SKILL.md").write_text("---\nname: bad\n---\n")
    shutil.rmtree(folder / ".agents")
    person.refuses("./folder", "bad/SKILL.md", "description")
    # The commands that look at sources report an omitted skill.
    config = place.folder / "local.yaml"
    config.write_text(f"sources:\n- {{name: local, plugin: filesystem, config: {{directories: [{folder}]}}}}\n")
    for command in ("list", "status", "refresh"):
        code, out, err = person.run("source", command, "--config", str(config))
        expect(code == 0 and (out + err).count("local/bad is not served") == 1, f"source {command}: {out} {err}")


def unreadable_remotes(place):
    made = place.repository()
    made.skill("gamma", "Came later.")
    made.push()
    git(place.root, "clone", "-q", "--bare", "--depth", "1", f"file://{made.bare}", "shallow.git")
    git(place.root, "init", "-q", "--object-format=sha256", "digests")
    git(place.root / "digests", "commit", "-q", "--allow-empty", "-m", "x")
    (place.root / "digests.git").symlink_to("digests/.git")
    with PythonServer(place.root) as server:
        for root in (server.url, f"file://{place.root}"):
            for name, words in (("shallow", ("it is a shallow clone", "git fetch --unshallow")), ("digests", ("by SHA-256",))):
                with place.start({"url": f"{root}/{name}.git"}, cache=place.folder / (root[:4] + name)) as session:
                    expect(names(session) == [], f"{root}/{name}.git: something is served")
                    expect(told(session, *words), f"{root}/{name}.git: {session.server.stderr()}")
                    place.end(session)


def too_large_for_git(place):
    """Checks that GitHub's API replaces git for a history beyond max_fetch_bytes, even after a restart."""
    made = owned(place, place.repository(), "owner/r")
    (made.tree / "old.bin").write_bytes(os.urandom(400_000))
    made.push()
    git(made.tree, "rm", "-q", "old.bin")
    made.push()
    with PythonServer(place.root) as server, GithubServer(place.root) as github:
        config = {"url": f"{server.url}/owner/r", "max_fetch_bytes": 100_000}
        with place.start(config) as session:
            expect(names(session) == [], "too large")
            expect(told(session, "max_fetch_bytes", "if this is GitHub, write via: api"), session.server.stderr())
            place.end(session)
        config["api_url"] = github.url + "/api/v3"
        with place.start({**config, "via": "git"}, cache=place.folder / "git") as session:
            expect(names(session) == [], "too large")
            expect(not github.requests, f"by git alone: {github.requests}")
        with place.start(config) as session:
            expect(names(session) == ["alpha", "beta"], f"by the API: {session.server.stderr()}")
            expect(told(session, "is too large for git", "from now on GitHub's API is asked"), session.server.stderr())
            place.end(session)
        asked, looked = len(server.requests), len(github.requests)
        made.skill("gamma", "Came later.")
        made.push()
        with place.start(config) as session:
            session.tool("reload_skills_directory")
            expect(names(session) == ["alpha", "beta", "gamma"], f"after a restart: {session.server.stderr()}")
            place.end(session)
        expect(len(server.requests) == asked and len(github.requests) > looked, f"asked by git again: {server.requests[asked:]}")
        # git fetches a repository that is small enough.
        looked = len(github.requests)
        with place.start({**config, "max_fetch_bytes": 10_000_000}, cache=place.folder / "small") as session:
            expect(names(session) == ["alpha", "beta", "gamma"], session.server.stderr())
        expect(len(github.requests) == looked, f"{github.requests[looked:]}")


if __name__ == "__main__":
    sys.exit(run_cases([pages, unanswered, nothing_to_serve, unreadable_remotes, too_large_for_git]))
