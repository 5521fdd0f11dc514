#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests MCP over HTTP from a client's view: which request gets which status, code and fields. http_test.py SERVER
SKILLS MIRRORING_PLUGIN"""
import base64
import http.client
import json
import re
import select
import socket
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, LEGACY, MODERN, Running, events, legacy, modern  # noqa: E402
from loopback import certificate  # noqa: E402

SERVER, SKILLS, MIRRORING = sys.argv[1:4]
checks = Checks()
check = checks.check
NAMES = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/call", "Mcp_Name": "list_skills"}
CALL = modern("tools/call", name="list_skills", arguments={})
READ = {**NAMES, "Mcp_Method": "resources/read"}


def coded(text):
    return "=?base64?" + base64.b64encode(text.encode()).decode() + "?="


def statuses(server):
    """Checks the status and the JSON-RPC code for requests with various fields."""
    rows = [
        ("legacy, nothing else", legacy("tools/list"), {}, 200, None),
        ("legacy with its version", legacy("tools/list"), {"MCP_Protocol_Version": LEGACY}, 200, None),
        ("legacy, unknown method", legacy("no/such"), {}, 200, -32601),
        ("legacy, unknown version", legacy("tools/list"), {"MCP_Protocol_Version": "1999-01-01"}, 400, -32022),
        ("modern, all there", CALL, NAMES, 200, None),
        ("modern, name coded", CALL, {**NAMES, "Mcp_Name": coded("list_skills")}, 200, None),
        ("modern, name coded badly", CALL, {**NAMES, "Mcp_Name": "=?base64?####?="}, 400, -32020),
        ("modern, white space around", CALL, {**NAMES, "Mcp_Name": " list_skills "}, 200, None),
        ("modern header, no _meta", legacy("tools/list"), {**NAMES, "Mcp_Method": "tools/list"}, 400, -32602),
        ("modern _meta, no version field", CALL, {}, 400, -32020),
        ("modern _meta, legacy field", CALL, {**NAMES, "MCP_Protocol_Version": LEGACY}, 400, -32020),
        ("no Mcp-Method", CALL, {"MCP_Protocol_Version": MODERN, "Mcp_Name": "list_skills"}, 400, -32020),
        ("another Mcp-Method", CALL, {**NAMES, "Mcp_Method": "tools/list"}, 400, -32020),
        ("Mcp-Method in capitals", CALL, {**NAMES, "Mcp_Method": "TOOLS/CALL"}, 400, -32020),
        ("no Mcp-Name", CALL, {k: v for k, v in NAMES.items() if k != "Mcp_Name"}, 400, -32020),
        ("another Mcp-Name", CALL, {**NAMES, "Mcp_Name": "load_skill"}, 400, -32020),
        ("resources/read without Mcp-Name", modern("resources/read", uri="skill://x"),
         {k: v for k, v in READ.items() if k != "Mcp_Name"}, 400, -32020),
        ("resource that is not there", modern("resources/read", uri="skill://x/y/SKILL.md"),
         {**READ, "Mcp_Name": "skill://x/y/SKILL.md"}, 200, -32602),
        ("modern, unknown method", modern("no/such"), {**NAMES, "Mcp_Method": "no/such"}, 404, -32601),
        ("modern, unknown version", modern("tools/list", version="2099-01-01"),
         {"MCP_Protocol_Version": "2099-01-01", "Mcp_Method": "tools/list"}, 400, -32022),
        ("two versions", modern("tools/list"), {"MCP_Protocol_Version": "2099-01-01", "Mcp_Method": "tools/list"}, 400, -32020),
        ("initialize of the modern family", {**INITIALIZE, "params": {**INITIALIZE["params"], "_meta": CALL["params"]["_meta"]}},
         {"MCP_Protocol_Version": MODERN, "Mcp_Method": "initialize"}, 404, -32601),
        ("initialize of any version", {**INITIALIZE, "params": {**INITIALIZE["params"], "protocolVersion": "1999-01-01"}}, {}, 200, None),
        ("no JSON", b"{", {}, 400, -32700),
        ("a batch", b"[]", {}, 400, -32600),
        ("no session of that id", legacy("tools/list"), {"Mcp_Session_Id": "0" * 32}, 404, -32600),
        ("another Content-Type", legacy("ping"), {"Content_Type": "text/plain"}, 415, -32600),
        ("Accept takes nothing of ours", legacy("ping"), {"Accept": "image/png"}, 406, -32600),
        ("a foreign Host", legacy("ping"), {"Host": "evil.example"}, 403, -31007),
        ("a foreign Origin", legacy("ping"), {"Origin": "https://evil.example"}, 403, -31007),
        ("an Origin of this machine", legacy("ping"), {"Origin": "http://localhost:6274"}, 200, None),
    ]
    for what, body, fields, status, code in rows:
        response, answer = server.post(body, **fields)
        given = answer.get("error", {}).get("code") if isinstance(answer, dict) else answer
        check(response.status == status and given == code,
              f"{what}: {response.status} {given} in place of {status} {code}")
    response, answer = server.post(modern("tools/list", version="2099-01-01"),
                                   MCP_Protocol_Version="2099-01-01", Mcp_Method="tools/list")
    check(answer["error"]["data"] == {"supported": [MODERN], "requested": "2099-01-01"}, "the versions are named")
    check(answer["id"] == 1, "a refusal has the id of its request")
    response, answer = server.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}})
    check(response.status == 202 and not answer, f"a notification: {response.status}")
    for method, status in (("PUT", 405), ("OPTIONS", 204), ("GET", 405), ("DELETE", 400)):
        response, _ = server.ask(method)
        check(response.status == status, f"{method}: {response.status} in place of {status}")
    response, _ = server.ask("OPTIONS", Origin="http://localhost:1")
    check(response.headers["Access-Control-Allow-Origin"] == "http://localhost:1", "a browser may read the answer")
    for path, status in (("/healthz", 200), ("/readyz", 200), ("/metrics", 200), ("/", 404), ("/mcp/", 405), ("/mcp//", 404)):
        response, text = server.ask("GET", path)
        check(response.status == status, f"GET {path}: {response.status} in place of {status}")
    check("skillhost_" in server.ask("GET", "/metrics")[1], "there are figures")


def instructions(server):
    """Checks that without a session no tool is named that needs one, and that with a session the tool that ends the
    use of a skill is."""
    def told(method, client):
        body = modern(method)
        body["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = {"name": client, "version": "1"}
        return server.post(body, MCP_Protocol_Version=MODERN, Mcp_Method=method)[1]["result"]

    # A digest is in the data of results, which agents' hosts do not get.
    host = told("server/discover", "claude-code")
    check("known_digest" not in host["instructions"] and "unload_skill" not in host["instructions"],
          f"to a host, without a session: {host['instructions']}")
    check(host["cacheScope"] == "private", "what a host is told is not for programs")
    for client in ("claude-code", "a-program"):
        tools = {tool["name"]: tool for tool in told("tools/list", client)["tools"]}
        check("sent again" not in tools["load_skill"]["description"], f"nothing is remembered: {tools['load_skill']}")
        check("load_skill will" not in tools["unload_skill"]["description"], f"nor forgotten: {tools['unload_skill']}")
        check(("known_digest" in json.dumps(tools)) == (client == "a-program"), f"{client}: {tools['load_skill']}")
    found = told("server/discover", "a-program")
    check("unload_skill" not in found["instructions"] and "known_digest" in found["instructions"],
          f"without a session: {found['instructions']}")
    check("logging" not in found["capabilities"], "no call of the host's own tools logs")
    response, answer = server.post(INITIALIZE)
    opened = answer["result"]["instructions"]
    check("unload_skill" in opened and "known_digest" not in opened, f"with a session: {opened}")
    listed = server.post(legacy("tools/list"), Mcp_Session_Id=response.headers["Mcp-Session-Id"],
                         MCP_Protocol_Version=LEGACY)[1]["result"]["tools"]
    check("is not sent again" in json.dumps(listed), "with a session load_skill says what it does not send")
    listed = server.post(legacy("tools/list"), MCP_Protocol_Version=LEGACY)[1]["result"]["tools"]
    check("is not sent again" not in json.dumps(listed), "nor is anything remembered on the older wire without a session")


def heads(server):
    """Checks HEAD, which is for what GET answers without a stream."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
    response, _ = server.post(INITIALIZE)
    session = {"Mcp-Session-Id": response.headers["Mcp-Session-Id"], "Accept": "text/event-stream"}
    for path, fields, status in (("/healthz", {}, 200), ("/mcp", {}, 405), ("/mcp", session, 405), ("/metrics", {}, 200),
                                 ("/nothing", {}, 404)):
        connection.request("HEAD", path, headers=fields)  # on one connection, so that a body would be read as the next answer
        response = connection.getresponse()
        check(response.status == status and response.read() == b"",
              f"HEAD {path} {fields}: {response.status} in place of {status}")
        check(int(response.headers["Content-Length"]) > 0, f"HEAD {path} tells the length of the body")
        if status == 405:
            check(response.headers["Allow"] == "POST, GET, DELETE, OPTIONS", f"Allow: {response.headers['Allow']}")
    connection.close()


