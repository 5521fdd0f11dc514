#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the metrics with a plain scrape, and the alerts and the dashboard with a real Prometheus. monitoring_test.py
SERVER ROOT SKILLS"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import Checks, until  # noqa: E402
from http_server import MODERN, Running, modern  # noqa: E402
from prometheus_server import Prometheus  # noqa: E402

SERVER, SKILLS = sys.argv[1], sys.argv[3]
ROOT = Path(sys.argv[2]).resolve()
OPEN_METRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
MAX_IDLE_BYTES = 20_000  # bytes of an idle scrape; it had 75,000 with every empty histogram
checks = Checks()
check = checks.check
Object = dict[str, Any]


def call(server: Running, tool: str, **arguments: Any) -> Object:
    body = modern("tools/call", name=tool, arguments=arguments)
    _, answer = server.post(body, MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name=tool)
    return answer["result"]


def samples(text: str) -> dict[str, float]:
    """Returns the values by series, as named in the text."""
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in text.splitlines() if line and not line.startswith("#")}


def scrape(server: Running) -> dict[str, float]:
    return samples(server.ask("GET", "/metrics")[1])


def families(text: str) -> set[str]:
    return set(re.findall(r"^# TYPE (\S+)", text, re.M))


def described() -> set[str]:
    """Returns every metric that has a description in the server."""
    return set(re.findall(r'MetricHelp\{\s*"([a-z_]+)"', (ROOT / "subprojects/base/metric_help.cpp").read_text()))


def documented() -> set[str]:
    page = (ROOT / "doc/monitoring.md").read_text().partition("## Metrics")[2].partition("\n## ")[0]
    return set(re.findall(r"`((?:skillhost|process)_[a-z_]+)`", page))


