# SPDX-License-Identifier: Apache-2.0
"""Servers on loopback that a test controls: over HTTP, with or without TLS, or silent."""
import http.server
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path


class Handler(http.server.BaseHTTPRequestHandler):
    """Keeps connections open and prints nothing."""
    protocol_version = "HTTP/1.1"

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def say(self, status, fields=(), body=b"", hold_after=None, length=None):
        """Answers a request. With `hold_after`, sends that many bytes and then nothing until the client goes.
        `length` replaces the true length in the head."""
        self.send_response(status)
        for name, value in dict(fields).items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        try:
            self.wfile.write(body[:hold_after])
            if hold_after is not None:
                self.wfile.flush()
                self.connection.recv(1)
                self.close_connection = True
        except OSError:
            self.close_connection = True  # the client has gone, as some do

    def log_message(self, *_):
        pass


class Loopback(http.server.ThreadingHTTPServer):
    """Serves from its construction until the end of `with`, or end(). With `certificate` and key it uses TLS."""
    daemon_threads = True

    def __init__(self, handler, certificate=None):
        super().__init__(("127.0.0.1", 0), handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.port = self.server_address[1]
        self.url = f"http{'s' if certificate else ''}://127.0.0.1:{self.port}"
        self.over = threading.Event()  # a hanging handler waits for this
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def handle_error(self, *_):
        pass  # a killed client

    def end(self):
        self.over.set()
        self.shutdown()
        self.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class SilentServer:
    """Accepts connections and sends nothing."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def certificate(folder):
    """Makes a self-signed (certificate, key) for localhost and 127.0.0.1; None without openssl."""
    if not shutil.which("openssl"):
        return None
    files = Path(folder) / "certificate.pem", Path(folder) / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-out", str(files[0]), "-keyout", str(files[1])], check=True, capture_output=True, timeout=60)
    return tuple(map(str, files))
