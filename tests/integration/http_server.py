# SPDX-License-Identifier: Apache-2.0
"""An HTTP server and requests to it, for the tests beside this file."""
import atexit
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import threading

from checks import DEADLINE, until

MODERN, LEGACY = "2026-07-28", "2025-11-25"


class Running:
    """A server on a free port of the loopback interface."""

    def __init__(self, program, skills, *options, read_log=True, ready=True):
        """Clients may connect before the first catalogue is complete. A server counts as running once every source
        has answered or failed; pass ready=False if the test is about the time before, or if its server answers no
        probe. With read_log=False nobody reads its log once it serves, until read_the_rest()."""
        self.process = subprocess.Popen(
            [program, "serve", "--transport", "http", "--port", "0", "--skills-dir", skills, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")})
        atexit.register(self.process.kill)  # even if a test ends by an exception
        self.log, self.port = [], None
        self.context = None  # the TLS context if the server uses TLS; it accepts any certificate
        for line in self.process.stderr:
            self.log.append(line)
            found = re.search(r" serving on http(s?)://[^/]*:(\d+)/", line)
            if found:
                self.port = int(found[2])
                if found[1]:
                    self.context = ssl.create_default_context()
                    self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
                break
        assert self.port, "".join(self.log)
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        if read_log:
            self.read_the_rest()
        if ready:
            until(lambda: self.readiness() != "starting", "every source answers or fails")

    def readiness(self):
        """Returns the status in /readyz: starting, ready, degraded or failed."""
        return json.loads(self.ask("GET", "/readyz")[1])["status"]

    def read_the_rest(self):
        self.reader.start()

    def connect(self, address=None, timeout=DEADLINE):
        """Returns a socket to the server, from that address of this machine."""
        one = socket.create_connection(("127.0.0.1", self.port), timeout, (address, 0) if address else None)
        return self.context.wrap_socket(one) if self.context else one

    def open(self, method, path="/mcp", body=None, **fields):
        if self.context:
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=DEADLINE, context=self.context)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
            headers.setdefault("Accept", "application/json, text/event-stream")
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, body, headers)
        return connection, connection.getresponse()

    def ask(self, method, path="/mcp", body=None, **fields):
        connection, response = self.open(method, path, body, **fields)
        text = response.read().decode()
        connection.close()
        return response, text

    def post(self, body, **fields):
        response, text = self.ask("POST", body=body, **fields)
        return response, json.loads(text) if text and "json" in response.headers["Content-Type"] else text

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        code = self.process.wait(DEADLINE)
        if self.reader.is_alive():
            self.reader.join(DEADLINE)
        return code


def events(response):
    """Yields the events of a stream as (id, data)."""
    event = {}
    for line in response:
        line = line.decode().rstrip("\n").rstrip("\r")
        if line.startswith(":"):
            continue
        if not line:
            if event:
                yield event.get("id"), event.get("data", "")
            event = {}
            continue
        name, _, value = line.partition(":")
        event[name] = value.removeprefix(" ")


def modern(method, version=MODERN, id=1, **params):
    meta = {"io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {}}
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": meta}}


def legacy(method, id=1, **params):
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


INITIALIZE = legacy("initialize", protocolVersion=LEGACY, capabilities={}, clientInfo={"name": "t", "version": "1"})