def logs(program):
    """Checks that a session receives the log about skills on its stream, once it has set a level."""
    with tempfile.TemporaryDirectory() as folder:
        skill = Path(folder) / "nameless"
        skill.mkdir()
        server = Running(program, folder)
        streams = []
        for level in ("warning", "critical", None):
            response, _ = server.post(INITIALIZE)
            own = {"Mcp_Session_Id": response.headers["Mcp-Session-Id"], "MCP_Protocol_Version": LEGACY}
            server.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **own)
            if level is not None:
                server.post(legacy("logging/setLevel", level=level), **own)
            connection, stream = server.open("GET", Accept="text/event-stream", **own)
            streams.append((level, connection, events(stream)))
        (skill / ".new").write_text("---\nname: nameless\n---\nNo description.\n")
        (skill / ".new").replace(skill / "SKILL.md")
        until(lambda: any("nameless" in line for line in server.log), "a line about the skill")
        # This is sent afterwards, so the earlier lines have arrived by then.
        (skill / ".new").write_text("---\nname: nameless\ndescription: Has one.\n---\nText.\n")
        (skill / ".new").replace(skill / "SKILL.md")
        for level, connection, stream in streams:
            lines = [json.loads(data)["params"] for data in stop_at(stream, "resources/list_changed")
                     if "notifications/message" in data]
            told = any(line["level"] == "warning" and line["logger"] == "skills" and "nameless" in line["data"]
                       for line in lines)
            check(told if level == "warning" else not lines, f"a session that has set {level} hears: {lines}")
            connection.close()
        check(server.end() == 0, "an orderly end")


