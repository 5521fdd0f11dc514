#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that skills hidden by a rule show neither in links nor in numbers: hidden_test.py SERVER SCRIPTED"""
import json
import os
import sys
import tempfile
from pathlib import Path

from checks import Checks, until
from http_server import LEGACY, Running, legacy

SERVER, SCRIPTED = sys.argv[1], str(Path(sys.argv[2]).resolve())
checks = Checks()
check = checks.check


def rules(*given):
    return ["--allow-anonymous", "--set", "access.visibility=" + json.dumps(given)]


def skill(folder, name, category=""):
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        f"---\nname: {name}\ndescription: About {name}.\n" + (f"category: {category}\n" if category else "") + "---\nText.\n")
    return folder


def tool(server, name, **arguments):
    return json.dumps(server.post(legacy("tools/call", name=name, arguments=arguments), MCP_Protocol_Version=LEGACY)[1])


def links(folder):
    skills = folder / "links"
    hidden = skill(skills / "pay", "pay", "internal")
    (hidden / "salaries.txt").write_text("HIDDEN")
    (hidden / "deep").mkdir()
    (hidden / "deep/more.txt").write_text("HIDDEN")
    seen = skill(skills / "open", "open")
    (seen / "file.txt").symlink_to("../pay/salaries.txt")
    (seen / "folder").symlink_to("../pay/deep")
    server = Running(SERVER, str(skills), *rules({"categories": ["internal"], "scopes": ["staff"]}))
    for path in ("file.txt", "folder/more.txt", "folder", "**", ""):
        told = tool(server, "read_skill_document", skill_name="open", document_path=path)
        check("HIDDEN" not in told and "more.txt" not in told.replace(path or "-", ""), f"{path}: {told}")
    check("HIDDEN" not in json.dumps(server.post(legacy("resources/read", uri="skill://links/open/file.txt"))[1]), "a resource")
    server.end()
    check("leads into another skill" in "".join(server.log), "who keeps the skills is told")


def numbers(folder):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    skill(folder / "pub/one", "one")
    text = "---\nname: hr\ndescription: d.\n---\nText.\n"
    script = {"documents": [{"skill": f"hr{i}", "text": text} for i in range(7)], "list": {"do": "block", "fifo": str(pipe)}}
    file = folder / "configuration.json"
    file.write_text(json.dumps({"sources": [
        {"name": "hr-slow", "plugin": SCRIPTED, "isolation": "thread", "config": script},
        {"name": "hr-dead", "plugin": SCRIPTED, "isolation": "thread",
         "config": {"list": {"do": "UNAVAILABLE", "message": "no route to it"}}}]}))
    server = Running(SERVER, str(folder / "pub"), "--config", str(file), "--set", "startup_wait_ms=0",
                     *rules({"sources": ["hr-*"], "scopes": ["hr"]}), ready=False)
    until(lambda: '"total": 1' in tool(server, "list_skills").replace('":', '": ').replace(":  ", ": "), "what is seen is there")
    for name, arguments in (("list_skills", {}), ("load_skill", {"skill_name": "nobody"}),
                            ("find_helpful_skills", {"task_description": "zzz"})):
        told = tool(server, name, **arguments)
        check("hr-" not in told and "sources" not in told and "progress" not in told and " of " not in told, f"{name}: {told}")
    for method in ("prompts/list", "tools/list"):
        told = json.dumps(server.post(legacy(method), MCP_Protocol_Version=LEGACY)[1])
        check('"answered"' not in told and '"progress"' not in told, f"{method}: {told[-300:]}")
    os.close(os.open(pipe, os.O_WRONLY))
    until(lambda: "hr-slow: 7" in "".join(server.log) or "still loading" not in tool(server, "load_skill", skill_name="nobody"),
          "the other source")
    response, text = server.ask("GET", "/readyz")
    told = json.loads(text)
    check(response.status == 200 and told == {"status": "degraded", "skills": 1, "sources": 1, "failed_sources": 0}, f"readyz: {text}")
    server.end()
    file.write_text(json.dumps({"sources": json.loads(file.read_text())["sources"][1:]}))
    server = Running(SERVER, str(folder / "pub"), "--config", str(file), *rules({"sources": ["hr-*"], "scopes": ["hr"]}))
    told = tool(server, "reload_skills_directory")
    check("1 skill:" in told and "hr-dead" not in told and " of " not in told, f"reload: {told}")
    server.end()


def stale_hits(folder):
    """Checks that an outdated index, while much is indexed again, does not find a hidden skill's text."""
    skills = folder / "many"
    body = " ".join(f"w{n}" for n in range(1500))

    def fill(number):
        for i in range(300):
            write(skills / f"filler-{i}", f"filler-{i}", f"Filler {number}.", "open", body)

    def write(place, name, description, category, text="Text."):
        place.mkdir(parents=True, exist_ok=True)
        new = place / "new"
        new.write_text(f"---\nname: {name}\ndescription: {description}\nmetadata:\n  category: {category}\n---\n{text}\n")
        new.rename(place / "SKILL.md")

    fill(0)
    write(skills / "pay", "pay", "SECRETMARK salaries of the board.", "hr")
    server = Running(SERVER, str(skills), *rules({"categories": ["hr"], "scopes": ["hr"]}))

    def found():
        return tool(server, "find_helpful_skills", task_description="salaries of the board")

    for number in range(1, 4):
        until(lambda: "The public" not in found() and "SECRETMARK" not in found(), "it is hidden")
        fill(number)
        write(skills / "pay", "pay", "The public salaries of the board.", "open")
        told = []
        until(lambda: told.append(found()) or "The public" in told[-1], "it is seen")
        check(not any("SECRETMARK" in one for one in told), f"round {number}: what it said when it was hidden")
        write(skills / "pay", "pay", "SECRETMARK salaries of the board.", "hr")
    server.end()


def main():
    with tempfile.TemporaryDirectory() as folder:
        links(Path(folder))
        numbers(Path(folder))
        stale_hits(Path(folder))
    return checks.finish()


sys.exit(main())
