#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what an idle connection costs the server: its resident memory before and after COUNT connections.

usage: idle.py PORT PID [COUNT]   (the server may be bench-http; each connection sends one request)
"""

import resource
import socket
import sys
from pathlib import Path

REQUEST = (b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
           b"Content-Length: 40\r\n\r\n" + b'{"jsonrpc":"2.0","id":1,"method":"ping"}')


def resident(process):
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def use(connection):
    connection.sendall(REQUEST)
    got = connection.recv(65536)
    head, _, body = got.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(65536)


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    port, process = int(arguments[0]), int(arguments[1])
    count = int(arguments[2]) if len(arguments) == 3 else 10_000
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with socket.create_connection(("127.0.0.1", port)) as first:
        use(first)
    before, held = resident(process), []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        use(connection)
        held.append(connection)
    after = resident(process)
    print(f"{count} idle connections: {(after - before) / count / 1000:.2f} kB each")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