def mirrored(program, skills, plugin):
    """Checks that the server compares arguments of a plugin's tool with the fields in which clients repeat them."""
    with tempfile.TemporaryDirectory() as folder:
        configuration = Path(folder) / "skillhost.yaml"
        configuration.write_text(json.dumps({"tools": [{"name": "mirroring", "plugin": str(Path(plugin).resolve()),
                                                        "isolation": "thread"}]}))
        server = Running(program, skills, "--config", str(configuration))
        until(lambda: server.ask("GET", "/readyz")[0].status == 200, "the start")
        fields = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/list"}
        listed = server.post(modern("tools/list"), **fields)[1]["result"]["tools"]
        names = {tool["name"] for tool in listed}
        check("regional" in names and "wrong" not in names, f"a tool whose annotation is none is withheld: {names}")
        until(lambda: any("inputSchema.region: x-mcp-header" in line for line in server.log), "why it is withheld")
        fields = {**NAMES, "Mcp_Name": "regional"}
        for what, arguments, further, status in (
            ("the field says the same", {"region": "west"}, {"Mcp_Param_Region": "west"}, 200),
            ("coded", {"region": "Zürich"}, {"Mcp_Param_Region": coded("Zürich")}, 200),
            ("neither", {}, {}, 200),
            ("null", {"region": None}, {}, 200),
            ("another value", {"region": "west"}, {"Mcp_Param_Region": "east"}, 400),
            ("no field", {"region": "west"}, {}, 400),
            ("no argument", {}, {"Mcp_Param_Region": "west"}, 400),
        ):
            response, answer = server.post(modern("tools/call", name="regional", arguments=arguments), **fields, **further)
            check(response.status == status and answer.get("error", {}).get("code") == (None if status == 200 else -32020),
                  f"{what}: {response.status} {answer}")
        response, answer = server.post(legacy("tools/call", name="regional", arguments={"region": "west"}))
        check(response.status == 200 and "error" not in answer, f"an older client repeats nothing: {answer}")
        asked = server.ask("OPTIONS", Origin="http://localhost:1",
                           Access_Control_Request_Headers="mcp-param-region, x-other")[0]
        allowed = asked.headers["Access-Control-Allow-Headers"]
        check("mcp-param-region" in allowed and "x-other" not in allowed, f"a browser may repeat them: {allowed}")
        check(server.end() == 0, "an orderly end")


