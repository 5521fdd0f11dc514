#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the trace of a call in the requests of plugins: a client, this server, its collector and a server that a
plugin asks. trace_test.py SERVER SKILLS"""
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE / "auth"))
from checks import Checks, until  # noqa: E402
from fake import Fake  # noqa: E402
from git_servers import BACKEND, GitHandler, Repository  # noqa: E402
from http_server import LEGACY, MODERN, Running, legacy, modern  # noqa: E402
from loopback import Loopback  # noqa: E402
from otlp_recorder import Object, Recorder  # noqa: E402
from web_server import FOLDER, Publisher, WebHandler, skill_md  # noqa: E402

SERVER, SKILLS = sys.argv[1], str(Path(sys.argv[2]).resolve())
INDEX = FOLDER + "index.json"
SPAN = "b7ad6b7169203331"
SAMPLED, STATE = f"-{SPAN}-01", "vendor=1,other=2"
RELOAD = "reload_skills_directory"
TOKEN = "s3cr3t-f0r-g1t"
checks = Checks()
check = checks.check


def trace(number: int) -> str:
    """Returns another id for each call, by which a request is recognised."""
    return f"{number:02x}" + "f7651916cd43dd8448eb211c80319c"


class Seen:
    """Records path, traceparent and tracestate of the requests to a server; the handlers fill it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None, str | None]] = []

    def note(self, handler: Any) -> None:
        self.asked.append((handler.path, handler.headers.get("traceparent"), handler.headers.get("tracestate")))

    def of(self, wanted: str) -> list[tuple[str, str, str | None]]:
        return [(path, parent, state) for path, parent, state in list(self.asked) if parent and parent[3:35] == wanted]


def recording(kind: type, seen: Seen) -> type:
    class Recording(kind):  # type: ignore[misc]
        def do_GET(self) -> None:
            seen.note(self)
            super().do_GET()

        def do_POST(self) -> None:
            seen.note(self)
            super().do_POST()
    return Recording


class Web(Publisher):
    """Publishes one skill, at an address that leads to another server when that is given."""

    def __init__(self, moved_to: str = "") -> None:
        super().__init__()
        self.seen = Seen()
        self.RequestHandlerClass = recording(WebHandler, self.seen)
        self.etags = False
        self.entry("alpha", skill_md("alpha"))
        if moved_to:
            self.answers[FOLDER + "alpha/SKILL.md"] = lambda handler: handler.say(302, {"Location": moved_to + "/there"})


def started(folder: Path, collector: Recorder | None, source: Object | None = None, **more: Any) -> Running:
    telemetry = {**({"otlp_endpoint": f"http://127.0.0.1:{collector.port}"} if collector else {}), **more.pop("telemetry", {})}
    file = folder / "skillhost.json"
    file.write_text(json.dumps({"sources": [source] if source else [], "telemetry": telemetry, "deadlines": {"scan_ms": 120_000}, **more}))
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    return Running(SERVER, SKILLS, "--config", str(file))


def call(server: Running, tool: str = RELOAD, meta: Object | None = None, **fields: str) -> Object:
    body = modern("tools/call", name=tool, arguments={})
    body["params"]["_meta"].update(meta or {})
    _, answer = server.post(body, MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name=tool, **fields)
    check(answer["result"].get("isError") is not True, f"the call succeeds: {str(answer)[:500]}")
    return answer


def span_of(collector: Recorder, wanted: str, name: str = f"tools/call {RELOAD}") -> Object:
    until(lambda: any(one["traceId"] == wanted for one in collector.spans(name)), f"the span of {wanted} comes")
    return next(one for one in collector.spans(name) if one["traceId"] == wanted)


