#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts that go wrong quietly: a rule about what does not exist. start_test.py SERVER SKILLS"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks
from session import Session, write_skill

SERVER, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve())
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

    write("finanse")
    wrong = 'access.visibility[0].categories[0]: there is no category "finanse" - did you mean "finance"?'
    for words in ([], ["--transport", "http", "--port", "0"]):
        code, _, err = run("--config", str(file), *words)
        check(code == 1 and f"skillhost: {file}:1:" in err and wrong in err, f"{words}: a category that no skill has ends the start", err)
    code, out, err = run("--config", str(file), "doctor")
    check(code == 1 and wrong in out, "doctor says so", out + err)
    for category, words in (("finance", ""), ("finan*", ""), ("sales*", "no category matches sales* yet")):
        write(category)
        code, _, err = run("--config", str(file))
        check(code == 0 and (words in err if words else "yet" not in err), f"{category} starts", err)
    # As long as there is no skill, nobody knows what they will be about.
    entry.rename(folder / "SKILL.md")
    write("finanse")
    code, _, err = run("--config", str(file))
    check(code == 0 and 'there is no category "finanse"' in err, "without a skill it is a warning", err)
    (folder / "SKILL.md").rename(entry)


def rules(folder):
    """A source that goes while a rule names it."""
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


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({"HOME": folder, "XDG_CACHE_HOME": f"{folder}/cache"})
        categories(Path(folder))
        rules(Path(folder))
        with Session([SERVER, "--no-config", "--skills-dir", f"{folder}/hr"]) as session:
            check(session.tool("list_skills")["skills"], "control: it serves")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
