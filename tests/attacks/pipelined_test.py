#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every method, tool and path of the server, asked many times in one connection without waiting for an answer, while
another client asks for little. pipelined_test.py SERVER

The control is the processor time that the server takes for the burst: so long the other client would have waited, had
the thread of all connections done the work.
"""
import json
import os
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import SLOWNESS, Beside, processor_time, resident  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, LEGACY, Running, legacy  # noqa: E402

SERVER = sys.argv[1]
LONG = os.environ.get("SKILLHOST_LONG_TESTS") == "1"
SKILLS = 20_000 if LONG else 1000 if SLOWNESS == 1 else 100
EACH = 40 if SLOWNESS == 1 else 10  # requests in one burst: fewer than may wait of one client
CONNECTIONS = 2
LARGE = 1 << 20
checks = Checks()
check = checks.check


def tool(name, **arguments):
    return legacy("tools/call", name=name, arguments=arguments)


# Each with arguments that make it work the most. SOURCE stands for the address of the folder of skills.
REQUESTS = {
    "call_tool": lambda n: legacy("call_tool", name=f"skill-numbre-{n}"),
    "completion/complete": lambda n: legacy("completion/complete", argument={"name": "path", "value": ""}, ref={
        "type": "ref/resource", "uri": "skill://{source}/{+path}"}),
    "initialize": lambda n: INITIALIZE,
    "list_tools": lambda n: legacy("list_tools"),
    "logging/setLevel": lambda n: legacy("logging/setLevel", level="error"),
    "ping": lambda n: legacy("ping"),
    "prompts/get": lambda n: legacy("prompts/get", name="large", arguments={"arguments": "x " * 4000}),
    "prompts/list": lambda n: legacy("prompts/list"),
    "resources/directory/read": lambda n: legacy("resources/directory/read", uri="SOURCE/wide"),
    "resources/list": lambda n: legacy("resources/list", _meta={"org.skillhost/pageSize": 2000}),
    "resources/read": lambda n: legacy("resources/read", uri="SOURCE/wide/large.md"),
    "resources/subscribe": lambda n: legacy("resources/subscribe", uri=f"SOURCE/skill-number-{n}/SKILL.md"),
    "resources/templates/list": lambda n: legacy("resources/templates/list"),
    "resources/unsubscribe": lambda n: legacy("resources/unsubscribe", uri="SOURCE/wide/SKILL.md"),
    "skills/get": lambda n: legacy("skills/get", uri="SOURCE/wide/SKILL.md"),
    "skills/list": lambda n: legacy("skills/list"),
    "tools/list": lambda n: legacy("tools/list"),
    "find_helpful_skills": lambda n: tool("find_helpful_skills", task_description=f"the thing of number {n} " * 100, top_k=10),
    "get_loaded_skills_info": lambda n: tool("get_loaded_skills_info"),
    "get_server_stats": lambda n: tool("get_server_stats"),
    "list_skills": lambda n: tool("list_skills", limit=1000, offset=n, detail=True),
    "list_skills without arguments": lambda n: tool("list_skills"),
    "load_skill, large": lambda n: tool("load_skill", skill_name="large", force_reload=True),
    "load_skill, unknown": lambda n: tool("load_skill", skill_name=f"skill-nubmer-{n}"),
    "load_skill, absent paths": lambda n: tool("load_skill", skill_name="absent", force_reload=True),
    "read_skill_document, absent paths": lambda n: tool("read_skill_document", skill_name="absent", document_path=f"long-{n % 4}.md"),
    "read_skill_document, absent paths, short": lambda n: tool("read_skill_document", skill_name="absent", document_path=f"short-{n % 4}.md"),
    "read_skill_document, large": lambda n: tool("read_skill_document", skill_name="wide", document_path="large.md"),
    "read_skill_document, pattern": lambda n: tool("read_skill_document", skill_name="wide", document_path="{*,?}" * 150 + str(n)),
    "read_skill_document, unknown": lambda n: tool("read_skill_document", skill_name="wide", document_path=f"no-file-{n}.md"),
    "reload_skills_directory": lambda n: tool("reload_skills_directory"),
    "unload_skill, unknown": lambda n: tool("unload_skill", skill_name=f"skill-nubmer-{n}"),
    "find_helpful_skills, unknown source": lambda n: tool("find_helpful_skills", task_description="x", source=f"no-{n}"),
    "list_skills, unknown source": lambda n: tool("list_skills", source=f"no-{n}"),
    "prompts/get, unknown": lambda n: legacy("prompts/get", name=f"skill-nubmer-{n}"),
    "resources/read, unknown": lambda n: legacy("resources/read", uri=f"SOURCE/skill-nubmer-{n}/SKILL.md"),
    "skills/get, unknown": lambda n: legacy("skills/get", uri=f"SOURCE/skill-nubmer-{n}/SKILL.md"),
    "unload_skill": lambda n: tool("unload_skill", skill_name="large"),
}
# Others would wait longer than the aim of 0.1 s beside these, if the thread of all connections did the work.
HEAVY = {"load_skill, large", "prompts/get", "resources/list"}
# All but the pattern name something that is not there.
REFUSED = {"call_tool", "read_skill_document, pattern", *(what for what in REQUESTS if ", unknown" in what)}
PATHS = ["/healthz", "/readyz", "/metrics", "/.well-known/oauth-protected-resource", "/.well-known/agent-skills/index.json",
         "/console", "/console/", "/nowhere", "/hooks/skills"]


def absent_paths(size):
    """A text of paths that no file of the skill "absent" has, each as long as those that it has."""
    return "".join(f"d/f{2000 + number:04}.md " for number in range(size // 11))


def known_methods():
    """The methods of the server's own table, of the family that these requests belong to."""
    text = Path(__file__).resolve().parents[2].joinpath("host/mcp/router.cpp").read_text(encoding="utf-8")
    table = text[text.index("constexpr std::array table"):text.index("static_assert")]
    return {part.split('"')[1] for part in table.split("Method{")[1:] if "ProtocolFamilies::Modern" not in part}