def stop_at(stream, words):
    """Yields the data of the events up to the one with these words."""
    for _, data in stream:
        yield data
        if words in data:
            return


def failed_handshakes(program, skills):
    """Checks that a failed handshake begins no session, so that it takes nobody's place."""
    server = Running(program, skills, "--set", "http.max_sessions=1")
    response, _ = server.post(INITIALIZE)
    own = {"Mcp_Session_Id": response.headers["Mcp-Session-Id"], "MCP_Protocol_Version": LEGACY}
    for accept in ("application/json", "text/event-stream"):
        response, answer = server.post(legacy("initialize", capabilities={}), Accept=accept)
        check(response.status == 200 and "-32602" in str(answer), f"no protocolVersion: {response.status} {answer}")
        check(response.headers["Mcp-Session-Id"] is None, "a failed handshake has no session")
    response, _ = server.post(legacy("ping"), **own)
    check(response.status == 200, f"the one session there may be is still there: {response.status}")
    response, answer = server.post(INITIALIZE, Accept="text/event-stream")
    check(response.headers["Mcp-Session-Id"] is not None and "protocolVersion" in answer, f"as a stream: {answer}")
    response, _ = server.post(legacy("ping"), **own)
    check(response.status == 200, f"the one that a new session took the place of is made again from its id: {response.status}")
    check(server.end() == 0, "the server ends in order")


def two_sessions(server, session):
    """Checks that a request that names two sessions belongs to none, whatever its method."""
    for method, body in (("POST", legacy("ping")), ("POST", {"jsonrpc": "2.0", "method": "notifications/initialized"}),
                         ("GET", None), ("DELETE", None)):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
        connection.putrequest(method, "/mcp")
        for name, value in (("Accept", "text/event-stream"), ("MCP-Protocol-Version", LEGACY),
                            ("Mcp-Session-Id", session), ("Mcp-Session-Id", "0" * 32)):
            connection.putheader(name, value)
        data = json.dumps(body).encode() if body else b""
        if body:
            connection.putheader("Content-Type", "Application/JSON ; charset=utf-8")
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        response = connection.getresponse()
        check(response.status == 404, f"{method} of {body} with two sessions: {response.status}")
        connection.close()


def status_of(answer):
    """Returns the status from load_skill. For a refusal it returns the whole answer, so that a failed check shows
    it."""
    return answer["result"]["structuredContent"]["data"]["status"] if "result" in answer else answer


