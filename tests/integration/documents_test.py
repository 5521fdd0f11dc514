#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests end to end which files below a skill are its documents: documents_test.py SERVER. Secrets and litter are in
no list, store, index or digest. Links of installers are followed if nobody else controls their targets."""
import errno
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks, until
from http_server import Running
from session import Session, write_skill

SERVER = str(Path(sys.argv[1]).resolve())
KEY = "ghp_" + "Zk3R9vQ1xT7mB2nL8cW5yH4pD6sF0gJ1aUeX"  # random, and nobody's
POINTER = ("version https://git-lfs.github.com/spec/v1\n"
           "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 48713\n")
LITTER = ["scripts/__pycache__/helper.cpython-311.pyc", ".DS_Store", "Thumbs.db", "notes.md~", ".notes.md.swp",
          "node_modules/left-pad/index.js", ".venv/bin/tool", "__MACOSX/._notes.md", ".git/config"]
SECRETS = [".env", ".env.local", "id_rsa", ".npmrc", "scripts/service.pem"]
checks = Checks()


def check(holds, what, seen=""):
    checks.check(holds, f"{what}: {str(seen)[:900]}")


class Home:
    """skillhost in its own home, with a skill that has a script of two files."""

    def __init__(self, folder):
        self.folder, self.skills = folder, folder / "skills"
        self.pdf = self.add("pdf")
        self.environment = {**os.environ, "HOME": str(folder), "SKILLHOST_CONFIG": "",
                            "XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data")}

    def add(self, name, skills=None):
        write_skill(skills or self.skills, name, f"Reads {name}.")
        skill = (skills or self.skills) / name
        (skill / "scripts").mkdir()
        (skill / "scripts/helper.py").write_text("WORD = 'done'\n")
        (skill / "scripts/run.py").write_text("import helper\nprint(helper.WORD)\n")
        (skill / "notes.md").write_text("Notes.\n")
        (skill / ".env.example").write_text("TOKEN=\n")
        return skill

    def put(self, paths, skill=None):
        for path in paths:
            file = (skill or self.pdf) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("x\n")

    def run(self, *words, code=0, cwd=None):
        done = subprocess.run([SERVER, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120, env=self.environment, cwd=cwd or self.folder)
        check(done.returncode == code, f"{words} ends with {code}", (done.returncode, done.stdout, done.stderr))
        return done.stdout + done.stderr

    def doctor(self, *words):
        """Returns the output of doctor. Its exit code also depends on clients."""
        return subprocess.run([SERVER, "doctor", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120, env=self.environment, cwd=self.folder).stdout

    def session(self, *words):
        return Session(["env", *(f"{name}={self.environment[name]}" for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")),
                        SERVER, *map(str, words)])


def load(session, name="pdf"):
    return session.call("tools/call", name="load_skill", arguments={"skill_name": name, "force_reload": True})["content"][0]["text"]


def read(session, path, name="pdf"):
    return session.call("tools/call", name="read_skill_document",
                        arguments={"skill_name": name, "document_path": path})["structuredContent"]


def names(session):
    return sorted(skill["name"] for skill in session.listing()["skills"])


def secrets(folder):
    home = Home(folder)
    with home.session("--skills-dir", home.skills) as session:
        check(read(session, "notes.md")["success"], "the control: a document is read")
        before = load(session)
    home.put(SECRETS + LITTER)
    (home.pdf / "settings.md").symlink_to(".env")
    with home.session("--skills-dir", home.skills) as session:
        text = load(session)
        check(text == before, "load_skill names what it did before", text)
        for path in (*SECRETS, "settings.md", "node_modules/left-pad/index.js"):
            check(not read(session, path)["success"], f"{path} is not read", read(session, path))
        check(read(session, ".env.example")["success"], "an example is a document")
        log = session.server.stderr()
        check("pdf/.env: left out: by its name it holds a secret" in log and "__pycache__" not in log, "the log names it", log)
    said = home.run("validate", home.skills)
    for path in (*SECRETS, "settings.md"):
        check(f"skills/pdf/{path}: warning: by its name it holds a secret" in said, f"validate names {path}", said)
    named = ".git, .venv, __MACOSX, node_modules, scripts/__pycache__; "
    check(said.count(": advice: beside it lies what is no document") == 1 and named in said, "and litter that may be loaded", said)
    check("DS_Store" not in said and "notes.md~" not in said, "and no other litter", said)
    (home.pdf / "settings.md").unlink()
    said = home.run("skill", "save", "./skills/pdf")
    check("version 1 saved" in said and "pdf/.env: left out" in said, "it is saved without them", said)
    stored = [file["path"] for file in json.loads(home.run("skill", "info", "pdf", "--skill-dir", folder / "data/skillhost/skills",
                                                           "--json"))["files"]]
    check(stored == [".env.example", "SKILL.md", "notes.md", "scripts/helper.py", "scripts/run.py"], "what is stored", stored)


def keys(folder):
    """Checks that every command that would carry a document away refuses a key in it."""
    home = Home(folder)
    nowhere = ("127.0.0.1:1/team/pdf:1", "--plain-http", "--timeout", "5")
    check("version 1 saved" in home.run("skill", "save", "./skills/pdf"), "the control: it is saved")
    check("looks like" not in home.run("skill", "push", "./skills/pdf", *nowhere, code=1), "the control: it would be pushed")
    (home.pdf / "scripts/run.py").write_text(f"import helper\n\nTOKEN = '{KEY}'\n")
    for what in ("./skills/pdf", "pdf"):
        options = () if "/" in what else ("--skills-dir", home.skills)
        for verb in (("save", what), ("push", what, *nowhere)):
            said = home.run("skill", *verb, *options, code=1)
            check("scripts/run.py:3:10: error: what looks like a GitHub token" in said and "--allow-leaked-keys" in said,
                  f"{verb} is refused", said)
            check(KEY not in said, "and never quotes the key", said)
    check("version 2 saved" in home.run("skill", "save", "./skills/pdf", "--allow-leaked-keys"), "unless told otherwise")
    check("looks like" not in home.run("skill", "push", "./skills/pdf", *nowhere, "--allow-leaked-keys", code=1), "for push, too")
    home.add("csv")
    index = "/.well-known/agent-skills/index.json"
    for options, published in (((), ["csv"]), (("--set", "http.publish_leaked_keys=true"), ["csv", "pdf"])):
        server = Running(SERVER, str(home.skills), "--set", "http.publish=*", *options)
        listed = [skill["name"] for skill in json.loads(server.ask("GET", index)[1])["skills"]]
        check(listed == published, f"published {options}", listed)
        for _ in range(2):
            connection, response = server.open("GET", "/.well-known/agent-skills/pdf.tar.gz")
            check(response.status == (200 if "pdf" in published else 404), f"fetched {options}", response.status)
            connection.close()
        if "pdf" not in published:
            until(lambda: "pdf is not published" in "".join(server.log), "the log says so")
            log = "".join(server.log)
            check("scripts/run.py:3" in log and KEY not in log, "and where", log)
        server.end()


def reviewed(folder):
    """Checks that running an approved skill's own script, as load_skill says or otherwise, does not withdraw the
    approval."""
    home = Home(folder)
    file = folder / "skillhost.json"
    file.write_text(json.dumps({"sources": [{"name": "hub", "config": {"directories": [str(home.skills)]}}],
                                "trust": {"rules": [{"sources": ["hub"], "action": "quarantine"}],
                                          "approvals": str(folder / "approvals.json")},
                                "skills_lock": str(folder / "skills.lock"), "startup_wait_ms": 60000}))
    home.run("review", "approve", "pdf", "--config", file)
    home.run("lock", "--config", file)
    for options in ((), ("--set", "locked=true")):
        with home.session("--config", file, *options) as session:
            check(names(session) == ["pdf"], f"{options}: the control: it is served", session.server.stderr())
            check("python3 -B " in load(session), f"{options}: Python is to write nothing", load(session))
            home.put(LITTER + [".env"])
            shutil.rmtree(home.pdf / "scripts/__pycache__")
            writing = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            done = subprocess.run([sys.executable, str(home.pdf / "scripts/run.py")], capture_output=True, text=True, timeout=60,
                                  env=writing)
            check(done.stdout == "done\n" and list(home.pdf.rglob("helper*.pyc")), f"{options}: the script has run", done)
            session.tool("reload_skills_directory")
            check(names(session) == ["pdf"], f"{options}: it is served as before", session.server.stderr())
            (home.pdf / "notes.md").write_text("Nodes.\n")
            session.tool("reload_skills_directory")
            check(names(session) == [], f"{options}: a document that has changed withdraws it")
            (home.pdf / "notes.md").write_text("Notes.\n")
            session.tool("reload_skills_directory")
            check(names(session) == ["pdf"], f"{options}: as it was, it is back")


def let_write(path, user):
    """Does setfacl -m u:USER:rwx PATH. The group bits become the mask. Returns False if the file system has no such
    lists."""
    entries = [(1, 7, -1), (2, 7, user), (4, 5, -1), (0x10, 7, -1), (0x20, 5, -1)]
    try:
        os.setxattr(path, "system.posix_acl_access", struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries))
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
        print("  the file system has no access control lists")
        return False
    return True


def links_shared(folder):
    """Checks a link whose target another user may write to only by an access control list."""
    home = Home(folder)
    agents, claude = folder / ".agents/skills", folder / ".claude/skills"
    for name in ("one", "two"):
        home.add(name, agents)
    claude.mkdir(parents=True)
    for name in ("one", "two"):
        (claude / name).symlink_to(agents / name)
    if not let_write(agents / "two", 33):
        return
    with home.session("--skills-dir", claude) as session:
        check(names(session) == ["one"], "two is not served", session.server.stderr())
        check("claude/skills/two: skipped" in session.server.stderr() and "other users may write to its target" in session.server.stderr(),
              "the log says why", session.server.stderr())
    said = home.doctor("--skills-dir", claude)
    check("claude/skills/two is a link that is not followed: other users may write to its target" in said, "doctor says so", said)


def links(folder):
    """Checks links of installers: one folder of skills, and links to it from that of each agent."""
    home = Home(folder)
    agents, claude = folder / ".agents/skills", folder / ".claude/skills"
    for name in ("one", "two"):
        home.add(name, agents)
    home.add("own", claude)
    home.add("elsewhere", folder / "dev")
    (claude / "one").symlink_to("../../.agents/skills/one")
    (claude / "two").symlink_to(agents / "two")
    (claude / "elsewhere").symlink_to(folder / "dev/elsewhere")
    (folder / "private").mkdir()
    (folder / "private/key.md").write_text("secret\n")
    (claude / "own/leak.md").symlink_to("../../../private/key.md")
    (claude / "own/leak").symlink_to("../../../private")
    (claude / "private").symlink_to("../../private")
    home.add("open", folder / "dev").chmod(0o777)
    (claude / "open").symlink_to("../../dev/open")
    with tempfile.TemporaryDirectory() as outside:
        home.add("foreign", Path(outside))
        (claude / "foreign").symlink_to(Path(outside) / "foreign")
        wider = json.dumps([{"name": "wider", "config": {"directories": [str(claude)], "follow_links_into": [str(folder)]}}])
        with home.session("--set", f"sources={wider}") as session:
            check(names(session) == ["elsewhere", "one", "own", "two"], "into any folder that the setting names", session.server.stderr())
            check("other users may write to its target" in session.server.stderr(), "open is refused by name")
        with home.session("--skills-dir", claude) as session:
            check(names(session) == ["one", "own", "two"], "links are followed", session.server.stderr())
            check("leak" not in load(session, "own"), "none within a skill that leaves it", load(session, "own"))
            check(str(claude / "one") in load(session, "one"), "its folder is where the link is", load(session, "one"))
            check(read(session, "notes.md", "one")["success"] and read(session, "scripts/run.py", "two")["success"], "read")
            log = session.server.stderr()
            for name in ("open", "private", "foreign", "elsewhere"):
                why = "lies in no folder that links may lead into"
                check(f"{claude}/{name}: skipped: the symbolic link leads out of the directory and is not followed" in log
                      and why in log, f"{name} is refused by name", log)
            (agents / "one/SKILL.md").write_text("---\nname: one\ndescription: Other words.\n---\nOther.\n")
            until(lambda: "Other words." in json.dumps(session.listing(detail=True)), "what changes behind a link is told")
            (folder / ".agents/skills/one").rename(folder / "gone")
            until(lambda: "one" not in names(session), "what is gone is gone")
            (folder / "gone").rename(folder / ".agents/skills/one")
            until(lambda: "one" in names(session), "what comes back is there")
        # Beside a source of the other folder, a link to it adds no skill.
        with home.session("--skills-dir", claude, "--skills-dir", agents) as session:
            check(names(session) == ["one", "own", "two"], "no skill is there twice", session.listing())
        with home.session("--set", "usual_folders=true") as session:
            check(names(session) == ["one", "own", "two"], "by habit", session.listing())
        said = home.run("validate", claude)
        for name in ("one", "two"):
            check(f"skills/{name}: advice: the link is followed to" in said, f"validate says that {name} is followed", said)
        for name in ("open", "foreign", "private", "elsewhere"):
            check(f"skills/{name}: warning: the link is not followed" in said, f"and {name} is not", said)
        check("3 skills checked" in said, "and checks them", said)
        said = home.doctor("--skills-dir", claude)
        check("follows 2 links out of" in said and "claude/skills/open is a link that is not followed" in said, "doctor says so", said)
        configured = json.dumps([{"name": "mine", "config": {"directories": [str(claude)], "follow_links_into": []}}])
        with home.session("--set", f"sources={configured}") as session:
            check(names(session) == ["own"], "none, where the setting says so", session.listing())


def links_as_text(folder):
    home = Home(folder)
    home.add("one", folder / ".agents/skills")
    (folder / ".claude/skills").mkdir(parents=True)
    (folder / ".claude/skills/one").write_text("../../.agents/skills/one")
    said = home.run("validate", folder / ".claude/skills", code=1)
    check("skills/one: error: git has written a link to ../../.agents/skills/one as a text" in said, "validate", said)
    with home.session("--skills-dir", folder / ".claude/skills") as session:
        names(session)
        check("git has written a symbolic link to ../../.agents/skills/one as a text" in session.server.stderr(), "the log",
              session.server.stderr())
    check("is a link to ../../.agents/skills/one that git has written as a text" in
          home.doctor("--skills-dir", folder / ".claude/skills"), "doctor")
    (folder / ".claude/skills/one").unlink()
    (folder / ".claude/skills").rmdir()
    (folder / ".claude/skills").write_text("../.agents/skills")
    said = home.run("validate", folder / ".claude/skills", code=1)
    check("skills: error: git has written a link to ../.agents/skills as a text" in said, "the folder itself", said)
    said = home.run("skill", "list", "--skills-dir", folder / ".claude/skills", code=1)
    check("git has written a symbolic link to ../.agents/skills as a text" in said, "as a source", said)
    said = home.run("skill", "list", "--set", "usual_folders=true")
    check(".claude/skills (../.agents/skills) is a link that git has written as a text" in said, "as a usual folder", said)


def pointers(folder):
    home = Home(folder)
    (home.pdf / "logo.png").write_text(POINTER)
    (home.pdf / "scripts/tool.sh").write_text(POINTER)
    (home.pdf / "lfs.md").write_text("# Large files\n\n```\n" + POINTER + "```\n")
    with home.session("--skills-dir", home.skills) as session:
        text = load(session)
        check("lfs.md" in text and "logo.png" not in text and "tool.sh" not in text, "pointers are no documents", text)
        check(not read(session, "logo.png")["success"] and read(session, "lfs.md")["success"], "nor read")
        check("pdf/logo.png: left out: it is a pointer of Git LFS" in session.server.stderr(), "the log", session.server.stderr())
        (home.pdf / "logo.png").write_bytes(b"\x89PNG" * 40)
        until(lambda: "logo.png" in load(session), "what was fetched since is a document")
        (home.pdf / "logo.png").write_text(POINTER)
        until(lambda: "logo.png" not in load(session), "and a pointer again is none")
    said = home.run("validate", home.skills)
    check("pdf/logo.png: warning: it is a pointer of Git LFS" in said and "lfs.md: warning" not in said, "validate", said)
    said = home.run("skill", "save", "./skills/pdf")
    check("logo.png: left out: it is a pointer of Git LFS" in said, "saved without", said)


def main():
    for part in (secrets, keys, reviewed, links, links_shared, links_as_text, pointers):
        with tempfile.TemporaryDirectory(prefix="skillhost-documents-") as folder:
            try:
                part(Path(folder).resolve())
            except Exception as broken:  # the earlier failures say more
                check(False, f"{part.__name__} ended early", repr(broken))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
