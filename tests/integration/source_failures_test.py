#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a remote that refuses while its earlier skills are served: /readyz, the figures, the log, the commands and
the tool name the source and the reason; and a hook causes a look at once. source_failures_test.py SERVER SKILLS"""
import hashlib
import hmac
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from git_servers import BACKEND, PythonServer, Repository
from checks import Checks, until
from http_server import Running, modern

SERVER, SKILLS = sys.argv[1:3]
SECRET = "a secret of a hook"
checks = Checks()
check = checks.check


def secrets_of_addresses(folder):
    """Checks that a secret in the address of a failing source reaches neither the log nor a client."""
    os.environ["PATH_SECRET"] = "secret-of-a-path"
    file = Path(folder, "secret.json")
    file.write_text(json.dumps({"sources": [{"name": "index", "plugin": "well_known", "config": {
        "url": "http://127.0.0.1:1/${env:PATH_SECRET}"}}]}))
    server = Running(SERVER, SKILLS, "--config", str(file))
    until(lambda: json.loads(server.ask("GET", "/readyz")[1])["failed_sources"] == 1, "the source fails")
    told = server.ask("GET", "/readyz")[1]
    listed = server.post(modern("tools/call", name="list_skills", arguments={}), MCP_Protocol_Version="2026-07-28",
                         Mcp_Method="tools/call", Mcp_Name="list_skills")[1]
    check("***masked***" in told and "secret-of-a-path" not in told, f"readyz: {told}")
    check("***masked***" in json.dumps(listed) and "secret-of-a-path" not in json.dumps(listed), f"a client: {listed}")
    server.end()
    check("secret-of-a-path" not in "".join(server.log), "the log")


def main():
    if not shutil.which("git") or not Path(BACKEND).exists():
        print("skipped: git and its http-backend are not installed")
        return 77
    refusing = []
    with tempfile.TemporaryDirectory(prefix="skillhost-failures-") as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        root = Path(folder, "root")
        root.mkdir()
        made = Repository(root, "team")
        made.skill("alpha", "Does alpha.")
        made.push()

        def answer(handler):
            if refusing:
                handler.say(401, {"WWW-Authenticate": 'Basic realm="git"'})
            return bool(refusing)

        with PythonServer(root, answer=answer) as git:
            file = Path(folder, "skillhost.json")
            file.write_text(json.dumps({"sources": [{
                "name": "team", "plugin": "github", "webhook_secret": SECRET, "config": {
                    "url": f"{git.url}/team.git", "token": "wrong-token"}}]}))
            server = Running(SERVER, SKILLS, "--config", str(file))

            def ready():
                response, text = server.ask("GET", "/readyz")
                return response.status, json.loads(text)

            def hook():
                signature = "sha256=" + hmac.new(SECRET.encode(), b"{}", hashlib.sha256).hexdigest()
                check(server.ask("POST", "/hooks/team", b"{}", X_Hub_Signature_256=signature)[0].status == 202, "a hook")

            def up():
                return 'skillhost_source_up{source="team"} 1' in server.ask("GET", "/metrics")[1]

            until(lambda: ready()[1]["status"] == "ready", "both sources are there")
            check(ready()[0] == 200 and ready()[1]["failed_sources"] == 0 and up(), f"ready: {ready()}")
            made.skill("beta", "Does beta.")
            made.push()
            before = ready()[1]["skills"]
            hook()  # long before a minute has passed
            until(lambda: ready()[1]["skills"] == before + 1, "a hook right after a look is heard")
            refusing.append(True)
            hook()
            until(lambda: ready()[1]["status"] == "degraded", "the refusal shows")
            status, told = ready()
            check(status == 200 and told["failures"][0]["source"] == "team" and told["failures"][0]["state"] == "stale" and
                  "the token is not accepted" in told["failures"][0]["message"], f"readyz: {told}")
            check(told["skills"] == before + 1 and not up(), f"what was known is served: {told}")
            figures = server.ask("GET", "/metrics")[1]
            check('skillhost_instance_failures_total{code="OPERATION_FAILED",instance="team"}' not in figures,
                  "a refused token is no failure of the plugin")
            answer_ = server.post(modern("tools/call", name="reload_skills_directory", arguments={}),
                                  MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/call", Mcp_Name="reload_skills_directory")[1]
            check("the token is not accepted" in json.dumps(answer_) and "1 of 2 sources" in json.dumps(answer_), f"the tool: {answer_}")
            unknown = server.post(modern("tools/call", name="load_skill", arguments={"skill_name": "nobody"}),
                                  MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/call", Mcp_Name="load_skill")[1]
            check("nobody" in json.dumps(unknown), unknown)
            # A thread of this test reads the log: a line may arrive after the answer that it is about.
            until(lambda: "load_skill: " in "".join(server.log), "the line of the call")
            log = "".join(server.log)
            check("[WARNING] [skills] refresh failed: team: " in log and "reload_skills_directory: 1 of 2 sources" in log, log)
            check("load_skill: NOT_FOUND" in log and "load_skill: ok" not in log, f"a failed call is not ok: {log}")
            refusing.clear()
            hook()
            until(lambda: ready()[1]["status"] == "ready" and up(), "it is over")
            check(server.end() == 0, "the end")
            refusing.append(True)
            for word in ("status", "refresh"):
                run = subprocess.run([SERVER, "--config", str(file), "source", word, "--json"], stdin=subprocess.DEVNULL,
                                     capture_output=True, text=True, timeout=60)
                told = json.loads(run.stdout)["sources"][0]
                check(run.returncode == 1 and told["state"] == "stale" and "not accepted" in told["failure"], f"{word}: {run}")
                check("[INFO]" not in run.stderr, f"commands are quiet: {run.stderr}")
        secrets_of_addresses(folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
