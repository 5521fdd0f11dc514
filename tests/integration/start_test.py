#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests starts that go wrong quietly: a rule about a category that no skill has, a folder that is gone, no /proc, a
client whose variable is not set, a token for another address. start_test.py SERVER SKILLS"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks, until
from http_server import INITIALIZE, Running
from session import Session, write_skill

SERVER, SKILLS = str(Path(sys.argv[1]).resolve()), str(Path(sys.argv[2]).resolve())
checks = Checks()


def check(holds, what, seen=""):
    checks.check(holds, f"{what}: {str(seen)[-800:]}")


def run(*words, before=(), **more):
    done = subprocess.run([*before, SERVER, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False, **more)
    return done.returncode, done.stdout, done.stderr


def categories(folder):
    write_skill(folder / "hr", "payroll", "Payroll.")
    file, entry = folder / "skillhost.yaml", folder / "hr/payroll/SKILL.md"
    entry.write_text("---\nname: payroll\ndescription: Payroll figures.\ncategory: finance\n---\nText.\n")

    def write(category, source="hr"):
        file.write_text(json.dumps({"sources": [{"name": source, "config": {"directories": [str(folder / "hr")]}}],
                                    "access": {"visibility": [{"categories": [category], "scopes": ["x"]}]}}))

    def told(*words):
        """Checks that the server serves, and that its log has a line with these words as soon as the source has
        answered."""
        with Session([SERVER, "--config", str(file)]) as session:
            until(lambda: all(word in session.server.stderr() for word in words), f"{words} in the log")
            check(session.listing() is not None, f"{words}: it serves")

    write("finanse")
    wrong = 'access.visibility[0].categories[0]: there is no category "finanse" - did you mean "finance"?'
    told("[ERROR]", wrong)
    code, out, err = run("--config", str(file), "doctor")
    check(code == 1 and wrong in out, "doctor says so", out + err)
    for category in ("finance", "finan*"):
        write(category)
        code, _, err = run("--config", str(file))
        check(code == 0 and "category" not in err, f"{category} starts", err)
    code, out, err = run("--config", str(file), "skill", "list")
    check(code == 0 and "payroll  [finance] Payroll figures.\n" in out, "skill list shows the category", out + err)
    code, out, err = run("--config", str(file), "skill", "list", "--json")
    check(code == 0 and json.loads(out)["skills"][0]["category"] == "finance", "in JSON, too", out + err)
    code, out, err = run("--config", str(file), "skill", "info", "payroll")
    check(code == 0 and "  category finance\n" in out, "skill info shows it, too", out + err)
    write("sales*")
    told("[WARNING]", "no category matches sales* yet")
    # As long as there is no skill, the categories are unknown.
    entry.rename(folder / "SKILL.md")
    write("finanse")
    told("[WARNING]", 'there is no category "finanse"')
    (folder / "SKILL.md").rename(entry)


def skills_left_out(folder):
    """Checks a pattern of exclude_skills that misspells the skill: it is served, and the log names the pattern."""
    file = folder / "left-out.yaml"

    def write(pattern):
        file.write_text(json.dumps({"sources": [{"name": "hr", "config": {"directories": [str(folder / "hr")]}}], "exclude_skills": [pattern]}))

    write("hr/payrol")
    wrong = 'exclude_skills[0]: no skill matches hr/payrol yet: the rule has no effect until one does - did you mean "hr/payroll"?'
    with Session([SERVER, "--config", str(file)]) as session:
        until(lambda: "[WARNING]" in session.server.stderr() and wrong in session.server.stderr(), "the log names the pattern")
        check(session.listing()["skills"], "the control: the skill is served")
    _, out, err = run("--config", str(file), "doctor")
    check(wrong in out, "doctor says so", out + err)
    write("hr/payroll")
    with Session([SERVER, "--config", str(file)]) as session:
        check(not session.listing()["skills"], "the control: the name leaves it out")
        check("no skill matches" not in session.server.stderr(), "and no warning", session.server.stderr())


def rules(folder):
    """Checks a source that vanishes while a rule names it."""
    file = folder / "rules.yaml"
    file.write_text(f"sources:\n  - {{name: open, config: {{directories: [{SKILLS}]}}}}\naccess:\n  visibility:\n    - sources: [hr]\n")
    code, out, err = run("--config", str(file), "doctor")
    check(code == 1 and "there is no source or plugin" in out, "doctor", out + err)
    code, out, err = run("--config", str(file), "add", str(folder / "hr"), "--name", "hr")
    check(code == 0, "the source that the rule waits for can be added", out + err)
    code, _, err = run("--config", str(file))
    check(code == 0, "and then it starts", err)
    code, out, err = run("--config", str(file), "remove", "hr")
    check(code == 1 and "removed hr" in out and "no server starts now" in err and "access.visibility[0].sources[0]" in err,
          "who takes it out is told of the rule", out + err)
    code, out, err = run("--config", str(file), "list")
    check(code == 0 and "open" in out, "and can list what there is", out + err)


def surroundings(folder):
    gone = folder / "gone"
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && exec {SERVER} --version"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    check(done.returncode == 1 and "skillhost: the working directory is gone" in done.stderr, "a folder that is gone", done.stderr)
    without = ["unshare", "--map-root-user", "--user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    if shutil.which("unshare") is None or subprocess.run([*without, "true"], capture_output=True, check=False).returncode != 0:
        print("no /proc: left out, this user may not unmount it")
        return
    code, out, err = run("--no-config", "--skills-dir", str(folder / "hr"), "skill", "list", before=without)
    check(code == 0 and "payroll" in out, "the plugins are found without /proc", out + err)


def unset_variable(folder):
    tokens = folder / "tokens"
    code, _, err = run("token", "add", "ada", "--scope", "skills:read", "--file", str(tokens))
    check(code == 0, "a token is made", err)
    server = Running(SERVER, SKILLS, "--no-config", "--auth", "static", "--set", "auth.config=" + json.dumps({"file": str(tokens)}))
    for shown in ("Bearer ${ADA}", "Bearer $ADA"):
        response, text = server.post(INITIALIZE, Authorization=shown)
        check(response.status == 401 and "set the variable" in str(text), f"{shown}: is told", f"{response.status} {text}")
        check("Bearer" in response.headers.get("WWW-Authenticate", ""), f"{shown}: with a challenge", response.headers)
    until(lambda: any("401" in line and "set the variable" in line for line in server.log), "the log says so")
    response, text = server.post(INITIALIZE, Authorization="Bearer ")
    check(response.status == 400 and "is the variable set" in str(text), "an empty one is told of", f"{response.status} {text}")
    response, text = server.post(INITIALIZE, Authorization="Bearer a b")
    check(response.status == 400, "control: a malformed one is a malformed request", f"{response.status} {text}")
    server.end()


def audience(folder):
    """Checks that doctor compares the audience of the clients' tokens with the accepted one."""
    keys, file = folder / "keys.json", folder / "auth.yaml"
    keys.write_text(json.dumps({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}))
    mine = "https://skills.example.org/mcp"
    for resource, audiences, words in ((None, [], f"ok       auth           accepts tokens whose aud is {mine}"),
                                       ("https://SKILLS.example.org:443/mcp/", [], "ok       auth           accepts tokens whose aud is"),
                                       (None, [mine + "/v2"], f"warning  auth           auth.config.audience has {mine}/v2, and this server is {mine}"),
                                       ("https://other.example.org", [], f"wrong    auth           clients are told to get tokens for {mine}")):
        auth = {"plugin": "jwt", "config": {"issuer": "https://id.example.org", "jwks_file": str(keys), "audience": audiences}}
        file.write_text(json.dumps({"transport": "http", "http": {"public_url": mine}, "skills_dirs": [SKILLS],
                                    "auth": {**auth, **({"resource": resource} if resource else {})}}))
        code, out, err = run("--config", str(file), "doctor")
        check(words in out and code == (1 if words.startswith("wrong") else 0), f"{resource} {audiences}: {words}", out + err)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({"HOME": folder, "XDG_CACHE_HOME": f"{folder}/cache"})
        categories(Path(folder))
        skills_left_out(Path(folder))
        rules(Path(folder))
        surroundings(Path(folder))
        unset_variable(Path(folder))
        audience(Path(folder))
        with Session([SERVER, "--no-config", "--skills-dir", f"{folder}/hr"]) as session:
            check(session.tool("list_skills")["skills"], "control: it serves")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
