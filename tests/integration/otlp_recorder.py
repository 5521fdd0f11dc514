# SPDX-License-Identifier: Apache-2.0
"""An OpenTelemetry collector on loopback that records what it receives."""
import http.server
import json
import ssl
import threading
import time
from typing import Any

Object = dict[str, Any]
PATHS = {"/v1/traces": ("resourceSpans", "scopeSpans", "spans"), "/v1/logs": ("resourceLogs", "scopeLogs", "logRecords"),
         "/v1/metrics": ("resourceMetrics", "scopeMetrics", "metrics")}


class Recorder:
    """A collector that records what it receives. `answers` gives for each path a list of (status, header fields);
    the last one repeats."""

    def __init__(self, answers: dict[str, list[tuple[int, dict[str, str]]]] | None = None, secure: ssl.SSLContext | None = None) -> None:
        recorder = self
        self.requests: list[tuple[float, str, dict[str, str], Object]] = []
        self.answers = answers or {}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                recorder.requests.append((time.monotonic(), self.path, dict(self.headers.items()), body))
                left = recorder.answers.get(self.path, [(200, {})])
                status, fields = left.pop(0) if len(left) > 1 else left[0]
                self.send_response(status)
                for name, value in {**fields, "Content-Length": "2", "Content-Type": "application/json"}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if secure:
            self.server.socket = secure.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def elements(self, path: str) -> list[Object]:
        resources, scopes, items = PATHS[path]
        return [element for _, asked, _, body in list(self.requests) if asked == path
                for resource in body[resources] for scope in resource[scopes] for element in scope[items]]

    def spans(self, name: str) -> list[Object]:
        return [span for span in self.elements("/v1/traces") if span["name"] == name]

    def end(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def attributes(element: Object) -> Object:
    return {one["key"]: next(iter(one["value"].values())) for one in element["attributes"]}
