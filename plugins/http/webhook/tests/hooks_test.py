#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the webhooks of sources with requests like those of a code host. hooks_test.py SERVER SKILLS"""
import hmac
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import Checks  # noqa: E402
from http_server import MODERN, Running, events, modern  # noqa: E402

SERVER, SKILLS = sys.argv[1:3]
checks = Checks()
check = checks.check
NAMES = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/call", "Mcp_Name": "list_skills"}
CALL = modern("tools/call", name="list_skills", arguments={})


def hooks():
    """Checks that a source without a watch shows a new skill after a signed hook has announced it."""
    secret = "a secret of 16 or more"
    with tempfile.TemporaryDirectory() as folder:
        sources = [{"name": name, "config": {"directories": [folder], "watch": "off"}, **more}
                   for name, more in (("team", {"webhook_secret": secret}), ("other", {}))]
        server = Running(SERVER, SKILLS, "--set", "sources=" + json.dumps(sources))
        body = b'{"ref": "refs/heads/main"}'

        def hook(name, by=secret, over=body, method="POST", form="sha256={}"):
            signature = form.format(hmac.new(by.encode(), over, "sha256").hexdigest())
            return server.ask(method, "/hooks/" + name, body, X_Hub_Signature_256=signature)[0].status

        server.post(CALL, **NAMES)  # waits for the first catalogue
        listen = modern("subscriptions/listen", id="s1", notifications={"resourcesListChanged": True})
        connection, stream = server.open("POST", body=listen, MCP_Protocol_Version=MODERN, Mcp_Method="subscriptions/listen")
        coming = events(stream)
        next(coming)
        new = Path(folder, "late-comer", "SKILL.md")
        new.parent.mkdir()
        new.write_text("---\nname: late-comer\ndescription: Came after the start.\n---\nText.\n")
        for what, status in (("a wrong secret", hook("team", by="not the secret at all")),
                             ("another body", hook("team", over=body + b" ")),
                             ("no scheme", hook("team", form="{}")),
                             ("a source without a hook", hook("other")),
                             ("no source", hook("nobody")), ("no name", hook(""))):
            check(status == 401, f"a hook with {what}: {status}")
        check(server.ask("POST", "/hooks/team", body)[0].status == 401, "a hook without a signature")
        check(hook("team", method="PUT") == 405, "a hook is a POST")
        check("late-comer" not in server.post(CALL, **NAMES)[1]["result"]["content"][0]["text"], "a wrong hook changes nothing")
        check(hook("team") == 202, "a signed hook is taken")
        # The first catalogue may be announced after the first answer from it, too.
        told = (json.loads(data)["method"] for _, data in coming)
        seen = any(method == "notifications/resources/list_changed"
                   and "late-comer" in server.post(CALL, **NAMES)[1]["result"]["content"][0]["text"] for method in told)
        check(seen, "what is new is told, and there")
        connection.close()
        check(server.end() == 0 and secret not in "".join(server.log), "the secret is in no log")


if __name__ == "__main__":
    hooks()
    sys.exit(checks.finish())
