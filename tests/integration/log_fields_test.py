#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the log as JSON lines: the fields of a call. log_fields_test.py SERVER SKILLS"""
import json
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, MODERN, Running, legacy, modern  # noqa: E402

SERVER, SKILLS = sys.argv[1:3]
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
OTHER = "4bf92f3577b34da6a3ce929d0e0e4736"
CLIENT = "io.modelcontextprotocol/clientInfo"
checks = Checks()
check = checks.check
Object = dict[str, Any]


def tool(server: Running, name: str, meta: Object | None = None, fields: dict[str, str] | None = None, **arguments: Any) -> None:
    body = modern("tools/call", name=name, arguments=arguments)
    body["params"]["_meta"].update(meta or {})
    server.post(body, MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name=name, **(fields or {}))


def lines(server: Running) -> list[Object]:
    return [json.loads(line) for line in list(server.log)]


def calls(server: Running, count: int) -> list[Object]:
    until(lambda: sum("call" in line for line in lines(server)) >= count, f"{count} calls are logged")
    return [line for line in lines(server) if "call" in line]


def fields() -> None:
    server = Running(SERVER, SKILLS, "--log-format", "json")
    tool(server, "load_skill", {CLIENT: {"name": "agent", "version": "1"}}, {"X_Request_Id": "abc-1"}, skill_name="greeter")
    tool(server, "load_skill", skill_name="no such \"skill\"")
    calls(server, 2)  # another thread answers the call, so its line might follow that of the next one
    parent = {"traceparent": f"00-{TRACE}-{SPAN}-01", "tracestate": "vendor=1"}
    tool(server, "list_skills", parent)
    tool(server, "list_skills", None, {"traceparent": f"00-{OTHER}-{SPAN}-00", "tracestate": "other=2"})
    tool(server, "list_skills", parent, {"traceparent": f"00-{OTHER}-{SPAN}-00", "tracestate": "other=2"})
    tool(server, "list_skills", {"traceparent": f"00-{'0' * 32}-{SPAN}-01", "tracestate": "vendor=1"})
    server.post(legacy("no/such", id="x"))
    response, _ = server.post(INITIALIZE)
    server.post(legacy("ping", id=7), Mcp_Session_Id=response.headers["Mcp-Session-Id"])
    loaded, refused, traced, by_header, both, wrong, unknown, opened, ping = calls(server, 9)
    check(all({"time", "level", "part", "message"} <= line.keys() for line in lines(server)), "each line has what all have")
    expected = {"call": 1, "method": "tools/call", "tool": "load_skill", "skill": "greeter", "client": "agent", "request_id": "abc-1",
                "revision": MODERN, "part": "mcp", "level": "INFO"}
    check(expected.items() <= loaded.items(), f"a call field by field: {loaded}")
    check(loaded["status"] == "ok" and isinstance(loaded["duration_ms"], float), f"its end: {loaded}")
    check(re.fullmatch(r"127\.0\.0\.1:\d+", loaded["peer"]) is not None, f"the peer: {loaded['peer']}")
    check(refused["skill"] == "no such \"skill\"" and refused["status"] == "error" and refused["code"], f"a failure of a tool: {refused}")
    check("principal" not in loaded and "trace_id" not in loaded and "client" not in refused, "what there is not is left out")
    check((traced["trace_id"], traced["parent_span_id"]) == (TRACE, SPAN), f"the trace of _meta: {traced}")
    check(by_header["trace_id"] == OTHER, f"the trace of the header: {by_header}")
    check(both["trace_id"] == TRACE, "what the message says goes before the header")
    check((traced["trace_state"], by_header["trace_state"], both["trace_state"]) == ("vendor=1", "other=2", "vendor=1"), "the state goes with it")
    check("trace_id" not in wrong and "trace_state" not in wrong, "a traceparent that is not valid counts as none")
    check(unknown["call"] == "x" and unknown["error_code"] == -32601 and unknown["status"] == "error", f"an error: {unknown}")
    check(opened["client"] == ping["client"] == "t" and ping["status"] == "ok", f"a session knows its client: {ping}")
    check(all("(" in line["message"] for line in (loaded, ping)), "the text is as before")
    check(server.end() == 0, "an orderly end")


def main() -> int:
    fields()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
