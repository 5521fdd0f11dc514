#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests setting up as a person does: no options, add and remove, a client's file, and the doctor. setup_test.py
SERVER"""
import http.server
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import unicodedata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import Checks  # noqa: E402

SERVER = str(Path(sys.argv[1]).resolve())
checks = Checks()
check = checks.check


class Machine:
    def __init__(self, folder):
        self.home, self.project = Path(folder, "home"), Path(folder, "project")
        self.home.mkdir()
        self.project.mkdir()
        self.own = self.home / ".config/skillhost/skillhost.yaml"
        keep = {name: value for name, value in os.environ.items()
                if not name.startswith(("XDG_", "SKILLHOST_", "CLAUDE_", "CODEX_", "GIT_"))}
        self.environment = {**keep, "HOME": str(self.home)}

    def skill(self, path):
        path.mkdir(parents=True)
        (path / "SKILL.md").write_text(f"---\nname: {path.name}\ndescription: Does {path.name}. Use it for that.\n---\nText.\n")

    def run(self, *words):
        done = subprocess.run([SERVER, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              cwd=self.project, env=self.environment)
        return done.returncode, done.stdout, done.stderr


def usual_folders(machine):
    code, out, err = machine.run("skill", "list")
    check(code == 0 and "0 skills" in out and "none of the usual folders is there" in err, f"nothing: {out} {err}")
    machine.skill(machine.home / ".claude/skills/pdf")
    machine.skill(machine.project / "skills/local")
    code, out, err = machine.run("skill", "list", "--log-level", "INFO")
    check(out.endswith("2 skills\n"), f"usual folders: {out}")
    check(f"{machine.home}/.claude/skills as claude" in err and f"{machine.project}/skills as project" in err, err)
    machine.skill(machine.project / "empty/.system/inner")
    code, out, err = machine.run("skill", "list", "--skills-dir", "empty")
    check("0 skills" in out and "1 skill is passed over below folders whose names begin with a dot, such as .system/inner" in err and "--hidden" in err, f"hidden: {err}")
    machine.skill(machine.project / "empty/plain")
    hidden = "1 skill is passed over below folders whose names begin with a dot, such as .system/inner"
    code, out, err = machine.run("skill", "list", "--skills-dir", "empty")
    check("1 skill\n" in out and hidden in err, f"hidden beside another one: {err}")
    code, out, err = machine.run("doctor", "--skills-dir", "empty", "--no-config")
    check(hidden in out and "hidden: true" in out, f"doctor tells of hidden ones: {code} {out} {err}")
    code, out, err = machine.run("validate", "empty")
    check(code == 0 and hidden in out and "--hidden" in out, f"validate tells of hidden ones: {code} {out} {err}")
    code, out, err = machine.run("validate", "empty", "--hidden")
    check(code == 0 and "2 skills checked" in out and "passed over" not in out, f"validate looks into them: {out}")
    shutil.rmtree(machine.project / "empty/plain")
    code, out, err = machine.run("skill", "list", "--skills-dir", "empty", "--hidden")
    check("1 skill\n" in out and "passed over" not in err, f"hidden, looked into: {err}")


def own_sources(machine):
    repository = machine.project / "repo"
    machine.skill(repository / "team/one")
    git = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "x"], ["tag", "v1"]):
        subprocess.run(git + words, check=True, env=machine.environment, capture_output=True)
    machine.skill(repository / "team/two")
    for words in (["add", "-A"], ["commit", "-qm", "y"]):
        subprocess.run(git + words, check=True, env=machine.environment, capture_output=True)

    machine.skill(machine.project / "mine/three")
    code, out, err = machine.run("add", "./mine")
    check(code == 0 and out.startswith("added mine to ") and "1 skill from" in out, f"add a folder: {out} {err}")
    code, out, err = machine.run("skill", "list")
    check("3 skills" in out, f"the usual folders are still served: {out}")
    code, out, err = machine.run("add", f"file://{repository}@v1", "--name", "team")
    check(code == 0 and "1 skill from" in out, f"add a repository: {out} {err}")
    text = machine.own.read_text()
    machine.own.write_text(text.replace("- name: team", "# of the team\n  - name: team # v1 for now"))
    code, out, err = machine.run("update", "team@main", "--json")
    check(code == 0 and json.loads(out)["sources"][0]["skills"] == 2, f"update to another ref: {out} {err}")
    check("# of the team" in machine.own.read_text() and "# v1 for now" in machine.own.read_text(), "comments stay")
    code, out, err = machine.run("list")
    check([line.split()[0] for line in out.splitlines()] == ["mine", "team", "claude", "project"], f"list: {out}")
    check(f"file://{repository}@main" in out, f"list says where from: {out}")

    # The server serves no source twice, and gives no name twice.
    code, out, err = machine.run("add", "./skills", "--name", "here")
    check(code == 0, f"add a usual folder: {out} {err}")
    code, out, err = machine.run("skill", "list")
    check(code == 0 and "project/" not in out and "name-taken" not in err, f"a usual folder that was added: {out} {err}")
    check(machine.run("remove", "here")[0] == 0, "take it out")

    before = machine.own.read_text()
    for words, why in ((["add", "./gone"], "there is no such folder"),
                       (["add", f"file://{machine.project}/norepo"], "Nothing was written; --no-check"),
                       (["remove", "nobody"], "there are mine, team"),
                       (["update", "mine@v2"], "the name of a repository"),
                       (["add", "./skills", "--name", "team"], f"--name team: file://{repository}@main has that name"),
                       (["add", "./skills", "--name", "claude"], "has that name"),
                       (["add"], "name what to add")):
        code, out, err = machine.run(*words)
        check(code == 1 and not out and why in err, f"{words}: {code} {out} {err}")
    code, out, err = machine.run("update", "team@gone")
    check(code == 1 and 'no tag "gone"' in out and "nothing was written" in err, f"a ref that is not there: {out} {err}")
    code, out, err = machine.run("add", "./mine")
    check(code == 0 and "is there already, as mine" in out, f"twice: {out} {err}")
    check(machine.own.read_text() == before, "nothing of this was written")
    code, out, err = machine.run("remove", "mine", "team")
    check(code == 0, f"remove: {out} {err}")
    code, out, err = machine.run("list")
    check([line.split()[0] for line in out.splitlines()] == ["claude", "project"], f"after remove: {out}")
    check("# of the team" in machine.own.read_text(), "a comment of its owner's stays")

    # A source that the machine still has in its cache is added only if its remote answers now.
    code, out, err = machine.run("add", f"file://{repository}", "--name", "kept")
    check(code == 0 and machine.run("remove", "kept")[0] == 0, f"a repository that is in the cache: {out} {err}")
    away = repository.with_name("away")
    repository.rename(away)
    code, out, err = machine.run("add", f"file://{repository}", "--name", "kept")
    check(code == 1 and "Nothing was written; --no-check" in err and "kept" not in machine.own.read_text(), f"away, but in the cache: {out} {err}")
    away.rename(repository)

    # The command takes an address literally: no secret goes to the host that the address names.
    asked, machine.environment["SECRET"] = [], "s3cret-of-mine"

    class Web(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{web.server_address[1]}"
        for words in ((f"{url}/a/${{env:SECRET}}.git",), (f"{url}/a/b.git@${{env:SECRET}}",),
                      (f"{url}/${{file:{machine.home}/key}}", "--plugin", "well_known")):
            code, out, err = machine.run("add", *words, "--config", "literal.yaml")
            check(code == 1 and "s3cret" not in out + err and "${" in err, f"add {words}: {out} {err}")
        check(asked and "s3cret" not in str(asked), f"what was asked for: {asked}")
        asked.clear()
        literal = machine.project / "literal.yaml"
        code, out, err = machine.run("add", f"{url}/a/${{env:SECRET}}.git", "--no-check", "--config", "literal.yaml")
        check(code == 0 and "$${env:SECRET}" in literal.read_text() and "s3cret" not in out, f"unseen: {out} {err}")
        machine.run("source", "status", "--config", "literal.yaml")
        check(asked and "s3cret" not in str(asked), f"what the file makes of it: {asked}")
        web.shutdown()
    for word, name in (("a/b@${env:SECRET}", "added"), (f"file://{repository}@main", "updated")):
        code, out, err = machine.run("add", word, "--name", name, "--no-check", "--config", "refs.yaml")
        check(code == 0 and "s3cret" not in out, f"a ref: {out} {err}")
    check("ref: \"$${env:SECRET}\"" in (machine.project / "refs.yaml").read_text(), (machine.project / "refs.yaml").read_text())
    code, out, err = machine.run("update", "updated@${env:SECRET}", "--config", "refs.yaml")
    check(code == 1 and "s3cret" not in out + err and "${env:SECRET}" in err, f"to such a branch: {out} {err}")
    for words, why in ((["update", "updated@env:SECRET"], "would be read as the variable SECRET"),
                       (["add", "a/b@env:SECRET"], "would be read as the variable SECRET"),
                       (["add", "a/b/env:SECRET"], "would be read as the variable SECRET"),
                       (["add", "a/b/../c"], "would be read as a path"),
                       (["add", "a/b", "--name", "${env:SECRET}"], "may only hold a-z"),
                       (["add", "a/b", "--token-env", "${file:/etc/hostname}"], "the name of a variable")):
        before = (machine.project / "refs.yaml").read_text()
        code, out, err = machine.run(*words, "--no-check", "--config", "refs.yaml") if words[0] == "add" else machine.run(
            *words, "--config", "refs.yaml")
        check(code == 1 and why in err and (machine.project / "refs.yaml").read_text() == before, f"{words}: {out} {err}")
    del machine.environment["SECRET"]

    # A source whose token only another shell has is added without a check, listed and removed; the same holds for a
    # source that cannot be read at all.
    other = machine.project / "tokens.yaml"
    code, out, err = machine.run("add", "a/b", "--token-env", "UNSET", "--config", "tokens.yaml")
    check(code == 1 and "the new source: config.token: " in err and "--no-check adds it all the same" in err, f"unset: {err}")
    code, out, err = machine.run("add", "a/b", "--no-check", "--token-env", "UNSET", "--config", "tokens.yaml")
    check(code == 0 and 'token: "env:UNSET"' in other.read_text(), f"add unseen: {out} {err}")
    code, out, err = machine.run("add", "./mine", "--config", "tokens.yaml")
    check(code == 0, f"add beside it: {out} {err}")
    for broken in ("", "expose: bth\n"):
        other.write_text(broken + other.read_text())
        code, out, err = machine.run("list", "--config", "tokens.yaml")
        check(code == 0 and [line.split()[0] for line in out.splitlines()][:2] == ["b", "mine"], f"list: {out} {err}")
        check(("tokens.yaml:1:9: expose" in err) == bool(broken), f"and what is wrong with the file: {err}")
    code, out, err = machine.run("remove", "b", "mine", "--config", "tokens.yaml")
    check(code == 0 and "name:" not in other.read_text(), f"remove: {out} {err}")

    # A source added to JSON leaves valid JSON, even on one line.
    other = machine.project / "one.json"
    for text in ('{"default_top_k": 3}', "{}", '{"sources": [], "default_top_k": 3}\n', None):
        other.unlink(missing_ok=True) if text is None else other.write_text(text)
        code, out, err = machine.run("add", "./mine", "--config", "one.json")
        check(code == 0 and json.loads(other.read_text())["sources"][0]["name"] == "mine", f"{text}: {out} {err} {other.read_text()}")
        code, out, err = machine.run("remove", "mine", "--config", "one.json")
        check(code == 0 and json.loads(other.read_text())["sources"] == [], f"{text}: {out} {err}")

    # With a lock file the server serves nothing that the lock does not name.
    other = machine.project / "held.yaml"
    machine.skill(machine.project / "held/four")
    for words, done in ((["add", "./mine"], 0), (["lock"], 0)):
        code, out, err = machine.run(*words, "--config", "held.yaml")
        check(code == done, f"{words}: {out} {err}")
    other.write_text(other.read_text() + "locked: true\n")
    code, out, err = machine.run("add", "./held", "--config", "held.yaml")
    check(code == 1 and "added held" in out and f"run `skillhost lock --config {other}`" in err, f"locked: {out} {err}")
    check(machine.run("skill", "list", "--config", "held.yaml")[0] == 1, "no server starts with it")
    check(machine.run("lock", "--config", "held.yaml")[0] == 0 and
          "four" in machine.run("skill", "list", "--config", "held.yaml")[1], "until it was looked at")

    # A file whose form cannot be changed stays as it is, and the command prints the text to write.
    other = machine.project / "other.yaml"
    other.write_text("sources: [\n  {name: a, config: {directories: [/tmp]}}\n]\n")
    code, out, err = machine.run("add", "./mine", "--config", "other.yaml")
    check(code == 1 and "Write this entry into its `sources`: {name: mine" in err, f"by hand: {err}")
    check(other.read_text().count("name:") == 1, "left alone")


def clients(machine):
    file = machine.home / ".config/zed/settings.json"
    file.parent.mkdir(parents=True)
    text = '// mine\n{\n  "theme": "One", // dark\n  "context_servers": {\n    "x": {"command": "nowhere"},\n  },\n}\n'
    file.write_text(text)
    file.chmod(0o640)
    code, out, err = machine.run("client-config", "zed", "--write", "--skills-dir", "mine")
    check(code == 0 and '"skillhost" was written' in out, f"write: {out} {err}")
    now = file.read_text()
    check("// mine\n" in now and "// dark\n" in now and str(machine.project / "mine") in now, f"all stays: {now}")
    check(stat.S_IMODE(file.stat().st_mode) == 0o640, "the mode stays")
    backup = Path(str(file) + ".skillhost-backup")
    check(backup.read_text() == text and stat.S_IMODE(backup.stat().st_mode) == 0o600, "a backup")
    code, out, err = machine.run("client-config", "zed", "--write", "--skills-dir", "mine")
    check(code == 0 and "nothing to do" in out, f"again: {out}")
    check("does not exist" not in err, f"no warning of a folder that is there: {err}")
    code, out, err = machine.run("client-config", "json", "--write", "--file", "gone.json", "--skills-dir", "nowhere")
    check(code == 0 and '"skillhost" was written' in out and
          f"the folder of skills {machine.project}/nowhere does not exist: create it" in err, f"a missing folder: {out} {err}")
    code, out, err = machine.run("client-config", "json", "--config", "nope.yaml")
    check(code == 0 and f"the configuration {machine.project}/nope.yaml does not exist" in err, f"a missing configuration: {out} {err}")
    code, out, err = machine.run("client-config", "zed", "--remove")
    check(code == 0 and file.read_text() == text, f"taken out again: {file.read_text()}")

    broken = machine.project / ".cursor/mcp.json"
    broken.parent.mkdir()
    broken.write_text("{ not json")
    code, out, err = machine.run("client-config", "cursor", "--project", "--write")
    check(code == 1 and "Nothing was written. Merge this by hand:" in err and '"mcpServers"' in err, f"broken: {err}")
    check(broken.read_text() == "{ not json", "left alone")
    broken.unlink()

    # A repository may hold any link: neither its file nor the backup of it may lead to a file of the user.
    victim, mine = machine.home / "victim", machine.project / ".mcp.json"
    victim.write_text("{}")
    mine.symlink_to(victim)
    code, out, err = machine.run("client-config", "claude-code", "--project", "--write")
    check(code != 0 and "is a link out of this folder" in err and victim.read_text() == "{}", f"a link: {out} {err}")
    mine.unlink()
    mine.write_text('{"mcpServers": {}}')
    backup = machine.project / ".mcp.json.skillhost-backup"
    backup.symlink_to(victim)
    code, out, err = machine.run("client-config", "claude-code", "--project", "--write")
    check(code == 0 and victim.read_text() == "{}" and not backup.is_symlink() and
          backup.read_text() == '{"mcpServers": {}}', f"a linked backup: {out} {err}")
    mine.unlink()
    backup.unlink()
    code, out, err = machine.run("client-config", "codex", "--write", "--url", "https://s.example/mcp", "--token-env", "T")
    check(code == 0 and 'bearer_token_env_var = "T"' in (machine.home / ".codex/config.toml").read_text(), f"codex: {err}")
    codex = machine.home / ".codex/config.toml"
    codex.write_text('[mcp_servers.skillhost]\ncommand = "old" # do not change: IT-1234\n')
    code, out, err = machine.run("client-config", "codex", "--write")
    check(code == 1 and "Nothing was written" in err and "IT-1234" in codex.read_text(), f"comments: {out} {err}")
    codex.write_text('[mcp_servers.skillhost]\ncommand = "old"\nstartup_timeout_sec = 10.50\nsince = 2024-01-01\n')
    code, out, err = machine.run("client-config", "codex", "--write")
    now = codex.read_text()
    check(code == 0 and "startup_timeout_sec = 10.50\n" in now and "since = 2024-01-01\n" in now, f"numbers and dates: {now}")
    if os.geteuid() == 0:
        for one in (codex, Path(str(codex) + ".skillhost-backup")):
            os.chown(one, 12345, 23456)
        code, out, err = machine.run("client-config", "codex", "--remove")
        owners = {(one.stat().st_uid, one.stat().st_gid) for one in (codex, Path(str(codex) + ".skillhost-backup"))}
        check(code == 0 and owners == {(12345, 23456)}, f"root changes the file of another one: {owners} {err}")
    gone = machine.project / "dangling.json"
    gone.symlink_to(machine.project / "nowhere.json")
    code, out, err = machine.run("client-config", "cursor", "--write", "--file", "dangling.json")
    check(code == 1 and "is a link to" in err and "nowhere.json, which is not there" in err and gone.is_symlink(), f"a link: {out} {err}")
    for name in ("-", ""):
        code, out, err = machine.run("client-config", "goose", "--write", "--name", name)
        check(code == 1 and "write a name, such as skillhost" in err, f"--name '{name}': {out} {err}")
    listed = machine.project / "listed.yaml"
    listed.write_text("extensions: [a, b]\n")
    code, out, err = machine.run("client-config", "goose", "--write", "--name", "0", "--file", "listed.yaml")
    check(code == 1 and "is not a map of servers" in err and listed.read_text() == "extensions: [a, b]\n", f"a list: {out} {err}")
    code, out, err = machine.run("connect", "https://s.example/mcp", "--no-browser")
    check(code == 1 and "--no-browser is an option for a sign-in: add --login" in err, f"a sign-in that is not asked for: {err}")
    code, out, err = machine.run("client-config", "goose", "--write", "--url", "https://s.example/mcp", "--header", "A: b")
    goose = machine.home / ".config/goose/config.yaml"
    check(code == 0 and stat.S_IMODE(goose.stat().st_mode) == 0o600, f"a new file with a header is private: {err}")


def doctor_without_runner(folder):
    """Checks builds whose skillhost-runner is missing or writable by others: doctor calls no plugin confined."""
    server, runner = folder / "host/skillhost", folder / "isolation/skillhost-runner"
    build = Path(SERVER).parent.parent
    for file in ("host/skillhost", "programs/catalogue/skillhost-catalogue", "programs/catalogue/doctor.json", "isolation/skillhost-runner"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(build / file, folder / file)

    def told():
        done = subprocess.run([server, "doctor", "--no-config", "--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              cwd=folder, env={**os.environ, "HOME": str(folder)})
        return done.returncode, done.stdout + done.stderr, [one["text"] for one in json.loads(done.stdout)["remarks"] if one["state"] == "wrong"]

    def refused(words):
        code, out, wrong = told()
        check(code == 1 and any(words in text for text in wrong) and "confined by" not in out, f"{words}: {out}")

    runner.parent.chmod(0o755)
    runner.chmod(0o755)
    _, out, wrong = told()
    check("confined by" in out and not any("runner" in text for text in wrong), f"control: {out}")
    runner.chmod(0o757)
    refused("others may write")
    runner.unlink()
    refused(f"skillhost-runner is missing: {runner}; reinstall skillhost")


def doctor(machine):
    code, out, err = machine.run("doctor", "--json")
    report = json.loads(out)
    about = {one["about"]: one for one in report["remarks"]}
    check(code == 0 and report["ok"], f"well: {out} {err}")
    check(about["source claude"]["state"] == "ok" and "1 skill" in about["source claude"]["text"], out)
    check("confined by" in about["kernel"]["text"], out)
    check("the memory of a plugin's process is limited by" in about["cgroup"]["text"], out)
    check(about["Zed"]["state"] == "warning" and "nowhere" in about["Zed"]["text"], "a stranger's command is looked for")

    (machine.project / "bad.yaml").write_text("expose: bth\n")
    code, out, err = machine.run("doctor", "--config", "bad.yaml")
    check(code == 1 and "bad.yaml:1:9: expose" in out and "did you mean" in out, f"configuration: {out} {err}")
    (machine.project / "bad.yaml").write_text(
        f"skills_dirs: [{machine.project}/gone]\nsources:\n  - {{name: team, plugin: github, config: {{url: 'file://{machine.project}/gone'}}}}\n")
    code, out, err = machine.run("doctor", "--config", "bad.yaml", "--json")
    wrong = [one for one in json.loads(out)["remarks"] if one["state"] == "wrong"]
    check(code == 1 and sorted(one["about"] for one in wrong) == ["source gone", "source team"], f"sources: {out}")
    check(all(one["advice"] for one in wrong), f"each with a line of advice: {out}")

    check("does not start without this folder" in next(one["advice"] for one in wrong if one["about"] == "source gone"), out)
    (machine.project / "bad.yaml").write_text(
        f"sources:\n  - {{name: later, config: {{directories: [{machine.project}/gone], optional: true}}}}\n")
    code, out, err = machine.run("doctor", "--config", "bad.yaml", "--json")
    check(code == 0 and "not there yet" in out, f"a folder that may be missing is not wrong: {out} {err}")
    check("has no skill" not in out, f"and is told of once: {out}")
    (machine.project / "bad.yaml").write_text(
        "sources:\n  - {name: team, plugin: github, config: {repo: a/b}}\n"
        f"  - {{name: kept, plugin: store, config: {{directory: {machine.project}/nostore}}}}\n")
    code, out, err = machine.run("doctor", "--config", "bad.yaml", "--json")
    about = {one["about"]: one for one in json.loads(out)["remarks"]}
    check(code == 1 and "unknown key" in about["source team"]["text"] and "fix that setting" in about["source team"]["advice"],
          f"a wrong key is no want of a token: {out}")
    check(about["source kept"]["state"] == "warning" and "nostore is not there" in about["source kept"]["text"], f"store: {out}")
    (machine.project / "bad.yaml").write_text("transport: http\nhttp: {tls_client_ca: /gone.pem}\n")
    code, out, err = machine.run("doctor", "--config", "bad.yaml", "--json")
    check(code == 1 and "http.tls_client_ca" in {one["about"] for one in json.loads(out)["remarks"]}, f"authorities: {out}")

    # Doctor examines the servers that a client's entries would start, and runs no stranger's program.
    cursor = machine.home / ".cursor/mcp.json"
    cursor.parent.mkdir()
    traces = machine.project / "traces"
    stranger = machine.project / "skillhost"
    stranger.write_text(f"#!/bin/sh\ntouch {traces}\n")
    stranger.chmod(0o755)
    cursor.write_text(json.dumps({"mcpServers": {
        "good": {"command": SERVER, "args": ["--expose", "both"]}, "bad": {"command": SERVER, "args": ["--expose", "x"]},
        "bare": {"command": SERVER, "args": ["--skills-dir", "/nosuch"]}, "old": {"command": "/gone/skillhost"}, "other": {"command": str(stranger)},
        "evil": {"command": SERVER, "args": ["evil", "--expose", "x"], "env": {"PATH": str(machine.project / "strangers")}},
        "http": {"command": SERVER, "args": ["--transport", "http"]}, "search": {"command": SERVER, "args": ["--search", "nope"]},
        "adds": {"command": SERVER, "args": ["add", "x"]}, "prints": {"command": SERVER, "args": ["--version"]},
        "text": {"command": SERVER, "args": "--expose both"}, "number": {"command": SERVER, "args": ["--expose", 1]},
        "team": {"command": SERVER, "args": ["connect", "https://s.example/mcp"]}}}))
    evil = machine.project / "strangers/skillhost-evil"
    evil.parent.mkdir()
    shutil.copy(stranger, evil)
    damaged = machine.home / ".local/share/skillhost/commands/evil.json"
    damaged.parent.mkdir(parents=True, exist_ok=True)
    damaged.write_text("{")
    code, out, err = machine.run("doctor", "--json")
    lines = {one["text"].split('"')[1]: one for one in json.loads(out)["remarks"] if one["about"] == "Cursor"}
    check(code == 1 and {name: one["state"] for name, one in lines.items()} ==
          {"good": "ok", "bad": "wrong", "bare": "wrong", "old": "wrong", "other": "warning", "evil": "warning",
           "http": "wrong", "search": "wrong", "adds": "wrong", "prints": "wrong", "text": "wrong", "number": "wrong", "team": "ok"}, f"clients: {out}")
    for name, words in (("http", "serves over HTTP"), ("search", 'no plugin "nope"'), ("adds", "add is another command"), ("prints", "only prints a text"),
                        ("text", "no list of texts"), ("number", "no list of texts")):
        check(words in lines[name]["text"], f"{name}: {lines[name]}")
    check(f"starts skillhost-evil ({evil}), which is not a program of skillhost and was not run" in lines["evil"]["text"], f"a command of others: {out}")
    check(f'"evil": {damaged}: ' in out.replace('\\"', '"'), f"what is wrong with its description is told, too: {out}")
    damaged.unlink()
    check("/nosuch is not there" in lines["bare"]["text"], f"says which folder: {lines['bare']}")
    project, machine.project = machine.project, machine.home
    code, out, err = machine.run("doctor")
    check(out.count('"old"') == 1, f"in the home folder the project's file is the user's: {out}")
    machine.project = project
    check("--expose" in lines["bad"]["text"], f"says which option: {lines['bad']}")
    check(not traces.exists(), "a stranger's program is not run")

    # A variable that is not set here is one fault, and no fault of a client that sets it.
    kept, kept_cursor = machine.own.read_text() if machine.own.exists() else None, cursor.read_text()
    machine.own.parent.mkdir(parents=True, exist_ok=True)
    machine.own.write_text("sources:\n  - {name: team, plugin: github, config: {url: 'https://h.invalid/r', token: 'env:NOT_SET'}}\n")
    cursor.write_text(json.dumps({"mcpServers": {
        "same": {"command": SERVER}, "given": {"command": SERVER, "env": {"NOT_SET": "x"}}}}))
    code, out, err = machine.run("doctor", "--json")
    remarks = json.loads(out)["remarks"]
    check(code == 1 and [one["about"] for one in remarks if one["state"] == "wrong"] == ["configuration"], f"told once: {out}")
    lines = {one["text"].split('"')[1]: one for one in remarks if one["about"] == "Cursor"}
    check(lines["same"]["state"] == "warning" and "the same configuration" in lines["same"]["text"], out)
    check(lines["given"]["state"] == "ok", f"the entry sets it: {out}")
    cursor.write_text(kept_cursor)
    machine.own.unlink() if kept is None else machine.own.write_text(kept)

    # A project's file may name a pipe that never ends.
    os.mkfifo(machine.project / "pipe")
    mine = machine.project / ".mcp.json"
    (machine.project / "secret.yaml").write_text(
        f"sources: [{{name: a, config: {{directories: [/tmp], x: '${{file:{machine.project}/pipe}}'}}}}]\n")
    for named in ("pipe", "/dev/zero", "secret.yaml"):
        mine.write_text(json.dumps({"mcpServers": {"x": {"command": SERVER, "args": ["--config", named]}}}))
        code, out, err = machine.run("doctor")
        check(code == 1 and "it is a pipe or a device: name a regular file" in out, f"{named}: {out} {err}")
    mine.unlink()
    (machine.project / "pipe").unlink()

    # Settings about callers must have an effect, and must not accept a claim that everybody can make.
    file = machine.project / "callers.yaml"
    file.write_text("http:\n  tls_client_certificates: required\n")
    code, out, err = machine.run("skill", "list", "--config", "callers.yaml")
    check(code == 1 and "callers.yaml:2:28: http.tls_client_certificates" in err and "write http.tls_client_ca: /" in err, err)
    for everybody in ("0.0.0.0/0", "::/0"):
        file.write_text(f"http:\n  trusted_proxies: [10.0.0.0/8, '{everybody}']\n")
        code, out, err = machine.run("skill", "list", "--config", "callers.yaml")
        check(code == 0 and err.count("means everybody") == 1 and "callers.yaml:2:20: http.trusted_proxies" in err, err)
    code, out, err = machine.run("--print-config", "--config", "callers.yaml")
    (machine.project / "printed.yaml").write_text(out)
    check(machine.run("skill", "list", "--config", "printed.yaml")[0] == 0, "what is printed can be read")

    # A relative home folder depends on the working folder, so it counts as none.
    home, machine.environment["HOME"] = machine.environment["HOME"], "rel"
    code, out, err = machine.run("add", "./mine", "--no-check")
    check(code == 1 and "HOME is not set, or no absolute path" in err, f"a relative HOME: {out} {err}")
    code, out, err = machine.run("skill", "list")
    check(code == 0 and "HOME=rel is no absolute path" in err, f"a relative HOME is told of: {err}")
    check(not (machine.project / "rel").exists(), "nothing is made there")
    machine.environment["HOME"] = home


def escapes(machine):
    """Checks that texts of files and remotes cannot send commands to the terminal."""
    evil = machine.project / "evil/x"
    evil.mkdir(parents=True)
    (evil / "SKILL.md").write_text('---\nname: "B \\e[2J"\ndescription: "d \\e]0;x\\a \\x9b2J \\u202Egpj.\\r\\nskillhost: all is well"\n---\nText.\n')
    (evil / "a\u202eb.md").write_text("x")
    (machine.project / ".mcp.json").write_text(json.dumps({"mcpServers": {"e\x1b[2J": {"command": "no\x1b[31mwhere"}}}))
    listing = ["--skills-dir", "evil"]
    for words in (["skill", "list", *listing], ["skill", "info", "evil/x", *listing], ["search", "d", *listing], ["source", "status", *listing],
                  ["validate", "evil"], ["validate", "evil\x1b[m"], ["doctor"], ["list"], ["add", "./no\x1b[m"], ["remove", "no\x1b[m"],
                  ["login", "http://\x1b[m/"]):
        code, out, err = machine.run(*words)
        found = [c for c in out + err if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c != "\n"]
        check(out + err and not found, f"{words}: {found} in {out} {err}")
        check("\nskillhost: all is well" not in out, f"{words}: a line of its own: {out}")
    (machine.project / ".mcp.json").unlink()


def main():
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(folder)
        usual_folders(machine)
        own_sources(machine)
        clients(machine)
        doctor(machine)
        doctor_without_runner(Path(folder, "built"))
        escapes(machine)
    return checks.finish()


sys.exit(main())