def whole_trace(folder: Path, isolation: str) -> None:
    """Checks a trace in the message and in the header; the message counts where both have one."""
    collector, web = Recorder(), Web()
    server = started(folder, collector, {"name": "web", "plugin": "well_known", "isolation": isolation, "config": {"url": web.url}})
    call(server, meta={"traceparent": "00-" + trace(1) + SAMPLED, "tracestate": STATE}, traceparent="00-" + trace(9) + SAMPLED)
    call(server, traceparent="00-" + trace(2) + SAMPLED, tracestate=STATE)
    for number, how in ((1, "in the message"), (2, "in the header")):
        span = span_of(collector, trace(number))
        check(span["parentSpanId"] == SPAN, f"{isolation}: {how}: the span is the client's child: {span}")
        asked = web.seen.of(trace(number))
        check([path for path, _, _ in asked][:1] == [INDEX], f"{isolation}: {how}: the index is asked for: {web.seen.asked}")
        check(all(parent == f"00-{trace(number)}-{span['spanId']}-01" and state == STATE for _, parent, state in asked),
              f"{isolation}: {how}: by the span of the call: {asked} {span}")
    check(not web.seen.of(trace(9)), f"{isolation}: the message counts")
    check(web.seen.asked[0][1] is None, f"{isolation}: the first look belongs to no call: {web.seen.asked[0]}")
    # Without a trace of the client, the call begins one.
    count = len(web.seen.asked)
    call(server)
    until(lambda: len(collector.spans(f"tools/call {RELOAD}")) == 3, "the third span")
    span = collector.spans(f"tools/call {RELOAD}")[-1]
    check([one[1] for one in web.seen.asked[count:] if one[0] == INDEX] == [f"00-{span['traceId']}-{span['spanId']}-01"],
          f"{isolation}: a trace that begins here: {web.seen.asked[count:]} {span}")
    check("parentSpanId" not in span, f"{isolation}: it has no parent")
    # A trace that the client does not record has no span, and goes on unchanged.
    call(server, meta={"traceparent": f"00-{trace(4)}-{SPAN}-00"})
    check({parent for _, parent, _ in web.seen.of(trace(4))} == {f"00-{trace(4)}-{SPAN}-00"}, f"{isolation}: not recorded: {web.seen.of(trace(4))}")
    # The log record of the call has the same id.
    until(lambda: any(one.get("traceId") == trace(2) for one in collector.elements("/v1/logs")), "the record")
    record = next(one for one in collector.elements("/v1/logs") if one.get("traceId") == trace(2))
    check(record["spanId"] == span_of(collector, trace(2))["spanId"], f"{isolation}: the record belongs to it: {record}")
    check(server.end() == 0, f"{isolation}: an orderly end")
    collector.end()
    web.end()


def without_collector(folder: Path) -> None:
    """Checks that the client's trace goes on unchanged when it is valid."""
    web = Web()
    server = started(folder, None, {"name": "web", "plugin": "well_known", "config": {"url": web.url}})
    call(server, meta={"traceparent": "00-" + trace(1) + SAMPLED, "tracestate": STATE})
    check({(parent, state) for _, parent, state in web.seen.of(trace(1))} == {("00-" + trace(1) + SAMPLED, STATE)}, f"unchanged: {web.seen.asked}")
    call(server, meta={"traceparent": "00-" + trace(2) + SAMPLED, "tracestate": "not valid"})
    check({state for _, _, state in web.seen.of(trace(2))} == {None}, f"a state that is not valid is none: {web.seen.asked}")
    for wrong in ("00-" + trace(3).upper() + SAMPLED, "ff-" + trace(3) + SAMPLED, f"00-{'0' * 32}-{SPAN}-01", f"00-{trace(3)}-{'0' * 16}-01",
                  "00-" + trace(3) + SAMPLED + "\r\nX-Added: 1", "00-" + trace(3) + SAMPLED + "-more", "a", 7):
        count = len(web.seen.asked)
        call(server, meta={"traceparent": wrong, "tracestate": STATE})
        check(len(web.seen.asked) > count and all(one[1:] == (None, None) for one in web.seen.asked[count:]), f"{wrong!r} is not handed on: {web.seen.asked[count:]}")
    check(server.end() == 0, "an orderly end")
    web.end()


def switched_off(folder: Path) -> None:
    collector, web = Recorder(), Web()
    server = started(folder, collector, {"name": "web", "plugin": "well_known", "config": {"url": web.url}}, telemetry={"propagate": False})
    call(server, meta={"traceparent": "00-" + trace(1) + SAMPLED, "tracestate": STATE})
    check(span_of(collector, trace(1))["parentSpanId"] == SPAN, "the span is there")
    check(all(one[1:] == (None, None) for one in web.seen.asked) and len(web.seen.asked) > 1, f"nothing is handed on: {web.seen.asked}")
    check(server.end() == 0, "an orderly end")
    collector.end()
    web.end()


def to_nobody_else(folder: Path) -> None:
    """Checks that a redirect to another server carries no trace, as it carries no token."""
    other = Web()
    other.answers["/there"] = skill_md("alpha")
    web = Web(other.url)
    config = {"url": web.url, "allow_origins": [other.url]}
    server = started(folder, None, {"name": "web", "plugin": "well_known", "config": config})
    # Another digest makes the plugin ask for the file again.
    web.entries[0]["digest"] = web.entries[0]["digest"][:-1] + ("0" if web.entries[0]["digest"][-1] != "0" else "1")
    web.publish()
    call(server, meta={"traceparent": "00-" + trace(1) + SAMPLED})
    check({path for path, _, _ in web.seen.of(trace(1))} == {INDEX, FOLDER + "alpha/SKILL.md"}, f"the server that is named: {web.seen.asked}")
    check(len([one for one in other.seen.asked if one[0] == "/there"]) >= 2 and not any(one[1] for one in other.seen.asked),
          f"not the other one: {other.seen.asked}")
    check(server.end() == 0, "an orderly end")
    web.end()
    other.end()


