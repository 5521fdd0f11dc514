#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests every method, tool and path of the server, asked many times in one connection without waiting for an answer,
while another client asks for little. pipelined_test.py SERVER

In the first round everybody may ask, without TLS. In the second, over TLS, a token is required: a reader who has
one asks, and a stranger who has none or a wrong one, who also sends the largest bodies. SKILLHOST_LONG_TESTS=1
makes the second round ask for everything instead of a part.

The control is the processor time that the server takes for the burst: the other client would have waited that
long, if the thread of all connections had done the work."""
import json
import os
import re
import select
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from beside import SLOWNESS, Beside, processor_time, resident  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, LEGACY, Running, legacy  # noqa: E402
from loopback import certificate  # noqa: E402

SERVER = sys.argv[1]
LONG = os.environ.get("SKILLHOST_LONG_TESTS") == "1"
SKILLS = 20_000 if LONG else 1000 if SLOWNESS == 1 else 100
EACH = 40 if SLOWNESS == 1 else 10  # requests in one burst: fewer than may wait for one client
CONNECTIONS = 2
SENDERS = 16  # connections with one large body each
LARGE = 1 << 20
LARGEST_HOOK = 4 << 20
LARGEST_BODY = 10 << 20
ATTACKER = "127.0.0.2"
SECRET = "a-secret-of-a-hook"
checks = Checks()
check = checks.check


def tool(name, **arguments):
    return legacy("tools/call", name=name, arguments=arguments)


# The arguments make each request work the most. SOURCE stands for the address of the folder of skills.
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
# Beside these, others would wait longer than the aim of 0.1 s, if the thread of all connections did the work.
HEAVY = {"load_skill, large", "prompts/get", "resources/list"}
# All of these except the pattern name something that does not exist.
REFUSED = {"call_tool", "read_skill_document, pattern", *(what for what in REQUESTS if ", unknown" in what)}
# The second server gets these, unless it gets all.
SAMPLE = ("load_skill, large", "resources/list", "skills/get", "tools/list")
PATHS = ["/healthz", "/readyz", "/metrics", "/.well-known/oauth-protected-resource", "/.well-known/agent-skills/index.json",
         "/console", "/console/", "/nowhere", "/hooks/skills"]


def absent_paths(size):
    """Returns a text of paths that no file of the skill "absent" has, each as long as the real ones."""
    return "".join(f"d/f{2000 + number:04}.md " for number in range(size // 11))


def known_methods():
    """Returns the methods of the server's own table, of the family that these requests belong to."""
    text = Path(__file__).resolve().parents[2].joinpath("host/mcp/router.cpp").read_text(encoding="utf-8")
    table = text[text.index("constexpr std::array table"):text.index("static_assert")]
    return {part.split('"')[1] for part in table.split("Method{")[1:] if "ProtocolFamilies::Modern" not in part}


class Sender:
    """Sends bytes in one connection, and reads the answers until the server closes it."""
    WAITS = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)

    def __init__(self, running, data):
        self.socket = running.connect(ATTACKER, DEADLINE * SLOWNESS)
        self.socket.setblocking(False)
        self.left, self.tail, self.statuses, self.ended = memoryview(data), b"", [], False

    def step(self):
        """Sends and reads once; returns False when it has to wait for both."""
        moved = False
        try:
            if self.left:
                self.left = self.left[self.socket.send(self.left[:1 << 16]):]
                moved = True
        except self.WAITS:
            pass
        except OSError:
            self.left = self.left[:0]  # refused: the answer is still to be read
        try:
            part = self.socket.recv(1 << 20)
            seen = self.tail + part
            self.statuses += re.findall(rb"HTTP/1\.1 (\d{3})", seen)
            self.tail = seen[-11:]  # one byte too short to be counted again
            self.ended, moved = not part, True
        except self.WAITS:
            pass
        except OSError:
            self.ended = True
        if self.ended:
            self.socket.close()
        return moved


def send_all(running, streams):
    """Sends each stream in a connection of its own, all from one address; returns the statuses of the answers to
    each."""
    senders = [Sender(running, data) for data in streams]
    while waiting := [one for one in senders if not one.ended]:
        if not any([one.step() for one in waiting]):
            sockets = [one.socket for one in waiting]
            ready = select.select(sockets, [one.socket for one in waiting if one.left], [], DEADLINE * SLOWNESS)
            assert ready[0] or ready[1], f"{len(waiting)} connections do not come to their end"
    return [one.statuses for one in senders]


def post(body, last, fields, source):
    text = json.dumps(body).replace("SOURCE", source).encode()
    return (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n{fields}"
            f"{'Connection: close' + chr(13) + chr(10) if last else ''}Content-Length: {len(text)}\r\n\r\n").encode() + text


def gets(path):
    return b"".join(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{end}\r\n".encode()
                    for end in [""] * (EACH - 1) + ["Connection: close\r\n"])


def large_post(path, size):
    return (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
            f"X-Hub-Signature-256: sha256={'0' * 64}\r\nContent-Length: {size}\r\n\r\n").encode() + b" " * size


def attack(running, what, streams, longest, expected=None, **fields):
    """Sends the streams beside a client and checks its longest wait. `expected`: the number of answers to each
    stream; None: at least one, which refuses."""
    send_all(running, streams)  # fills the caches, and the memory that stays in use
    before, held = processor_time(running), resident(running)
    with Beside(running, **fields) as beside:
        answers = send_all(running, streams)
    took = processor_time(running) - before
    if expected is None:
        check(all(each and set(each) <= {b"401", b"404", b"405", b"413"} for each in answers), f"{what}: {answers}")
    else:
        check(all(len(each) == expected for each in answers), f"{what}: {[len(each) for each in answers]} answers to {expected} requests")
    check(beside.worst < longest, f"{what}: another client waited {beside.worst:.3f} s, at most {longest:.3f}")
    print(f"  {what}: {took:.2f} s of work; worst wait beside it {beside.worst * 1000:.0f} ms of {beside.count}")
    if SLOWNESS == 1:
        until(lambda: resident(running) < held + (20 << 10), f"{what}: memory goes back to {held} KiB")
    return took


