# SPDX-License-Identifier: Apache-2.0
"""A provider that does whatever a test tells it to, and counts how often it was asked."""
import contextlib
import http.server
import json
import ssl
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.server.asked.append((self.command, self.path, dict(self.headers), self.rfile.read(length).decode()))
        self.close_connection = False
        behaviour = self.server.behaviours.get(self.path.split("?")[0])
        if behaviour is None:
            self.plain(404, b"nothing here")
        else:
            behaviour(self)

    do_GET = do_POST = answer

    def plain(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *_):
        pass


class Fake(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, certificate=None, key=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http{'s' if certificate else ''}://127.0.0.1:{self.server_port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.asked, self.behaviours = [], {}
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.shutdown()
        self.thread.join()
        self.server_close()

    def handle_error(self, *_):
        pass  # a client that goes away is what some tests are about

    def says(self, path, document, status=200):
        text = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.behaviours[path] = lambda handler: handler.plain(status, text)

    def publishes(self, **document):
        self.says("/.well-known/openid-configuration", {"issuer": self.url, **document})

    def hangs(self, path):
        """Answers nothing until the test is over."""
        self.behaviours[path] = lambda handler: handler.server.over.wait()

    def hangs_in_body(self, path):
        def behaviour(handler):
            handler.send_response(200)
            handler.send_header("Content-Length", "100")
            handler.end_headers()
            handler.wfile.write(b'{"active":')
            handler.wfile.flush()
            handler.server.over.wait()
        self.behaviours[path] = behaviour

    def dies(self, path):
        def behaviour(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
            handler.wfile.flush()
            handler.close_connection = True
        self.behaviours[path] = behaviour

    def floods(self, path):
        """Never ends, as far as a client will go."""
        def behaviour(handler):
            handler.send_response(200)
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
            with contextlib.suppress(OSError):
                while not handler.server.over.is_set():
                    handler.wfile.write(piece)
        self.behaviours[path] = behaviour

    def redirects(self, path, target):
        self.behaviours[path] = lambda handler: handler.plain(302, b"", [("Location", target)])
