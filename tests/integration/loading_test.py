#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what callers learn while sources are still being listed, and about a failed source: loading_test.py SERVER
SCRIPTED SKILLS"""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import DEADLINE, Checks
from http_server import LEGACY, MODERN, Running, legacy, modern
from session import Session

SERVER, SCRIPTED, SKILLS = sys.argv[1], *(str(Path(given).resolve()) for given in sys.argv[2:4])
checks = Checks()
check = checks.check
TEXT = "---\nname: slow\ndescription: Comes late.\n---\nBody.\n"
UNAVAILABLE = -31004


class Sources:
    """A configuration with a source that lists when allowed, one that fails, and the skills of a folder."""

    def __init__(self, folder, *names):
        self.folder = Path(folder)
        self.pipe = self.folder / "pipe"
        os.mkfifo(self.pipe)
        documents = [{"skill": "slow", "text": TEXT}]
        scripts = {"slow": {"documents": documents, "list": {"do": "block", "fifo": str(self.pipe)}},
                   "dead": {"list": {"do": "UNAVAILABLE", "message": "no route to it"}}}
        sources = [{"name": "quick", "plugin": "filesystem", "config": {"directories": [SKILLS]}}] if "quick" in names else []
        sources += [{"name": name, "plugin": SCRIPTED, "isolation": "thread", "config": script}
                    for name, script in scripts.items() if name in names]
        self.file = self.folder / "configuration.json"
        self.file.write_text(json.dumps({"sources": sources}))
        self.options = ["--config", str(self.file), "--set", "startup_wait_ms=0"]

    def release(self):
        os.close(os.open(self.pipe, os.O_WRONLY))


def tool(session, name, **arguments):
    return session.call("tools/call", name=name, arguments=arguments)["structuredContent"]


def until(ask, holds):
    """Returns the first answer that `holds` accepts, or the last one at the deadline."""
    deadline = time.monotonic() + DEADLINE
    while not holds(answer := ask()) and time.monotonic() < deadline:
        continue
    return answer


def is_loading(envelope):
    error = envelope.get("error", {})
    return (not envelope["success"] and error["code"] == "SERVICE_UNAVAILABLE" and error["retryable"]
            and error["retryAfterMs"] > 0 and error["context"]["loading"] is True and "still loading" in error["message"])


def nothing_yet(folder):
    sources = Sources(folder, "slow")
    with Session([SERVER, *sources.options]) as session:
        for name, arguments in (("list_skills", {}), ("find_helpful_skills", {"task_description": "anything"}),
                                ("load_skill", {"skill_name": "slow"}), ("unload_skill", {"skill_name": "slow"}),
                                ("read_skill_document", {"skill_name": "slow", "document_path": "**"})):
            envelope = tool(session, name, **arguments)
            check(is_loading(envelope), f"{name} while nothing is there: {envelope}")
        for method, params in (("skills/list", {}), ("skills/get", {"uri": "skill://slow/slow"}),
                               ("resources/read", {"uri": "skill://slow/slow/SKILL.md"}), ("prompts/get", {"name": "slow"}),
                               ("resources/directory/read", {"uri": "skill://slow/slow"})):
            error = session.answer(method, **params).get("error", {})
            check(error.get("code") == UNAVAILABLE and error["data"]["retryable"], f"{method} while nothing is there: {error}")
        for method in ("list_tools", "call_tool"):
            error = session.answer(method, name="slow").get("error", {})
            check(error.get("code") == 503, f"{method} while nothing is there: {error}")
        for method, member in (("tools/list", "tools"), ("prompts/list", "prompts"), ("resources/list", "resources")):
            result = session.call(method)
            check(member in result and result["_meta"]["org.skillhost/loading"]["skills"] == 0, f"{method}: {result}")
        sources.release()
        for name in ("tools", "prompts", "resources"):
            session.wait_for(f"notifications/{name}/list_changed")
        envelope = tool(session, "list_skills")
        check(envelope["success"] and envelope["data"]["total"] == 1 and "partial" not in envelope["metadata"], f"after: {envelope}")
        check("_meta" not in session.call("tools/list"), "nothing is said of loading once all is there")
        envelope = tool(session, "load_skill", skill_name="nobody")
        check(envelope["error"]["code"] == "NOT_FOUND", f"an unknown name once all is there: {envelope}")
        check(session.end() is None, "an orderly end")


def some_yet(folder):
    sources = Sources(folder, "quick", "slow")
    with Session([SERVER, *sources.options]) as session:
        envelope = until(lambda: tool(session, "list_skills"), lambda e: e["success"])
        check(envelope["metadata"].get("partial") is True and envelope["data"]["total"] > 1, f"some are there: {envelope}")
        notice = envelope["metadata"]["notice"]
        check("1 of 2 sources has answered" in notice, notice)
        content = session.call("tools/call", name="list_skills", arguments={})["content"]
        check(any("still loading" in block["text"] for block in content), f"the model is told: {content}")
        envelope = until(lambda: tool(session, "find_helpful_skills", task_description="greets"), lambda e: e["success"])
        check(envelope["metadata"].get("partial") is True and envelope["data"]["results"], f"found meanwhile: {envelope}")
        envelope = tool(session, "list_skills", source="slow")
        check(is_loading(envelope), f"nothing of that source yet: {envelope}")
        check(is_loading(tool(session, "load_skill", skill_name="slow")), "a name that may come yet")
        check(tool(session, "load_skill", skill_name="greeter")["success"], "what is there is loaded")
        listed = session.call("tools/list")
        check("still loading" in listed["tools"][0]["description"], "the catalogue in the description says so")
        sources.release()
        envelope = until(lambda: tool(session, "list_skills"), lambda e: "partial" not in e["metadata"])
        check("partial" not in envelope["metadata"] and "notice" not in envelope["metadata"], f"all are there: {envelope}")
        check(session.end() is None, "an orderly end")


def one_failed(folder):
    sources = Sources(folder, "quick", "dead")
    with Session([SERVER, *sources.options]) as session:
        envelope = until(lambda: tool(session, "list_skills"), lambda e: "notice" in e["metadata"] and "partial" not in e["metadata"])
        notice = envelope["metadata"]["notice"]
        check("source dead failed" in notice and "no route to it" in notice, notice)
        check("notice" not in tool(session, "list_skills")["metadata"], "once a session")
        result = session.call("skills/list")
        failures = result.get("_meta", {}).get("org.skillhost/failures", [])
        check(result["skills"] and [one["source"] for one in failures if "source" in one] == ["dead"], f"skills/list names what failed: {result.get('_meta')}")
        check("_meta" not in session.call("prompts/list"), "the other lists do so only if nothing is served")
        envelope = tool(session, "reload_skills_directory")
        check(envelope["success"] and envelope["data"]["status"] == "incomplete" and
              [one["source"] for one in envelope["data"]["failures"]] == ["dead"], f"some failed: {envelope}")
        line = until(lambda: [line for line in session.server.stderr().splitlines() if "reload_skills_directory: " in line], bool)
        check(len(line) == 1 and "[WARNING]" in line[0] and "1 of 2 sources" in line[0], f"it is logged as what it is: {line}")
        session.server.finish()  # the failure is on stderr, as it should be
    sources = Sources(tempfile.mkdtemp(dir=folder), "dead")
    with Session([SERVER, *sources.options]) as session:
        for _ in range(2):
            envelope = until(lambda: tool(session, "list_skills"), lambda e: "There are no skills" in e["error"]["message"])
            check("no route to it" in envelope["error"]["message"] and envelope["error"]["retryable"], f"none for a reason: {envelope}")
        result = session.call("tools/call", name="reload_skills_directory", arguments={})
        error = result["structuredContent"].get("error", {})
        check(result.get("isError") and error.get("code") == "SERVICE_UNAVAILABLE" and error["retryAfterMs"] > 0 and
              error["context"]["failures"][0]["source"] == "dead" and "- dead: list: no route to it" in error["message"],
              f"a reload for which every source fails: {result}")
        for method in ("skills/list", "prompts/list", "tools/list", "resources/list"):
            result = session.call(method)
            failures = result.get("_meta", {}).get("org.skillhost/failures", [])
            check(failures and failures[0]["source"] == "dead" and failures[0]["message"] == "list: no route to it",
                  f"{method} of nothing but a failed source: {result}")
        session.server.finish()
    for words in (["skill", "list"], ["search", "anything"]):
        for more in ([], ["--json"]):
            run = subprocess.run([SERVER, "--config", str(sources.file), *words, *more], stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=60)
            check(run.returncode == 1 and "skillhost: the source dead failed: list: no route to it" in run.stderr, f"{words}: {run}")
            check(bool(run.stdout) == bool(more), f"{words}: no figure stands for what failed: {run}")


def over_http(folder):
    sources = Sources(folder, "quick", "slow", "dead")
    server = Running(SERVER, SKILLS, *sources.options, ready=False)
    call = modern("tools/call", name="list_skills", arguments={})
    fields = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/call", "Mcp_Name": "list_skills"}
    ask = lambda: server.post(call, **fields)[1]["result"]["structuredContent"]  # noqa: E731
    for turn in range(2):
        envelope = until(ask, lambda e: e["success"] and "dead failed" in e["metadata"].get("notice", ""))
        check("no route to it" in str(envelope), f"who has no session is told each time ({turn}): {envelope}")
    result = server.post(modern("tools/list"), MCP_Protocol_Version=MODERN, Mcp_Method="tools/list")[1]["result"]
    check(result["ttlMs"] == 0 and "org.skillhost/loading" in result["_meta"], f"not to be kept: {result['ttlMs']} {result['_meta']}")
    sources.release()
    ask_list = lambda: server.post(modern("tools/list"), MCP_Protocol_Version=MODERN, Mcp_Method="tools/list")[1]["result"]  # noqa: E731
    result = until(ask_list, lambda r: r["ttlMs"] > 0)
    check("org.skillhost/loading" not in result["_meta"], f"to be kept: {result['_meta']}")
    check("partial" not in ask()["metadata"], "all are there")
    check(server.end() == 0, "an orderly end")


def while_a_plugin_is_made(folder):
    """Checks over HTTP that a session opens and readiness is "starting" while a plugin delays the start."""
    pipe = Path(folder, "pipe")
    os.mkfifo(pipe)
    script = {"documents": [{"skill": "slow", "text": TEXT}], "create": {"do": "block", "fifo": str(pipe)}}
    file = Path(folder, "configuration.json")
    file.write_text(json.dumps({"sources": [{"name": "slow", "plugin": SCRIPTED, "isolation": "thread", "config": script}]}))
    server = Running(SERVER, SKILLS, "--config", str(file), "--set", "startup_wait_ms=0", ready=False)
    let = os.open(pipe, os.O_WRONLY)  # returns when create() has opened the other end
    response, answer = server.post(legacy("initialize", protocolVersion=LEGACY, capabilities={},
                                          clientInfo={"name": "test", "version": "1"}))
    check(response.status == 200 and "result" in answer, f"initialize while a plugin is made: {response.status} {answer}")
    response, text = server.ask("GET", "/readyz")
    check(response.status == 503 and json.loads(text)["status"] == "starting", f"readiness meanwhile: {response.status} {text}")
    call = modern("tools/call", name="list_skills", arguments={})
    fields = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/call", "Mcp_Name": "list_skills"}
    ask = lambda: server.post(call, **fields)[1]["result"]["structuredContent"]  # noqa: E731
    check(is_loading(ask()), f"a list meanwhile: {ask()}")
    os.close(let)
    response, text = until(lambda: server.ask("GET", "/readyz"), lambda answer: answer[0].status == 200)
    check(json.loads(text)["status"] == "ready", f"readiness once it is made: {text}")
    check("slow" in str(ask()["data"]["skills"]), f"the list once it is made: {ask()}")
    check(server.end() == 0, "an orderly end")


def main():
    for scene in (nothing_yet, some_yet, one_failed, over_http, while_a_plugin_is_made):
        with tempfile.TemporaryDirectory() as folder:
            scene(folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
