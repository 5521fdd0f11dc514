#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `skillhost sync` with folders, with our own server over HTTP, and with servers that have a fault:
sync_test.py SERVER SKILLS"""
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks, until
from http_server import MODERN, Running, modern
from loopback import Handler, Loopback

SERVER, SKILLS = map(os.path.abspath, sys.argv[1:3])
MANIFEST = ".skillhost-sync.json"
checks = Checks()
check = checks.check


class Runs:
    """Runs skillhost in its own home."""

    def __init__(self, home):
        self.home = Path(home)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("SKILLHOST_", "XDG_", "CODEX_", "CLAUDE_")) or "SAN_OPTIONS" in name}
        self.environment["HOME"] = home

    def start(self, *words, **more):
        return subprocess.Popen([SERVER, *map(str, words)], stderr=subprocess.PIPE, text=True, env=self.environment,
                                **{"cwd": self.home, "stdout": subprocess.PIPE, **more})

    def __call__(self, *words, code=0, **more):
        process = self.start(*words, **more)
        process.out, process.err = process.communicate(timeout=120)
        check(process.returncode == code, f"{words}: {process.returncode}\n{process.out[-800:]}\n{process.err[-800:]}")
        return process

    def sync(self, *words, code=0, **more):
        return self("sync", "--no-config", *words, code=code, **more)


def files(folder):
    """The files of a folder with their content and whether they are executable."""
    return {str(path.relative_to(folder)): (path.read_bytes(), bool(path.stat().st_mode & 0o100))
            for path in sorted(Path(folder).rglob("*")) if path.is_file() and path.name != MANIFEST}


def skill(folder, name, words="Says hello.", **more):
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {words}\n---\n{words}\n")
    for path, text in more.items():
        (folder / name / path).write_text(text)


def local(run):
    source, claude = run.home / "source", run.home / ".claude/skills"
    skill(source, "pdf", run="#!/bin/sh\necho hi\n")
    (source / "pdf/run").chmod(0o755)
    skill(source, "csv")
    words = ("--skills-dir", source, "--agent", "claude-code", "--agent", "agents")
    done = run.sync(*words, "--dry-run", code=3)
    check("would be written: pdf" in done.out and not claude.exists(), f"a trial writes nothing: {done.out}")
    done = run.sync(*words)
    check(files(claude) == files(source) == files(run.home / ".agents/skills"), f"both folders have the skills: {files(claude).keys()}")
    check("2 written" in done.out and not done.err, done.out + done.err)
    said = json.loads(run.sync(*words, "--json").out)
    check([one["action"] for one in said["folders"][0]["skills"]] == ["unchanged", "unchanged"], f"then nothing changes: {said}")
    check(said["folders"][1]["agents"] == ["agents"] and said["left_out"] == [] and not said["dry_run"], said)
    kept = json.loads((claude / MANIFEST).read_text())
    check(kept["skills"]["csv"]["files"]["SKILL.md"]["sha256"] == hashlib.sha256((source / "csv/SKILL.md").read_bytes()).hexdigest(),
          f"the manifest has digests: {kept}")

    skill(source, "pdf", "Says more.")
    skill(source, "csv", "Says more.")
    (claude / "csv/SKILL.md").write_text("mine")
    done = run.sync(*words, code=3)
    check("changed here: csv: SKILL.md differs" in done.out and "updated: pdf" in done.out, f"a person's change is said: {done.out}")
    check((claude / "csv/SKILL.md").read_text() == "mine", "and stays")
    check(files(run.home / ".agents/skills") == files(source), "while the other folder is as the source")
    shutil.rmtree(source / "csv")
    done = run.sync(*words, code=3)
    check(not (run.home / ".agents/skills/csv").exists() and (claude / "csv").exists(), "what is gone is removed, but not what was changed")
    shutil.rmtree(source / "pdf")
    done = run.sync(*words, code=1)
    check("there are no skills" in done.out and (claude / "pdf").exists(), f"an empty source removes nothing: {done.out}")
    done = run.sync("--agent", "claude-code", "--agent", "agents", "--remove", "--dry-run", code=3)
    check((claude / "pdf").exists() and "would be removed: pdf" in done.out, done.out)
    done = run.sync("--agent", "claude-code", "--agent", "agents", "--remove", code=3)
    check([one.name for one in claude.iterdir() if one.name != MANIFEST] == ["csv"], "--remove leaves what was changed")
    check(list((run.home / ".agents/skills").iterdir()) == [], "and nothing else")


def failing_sources(run):
    source, folder = run.home / "failing/source", run.home / "failing/skills"
    skill(source, "pdf")
    other = run.home / "failing/other"
    skill(other, "csv")
    configuration = run.home / "failing.yaml"
    configuration.write_text(json.dumps({"keep_going": True, "sources": [
        {"name": name, "plugin": "filesystem", "config": {"directories": [str(path)]}} for name, path in (("a", source), ("b", other))]}))
    run("sync", "--config", configuration, "--folder", folder)
    other.rename(run.home / "failing/away")
    done = run("sync", "--config", configuration, "--folder", folder, code=1)
    check((folder / "csv/SKILL.md").exists() and "kept: csv" in done.out, f"a source that fails loses no skill: {done.out}{done.err}")
    done = run("sync", "--config", run.home / "none.yaml", "--folder", folder, code=1)
    check("none.yaml" in done.err, done.err)


def projects(run):
    for name in "one", "two":
        project = run.home / "projects" / name
        skill(project / "skills", name)
        skill(project / "skills", "both")
        (project / "skillhost.yaml").write_text(json.dumps({"sources": [
            {"name": "skills", "plugin": "filesystem", "config": {"directories": ["./skills"]}}]}))
    folder = run.home / ".copilot/skills"
    for source in ("--no-config", "--skills-dir", "skills"), ("--config", "skillhost.yaml"):
        for name, code in (("one", 0), ("two", 3), ("one", 0)):
            done = run("sync", *source, "--agent", "copilot", code=code, cwd=run.home / "projects" / name)
            check((folder / "one").exists() and "removed" not in done.out, f"the skills of another project stay: {done.out}")
        origins = {one["origin"] for one in json.loads((folder / MANIFEST).read_text())["skills"].values()}
        check(origins == {str(run.home / "projects" / name / source[-1]) for name in ("one", "two")}, f"each has its origin: {origins}")
        run("sync", "--agent", "copilot", "--remove")
    manifests = []
    for name in "here", "there":
        project = run.home / name / "project"
        skill(project / "skills", "pdf")
        run("sync", "--no-config", "--skills-dir", "skills", "--agent", "claude-code", "--project", cwd=project)
        manifests.append((project / ".claude/skills" / MANIFEST).read_text())
    check(manifests[0] == manifests[1] and '"../../skills"' in manifests[0], f"a project's manifest is the same for everybody: {manifests}")


def damaged(run):
    source, folder = run.home / "damaged/source", run.home / "damaged/skills"
    for name in "pdf", "csv", "gone":
        skill(source, name)
    words = ("--skills-dir", source, "--folder", folder)
    run.sync(*words)
    shutil.rmtree(source / "gone")
    good = (source / "pdf/SKILL.md").read_text()
    for damage in (lambda entry: entry.write_text("---\nname: [pdf\n---\n"), lambda entry: entry.write_text("no front matter"),
                   lambda entry: entry.write_bytes(b"\0\xff\xfe")):
        damage(source / "pdf/SKILL.md")
        done = run.sync(*words, code=3)
        check((folder / "pdf/SKILL.md").read_text() == good and "kept: pdf" in done.out and "left out: pdf: " in done.out,
              f"a skill that is damaged in the source stays: {done.out}")
        check(not (folder / "gone").exists() and (folder / "csv").exists(), f"and others are removed: {done.out}")
    (source / "pdf/SKILL.md").write_text(good)
    check("2 unchanged" in run.sync(*words).out, "until it is mended")
    (source / "pdf").rename(source / "My PDF")
    check("2 unchanged" in run.sync(*words).out, "a folder may have another name than its skill")
    (source / "My PDF/SKILL.md").write_text("no front matter")
    done = run.sync(*words, code=3)
    check((folder / "pdf").exists() and "kept: pdf" in done.out and "left out: My PDF: " in done.out, f"also a damaged one: {done.out}")


DAMAGES = {  # what to do to a SKILL.md, whether the skill is served at all then, and the reason that a server gives
    "broken YAML": (lambda entry: entry.write_text("---\nname: [pdf\n---\n"), False, "yaml"),
    "no front matter": (lambda entry: entry.write_text("Says nothing."), False, "front-matter-missing"),
    "a link to nothing": (lambda entry: (entry.unlink(), entry.symlink_to("nothing.md")), False, "cannot read it now"),
    "withheld metadata": (lambda entry: entry.write_text(entry.read_text().replace("description", "metadata: {a: [1]}\ndescription")), True, "withheld"),
    "a name that is none": (lambda entry: entry.write_text(entry.read_text().replace("name: pdf", "name: PDF?")), True, "withheld"),
    "too long a description": (lambda entry: entry.write_text(entry.read_text().replace("Says hello.", "x" * 1100)), True, "withheld"),
    "too many files": (lambda entry: [(entry.parent / f"{number}.md").touch() for number in range(600)], True, "withheld"),
}


def other_folder_names(run):
    """Damages a skill whose folder has another name, in a folder and on a server."""
    source, good = run.home / "other/source", run.home / "other/good"
    skill(source, "csv")
    skill(good, "pdf")
    place = source / "team/My PDF"
    shutil.copytree(good / "pdf", place)
    served = Running(SERVER, source, "--no-config")
    url = f"http://127.0.0.1:{served.port}/mcp"
    sources = {"local": ("--no-config", "--skills-dir", source), "remote": ("--url", url)}
    folders, old = ({name: run.home / "other" / f"{name}{end}" for name in sources} for end in ("", "-old"))
    listed = lambda: served.post(modern("skills/list"), MCP_Protocol_Version=MODERN, Mcp_Method="skills/list")[1]["result"]  # noqa: E731
    failures = lambda: listed()["_meta"].get("org.skillhost/failures", [])  # noqa: E731
    for name, words in sources.items():
        run("sync", *words, "--folder", folders[name])
        uri = json.loads((folders[name] / MANIFEST).read_text())["skills"]["pdf"]["uri"]
        check(uri.endswith("/team/My%20PDF"), f"the manifest has the URI of the folder: {uri}")
    for damage, (spoil, is_served, why) in DAMAGES.items():
        skill(source, "gone")
        until(lambda: len(listed()["skills"]) == 3 and not failures(), f"{damage}: a good source")
        for name, words in sources.items():
            run("sync", *words, "--folder", folders[name])
            shutil.rmtree(old[name], ignore_errors=True)
            shutil.copytree(folders[name], old[name])  # as an older skillhost would have written it
            manifest = json.loads((old[name] / MANIFEST).read_text())
            for one in manifest["skills"].values():
                del one["uri"]
            (old[name] / MANIFEST).write_text(json.dumps(manifest))
        spoil(place / "SKILL.md")
        shutil.rmtree(source / "gone")
        until(lambda: len(listed()["skills"]) == 1 and failures(), f"{damage}: the server sees it")
        check([(one["uri"].rpartition("/team/")[2], one["retryable"]) for one in failures()] == [("My%20PDF", why == "cannot read it now")],
              f"{damage}: the server names it: {failures()}")
        check(str(run.home) not in json.dumps(failures()), f"{damage}: and no path: {failures()}")
        for name, words in sources.items():
            if name == "local" and is_served:
                continue  # it is written as it is served
            done = run("sync", *words, "--folder", folders[name], code=3)
            check("kept: pdf: " in done.out and "removed: gone" in done.out and (name == "local" or why in done.out),
                  f"{damage}, {name}: it is kept, and others are removed: {done.out}")
            check(files(folders[name] / "pdf") == files(good / "pdf"), f"{damage}, {name}: as it was")
            done = run("sync", *words, "--folder", old[name], code=3)
            check("kept: pdf: " in done.out and "kept: gone: it may be " in done.out, f"{damage}, {name}: without a URI, any may be meant: {done.out}")
        shutil.rmtree(place)
        shutil.copytree(good / "pdf", place)
    until(lambda: not failures(), "it is mended")
    for name, words in sources.items():
        run("sync", *words, "--folder", folders[name])
    skill(source, "gone")
    told = run.home / "followed.txt"
    with told.open("w") as output:
        follower = run.start("sync", *sources["remote"], "--folder", folders["remote"], "--follow", "--interval", "1", stdout=output)
    until(lambda: (folders["remote"] / "gone/SKILL.md").exists(), "--follow writes a skill of the server")
    (place / "SKILL.md").write_text("no front matter")
    until(failures, "the skill is damaged")
    shutil.rmtree(source / "gone")
    until(lambda: not (folders["remote"] / "gone").exists(), "--follow removes what is gone")
    check(files(folders["remote"] / "pdf") == files(good / "pdf"), "and keeps what is damaged")
    # It says what it has done when a round is over.
    until(lambda: "kept: pdf: the server leaves it out (front-matter-missing)" in told.read_text(), "and says why")
    shutil.copy(good / "pdf/SKILL.md", place)
    follower.terminate()
    follower.communicate(timeout=20)
    until(lambda: not failures(), "it is mended again")
    shutil.rmtree(place)
    until(lambda: len(listed()["skills"]) == 1, "the skill is gone")
    for name, words in sources.items():
        check("removed: pdf" in run("sync", *words, "--folder", folders[name]).out, f"{name}: what is gone is removed")
    served.end()


def same_names(run):
    """Two skills of one name, of which by the rules neither is served under it."""
    source, folder = run.home / "same/source", run.home / "same/skills"
    skill(source, "csv")
    skill(source, "pdf")
    for rules in "lenient", "basic":
        words = ("--skills-dir", source, "--set", "names=strict", "--skill-rules", rules, "--folder", folder)
        run.sync(*words)
        shutil.copytree(source / "pdf", source / "x")
        check("kept: pdf: another skill has" in run.sync(*words, code=3).out, f"{rules}: a name that nobody gets removes no skill")
        shutil.rmtree(source / "x")


def hidden_damage(run):
    """A caller must not learn of a damaged skill that the rules of access hide."""
    source, file = run.home / "hidden/source", run.home / "hidden/tokens"
    skill(source, "csv")
    tokens = {name: run("token", "add", name, "--file", file, *scopes).out.strip()
              for name, scopes in (("eve", ("--scope", "skills:read")), ("bob", ("--scope", "skills:read", "--scope", "staff")))}
    for rule in {"sources": ["*"], "categories": ["hr"]}, {"sources": ["secret"]}:
        shutil.rmtree(run.home / "hidden/secret", ignore_errors=True)
        skill(run.home / "hidden/secret", "pay")
        skill(run.home / "hidden/secret", "wage")
        entry = run.home / "hidden/secret/wage/SKILL.md"
        entry.write_text(entry.read_text().replace("description", "category: hr\nmetadata: {a: [1]}\ndescription"))
        configuration = run.home / "hidden.yaml"
        configuration.write_text(json.dumps({
            "auth": {"plugin": "static", "config": {"file": str(file)}}, "access": {"visibility": [{**rule, "scopes": ["staff"]}]},
            "sources": [{"name": name, "plugin": "filesystem", "config": {"directories": [str(run.home / "hidden" / folder)]}}
                        for name, folder in (("open", "source"), ("secret", "secret"))]}))
        served = Running(SERVER, str(source), "--config", configuration)

        def asked(name):
            result = served.post(modern("skills/list"), MCP_Protocol_Version=MODERN, Mcp_Method="skills/list",
                                 Authorization=f"Bearer {tokens[name]}")[1]["result"]
            return json.dumps({"skills": [one["uri"] for one in result["skills"]], "ttlMs": result["ttlMs"], "_meta": result["_meta"]})

        withheld = [one["skill"] for one in json.loads(asked("bob"))["_meta"]["org.skillhost/failures"]]
        check(withheld == ["wage"] and "wage" not in asked("eve"), f"{rule}: a withheld skill is named to those who may see it: {asked('eve')}")
        (run.home / "hidden/secret/pay/SKILL.md").write_text("no front matter")
        until(lambda: "/pay" in asked("bob") and "front-matter-missing" in asked("bob"), f"{rule}: the damage is named to those who may see it")
        damaged = asked("eve")
        check("pay" not in damaged and "failures" not in damaged, f"{rule}: and to nobody else: {damaged}")
        shutil.rmtree(run.home / "hidden/secret/pay")
        until(lambda: "/pay" not in asked("bob"), f"{rule}: the skill is gone")
        check(asked("eve") == damaged, f"{rule}: others cannot tell the difference: {damaged} {asked('eve')}")
        served.end()


def other_names(run):
    source, folder = run.home / "named/source", run.home / "named/skills"
    skill(source, "csv")
    skill(source, "pdf-tools")
    entry = source / "pdf-tools/SKILL.md"
    entry.write_text(entry.read_text().replace("name: pdf-tools", "name: PDF Tools"))
    words = ("--skills-dir", source, "--folder", folder)
    done = run.sync(*words, "--dry-run", code=1)
    check('would fail: pdf-tools: its SKILL.md has another name, "PDF Tools"' in done.out and "would be written: csv" in done.out, done.out)
    done = run.sync(*words, code=1)
    check("failed: pdf-tools: its SKILL.md has another name" in done.out, done.out)
    check(sorted(path.name for path in folder.iterdir() if path.name != MANIFEST) == ["csv"], "the other is written")


def locked(run):
    source, folder = run.home / "locked/source", run.home / "locked/skills"
    skill(source, "pdf")
    folder.mkdir(parents=True)
    held = os.open(folder, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    words = ("--no-config", "--skills-dir", source, "--folder", folder)
    check("would be written: pdf" in run("sync", *words, "--dry-run", code=3).out, "a trial does not wait")
    process = run.start("sync", *words)
    line = process.stderr.readline()
    check(f"{folder}: waiting for process {os.getpid()} (" in line, f"it says whom it waits for: {line}")
    check(not (folder / "pdf").exists(), "and waits")
    os.close(held)
    out, err = process.communicate(timeout=120)
    check(process.returncode == 0 and "written: pdf" in out, f"until the lock is free: {out}{err}")


def arguments(run):
    for words, why in (((), "name the agents"), (("--agent", "emacs"), "--agent: expected"), (("--project", "--folder", "x"), "--project goes with --agent"),
                       (("--folder", "x", "--token-env", "T"), "--token-env goes with --url"),
                       (("--folder", "x", "--follow", "--dry-run"), "--follow goes neither"), (("--folder", "x", "--interval", "5"), "--interval goes with"),
                       (("--folder", "x", "--url", "http://127.0.0.1:1/", "--skills-dir", "y"), "leave out --skills-dir"),
                       (("--folder", "x", "--url", "http://127.0.0.1:1/", "--remove"), "leave out --url"),
                       (("--folder", "x", "--url", "ftp://x/"), "http"), (("--folder", "x", "--follow", "--interval", "0"), "--interval")):
        done = run("sync", *words, code=1)
        check(why in done.err and not done.out, f"{words}: {done.err}")
    project = run.home / "project"
    (project / ".claude").mkdir(parents=True)
    (project / ".claude/skills").symlink_to(run.home)
    done = run("sync", "--agent", "claude-code", "--project", code=1)
    check("name the agents" not in done.err, done.err)
    process = subprocess.run([SERVER, "sync", "--no-config", "--skills-dir", SKILLS, "--agent", "claude-code", "--project"], cwd=project,
                             env=run.environment, capture_output=True, text=True, timeout=60)
    check(process.returncode == 1 and "leads out of this project" in process.stderr, process.stderr)


def without_rights():
    if os.geteuid() == 0:  # root may write anywhere
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def read_only(run):
    source, folder = run.home / "ro-source", run.home / "ro"
    skill(source, "pdf")
    words = ("--skills-dir", source, "--folder", folder)
    run.sync(*words)
    run.home.chmod(0o755)
    for path in folder, folder / "pdf":
        path.chmod(0o555)
    done = run.sync(*words, preexec_fn=without_rights)
    check("1 unchanged" in done.out, f"an unchanged folder may be read-only: {done.out}{done.err}")
    skill(source, "pdf", "Says more.")
    done = run.sync(*words, code=1, preexec_fn=without_rights)
    check("failed: " in done.out and "Permission denied" in done.out, f"the reason is said: {done.out}{done.err}")
    check("Says hello." in (folder / "pdf/SKILL.md").read_text(), "and the old skill stays")
    for path in folder, folder / "pdf":
        path.chmod(0o755)
    check("updated: pdf" in run.sync(*words).out, "until it can be written again")


def at_once(run):
    source, folder = run.home / "many", run.home / "at-once"
    for number in range(30):
        skill(source, f"skill-{number}")
    started = [run.start("sync", "--no-config", "--skills-dir", source, "--folder", folder) for _ in range(4)]
    for process in started:
        out, err = process.communicate(timeout=120)
        check(process.returncode == 0, f"runs at the same time succeed: {out[-300:]}{err}")
    check(files(folder) == files(source), "and write every skill once")
    check(sorted(path.name for path in folder.iterdir()) == sorted([MANIFEST, *(path.name for path in source.iterdir())]), "and leave nothing")


def following(run):
    source, folder = run.home / "followed", run.home / "follows"
    skill(source, "pdf")
    process = run.start("sync", "--no-config", "--skills-dir", source, "--folder", folder, "--follow")
    until(lambda: (folder / "pdf/SKILL.md").exists(), "the first round")
    skill(source, "csv")
    until(lambda: (folder / "csv/SKILL.md").exists(), "a new skill is written")
    skill(source, "pdf", "Says more.")
    until(lambda: "Says more." in (folder / "pdf/SKILL.md").read_text(), "a change is written")
    skill(source, "pdf", "Says even more.")
    until(lambda: "Says even more." in (folder / "pdf/SKILL.md").read_text(), "another change is written")
    skill(source / "deep", "My XML")
    entry = source / "deep/My XML/SKILL.md"
    good = entry.read_text().replace("name: My XML", "name: xml")
    entry.write_text(good)
    until(lambda: (folder / "xml/SKILL.md").exists(), "a skill in a folder of another name is written")
    entry.write_text("---\nname: [xml\n---\n")
    shutil.rmtree(source / "csv")
    until(lambda: not (folder / "csv").exists(), "a skill that is gone is removed")
    check((folder / "xml/SKILL.md").read_text() == good, "a damaged one is not")
    entry.write_text(good + "More.\n")
    until(lambda: "More." in (folder / "xml/SKILL.md").read_text(), "and is written when it is mended")
    process.terminate()
    out, _ = process.communicate(timeout=20)
    check("written: csv" in out and out.count("  updated: pdf") == 2, f"and each is said: {out}")


def from_a_server(run):
    made = run("token", "add", "me", "--scope", "skills:read", "--file", run.home / "tokens").out.strip()
    (run.home / "token").write_text(made)
    served = Running(SERVER, SKILLS, "--no-config", "--auth", "static", "--set", f"auth.config={json.dumps({'file': str(run.home / 'tokens')})}")
    url, folder = f"http://127.0.0.1:{served.port}/mcp", run.home / "remote"
    done = run("sync", "--url", url, "--folder", folder, code=1)
    check("who asks" in done.err and not folder.exists(), f"without a token nothing is written: {done.err}")
    (run.home / "wrong").write_text("skh_" + "x" * 40)
    done = run("sync", "--url", url, "--folder", folder, "--token-file", run.home / "wrong", code=1)
    check(not folder.exists() and done.err, f"nor with a refused token: {done.err}")
    done = run("sync", "--url", url, "--folder", folder, "--token-file", run.home / "token", "--json", code=3)
    said = json.loads(done.out)["folders"][0]["skills"]
    left_out = {one["name"]: one["why"] for one in json.loads(done.out)["left_out"]}
    check(left_out.pop("report") == "another skill has the same name", f"two have one name: {left_out}")
    for name, why in ("no-description", "description-missing"), ("bad-yaml", "yaml-flow"), ("withheld-metadata", "withheld"):
        check(left_out.get(name) == f"the server leaves it out ({why})", f"others are damaged: {left_out}")
    check(len(said) > 5 and all(one["action"] == "written" for one in said), f"skills are written: {said}")
    check(made not in done.out + done.err + (folder / MANIFEST).read_text(), "the token is nowhere")
    by_text = {content for content, _ in files(SKILLS).values()}
    written = files(folder)
    check(all(content in by_text for content, _ in written.values()), "byte for byte")
    check(all(is_program == content.startswith(b"#!") for content, is_program in written.values()), "programs are executable")
    check("greeter/references/deep/rules.md" in written, f"with their folders: {list(written)}")
    again = json.loads(run("sync", "--url", url, "--folder", folder, "--token-file", run.home / "token", "--json", code=3).out)
    check(all(one["action"] == "unchanged" for one in again["folders"][0]["skills"]), f"then nothing changes: {again}")
    done = run("sync", "--url", url + "?team=a", "--folder", folder, "--token-file", run.home / "token", code=3)
    check(f"sync has written a skill of this name from {url}" in done.out and files(folder) == written, f"a query makes another source: {done.out}")
    served.end()
    done = run("sync", "--url", url, "--folder", folder, "--token-file", run.home / "token", "--connect-timeout-ms", "300", code=1)
    check(files(folder) == written and done.err, f"a server that is away changes nothing: {done.err}")
    run("sync", "--folder", folder, "--remove")
    check(list(folder.iterdir()) == [], "--remove takes all away")


class FaultyServer(Handler):
    """Speaks MCP (2026-07-28) with the fault that `server.fault` names."""

    def do_POST(self):
        request = json.loads(self.body())
        fault, method = self.server.fault, request["method"]
        text = "---\nname: pdf\ndescription: x\n---\n"
        digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        one = {"uri": "skill://x/pdf/SKILL.md", "frontmatter": {"name": "pdf"},
               "resources": [{"uri": "skill://x/pdf/SKILL.md", "digest": digest, "size": len(text)}]}
        result = {}
        if method == "server/discover":
            extensions = {} if fault == "no extension" else {"io.modelcontextprotocol/skills": {}}
            result = {"supportedVersions": ["2026-07-28"], "capabilities": {"extensions": extensions}}
        elif method == "skills/list" and fault == "many":
            begin = int(request["params"].get("cursor", "0"))
            result = {"skills": [{**one, "uri": f"skill://x/s{begin + i}/SKILL.md"} for i in range(1000)]}
            if begin < 99_000:
                result["nextCursor"] = str(begin + 1000)
        elif method == "skills/list":
            self.server.listed += 1
            result = {"skills": [one]}
        elif method == "resources/read":
            changed = fault == "lies" or fault == "changes" and self.server.listed < 3
            result = {"contents": [{"uri": one["uri"], "text": text + ("more" if changed else "")}]}
        answer = json.dumps({"jsonrpc": "2.0", "id": request.get("id"), "result": result}).encode()
        self.say(200, {"Content-Type": "application/json"}, answer)

    def do_GET(self):
        self.say(405)

    do_DELETE = do_GET


def from_faulty_servers(run):
    with Loopback(FaultyServer) as server:
        server.listed = 0
        for fault, code, why in (("no extension", 1, "does not have the extension"), ("many", 1, "more than 10,000 entries"),
                                 ("lies", 1, "other bytes of SKILL.md"), ("changes", 0, "written: pdf")):
            server.fault, server.listed = fault, 0
            folder = run.home / f"faulty {fault}"
            done = run("sync", "--url", server.url + "/mcp", "--folder", folder, code=code)
            check(why in done.out + done.err, f"{fault}: {done.out}{done.err}")
            check((folder / "pdf").exists() == (code == 0), f"{fault}: {files(folder)}")


with tempfile.TemporaryDirectory(prefix="skillhost-sync-") as root:
    runs = Runs(os.path.realpath(root))
    for case in (local, failing_sources, projects, damaged, other_folder_names, same_names, hidden_damage, other_names, locked, arguments,
                 read_only, at_once, following, from_a_server, from_faulty_servers):
        case(runs)
sys.exit(checks.finish())
