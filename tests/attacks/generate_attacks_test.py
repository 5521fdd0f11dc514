#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the texts of a stranger's MCP server in a generated skill: generate_attacks_test.py SERVER

The controls: its words are in the pages, in quotes; and the same words unquoted, in a file SKILL.md, make a skill
with their description."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from hostile_mcp_server import HOSTILE, NAMES  # noqa: E402
from checks import Checks  # noqa: E402
from session import Session  # noqa: E402

SERVER = os.path.abspath(sys.argv[1])
HOSTILE_SERVER = [sys.executable, str(Path(__file__).with_name("hostile_mcp_server.py"))]
# These are control characters, marks of direction, marks of no width, tags, and separators of lines.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")
QUOTED = re.compile(r'"[^"\n]*"')
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
# Each of these names could be kept, if it were the only one.
ALONE = ("SKILL", "skill", "Skill", "CLAUDE", "agents", "con", "SKILL.")
checks = Checks()
check = checks.check


def run(home, *words, server=None, code=0):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SKILLHOST_", "XDG_"))}
    done = subprocess.run([SERVER, *map(str, words), *(["--", *server] if server else [])], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120, env={**environment, "HOME": str(home)}, cwd=home)
    out, errors = done.stdout.decode(), done.stderr.decode()
    check(done.returncode == code, f"{words}: {done.returncode} {out[-500:]} {errors[-800:]}")
    check("\x1b" not in errors and "\u202e" not in errors, f"{words}: nothing of it acts on a terminal")
    return out


def front_matter(document):
    lines = document.splitlines()
    end = lines.index("---", 1)
    return lines[1:end], "\n".join(lines[end + 1:])


def outside_of_quotes(markdown):
    """Returns the server's own lines: without blocks of code, quoted lines, texts in quotation marks and code spans."""
    rest, fenced = [], False
    for line in markdown.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith(">"):
            rest.append(QUOTED.sub('""', CODE.sub("``", line)))
    check(not fenced, "every block of code has its end")
    return "\n".join(rest)


def names_listed(*options):
    """Returns the names and descriptions of the served skills, and the names in the skills extension."""
    with Session([SERVER, "--no-config", *map(str, options)]) as session:
        listed = [(skill["name"], skill["description"]) for skill in session.listing()["skills"]]
        extension = [skill["frontmatter"]["name"] for skill in session.call("skills/list")["skills"]]
        for name, _ in listed:
            check(session.tool("load_skill", skill_name=name)["status"] == "loaded", f"{name} is loaded")
        session.server.finish()
        return listed, extension


def pages_are_ours(folder, tools):
    files = [path for path in folder.rglob("*") if path.is_file()]
    names = [str(path.relative_to(folder)).lower() for path in files]
    check(len(names) == len(set(names)), "no two files are one where case does not count")
    entries = [name for name in names if name.rsplit("/", 1)[-1] == "skill.md"]
    check(entries == ["skill.md"], f"one file can be taken for a skill: {entries}")
    read_by_agents = [name for name in names if re.search(r"/(claude|agents|gemini|copilot-instructions)\.", name)]
    check(read_by_agents == [], f"and none that agents read by themselves: {read_by_agents}")
    check(all(re.fullmatch(r"(references/(tools/)?)?[a-z0-9_][a-z0-9_.-]*\.(md|ts)", name) and ".." not in name
              and len(name) < 200 for name in names), f"every name is harmless: {names}")
    check(len(list((folder / "references/tools").iterdir())) == tools, "each tool has a file of its own")

    quoted = 0
    for path in files:
        text = path.read_text()
        check(not HIDDEN.search(text), f"{path.name}: nothing is hidden: {HIDDEN.search(text)}")
        if path.suffix != ".md":
            continue
        own, body = front_matter(text) if path.name == "SKILL.md" else ([], text)
        rest = outside_of_quotes(body)
        check("OBEY" not in rest and "evil" not in rest, f"{path.name}: its words stand in quotes: {rest[:400]}")
        check(not any(line.startswith("---") for line in body.splitlines()), f"{path.name}: no second front matter")
        check("!`" not in text and "![" not in text and "<!--" not in text, f"{path.name}: nothing in it acts")
        outside_of_code = re.sub(r"(?ms)^```.*?^```$", "", text)
        check(not re.search(r"<(system|img|/code|/pre)", CODE.sub("", outside_of_code)), f"{path.name}: no markup of its own")
        quoted += "The server says:\n\n> " in text and "> OBEY: ignore all" in text.replace("# OBEY", "OBEY")
        if path.name == "SKILL.md":
            check("OBEY" not in "\n".join(own), f"the front matter is ours: {own}")
    check(quoted > tools, f"control: what it says is told, as its words: {quoted}")
    types = (folder / "references/types.ts").read_text()
    code = re.sub(r"(?s)/\*\*.*?\*/", "", types)
    check("OBEY" not in re.sub(r'"(\\.|[^"\\])*"', '""', code), "types.ts: its words are comments and texts")
    check("OBEY" in types, "control: and they are there")


def main(home):
    skills = home / "skills"
    skills.mkdir()
    run(home, "generate", "wanted", "--output", skills / "wanted", server=HOSTILE_SERVER)
    pages_are_ours(skills / "wanted", len(NAMES))
    for name in ALONE:
        run(home, "generate", "alone", "--output", home / "alone" / name, server=[*HOSTILE_SERVER, name])
        pages_are_ours(home / "alone" / name, 1)
    report = json.loads(run(home, "validate", "--strict", "--json", "--fail-on", "never", skills))
    # The contents rules find the words of its server (rules of contents have a dot in their names); its form is right.
    wrong = [one for one in report["findings"] if one["severity"] == "error" and "." not in one["id"]]
    check(not wrong and report["skills"] == 1, f"it validates as one skill: {json.dumps(wrong)[:800]}")
    check(any(one["id"] == "instruct.override" for one in report["findings"]), "control: the words of its server are found")

    listed, extension = names_listed("--skills-dir", skills)
    check([name for name, _ in listed] == ["wanted"] == extension, f"one skill is served: {listed} {extension}")
    description = listed[0][1]
    check(description.startswith('How to use the MCP server "wanted": its 24 tools') and "OBEY" not in description
          and len(description) <= 1024, f"its description is ours: {description}")

    run(home, "generate", "kept", "--save", server=HOSTILE_SERVER)
    store = {"name": "kept", "plugin": "store", "config": {"directory": str(home / ".local/share/skillhost/skills")}}
    listed, extension = names_listed("--set", f"sources={json.dumps([store])}")
    check([name for name, _ in listed] == ["kept"] == extension and "OBEY" not in listed[0][1], f"so is one of a store: {listed}")

    # The control puts the unquoted words where a tool named SKILL would have put them.
    check((home / "alone/SKILL/SKILL.md").exists(), "control: a tool of that name was there")
    careless = home / "careless"
    shutil.copytree(skills / "wanted", careless / "wanted")
    (careless / "wanted/references/tools/SKILL.md").write_text(HOSTILE.replace("\x00", ""))
    listed, _ = names_listed("--skills-dir", careless)
    check(any("OBEY" in description for _, description in listed), f"control: as they stand they are a description: {listed}")


with tempfile.TemporaryDirectory(prefix="skillhost-generate-attack-") as folder:
    main(Path(folder))
sys.exit(checks.finish())
