#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what the server sends to an OpenTelemetry collector by OTLP, and what happens if the collector fails.
telemetry_test.py SERVER SKILLS"""
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import DEADLINE, SANITIZED, Checks, until  # noqa: E402
from http_server import MODERN, Running, modern  # noqa: E402
from otlp_recorder import Object, Recorder, attributes  # noqa: E402

SERVER, SKILLS = sys.argv[1:3]
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SECRET = "a-secret-of-the-collector"
checks = Checks()
# The server must not use this proxy, because the collector is on loopback.
os.environ["http_proxy"] = os.environ["https_proxy"] = os.environ["ALL_PROXY"] = "http://127.0.0.1:1"
check = checks.check


def started(folder: Path, endpoint: str, *options: str, **settings: Any) -> Running:
    file = folder / "skillhost.yaml"
    file.write_text(json.dumps({"telemetry": {"otlp_endpoint": endpoint, "otlp_metrics_interval_s": 1, **settings}}))
    return Running(SERVER, SKILLS, "--config", str(file), *options)


def call(server: Running, tool: str, traceparent: str = "", tracestate: str = "", **arguments: Any) -> None:
    body = modern("tools/call", id="id-1", name=tool, arguments=arguments)
    if traceparent:
        body["params"]["_meta"].update({"traceparent": traceparent, "tracestate": tracestate})
    server.post(body, MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name=tool)


def figure(server: Running, signal: str, outcome: str) -> float:
    found = re.search(rf'^skillhost_telemetry_items_total{{outcome="{outcome}",signal="{signal}"}} (\S+)$', server.ask("GET", "/metrics")[1], re.M)
    return float(found[1]) if found else -1


def warnings(server: Running) -> list[str]:
    return [line for line in list(server.log) if "[telemetry]" in line]


def all_signals(folder: Path) -> None:
    collector = Recorder()
    secret = folder / "headers"
    secret.write_text(f"Authorization=Bearer {SECRET},X-Team=skills")
    server = started(folder, f"http://127.0.0.1:{collector.port}/", otlp_headers=f"${{file:{secret}}}")
    begun = time.time_ns()
    call(server, "load_skill", f"00-{TRACE}-{SPAN}-01", "vendor=1,other=2", skill_name="greeter")
    call(server, "load_skill", f"00-{TRACE}-{SPAN}-00", skill_name="greeter")
    call(server, "load_skill", skill_name="no-such-skill")
    until(lambda: len(collector.spans("tools/call load_skill")) >= 2, "the spans come")
    good, bad = collector.spans("tools/call load_skill")
    ended = time.time_ns()
    check((good["traceId"], good["parentSpanId"]) == (TRACE, SPAN), f"the span goes on with the trace: {good}")
    check(re.fullmatch("[0-9a-f]{16}", good["spanId"]) is not None and good["spanId"] != SPAN, "under an id of its own")
    check(good["traceState"] == "vendor=1,other=2" and good["flags"] & 0x301 == 0x301, f"its state, and that the parent is elsewhere: {good}")
    check(good["kind"] == 2 and "status" not in good, "of a server, and all is well")
    check(begun <= int(good["startTimeUnixNano"]) <= int(good["endTimeUnixNano"]) <= ended, f"its times: {good}")
    expected = {"mcp.method.name": "tools/call", "gen_ai.tool.name": "load_skill", "gen_ai.operation.name": "execute_tool",
                "mcp.protocol.version": MODERN,
                "jsonrpc.request.id": "id-1", "network.transport": "tcp", "network.protocol.name": "http", "client.address": "127.0.0.1", "skillhost.skill.name": "greeter"}
    check(expected.items() <= attributes(good).items(), f"the attributes of the conventions: {attributes(good)}")
    check(bad["status"]["code"] == 2 and attributes(bad)["error.type"] == "tool_error"
          and attributes(bad)["skillhost.error.code"] == "NOT_FOUND", f"a failure: {bad}")
    check(re.fullmatch("[0-9a-f]{32}", bad["traceId"]) is not None and bad["traceId"] != TRACE and not {"parentSpanId", "traceState"} & bad.keys() and bad["flags"] == 0x101,
          f"a trace of its own: {bad}")
    until(lambda: {one["name"] for one in collector.elements("/v1/metrics")} >= {"mcp.server.operation.duration", "skillhost_catalogue_skills"},
          "figures come")
    metrics = {one["name"]: one for one in collector.elements("/v1/metrics")}
    duration = metrics["mcp.server.operation.duration"]
    point = duration["histogram"]["dataPoints"][-1]
    check(duration["unit"] == "s" and attributes(point)["mcp.method.name"] == "tools/call", f"the histogram of the conventions: {duration}")
    check(sum(map(int, point["bucketCounts"])) == int(point["count"]) and len(point["bucketCounts"]) == len(point["explicitBounds"]) + 1,
          "its buckets add up")
    check(metrics["process_cpu_seconds_total"]["sum"]["isMonotonic"], "a counter is a sum that grows")
    for _, path, fields, body in list(collector.requests):
        check(fields["Authorization"] == f"Bearer {SECRET}" and fields["X-Team"] == "skills", f"{path}: the headers")
        check(fields["Content-Type"] == "application/json", f"{path}: JSON")
        resource = attributes(next(iter(body.values()))[0]["resource"])
        check(resource["service.name"] == "skillhost" and resource["service.instance.id"], f"{path}: whose it is: {resource}")
    until(lambda: figure(server, "traces", "sent") == 2, "what is sent is counted")
    call(server, "list_skills")
    check(server.end() == 0, "an orderly end")
    # The server waits half a second when it ends, which may be too short for a build with a sanitizer.
    check(SANITIZED or len(collector.spans("tools/call list_skills")) == 1, "what waits is sent at the end")
    check(SECRET not in "".join(server.log) and not warnings(server), "the log tells no secret, and nothing else")
    collector.end()


def on_stdio(folder: Path) -> None:
    """Checks that a call has a span even if log.level omits its line. Then it has no log record."""
    collector = Recorder()
    file = folder / "skillhost.yaml"
    file.write_text(json.dumps({"telemetry": {"otlp_endpoint": f"http://127.0.0.1:{collector.port}"}}))
    line = json.dumps(modern("tools/call", name="load_skill", arguments={"skill_name": "greeter"})) + "\n"
    done = subprocess.run([SERVER, "serve", "--skills-dir", SKILLS, "--config", str(file), "--log-level", "error"], input=line,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    check(done.returncode == 0 and '"id":1' in done.stdout, f"the answer comes: {done.stdout[:200]} {done.stderr[-300:]}")
    spans = collector.spans("tools/call load_skill")
    check(len(spans) == 1 and attributes(spans[0])["network.transport"] == "pipe", f"one span: {spans}")
    check(not collector.elements("/v1/logs") and not done.stderr, "and no record")
    collector.end()


def log_records(folder: Path) -> None:
    collector = Recorder()
    server = started(folder, f"http://127.0.0.1:{collector.port}")
    call(server, "load_skill", f"00-{TRACE}-{SPAN}-01", skill_name="greeter")

    def of_call() -> list[Object]:
        return [one for one in collector.elements("/v1/logs") if attributes(one).get("tool") == "load_skill"]
    until(lambda: bool(of_call()) and bool(collector.spans("tools/call load_skill")), "the record of the call comes")
    record = of_call()[0]
    span = collector.spans("tools/call load_skill")[0]
    check((record["traceId"], record["spanId"]) == (TRACE, span["spanId"]), "a record belongs to its span")
    check(record["severityNumber"] == 9 and record["severityText"] == "INFO", f"its level: {record}")
    check(record["body"]["stringValue"].startswith("tools/call load_skill greeter: ok"), f"its text: {record}")
    check(server.end() == 0, "an orderly end")
    collector.end()


def faults(folder: Path) -> None:
    """Checks that a failing collector fails no call and causes one line of the log. Data is sent again if the collector
    asks for that."""
    wait = [(429, {"Retry-After": "1"}), (503, {}), (200, {})]
    collector = Recorder({"/v1/traces": list(wait), "/v1/logs": [(404, {})], "/v1/metrics": [(500, {})]})
    server = started(folder, f"http://127.0.0.1:{collector.port}")
    call(server, "load_skill", skill_name="greeter")
    until(lambda: figure(server, "traces", "sent") == 1, "the span is taken in the end")
    tries = [when for when, path, _, _ in collector.requests if path == "/v1/traces"]
    check(len(tries) == 3 and tries[1] - tries[0] >= 0.9, f"as late as Retry-After says: {tries}")
    until(lambda: figure(server, "logs", "refused") >= 1 and figure(server, "metrics", "refused") >= 1, "the others are refused")
    until(lambda: any("has no /v1/logs" in line for line in warnings(server)), "a path that is not there is told")
    call(server, "load_skill", skill_name="greeter")
    until(lambda: figure(server, "traces", "sent") == 2, "the next span")
    check(sum(path == "/v1/logs" for _, path, _, _ in collector.requests) == 1, "and asked for no more")
    check(server.end() == 0, "an orderly end")
    collector.end()


def nobody(folder: Path) -> None:
    """Checks a port without a listener and one that never answers: calls do not wait, and the end of the server waits
    only briefly."""
    with socket.socket() as silent, socket.socket() as closed:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        closed.bind(("127.0.0.1", 0))
        for one, what in ((closed, "refused"), (silent, "silent")):
            server = started(folder, f"http://127.0.0.1:{one.getsockname()[1]}")
            begin = time.monotonic()
            for _ in range(20):
                call(server, "load_skill", skill_name="greeter")
            check(time.monotonic() - begin < DEADLINE / 2, f"{what}: calls do not wait")
            if one is closed:
                until(lambda: len(warnings(server)) == 1, "it is told once")
            begin = time.monotonic()
            check(server.end() == 0, f"{what}: an orderly end")
            check(time.monotonic() - begin < DEADLINE / 2, f"{what}: the end does not wait for long")
            check(len(warnings(server)) == (one is closed), f"{what}: a request that the end cuts off is no fault of it: {warnings(server)}")
            # A running request ends at most 0.2 s later, when Sender checks again; a build with a
            # sanitizer needs longer.
            check(SANITIZED or not any("still under way" in line for line in server.log), f"{what}: the end is in time")


def over_tls(folder: Path) -> None:
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                           "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert made.returncode == 0, made.stdout
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    collector = Recorder(secure=context)
    server = started(folder, f"https://127.0.0.1:{collector.port}", otlp_ca=str(certificate))
    call(server, "load_skill", skill_name="greeter")
    until(lambda: bool(collector.spans("tools/call load_skill")), "over TLS")
    check(server.end() == 0, "an orderly end")
    received = len(collector.requests)
    server = started(folder, f"https://127.0.0.1:{collector.port}")
    call(server, "load_skill", skill_name="greeter")
    until(lambda: len(warnings(server)) == 1, "a certificate that nobody vouches for is told")
    check(server.end() == 0 and len(collector.requests) == received, "and it is sent nothing")
    collector.end()


def refused(folder: Path) -> None:
    rows: list[tuple[Object, str]] = [
        ({"otlp_endpoint": "127.0.0.1:4318"}, "telemetry.otlp_endpoint: \"127.0.0.1:4318\" is not the address"),
        ({"otlp_endpoint": f"http://user:{SECRET}@host"}, "telemetry.otlp_endpoint: it is not the address"),
        ({"otlp_endpoint": "http://127.0.0.1:1", "otlp_headers": f"Authorization {SECRET}"}, "telemetry.otlp_headers: header 1 is not a header"),
    ]
    for settings, words in rows:
        file = folder / "wrong.yaml"
        file.write_text(json.dumps({"telemetry": settings}))
        done = subprocess.run([SERVER, "serve", "--transport", "http", "--port", "0", "--skills-dir", SKILLS, "--config", str(file)],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        check(done.returncode != 0 and words in done.stdout and SECRET not in done.stdout, f"{settings}: {done.stdout[-300:]}")


def main() -> int:
    for case in (all_signals, on_stdio, log_records, faults, nobody, over_tls, refused):
        with tempfile.TemporaryDirectory() as name:
            case(Path(name))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
