# SPDX-License-Identifier: Apache-2.0
"""A provider that behaves as a test chooses, and counts its requests."""
import contextlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from loopback import Handler, Loopback  # noqa: E402


class FakeHandler(Handler):
    def answer(self):
        self.asked = self.body().decode()
        self.server.asked.append((self.command, self.path, dict(self.headers), self.asked))
        behaviour = self.server.behaviours.get(self.path.split("?")[0])
        if behaviour is None:
            self.say(404, body=b"nothing here")
        else:
            behaviour(self)

    do_GET = do_POST = answer


class Fake(Loopback):
    def __init__(self, *certificate_and_key):
        self.asked, self.behaviours = [], {}
        super().__init__(FakeHandler, certificate_and_key)

    def says(self, path, document, status=200):
        text = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.behaviours[path] = lambda handler: handler.say(status, body=text)

    def publishes(self, **document):
        self.says("/.well-known/openid-configuration", {"issuer": self.url, **document})

    def hangs(self, path):
        """Sends no answer until the test ends."""
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
        """Sends a body without an end, as long as the client reads."""
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
        self.behaviours[path] = lambda handler: handler.say(302, {"Location": target})
