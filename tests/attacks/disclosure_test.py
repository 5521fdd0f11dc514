#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what a reader learns about the machine, and a manager about hidden skills. disclosure_test.py SERVER PLUGIN

The controls: a manager reads the path, and a caller who sees all skills gets the numbers."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import Running, legacy  # noqa: E402

SERVER, PLUGIN = sys.argv[1], str(Path(sys.argv[2]).resolve())
SECRET = "/srv/secret/place"  # the place of the failure in the plugin's message
checks = Checks()
check = checks.check


def token(folder, name, *scopes):
    run = subprocess.run([SERVER, "token", "add", name, "--file", f"{folder}/tokens", *(word for one in scopes for word in ("--scope", one))],
                         capture_output=True, text=True, timeout=DEADLINE)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def skill(folder, name):
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Is about {name}.\n---\nText.\n")


def serve(folder, sources, **more):
    file = folder / "configuration.json"
    file.write_text(json.dumps({"sources": sources, "auth": {"plugin": "static", "config": {"file": f"{folder}/tokens"}},
                                "usage": {"path": f"{folder}/usage.sqlite"}, **more}))
    return Running(SERVER, str(folder / "pub"), "--config", str(file))


def ask(running, who, method, **params):
    _, text = running.ask("POST", body=legacy(method, **params), Authorization=f"Bearer {who}")
    return text


def tool(running, who, name, **arguments):
    return ask(running, who, "tools/call", name=name, arguments=arguments)


def paths(folder):
    reader, manager = token(folder, "reader", "skills:read"), token(folder, "manager", "skills:manage")
    running = serve(folder, [{"name": "notes", "plugin": PLUGIN, "isolation": "thread", "config": {"attack": "tell a path"}}])
    until(lambda: "outcome" in tool(running, manager, "list_skills"), "the skill is there")
    documents = ("notes.md", "gone.md", "invalid.md")  # these fail in different ways
    questions = [("tools/call", {"name": "read_skill_document", "arguments": {"skill_name": "outcome", "document_path": path}}) for path in (*documents, "**")]
    questions += [("resources/read", {"uri": f"skill://notes/outcome/{path}"}) for path in documents]
    questions += [("tools/call", {"name": "load_skill", "arguments": {"skill_name": "unread"}}), ("call_tool", {"name": "unread"})]
    for method, params in questions:
        told = ask(running, reader, method, **params)
        check(SECRET not in told and "the server's log has" in told, f"{method} {params}: {told}")
        check(SECRET in ask(running, manager, method, **params), f"control: {method} {params}: a manager reads why")
    # The caller's own words are no secret.
    told = tool(running, reader, "read_skill_document", skill_name="outcome", document_path="/no/such/file")
    check("/no/such/file" in told, f"control: a path that was asked for: {told}")
    # The caller cannot get the reason by naming a part of the path.
    for guess in ("/", "/srv", "/srv/", "/srv/secret"):
        told = ask(running, reader, "tools/call", name="read_skill_document", guess=guess, arguments={"skill_name": "outcome", "document_path": "gone.md"})
        check(SECRET not in told, f"with {guess} in the request: {told}")
    check(running.end() == 0, "the end")
    check(any(SECRET in line for line in running.log), "the log has the reason")


def numbers(text, prefix):
    return {name: float(value) for name, value in re.findall(rf"^({prefix}\S*) (\S+)$", text, re.MULTILINE)}


def figures(folder):
    for name in ("pub/open", "hr/layoffs"):
        skill(folder / name, name.split("/")[1])
    chief, keeper = token(folder, "chief", "skills:read", "hr"), token(folder, "keeper", "skills:manage")
    everything = token(folder, "everything", "skills:manage", "hr")
    running = serve(folder, [{"name": name, "config": {"directories": [f"{folder}/{name}"]}} for name in ("pub", "hr")],
                    access={"visibility": [{"sources": ["hr"], "scopes": ["hr"]}]})
    for name, times in (("open", 3), ("layoffs", 5)):
        for _ in range(times):
            told = tool(running, chief, "load_skill", skill_name=name)
            check("Text." in told, f"{name} is loaded: {told[:300]}")
    for uri in ("skill://pub/open/SKILL.md", "skill://hr/layoffs/SKILL.md"):
        check("Text." in ask(running, chief, "resources/read", uri=uri), uri)

    def told(who):
        stats = json.loads(json.loads(ask(running, who, "resources/read", uri="skillhost://stats"))["result"]["contents"][0]["text"])
        usage = json.loads(json.loads(ask(running, who, "resources/read", uri="skillhost://usage"))["result"]["contents"][0]["text"])
        return stats, usage, running.ask("GET", "/metrics", Authorization=f"Bearer {who}")[1]

    until(lambda: told(everything)[1]["totals"]["loads"] == 8, "all is written down")
    stats, usage, metrics = told(everything)
    check(stats["tools"]["load_skill"]["count"] == 8 and stats["methods"]["tools/call"] >= 8 and stats["cache"]["hitCount"] > 0
          and numbers(metrics, "skillhost_usage_events_total"), f"control: who sees all has the sums: {stats}")
    ask(running, keeper, "tools/list")
    stats, usage, metrics = told(keeper)
    check(usage["totals"]["loads"] == 3 and "layoffs" not in json.dumps(usage), f"control: what was done with the visible one: {usage}")
    # The difference, eight less three, would be the number for the hidden skill.
    for part in ("requests", "tools", "cache"):
        check(part not in stats, f"{part}: {stats.get(part)}")
    for method in ("tools/call", "resources/read", "prompts/get", "skills/get"):
        check(method not in stats["methods"] and f'method="{method}"' not in metrics, f"{method}: {stats['methods']}")
    for prefix in ("skillhost_tool_", "skillhost_usage_", "skillhost_searches_", "skillhost_review_", "skillhost_catalogue_"):
        check(not numbers(metrics, prefix), f"{prefix}: {numbers(metrics, prefix)}")
    check(numbers(metrics, "skillhost_request_seconds_count") and numbers(metrics, "process_"), f"control: there are others: {metrics[:300]}")
    check(running.end() == 0, "the end")


def main():
    for case in (paths, figures):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "pub").mkdir()
            case(Path(folder))
    return checks.finish()


sys.exit(main())