def sessions(server):
    response, answer = server.post(INITIALIZE)
    session = response.headers["Mcp-Session-Id"]
    check(bool(re.fullmatch(r"[A-Za-z0-9_-]{100,1024}", session or "")), f"a session id that nobody makes up: {session}")
    own = {"Mcp_Session_Id": session, "MCP_Protocol_Version": LEGACY}
    response, _ = server.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **own)
    check(response.status == 202, "initialized is taken")
    two_sessions(server, session)
    response, answer = server.post(legacy("tools/call", name="load_skill", arguments={"skill_name": "greeter"}), **own)
    check(status_of(answer) == "loaded", f"a skill is loaded: {status_of(answer)}")
    response, answer = server.post(legacy("tools/call", name="load_skill", arguments={"skill_name": "greeter"}), **own)
    check(status_of(answer) == "already_loaded", f"the session knows what it has: {status_of(answer)}")
    response, answer = server.post(legacy("tools/call", name="load_skill", arguments={"skill_name": "greeter"}))
    check(status_of(answer) == "loaded", f"without a session nobody knows: {status_of(answer)}")

    connection, stream = server.open("GET", Accept="text/event-stream", **own)
    check(stream.headers["Content-Type"].startswith("text/event-stream"), "GET opens the session's stream")
    coming = events(stream)
    primed, data = next(coming)
    check(primed.endswith("-0-0") and not data, f"the stream begins with an id: {primed} {data}")
    server.post(legacy("tools/call", name="reload_skills_directory", arguments={}), **own)
    connection.close()
    connection, again = server.open("GET", Accept="text/event-stream", Last_Event_ID=primed, **own)
    check(again.status == 200 and next(events(again))[0] == primed, "a stream is resumed at its last event")
    connection.close()
    response, _ = server.ask("GET", Accept="text/event-stream", Last_Event_ID=primed.removesuffix("0-0") + "7-1", **own)
    check(response.status == 404, f"an event of a stream that is not there: {response.status}")
    for foreign in ("7-1", "0123456789abcdef.1-0-3", "nonsense"):
        connection, stream = server.open("GET", Accept="text/event-stream", Last_Event_ID=foreign, **own)
        told = [json.loads(data)["method"] for _, (_, data) in zip(range(4), events(stream)) if data]
        check(stream.status == 200 and sorted(told) == [f"notifications/{one}/list_changed" for one in ("prompts", "resources", "tools")],
              f"the event {foreign} of another server: {stream.status} {told}")
        connection.close()
    response, _ = server.ask("DELETE", **own)
    check(response.status == 204, f"DELETE: {response.status}")
    response, _ = server.post(legacy("tools/list"), **own)
    check(response.status == 404, f"a session that was ended: {response.status}")


def subscriptions(server):
    body = modern("subscriptions/listen", id="s1", notifications={"toolsListChanged": True})
    connection, response = server.open("POST", body=body, MCP_Protocol_Version=MODERN, Mcp_Method="subscriptions/listen")
    check(response.headers["Content-Type"].startswith("text/event-stream"), "a subscription is a stream")
    coming = events(response)
    first = json.loads(next(coming)[1])
    check(first["method"] == "notifications/subscriptions/acknowledged", f"acknowledged first: {first}")
    code = server.end()
    last = [json.loads(data) for _, data in coming]
    check(last and last[-1].get("id") == "s1" and "result" in last[-1], f"the stop ends it with its result: {last}")
    check(code == 0, f"the exit code is {code}")
    connection.close()


