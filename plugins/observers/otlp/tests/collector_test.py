#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that a real OpenTelemetry collector understands what the server sends. collector_test.py SERVER SKILLS BUILD

It uses otelcol or otelcol-contrib from the PATH. If there is none, SKILLHOST_LONG_TESTS=1 builds one from Go's module
proxy."""
import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from balancers import found  # noqa: E402
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import MODERN, Running, modern  # noqa: E402

SERVER, SKILLS = sys.argv[1:3]
TOOLS = Path(sys.argv[3]) / "collector-tools"  # built once
SOURCE = Path(__file__).resolve().parent / "collector"
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
checks = Checks()
check = checks.check


def absent(why: str) -> None:
    print(f"left out: a real collector ({why})")
    sys.exit(77)


def program() -> str:
    for there in (found("otelcol"), found("otelcol-contrib"), shutil.which(TOOLS / "collector")):
        if there:
            return there
    if os.environ.get("SKILLHOST_LONG_TESTS") != "1":  # building takes minutes of processor time
        absent("otelcol is not installed; SKILLHOST_LONG_TESTS=1 has it built")
    go = found("go")
    if not go:
        absent("neither otelcol nor go is installed")
    print("building the collector, once", flush=True)
    TOOLS.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"}
    done = subprocess.run([go, "build", "-p", "1", "-o", str(TOOLS / "collector"), "."], env=environment, cwd=SOURCE,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800, check=False)
    if done.returncode != 0:
        unreachable = any(word in done.stdout for word in ("dial tcp", "lookup ", "no such host", "i/o timeout", "404 Not Found", "403 Forbidden"))
        assert unreachable, f"it cannot be built: {done.stdout[-2000:]}"
        absent(f"it cannot be had: {done.stdout[-300:]}")
    return str(TOOLS / "collector")


class Collector:
    """A collector that writes everything it receives to its standard error."""

    def __init__(self, folder: Path) -> None:
        pipeline = {"receivers": ["otlp"], "exporters": ["debug"]}
        file = folder / "collector.yaml"
        file.write_text(json.dumps({
            "receivers": {"otlp": {"protocols": {"http": {"endpoint": "127.0.0.1:0"}}}},
            "exporters": {"debug": {"verbosity": "detailed", "sampling_initial": 100_000}},
            "service": {"telemetry": {"metrics": {"level": "none"}},
                        "pipelines": {"traces": pipeline, "logs": pipeline, "metrics": pipeline}}}))
        self.process = subprocess.Popen([program(), "--config", f"file:{file}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.lines: list[str] = []
        threading.Thread(target=lambda: self.lines.extend(self.process.stderr or ()), daemon=True).start()
        until(lambda: "Everything is ready" in self.text() or self.process.poll() is not None, "the collector is ready")
        assert self.process.poll() is None, self.text()
        self.port = self.listening()

    def text(self) -> str:
        return "".join(list(self.lines))

    def listening(self) -> int:
        """Returns the port that the kernel has chosen. The collector itself reports only the configured port."""
        sockets = set()
        for descriptor in Path(f"/proc/{self.process.pid}/fd").iterdir():
            if inode := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(descriptor)):
                sockets.add(inode[1])
        for line in Path(f"/proc/{self.process.pid}/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in sockets:  # TCP_LISTEN
                return int(fields[1].split(":")[1], 16)
        raise AssertionError("the collector listens to nothing")

    def has(self, *patterns: str) -> bool:
        text = self.text()
        return all(re.search(pattern, text, re.M) for pattern in patterns)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(DEADLINE)


def figure(server: Running, signal: str, outcome: str) -> float:
    found_one = re.search(rf'^skillhost_telemetry_items_total{{outcome="{outcome}",signal="{signal}"}} (\S+)$', server.ask("GET", "/metrics")[1], re.M)
    return float(found_one[1]) if found_one else -1


def all_signals(folder: Path) -> None:
    collector = Collector(folder)
    file = folder / "skillhost.yaml"
    telemetry: dict[str, Any] = {"otlp_endpoint": f"http://127.0.0.1:{collector.port}", "otlp_metrics_interval_s": 1}
    file.write_text(json.dumps({"telemetry": telemetry}))
    server = Running(SERVER, SKILLS, "--config", str(file))
    body = modern("tools/call", name="load_skill", arguments={"skill_name": "greeter"})
    body["params"]["_meta"].update({"traceparent": f"00-{TRACE}-{SPAN}-01", "tracestate": "vendor=1"})
    server.post(body, MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name="load_skill")
    until(lambda: collector.has(r"Name\s*: tools/call load_skill$"), "the span comes")
    for what in (rf"Trace ID\s*: {TRACE}$", rf"Parent ID\s*: {SPAN}$", r"Kind\s*: Server$", r"TraceState\s*: vendor=1$",
                 r"gen_ai\.tool\.name: Str\(load_skill\)$", r"mcp\.method\.name: Str\(tools/call\)$", r"service\.name: Str\(skillhost\)$",
                 r"client\.port: Int\(\d+\)$"):
        check(collector.has(what), f"the span as the collector has it: {what}")
    until(lambda: collector.has(r"Body: Str\(tools/call load_skill greeter: ok"), "the log record comes")
    check(collector.has(r"SeverityText: INFO$", r"duration_ms: Double\("), "the record as the collector has it")
    until(lambda: collector.has(r"Name: mcp\.server\.operation\.duration$"), "the figures come")
    check(collector.has(r"DataType: Histogram$", r"IsMonotonic: true$", r"DataType: Gauge$", r"Unit: By$"), "of every kind")
    until(lambda: figure(server, "metrics", "sent") > 0, "the collector has taken them")
    for signal in ("traces", "logs", "metrics"):
        check(figure(server, signal, "sent") > 0, f"{signal} are sent")
        check(figure(server, signal, "refused") == figure(server, signal, "lost") == 0, f"{signal}: all is taken")
    check(server.end() == 0, "an orderly end")
    check(not [line for line in server.log if "[telemetry]" in line], "nothing to tell")
    collector.end()


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        all_signals(Path(name))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
