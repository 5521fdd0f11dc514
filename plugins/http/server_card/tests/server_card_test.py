#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the server card of a running server, with and without an auth plugin. server_card_test.py SERVER SKILLS"""
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import DEADLINE, Checks  # noqa: E402
from http_server import INITIALIZE, Running, modern  # noqa: E402

SERVER, SKILLS = sys.argv[1:3]
PUBLIC = "https://skills.example.com/team/mcp"
PATHS = ("/mcp/server-card", "/.well-known/mcp/server-card.json")
CARD = {"name": "com.example/skills"}
checks = Checks()
check = checks.check
# The rules of the schema v1 for the members that the card has: a pattern and the greatest length.
MEMBERS = {"$schema": (r"https://static\.modelcontextprotocol\.io/schemas/v1/server-card\.schema\.json", 100),
           "name": (r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", 200), "version": (r"[0-9]+\.[0-9]+\.[0-9]+", 255), "description": (r".+", 100)}


def written(folder: Path, name: str, **settings: Any) -> str:
    file = folder / name
    file.write_text(json.dumps(settings))
    return str(file)


def fits_schema(card: dict[str, Any]) -> None:
    check(set(card) == {*MEMBERS, "remotes"}, f"the members of the card: {sorted(card)}")
    for member, (pattern, longest) in MEMBERS.items():
        value = card[member]
        check(isinstance(value, str) and re.fullmatch(pattern, value) is not None and len(value) <= longest, f"{member}: {value!r}")
    check(card["remotes"] == [{"type": "streamable-http", "url": PUBLIC}], f"remotes: {card['remotes']}")


def served(server: Running) -> None:
    """Checks that a stranger with no or a wrong token receives the card, and only the card."""
    texts = set()
    for path in PATHS:
        for fields in ({}, {"Authorization": "Bearer wrong"}, {"Host": "elsewhere.example.org", "Origin": "https://page.example.org"}):
            response, text = server.ask("GET", path, **fields)
            texts.add(text)
            check(response.status == 200 and response.headers["Content-Type"] == "application/mcp-server-card+json",
                  f"{path} with {fields}: {response.status} {response.headers['Content-Type']}")
            check(response.headers["Access-Control-Allow-Origin"] == "*", f"{path} with {fields}: any page may read it")
        head, nothing = server.ask("HEAD", path)
        check(head.status == 200 and nothing == "" and head.headers["Content-Length"] == str(len(text)), f"HEAD {path}: {head.status}")
        tag = response.headers["ETag"]
        check(tag == f'"{hashlib.sha256(text.encode()).hexdigest()}"', f"ETag: {tag}")
        same, nothing = server.ask("GET", path, If_None_Match=tag)
        check(same.status == 304 and nothing == "", f"{path} again: {same.status}")
        asked, _ = server.ask("OPTIONS", path, Origin="https://page.example.org", Access_Control_Request_Method="GET")
        check(asked.status == 204 and asked.headers["Access-Control-Allow-Origin"] == "*", f"OPTIONS {path}: {asked.status}")
        refused, _ = server.ask("POST", path, {})
        check(refused.status == 405 and refused.headers["Allow"] == "GET, HEAD, OPTIONS", f"POST {path}: {refused.status}")
    check(len(texts) == 1, "both paths have the same card")
    fits_schema(json.loads(texts.pop()))
    check(server.ask("GET", "/other/server-card")[0].status == 404, "there is no card below another path")


def without_authentication(folder: Path) -> None:
    file = written(folder, "open.json", http={"public_url": PUBLIC}, server_card={**CARD, "description": "Skills of our team."})
    server = Running(SERVER, SKILLS, "--config", file)
    served(server)
    card = json.loads(server.ask("GET", PATHS[0])[1])
    check(card["description"] == "Skills of our team.", f"the description is that of the configuration: {card['description']}")
    found = server.post(INITIALIZE)[1]["result"]["serverInfo"]
    check(card["version"] == found["version"], f"the server says the version of the card: {found}")
    check(server.end() == 0, "the server without authentication ends in order")


def with_tokens(folder: Path) -> None:
    """Checks that the card needs no token where everything else needs one, and that http.path moves it."""
    tokens = folder / "tokens.json"
    tokens.write_text('{"version": 1, "tokens": []}')
    tokens.chmod(0o600)
    auth = {"plugin": "static", "config": {"file": str(tokens)}}
    file = written(folder, "tokens-wanted.json", http={"public_url": PUBLIC}, server_card=CARD, auth=auth)
    server = Running(SERVER, SKILLS, "--config", file)
    served(server)
    check(server.ask("POST", body=modern("tools/list"))[0].status == 401, "MCP itself needs a token")
    check(server.end() == 0, "the server with tokens ends in order")
    file = written(folder, "moved.json", http={"public_url": PUBLIC, "path": "/team/skills"}, server_card=CARD)
    server = Running(SERVER, SKILLS, "--config", file)
    for path, status in (("/team/skills/server-card", 200), (PATHS[1], 200), (PATHS[0], 404)):
        check(server.ask("GET", path)[0].status == status, f"{path} with another http.path has the status {status}")
    check(server.end() == 0, "the server with another path ends in order")


def off_without_a_name() -> None:
    server = Running(SERVER, SKILLS, "--set", f"http.public_url={PUBLIC}")
    for path in PATHS:
        check(server.ask("GET", path)[0].status == 404, f"{path} does not exist without a name")
    check(server.end() == 0, "the server without a card ends in order")


def refused(folder: Path) -> None:
    """Checks that a server with a wrong or incomplete card does not start, and says what to write."""
    public = {"public_url": PUBLIC}
    for what, settings, words in (
            ("no public URL", {"server_card": CARD}, ("server_card.name", "write http.public_url: https://skills.example.org/mcp")),
            ("a wrong name", {"http": public, "server_card": {"name": "skills"}}, ('server_card.name: "skills"', "such as com.example/skills")),
            ("no name", {"http": public, "server_card": {"description": "Ours."}}, ("server_card.description", "write server_card.name: ")),
            ("a long description", {"http": public, "server_card": {**CARD, "description": "x" * 101}}, ("server_card.description", "100 bytes")),
            ("the path of MCP", {"http": {**public, "path": PATHS[1]}, "server_card": CARD}, ("the server card", "MCP (http.path)"))):
        file = written(folder, "refused.json", **settings)
        run = subprocess.run([SERVER, "serve", "--transport", "http", "--port", "0", "--skills-dir", SKILLS, "--config", file],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE, check=False)
        check(run.returncode != 0 and all(one in run.stderr for one in words), f"{what}: {run.returncode} {run.stderr}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        without_authentication(Path(place))
        with_tokens(Path(place))
        off_without_a_name()
        refused(Path(place))
    sys.exit(checks.finish())