def rude_clients(server):
    """Checks that a client that leaves within an answer costs nobody else anything."""
    def alive(after):
        response, _ = server.ask("GET", "/healthz")
        check(response.status == 200, f"the server answers after {after}")

    def gone_at_once(body, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream", **fields}
        connection.request("POST", "/mcp", json.dumps(body), headers)
        connection.close()

    response, _ = server.post(INITIALIZE)
    session = response.headers["Mcp-Session-Id"]
    for number in range(20):
        gone_at_once(legacy("ping", id=number), **{"Mcp-Session-Id": session})
        alive("a client that goes before its stream")
    own = {"Mcp_Session_Id": session, "MCP_Protocol_Version": LEGACY}
    connection, _ = server.open("GET", Accept="text/event-stream", **own)
    connection.close()
    response, _ = server.ask("DELETE", **own)
    check(response.status == 204, f"the end of a session whose client has gone: {response.status}")
    alive("the end of that session")
    for _ in range(3):
        with socket.socket() as rude:
            rude.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            rude.connect(("127.0.0.1", server.port))
            rude.setblocking(False)
            # Send until nothing moves any more: the server then has answers that nobody takes.
            while select.select([], [rude], [], 0.5)[1]:
                rude.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        alive("a client that takes no answer and goes")


def named_server():
    """Checks that a server with configured names accepts only these, in any case."""
    server = Running(SERVER, SKILLS, "--set", 'http.allowed_hosts=Skills.Example',
                     "--set", 'http.allowed_origins=HTTPS://Tool.Example')
    for host, origin, status in (("skills.example", None, 200), ("SKILLS.example:8443", None, 200), ("localhost", None, 403),
                                 ("skills.example", "https://tool.example", 200),
                                 ("skills.example", "https://skills.example:1", 200),
                                 ("skills.example", "http://localhost", 403)):
        response, _ = server.post(legacy("ping"), Host=host, **({"Origin": origin} if origin else {}))
        check(response.status == status, f"Host {host}, Origin {origin}: {response.status} in place of {status}")
    server.end()


def wrong_address():
    """Checks the log about clients with a wrong path or scheme: it names the request and the right address."""
    def told(*words):
        until(lambda: any(all(word in line for word in words) for line in server.log), f"a line with {words}")

    server = Running(SERVER, SKILLS)
    response, _ = server.ask("POST", "/mcp/", INITIALIZE)
    check(response.status == 200, f"/mcp/ is /mcp: {response.status}")
    server.ask("GET", "/sse?token=secret")
    told("404 for 127.0.0.1:", "which asks for /sse: MCP is at /mcp")
    check("token=secret" not in "".join(server.log), "the query is not in the log")
    try:
        ssl.create_default_context().wrap_socket(socket.create_connection(("127.0.0.1", server.port), DEADLINE),
                                                 server_hostname="127.0.0.1")
        check(False, "TLS on a plain port succeeds")
    except ssl.SSLError:
        told("400 for 127.0.0.1:", "begins a TLS handshake", "use http://")
    check(server.end() == 0, "the server ends in order")
    with tempfile.TemporaryDirectory() as folder:
        made = certificate(Path(folder))
        if made is None:
            print("plain HTTP on a port of TLS: not tried, openssl is not installed")
            return
        secure = Running(SERVER, SKILLS, "--tls-certificate", made[0], "--tls-key", made[1])
        with socket.create_connection(("127.0.0.1", secure.port), DEADLINE) as plain:
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            until(lambda: any("it speaks plain HTTP" in line and "use https://" in line for line in secure.log),
                  "a line about plain HTTP")
        secure.end()


def refused_starts():
    for options, words in (
        (["--listen", "0.0.0.0"], "other machines can reach"),
        (["--listen", "[::1"], "is no address"),
        (["--tls-certificate", "/nowhere.pem"], "need each other"),
        (["--set", "http.path=mcp"], "must begin with a slash"),
        (["--set", "http.path=/a b"], 'must not have " " at character 3'),
        (["--set", "http.path=/healthz"], "MCP (http.path) claimed /healthz"),
    ):
        run = subprocess.run([SERVER, "serve", "--transport", "http", "--port", "0", "--skills-dir", SKILLS, *options],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE)
        check(run.returncode == 1 and words in run.stderr, f"{options}: {run.returncode} {run.stderr[-300:]}")


def main():
    server = Running(SERVER, SKILLS)
    statuses(server)
    instructions(server)
    heads(server)
    sessions(server)
    rude_clients(server)
    subscriptions(server)
    failed_handshakes(SERVER, SKILLS)
    logs(SERVER)
    mirrored(SERVER, SKILLS, MIRRORING)
    named_server()
    wrong_address()
    refused_starts()
    return checks.finish()


sys.exit(main())
