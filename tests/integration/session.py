# SPDX-License-Identifier: Apache-2.0
"""A conversation by the older protocol with a server of its own, for tests that need more than a transcript."""
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "conformance"))
from server import DEADLINE, Broken, Server  # noqa: E402

__all__ = ["Broken", "DEADLINE", "Server", "Session", "write_skill"]


class Session:
    """Waits for answers one at a time, and keeps notifications until a test asks for them."""

    def __init__(self, command, environment=None):
        self.command = command
        self.server = Server(command, environment)
        self.notifications = []
        self.messages = []  # all notifications, whole
        self._count = 0
        self.call("initialize", protocolVersion="2025-11-25", capabilities={},
                  clientInfo={"name": "test", "version": "1"})
        self.server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def answer(self, method, **params):
        self._count += 1
        self.server.send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        deadline = time.monotonic() + DEADLINE
        while True:
            message = self.server.receive(deadline)
            if message is None:
                raise Broken(f"the server ended while {method} was asked:\n{self.server.stderr()[-2000:]}")
            if "method" in message:
                self.notifications.append((time.monotonic(), message["method"]))
                self.messages.append(message)
            elif message.get("id") == self._count:
                return message

    def call(self, method, **params):
        message = self.answer(method, **params)
        if "error" in message:
            raise Broken(f"{method}: {message['error']}")
        return message["result"]

    def tool(self, name, **arguments):
        """Returns the data of a tool's envelope; None when the call failed."""
        return self.call("tools/call", name=name, arguments=arguments)["structuredContent"].get("data")

    def plugin(self, instance):
        """Returns the entry of a plugin's instance in get_server_stats, as soon as it exists: the server answers
        the client before that."""
        deadline = time.monotonic() + DEADLINE
        while True:
            for one in self.tool("get_server_stats")["plugins"]:
                if one.get("instance") == instance:
                    return one
            if time.monotonic() > deadline:
                raise Broken(f"{instance} is not made in time:\n{self.server.stderr()[-2000:]}")

    def listing(self, **arguments):
        """Returns the data of list_skills; an empty list when their sources failed or still load."""
        envelope = self.call("tools/call", name="list_skills", arguments=arguments)["structuredContent"]
        if envelope["success"]:
            return envelope["data"]
        # With these codes there are no skills: all sources failed, were left out as configured wrongly, or still
        # load.
        if envelope["error"]["code"] not in ("SERVICE_UNAVAILABLE", "OPERATION_FAILED"):
            raise Broken(f"list_skills: {envelope}")
        return {"skills": [], "hasMore": False}

    def wait_for(self, method, seconds=DEADLINE):
        """Returns the time of the notification (monotonic seconds); raises Broken when it does not arrive in
        time."""
        deadline = time.monotonic() + seconds
        while True:
            for index, (when, name) in enumerate(self.notifications):
                if name == method:
                    del self.notifications[:index + 1]
                    return when
            message = self.server.receive(deadline)
            if message is None:
                raise Broken(f"the server ended:\n{self.server.stderr()[-2000:]}")
            if "method" in message:
                self.notifications.append((time.monotonic(), message["method"]))
                self.messages.append(message)

    def end(self):
        """Ends the server in order; returns the fault of the end, or None."""
        _, code = self.server.finish()
        if code != 0:
            return f"exit code {code}"
        alarms = self.server.alarms()
        return f"on stderr: {alarms[:5]}" if alarms else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()


def write_skill(root, name, description, body="Body.\n"):
    """Writes SKILL.md in one rename, so that no reader meets half a file."""
    folder = Path(root) / name
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / ".SKILL.md.new"
    beside.write_text(f"---\nname: {name}\ndescription: {description}\n---\n{body}")
    beside.replace(folder / "SKILL.md")