def idle(server: Running) -> None:
    until(lambda: scrape(server).get("skillhost_search_indexed_skills", 0) > 0, "the skills are indexed")
    response, text = server.ask("GET", "/metrics")
    check(response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8", response.headers["Content-Type"])
    print(f"an idle scrape: {len(text)} bytes")
    check(len(text) < MAX_IDLE_BYTES, f"an idle scrape has {len(text)} bytes")
    check("skillhost_request_seconds" not in text and "skillhost_tool_seconds" not in text, "a histogram without values is left out")
    unknown = {name for name in families(text) if not name.startswith("skillhost_plugin_")} - described()
    check(not unknown, f"each has a description: {unknown}")
    check(described() == documented(), f"doc/monitoring.md and the server name the same: {described() ^ documented()}")
    told = samples(text)
    check(told['skillhost_source_state{source="skills",state="ok"}'] == 1, "the state of the source")
    check(told['skillhost_source_state{source="skills",state="stale"}'] == 0, "and which it is not")
    check(told["skillhost_catalogue_skills"] == told['skillhost_source_skills{source="skills"}'] > 0, "skills of the one source")
    start = told["process_start_time_seconds"]
    for name in ("skillhost_catalogue_published_timestamp_seconds", 'skillhost_source_last_success_timestamp_seconds{source="skills"}'):
        check(start - 1 <= told[name] <= start + 600, f"{name} is after the start: {told[name]} {start}")
    check(1 < told["process_open_fds"] < told["process_max_fds"], "open descriptors are counted")
    check(1_000_000 < told["process_resident_memory_bytes"] < told["process_virtual_memory_bytes"], "memory is in bytes")
    check(told["process_cpu_seconds_total"] > 0, "processor time is in seconds")
    response, text = server.ask("GET", "/metrics", Accept=OPEN_METRICS)
    check(response.headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0"), response.headers["Content-Type"])
    check(text.endswith("# EOF\n") and "# TYPE skillhost_build info" in text, "OpenMetrics to who asks for it")
    if promtool := shutil.which("promtool"):
        plain = server.ask("GET", "/metrics")[1]
        done = subprocess.run([promtool, "check", "metrics"], input=plain, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=60, check=False)
        check(done.returncode == 0 and not done.stdout, f"promtool check metrics: {done.stdout}")
    else:
        print("left out: promtool check metrics (promtool is not installed)")


def work(server: Running) -> None:
    """Makes one call of each kind that is counted, and checks the counters."""
    call(server, "list_skills")
    call(server, "find_helpful_skills", task_description="a skill with a description")
    call(server, "find_helpful_skills", task_description="zzyzx qwfpgj xvbkm")
    failed = call(server, "load_skill", skill_name="no-such-skill")
    check(failed["isError"], "a skill that is not there")
    told = scrape(server)
    check(told['skillhost_request_seconds_count{method="tools/call"}'] == 4, "calls by method")
    check(told['skillhost_tool_seconds_count{tool="load_skill"}'] == 1, "calls by tool")
    check(sum(value for name, value in told.items() if name.startswith("skillhost_tool_failures_total")) == 1, "failures")
    searches = {outcome: told[f'skillhost_searches_total{{outcome="{outcome}"}}'] for outcome in ("found", "none", "failed")}
    check(searches == {"found": 1, "none": 1, "failed": 0}, f"searches by outcome: {searches}")


def metric_names(expression: str) -> set[str]:
    return {re.sub(r"_(bucket|count|sum)$", "", name) for name in re.findall(r"\b(?:skillhost|process)_[a-z_]+", expression)}


def expressions(dashboard: Object) -> list[tuple[str, str]]:
    """Returns title and query of each target. The variables of Grafana are replaced by values that match everything."""
    found = []
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            query = target["expr"].replace("$__rate_interval", "1m")
            found.append((panel["title"], re.sub(r'\$(job|instance)\b', ".*", query)))
    return found


def dashboard_file() -> Object:
    """Checks the dashboard's file: its identifiers, the places of its panels, and its data source."""
    dashboard: Object = json.loads((ROOT / "examples/deploy/grafana/skillhost.json").read_text())
    panels = dashboard["panels"]
    check(len({panel["id"] for panel in panels}) == len(panels), "panels have ids of their own")
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        check(place["x"] + place["w"] <= 24 and not cells & taken, f"the place of \"{panel['title']}\" is free")
        taken |= cells
        check(panel["type"] == "row" or (panel["targets"] and panel["datasource"]["uid"] == "${datasource}"),
              f"\"{panel['title']}\" asks the data source that is chosen")
    for title, query in expressions(dashboard):
        check(metric_names(query) <= described() | {"skillhost_build_info"}, f"\"{title}\" names {metric_names(query) - described()}")
    return dashboard


def by_prometheus(server: Running, dashboard: Object) -> None:
    program = shutil.which("prometheus")
    if not program:
        print("left out: a real Prometheus (prometheus is not installed)")
        return
    with tempfile.TemporaryDirectory() as name:
        prometheus = Prometheus(program, Path(name), {"static_configs": [{"targets": [f"127.0.0.1:{server.port}"]}]},
                                [ROOT / "examples/deploy/prometheus/skillhost.rules.yaml"])
        try:
            until(lambda: prometheus.value('up{job="skillhost"}') == 1, "the scrape succeeds")
            target = prometheus.ask("targets")["activeTargets"][0]
            check(target["health"] == "up" and not target["lastError"], f"the scrape: {target['lastError']}")
            until(lambda: prometheus.value("count_over_time(skillhost_build_info[1m]) > 1"), "two scrapes")
            told = set(prometheus.ask("label/__name__/values"))
            here = {re.sub(r"_(bucket|count|sum)$", "", one) for one in told}
            for title, query in expressions(dashboard):
                data = prometheus.ask("query", query=query)
                empty = metric_names(query) <= here and not data["result"]
                check(not empty, f"\"{title}\" shows something: {query}")
            until(lambda: all(rule["health"] != "unknown" for group in prometheus.ask("rules")["groups"] for rule in group["rules"]),
                  "each alert is evaluated")
            rules = [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]
            for rule in rules:
                check(rule["health"] == "ok", f"{rule['name']}: {rule.get('lastError')}")
                check(rule["state"] == "inactive", f"{rule['name']} is silent while all is well: {rule['state']}")
            check(bool(rules), "there are alerts")
        finally:
            prometheus.end()


def main() -> int:
    dashboard = dashboard_file()
    server = Running(SERVER, SKILLS)
    idle(server)
    work(server)
    by_prometheus(server, dashboard)
    check(server.end() == 0, "an orderly end")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
