# SPDX-License-Identifier: Apache-2.0
"""Ports for programs that do not accept port 0, or that must keep their port."""
import socket


class HeldPort:
    """A port of the loopback interface, chosen by the kernel. It is bound here and never listened on, so that the
    kernel gives it to nobody else, while a program that sets SO_REUSEADDR can listen on it again after each
    death."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.number = self.socket.getsockname()[1]
