# SPDX-License-Identifier: Apache-2.0
"""Targets that a plugin may try to reach on the loopback interface; each counts its visitors."""
import socket
import threading

DEADLINE = 20


class Listener:
    """Serves each connection on a thread; `heard` holds the first bytes of each, `visitors()` counts the
    connections."""

    def __init__(self, address="127.0.0.1", port=0):
        self.socket = socket.create_server((address, port))
        self.port = self.socket.getsockname()[1]
        self.address, self.asked = address, 0
        self.heard, self.peers, self.changed = [], [], threading.Condition()
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def visitors(self):
        """Returns the number of visitors so far. It connects itself, waits for its own connection, which is accepted
        after the others, and does not count it."""
        with socket.create_connection((self.address, self.port), DEADLINE) as mine:
            name = mine.getsockname()
            with self.changed:
                assert self.changed.wait_for(lambda: name in self.peers, DEADLINE), "nobody accepts"
                place = self.peers.index(name)
                self.peers[place] = None  # another visitor may have this address later
                self.asked += 1
                return place + 1 - self.asked

    def accept(self):
        while True:
            try:
                connection, peer = self.socket.accept()
            except OSError:
                return
            with self.changed:
                self.peers.append(peer)
                self.changed.notify_all()
            threading.Thread(target=self.serve_one, args=[connection], daemon=True).start()

    def serve_one(self, connection):
        with connection:
            connection.settimeout(DEADLINE)
            try:
                self.serve(connection)
            except OSError:
                pass  # the other end may do anything

    def serve(self, connection):
        connection.sendall(b"BANNER")

    def head(self, connection):
        text = b""
        while b"\r\n\r\n" not in text:
            piece = connection.recv(4096)
            if not piece:
                break
            text += piece
        with self.changed:
            self.heard.append(text.decode("latin-1"))
        return text


class WebServer(Listener):
    """Answers each request with 200, or redirects it."""
    redirect = None

    def serve(self, connection):
        self.head(connection)
        line = b"HTTP/1.1 200 OK" if self.redirect is None else f"HTTP/1.1 302 Found\r\nLocation: {self.redirect}".encode()
        connection.sendall(line + b"\r\nContent-Length: 7\r\nConnection: close\r\n\r\nREACHED")


class Introspection(Listener):
    """Knows one token, "known" (RFC 7662)."""

    def serve(self, connection):
        head, _, body = self.head(connection).partition(b"\r\n\r\n")
        length = sum(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        while len(body) < length:
            body += connection.recv(4096)
        answer = b'{"active": true, "sub": "ali", "scope": "skills:read"}' if b"token=known" in body else b'{"active": false}'
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(answer), answer))


class Proxy(Listener):
    """Requires user:hush, and tunnels; it answers a request for http:// itself."""

    def serve(self, connection):
        head = self.head(connection)
        if b"Proxy-Authorization: Basic dXNlcjpodXNo" not in head:
            connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        elif head.startswith(b"CONNECT "):
            host, port = head.split()[1].decode().rsplit(":", 1)
            with socket.create_connection((host, int(port)), DEADLINE) as server:
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                server.sendall(connection.recv(4096))
                while piece := server.recv(4096):
                    connection.sendall(piece)
        else:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nBY PROXY\n")


class Datagrams:
    """Receives datagrams and reports whether one arrived."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def came(self):
        self.socket.setblocking(False)  # on this machine a datagram has arrived when sendto() returns
        try:
            self.socket.recv(10)
        except BlockingIOError:
            return False
        return True