def by_git(folder: Path, isolation: str) -> None:
    """Checks git over HTTP, in the look for news and in the fetch."""
    root = folder / "root"
    root.mkdir()
    repository = Repository(root, "r")
    repository.skill("alpha", "Does alpha.")
    repository.push()
    seen, collector = Seen(), Recorder()

    class Handler(GitHandler):
        def answered(self) -> None:
            seen.note(self)
            super().do_GET()
        do_GET = do_POST = answered

    with Loopback(Handler) as remote:
        remote.root, remote.answer, remote.requests, remote.sent, remote.auth = root, None, [], 0, None
        server = started(folder, collector, {"name": "git", "plugin": "github", "isolation": isolation, "config": {"url": f"{remote.url}/r.git"}})
        call(server)
        repository.skill("beta", "Does beta.")
        repository.push()
        call(server, meta={"traceparent": "00-" + trace(1) + SAMPLED, "tracestate": STATE})
        asked, span = seen.of(trace(1)), span_of(collector, trace(1))
        check({path.partition("?")[0] for path, _, _ in asked} == {"/r.git/info/refs", "/r.git/git-upload-pack"}, f"{isolation}: git asks: {seen.asked}")
        check({(parent, state) for _, parent, state in asked} == {(f"00-{trace(1)}-{span['spanId']}-01", STATE)}, f"{isolation}: by the span: {asked}")
        check(server.end() == 0, f"{isolation}: an orderly end")
    collector.end()


def introspection(folder: Path, isolation: str) -> None:
    """Checks the request that identifies the caller. It happens before the message is read: the header counts, and
    the parent is the client's span."""
    provider, collector = Fake(), Recorder()

    def introspect(handler: Any) -> None:  # the plugin would not trust a provider that accepts every token
        handler.say(200, body=json.dumps({"active": "token=known-" in handler.asked, "sub": "ada", "scope": "skills:read"}).encode())

    provider.behaviours["/introspect"] = introspect
    auth = {"plugin": "oauth", "isolation": isolation,
            "config": {"introspection_url": provider.url + "/introspect", "client_id": "c", "client_secret": "a-secret-of-a-client", "require_audience": False}}
    server = started(folder, collector, auth=auth)
    listing = modern("tools/call", name="list_skills", arguments={})
    for number, parent in ((1, "00-" + trace(1) + SAMPLED), (2, "00-" + trace(2).upper() + SAMPLED)):
        response, _ = server.post(listing, MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name="list_skills",
                                  Authorization=f"Bearer known-{number}", traceparent=parent, tracestate=STATE)
        check(response.status == 200, f"{isolation}: it is let in: {response.status}")
    asked = [(fields.get("traceparent"), fields.get("tracestate")) for _, _, fields, body in provider.asked if "token=known-" in body]
    check(asked[:1] == [("00-" + trace(1) + SAMPLED, STATE)], f"{isolation}: the client's own: {asked}")
    check(asked[1:] == [(None, None)], f"{isolation}: one that is not valid is none: {asked}")
    check(span_of(collector, trace(1), "tools/call list_skills")["parentSpanId"] == SPAN, f"{isolation}: beside the span of the call")
    check(server.end() == 0, f"{isolation}: an orderly end")
    collector.end()
    provider.end()


def session_ids(folder: Path) -> None:
    """Checks that a collector does not receive the id of a session, because everybody who has the id can use the
    session."""
    collector = Recorder()
    server = started(folder, collector)
    initialize = legacy("initialize", protocolVersion=LEGACY, capabilities={}, clientInfo={"name": "t", "version": "1"})
    response, _ = server.post(initialize)
    session = response.headers["Mcp-Session-Id"]
    server.post(legacy("tools/call", id=2, name="list_skills", arguments={}), Mcp_Session_Id=session, MCP_Protocol_Version=LEGACY)
    until(lambda: bool(collector.spans("tools/call list_skills")), "the span comes")
    check(server.end() == 0, "an orderly end")
    check(len(session) > 8 and session not in json.dumps([body for _, _, _, body in collector.requests]), "no session id is exported")
    check(re.search(session, "".join(server.log)) is None, "nor does the log have it")
    collector.end()


def main() -> int:
    cases: list[tuple[Any, ...]] = [(without_collector,), (switched_off,), (to_nobody_else,), (session_ids,)]
    for isolation in ("thread", "process"):
        cases += [(whole_trace, isolation), (introspection, isolation)]
        if Path(BACKEND).exists() and shutil.which("git"):
            cases.append((by_git, isolation))
        else:
            print(f"left out: git ({isolation}): it is not installed")
    for case, *arguments in cases:
        with tempfile.TemporaryDirectory() as name:
            case(Path(name), *arguments)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