def send_all(running, requests, address):
    """Writes all of them at once and reads until the server has closed the connection: how much it has answered."""
    one = socket.create_connection(("127.0.0.1", running.port), timeout=DEADLINE * SLOWNESS, source_address=(address, 0))
    writer = threading.Thread(target=lambda: one.sendall(b"".join(requests)))
    writer.start()
    size, answers, tail = 0, 0, b""
    while part := one.recv(1 << 20):
        size += len(part)
        seen = tail + part
        answers += seen.count(b"HTTP/1.1 ")
        tail = seen[-8:] if not seen.endswith(b"HTTP/1.1 ") else b""
    writer.join()
    one.close()
    return size, answers


def post(body, last, fields, source):
    text = json.dumps(body).replace("SOURCE", source).encode()
    return (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n{fields}"
            f"{'Connection: close' + chr(13) + chr(10) if last else ''}Content-Length: {len(text)}\r\n\r\n").encode() + text


def get(path, last):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{'Connection: close' + chr(13) + chr(10) if last else ''}\r\n".encode()


def burst(running, requests):
    """The same in several connections of one address: how many were answered."""
    done = []
    threads = [threading.Thread(target=lambda: done.append(send_all(running, requests, "127.0.0.2")))
               for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(len(done) == CONNECTIONS, "every connection came to its end")
    return sum(answers for _, answers in done)


def attack(running, what, requests, longest):
    burst(running, requests)  # once for what is made at first, and for memory that is kept
    before, held = processor_time(running), resident(running)
    with Beside(running) as beside:
        answers = burst(running, requests)
    took = processor_time(running) - before
    check(answers == CONNECTIONS * len(requests), f"{what}: {answers} answers to {CONNECTIONS * len(requests)} requests")
    check(beside.worst < longest, f"{what}: another client waited {beside.worst:.3f} s, at most {longest:.3f}")
    print(f"  {what}: {took:.2f} s of work; worst wait beside it {beside.worst * 1000:.0f} ms of {beside.count}")
    if SLOWNESS == 1:
        until(lambda: resident(running) < held + (20 << 10), f"{what}: memory goes back to {held} KiB")
    return took


def main():
    check(known_methods() <= set(REQUESTS) | {"tools/call"}, f"not tried: {known_methods() - set(REQUESTS)}")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(SKILLS):
            path = Path(folder, f"skill-number-{number}")
            path.mkdir()
            description = f"Handles the thing of number {number} in many ways. " * 15
            (path / "SKILL.md").write_text(f"---\nname: {path.name}\ndescription: {description}\n---\nText.\n")
        for name, text in (("large", "Long text. " * (LARGE // 11)), ("wide", "Text."), ("absent", absent_paths(62 << 10))):
            Path(folder, name).mkdir()
            Path(folder, name, "SKILL.md").write_text(f"---\nname: {name}\ndescription: Is {name}.\n---\n{text}\n")
        for number in range(SKILLS):
            Path(folder, "wide", f"{'a-rather-long-name-' * 3}{number}.md").write_text("x")
        Path(folder, "absent", "d").mkdir()
        for number in range(1900):
            Path(folder, "absent", "d", f"f{number:04}.md").write_text("x")
        for number in range(4):
            Path(folder, "absent", f"long-{number}.md").write_text(absent_paths(62 << 10))
            Path(folder, "absent", f"short-{number}.md").write_text(absent_paths(15 << 10))
        Path(folder, "wide", "large.md").write_text("Long text. \"quoted\" " * (LARGE // 20))
        running = Running(SERVER, folder)
        until(lambda: json.loads(running.ask("GET", "/readyz")[1]).get("skills") == SKILLS + 3, "all skills are there",
              DEADLINE * SLOWNESS)
        # A machine that is busy with something else makes everybody wait: that counts for nobody.
        with Beside(running) as idle:
            until(lambda: idle.count >= 200, "the idle client is answered", DEADLINE * SLOWNESS)
        longest = max(0.1 * SLOWNESS, 10 * idle.worst)
        print(f"  idle: worst {idle.worst * 1000:.1f} ms of {idle.count}")
        session = running.post(INITIALIZE)[0].headers["Mcp-Session-Id"]
        of_session = f"Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: {LEGACY}\r\n"
        address = running.post(legacy("resources/list"))[1]["result"]["resources"][0]["uri"]
        source = "/".join(address.split("/")[:3])
        for what, make in REQUESTS.items():
            own = "" if what == "initialize" else of_session
            requests = [post({**make(number), "id": number + 1}, number == EACH - 1, own, source) for number in range(EACH)]
            told = running.post(json.loads(requests[0].split(b"\r\n\r\n", 1)[1]), Mcp_Session_Id=session)[1]
            refused = "error" in told or told["result"].get("isError", False)
            check(refused == (what in REFUSED), f"{what} is answered as it is meant to be: {str(told)[:300]}")
            took = attack(running, what, requests, longest)
            if SLOWNESS == 1 and what in HEAVY:
                check(took > 0.1, f"control: {what} is work: {took:.2f} s")
        for path in PATHS:
            attack(running, path, [get(path, number == EACH - 1) for number in range(EACH)], longest)
        check(running.end() == 0, "the end")
    return checks.finish()


sys.exit(main())