def longest_wait(running, rounds, **fields):
    """Returns the longest wait on the idle server. A machine that is busy with something else makes everybody wait,
    which must not count."""
    with Beside(running, **fields) as idle:
        until(lambda: idle.count >= rounds, "the idle client is answered", DEADLINE * SLOWNESS)
    print(f"  idle: worst {idle.worst * 1000:.1f} ms of {idle.count}")
    return max(0.1 * SLOWNESS, 10 * idle.worst)


def reader(running, what, longest, **fields):
    """Runs one of REQUESTS as a caller with the right to ask."""
    session = running.post(INITIALIZE, **fields)[0].headers["Mcp-Session-Id"]
    address = running.post(legacy("resources/list"), **fields)[1]["result"]["resources"][0]["uri"]
    source = "/".join(address.split("/")[:3])
    own = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    if what != "initialize":
        own += f"Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: {LEGACY}\r\n"
    requests = [post({**REQUESTS[what](number), "id": number + 1}, number == EACH - 1, own, source) for number in range(EACH)]
    told = running.post(json.loads(requests[0].split(b"\r\n\r\n", 1)[1]), Mcp_Session_Id=session, **fields)[1]
    refused = "error" in told or told["result"].get("isError", False)
    check(refused == (what in REFUSED), f"{what} is answered as it is meant to be: {str(told)[:300]}")
    took = attack(running, what, [b"".join(requests)] * CONNECTIONS, longest, EACH, **fields)
    if SLOWNESS == 1 and what in HEAVY:
        check(took > 0.1, f"control: {what} is work: {took:.2f} s")


def stranger(running, longest, **fields):
    """Sends requests without a token and with a wrong one, to all paths, and the largest bodies."""
    for what in REQUESTS if LONG else SAMPLE:
        for kind, own in (("without a token", lambda _: ""), ("with a wrong token", lambda n: f"Authorization: Bearer wrong-{n}\r\n")):
            requests = [post({**REQUESTS[what](number), "id": number + 1}, number == EACH - 1, own(number), "skill://x")
                        for number in range(EACH)]
            attack(running, f"{what}, {kind}", [b"".join(requests)] * CONNECTIONS, longest, **fields)
    for path in PATHS if LONG else ():
        attack(running, f"{path}, of a stranger", [gets(path)] * CONNECTIONS, longest, EACH, **fields)
    bodies = [("/hooks/hooked", LARGEST_HOOK), ("/hooks/nowhere", LARGEST_HOOK)]
    if LONG:
        bodies += [("/hooks/hooked", LARGEST_BODY), ("/mcp", LARGEST_BODY), *((path, LARGEST_BODY) for path in PATHS if "oauth" not in path)]
    for path, size in bodies:
        attack(running, f"{size} bytes to {path}", [large_post(path, size)] * SENDERS, longest, **fields)


def make_skills(folder):
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


def open_to_all(folder):
    running = Running(SERVER, folder)
    until(lambda: json.loads(running.ask("GET", "/readyz")[1]).get("skills") == SKILLS + 3, "all skills are there",
          DEADLINE * SLOWNESS)
    longest = longest_wait(running, 200)
    for what in REQUESTS:
        reader(running, what, longest)
    for path in PATHS:
        attack(running, path, [gets(path)] * CONNECTIONS, longest, EACH)
    check(running.end() == 0, "the end")


def guarded(folder):
    """Starts a server with TLS where openssl makes a certificate; a token is required, and one source has a hook."""
    with tempfile.TemporaryDirectory() as own:
        made = certificate(own)
        tls = ("--tls-certificate", made[0], "--tls-key", made[1]) if made else ()
        if not tls:
            print("  TLS: not tried, openssl is not installed")
        tokens, empty = f"{own}/tokens", Path(own, "empty")
        empty.mkdir()
        # The long form also asks for answers that only managers may have.
        token = subprocess.run([SERVER, "token", "add", "ada", "--scope", "skills:read", "--scope", "skills:manage", "--file", tokens],
                               check=True, capture_output=True, text=True).stdout.strip()
        file = Path(own, "s.json")
        file.write_text(json.dumps({
            "transport": "http", "auth": {"plugin": "static", "config": {"file": tokens}},
            "sources": [{"name": "hooked", "webhook_secret": SECRET, "config": {"directories": [str(empty)]}}]}))
        running = Running(SERVER, folder, "--config", str(file), *tls)
        until(lambda: running.ask("GET", "/readyz")[0].status == 200, "the skills are there", DEADLINE * SLOWNESS)
        fields = {"Authorization": f"Bearer {token}"}
        longest = longest_wait(running, 50, **fields)
        for what in REQUESTS if LONG else SAMPLE:
            reader(running, what, longest, **fields)
        stranger(running, longest, **fields)
        check(running.end() == 0, "the end")


def main():
    check(known_methods() <= set(REQUESTS) | {"tools/call"}, f"not tried: {known_methods() - set(REQUESTS)}")
    with tempfile.TemporaryDirectory() as folder:
        make_skills(folder)
        open_to_all(folder)
        guarded(folder)
    return checks.finish()


sys.exit(main())
