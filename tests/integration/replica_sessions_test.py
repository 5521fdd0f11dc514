#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests one session at three servers: a call that begins at one server continues, is answered and ends at the
others. replica_sessions_test.py SERVER CONFORMANCE_PLUGIN"""
import contextlib
import http.client
import itertools
import json
import random
import secrets
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, SLOWNESS, Checks, until  # noqa: E402
from http_server import INITIALIZE, LEGACY, legacy  # noqa: E402
from replicas import (PREFIX, Engine, EngineError, Events, Replica, messages_of, new_token, skip_without,  # noqa: E402
                      state_settings, write_configuration)
from session import write_skill  # noqa: E402

SERVER, PLUGIN = sys.argv[1:3]
OWNER, STRANGER = "owner-dragonfly", "owner-earwig"
ASKED = {"sampling": {}, "elicitation": {}}
checks = Checks()
check = checks.check


class Fleet:
    """Three servers, their common engine, and everything that the engine received."""

    def __init__(self, folder, *options):
        self.skills = Path(folder) / "skills"
        for number in range(30):
            write_skill(self.skills, f"skill-{number}", f"The first description of {number}.", "The first text.\n")
        self.engine = Engine(folder).start()
        self.secret, tokens = secrets.token_hex(32), Path(folder) / "tokens.json"
        self.token = new_token(SERVER, tokens, OWNER, "skills:manage")  # a manager also receives the log
        self.foreign = new_token(SERVER, tokens, STRANGER)
        plugin = {"name": "fixture", "plugin": str(Path(PLUGIN).resolve()), "isolation": "thread", "threads": 8}
        configuration = write_configuration(folder, {**state_settings(self.engine, self.secret), "tools": [plugin]})
        self.replicas = [
            Replica(name, SERVER, self.skills, "--config", str(configuration), "--auth", "static",
                    "--set", "auth.config=" + json.dumps({"file": str(tokens)}), *options).start()
            for name in ("one", "two", "three")]
        for replica in self.replicas:
            until(lambda: replica.state() == (200, "ready"), f"{replica.name} is ready")
        self.seen, self.ids = bytearray(), []
        self.monitor = self.engine.connect()
        self.monitor.ask("MONITOR")
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        with contextlib.suppress(OSError, ConnectionError, EngineError, ValueError):
            self.monitor.socket.settimeout(None)
            while True:
                self.seen += self.monitor.answer() + b"\n"

    def session(self, at, **more):
        session = Session(at, self.token, **more)
        self.ids.append(session.id)
        return session

    def end(self):
        for replica in self.replicas:
            check(replica.end() == 0, f"{replica.name}: an orderly end")
        self.engine.end()
        self.reader.join(DEADLINE)


class Session:
    """A session of the older protocol; the test chooses the server of each request."""

    def __init__(self, at, token, capabilities=None, client="a-program", version=LEGACY):
        self.token, self.numbers = token, itertools.count(100)
        body = {**INITIALIZE, "params": {"protocolVersion": version, "capabilities": capabilities or {},
                                         "clientInfo": {"name": client, "version": "1"}}}
        response, answer = at.running.post(body, Authorization=f"Bearer {token}")
        assert response.status == 200, answer
        self.id, self.agreed = response.headers["Mcp-Session-Id"], answer["result"]
        self.fields = {"Mcp_Session_Id": self.id, "MCP_Protocol_Version": version}

    def post(self, at, body, token=None):
        response, answer = at.running.post(body, Authorization=f"Bearer {token or self.token}", **self.fields)
        return response.status, answer

    def notify(self, at, method, **params):
        status, answer = self.post(at, {"jsonrpc": "2.0", "method": method, "params": params})
        check(status == 202, f"{method} at {at.name}: {status} {answer}")

    def answer(self, at, question, **outcome):
        """Sends the client's answer to a question of the server."""
        status, answer = self.post(at, {"jsonrpc": "2.0", "id": question["id"], **outcome})
        check(status == 202, f"an answer at {at.name}: {status} {answer}")

    def ask(self, at, method, **params):
        number = next(self.numbers)
        status, answer = self.post(at, legacy(method, id=number, **params))
        if isinstance(answer, str):  # an event stream that begins with a tool's messages
            answer = messages_of(answer)[-1]
        assert status == 200 and answer["id"] == number and "result" in answer, f"{method} at {at.name}: {status} {answer}"
        return answer["result"]

    def tool(self, at, name, **arguments):
        envelope = self.ask(at, "tools/call", name=name, arguments=arguments)["structuredContent"]
        assert envelope["success"], f"{name} at {at.name}: {envelope}"
        return envelope["data"]

    def load(self, at, name, **more):
        return self.tool(at, "load_skill", skill_name=name, **more)["status"]

    def loaded(self, at):
        return {one["name"] for one in self.tool(at, "get_loaded_skills_info")["loaded_skills"]}

    def begin(self, at, id, name, **arguments):
        """Begins a call of a tool and returns the stream of its answer."""
        return Events(at.port, "POST", legacy("tools/call", id=id, name=name, arguments=arguments), self.token, **self.fields)

    def listen(self, at, last=None, token=None):
        more = {} if last is None else {"Last_Event_ID": last}
        return Events(at.port, token=token or self.token, **self.fields, **more)

    def status(self, at, method, token=None):
        fields = {**self.fields, "Authorization": f"Bearer {token or self.token}", "Accept": "text/event-stream"}
        connection, response = at.running.open(method, **fields)
        connection.close()
        return response.status

    def finish(self, at):
        check(self.status(at, "DELETE") == 204, f"DELETE at {at.name}")


def is_question(message):
    return message.get("method") in ("elicitation/create", "sampling/createMessage")


def asking(session, at, id=7):
    """Begins a call that waits for the client's answer; returns its stream and the question."""
    stream = session.begin(at, id, "test_elicitation", message="Who?")
    return stream, stream.until(is_question, "a question")


ACCEPTED = {"result": {"action": "accept", "content": {"username": "somebody", "email": "a@b.example"}}}


def handshake(fleet):
    """Checks that an agreement with one server holds at all servers."""
    one, two, three = fleet.replicas
    for version in ("2025-03-26", "2025-06-18", LEGACY):
        session = fleet.session(one, version=version)
        session.notify(two, "notifications/initialized")
        check(session.ask(three, "ping") == {}, f"{version}: a ping elsewhere")
        first = session.ask(one, "tools/list")
        for at in (two, three):
            check(session.ask(at, "tools/list") == first, f"{version}: {at.name} lists the same tools")
        session.finish(two)
    # A host of agents receives text alone. Only the first server learned that the client is one.
    for client in ("claude-code", "a-program"):
        session = fleet.session(two, client=client)
        forms = [set(session.ask(at, "tools/call", name="list_skills", arguments={})) for at in fleet.replicas]
        check(forms[0] == forms[1] == forms[2] and ("structuredContent" in forms[0]) == (client == "a-program"),
              f"{client}: {forms}")
        session.finish(three)
    # No server asks a client that cannot be asked.
    session = fleet.session(one)
    for at in fleet.replicas:
        result = session.ask(at, "tools/call", name="test_elicitation", arguments={"message": "Who?"})
        check(result.get("isError"), f"a client without the capability is asked at {at.name}: {result}")
    session.finish(one)


def walk(fleet):
    """Loads and unloads at servers in random order, and checks that each server reports the right state. A server
    learns of a load elsewhere by a message; until the message arrives it sends a skill once more. After an unload
    it sends the skill at once."""
    source = random.Random(20261126)
    session, model = fleet.session(fleet.replicas[0]), set()
    for step in range(300):
        at, name = source.choice(fleet.replicas), f"skill-{source.randrange(6)}"
        match source.randrange(5):
            case 0:
                status = session.tool(at, "unload_skill", skill_name=name)["status"]
                expected = ["unloaded" if name in model else "not_loaded"]
                model.discard(name)
            case 1:
                status, expected = session.loaded(at), [set(model)]
            case _:
                status = session.load(at, name)
                expected = ["loaded", "already_loaded"] if name in model else ["loaded"]
                model.add(name)
        check(status in expected, f"step {step} at {at.name}, {name}: {status} in place of {expected}")
    # All servers learn of the last unload.
    session.tool(fleet.replicas[0], "unload_skill", skill_name="skill-1")
    for at in fleet.replicas:
        until(lambda at=at: session.load(at, "skill-2") == "already_loaded", f"{at.name} knows what is loaded")
    session.finish(fleet.replicas[1])


def at_once(fleet):
    """Uses one session at all servers at once, and checks that none of its loads is lost."""
    session, failed = fleet.session(fleet.replicas[0]), []

    def load(at, names):
        try:
            failed.extend(name for name in names if session.load(at, name) != "loaded")
        except (AssertionError, OSError) as error:
            failed.append(str(error))

    threads = [threading.Thread(target=load, args=(at, [f"skill-{number}" for number in range(first, 30, 3)]))
               for first, at in enumerate(fleet.replicas)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(3 * DEADLINE)
    check(not failed, f"loads at all servers at once: {failed[:5]}")
    for at in fleet.replicas:
        missing = {f"skill-{number}" for number in range(30)} - session.loaded(at)
        check(not missing, f"{at.name} has forgotten {sorted(missing)}")
    session.finish(fleet.replicas[2])


def changed(fleet):
    """Checks that a changed skill is sent again exactly once, whichever server is asked."""
    one, two, three = fleet.replicas
    session = fleet.session(one)
    check(session.load(one, "skill-3") == "loaded", "loaded for the first time")
    until(lambda: session.load(two, "skill-3") == "already_loaded", "another server hears of it")
    write_skill(fleet.skills, "skill-3", "The second description of 3.", "The second text.\n")
    for at in fleet.replicas:
        until(lambda: "second" in json.dumps(session.ask(at, "resources/list")), f"{at.name} knows of the change")
    data = session.tool(two, "load_skill", skill_name="skill-3")
    check(data["status"] == "loaded" and "The second text." in data["content"], f"loaded anew: {data}")
    for at in fleet.replicas:
        until(lambda at=at: session.load(at, "skill-3") == "already_loaded", f"{at.name} knows that it was")
    session.finish(one)


def questions(fleet):
    """Checks that a tool can ask at one server while the client answers at another one."""
    one, two, three = fleet.replicas
    session = fleet.session(one, capabilities=ASKED)
    for at, elsewhere in ((one, two), (two, three), (three, one), (one, one)):
        stream, question = asking(session, at)
        session.answer(elsewhere, question, **ACCEPTED)
        told = stream.until(lambda message: message.get("id") == 7, "the result")
        check("somebody" in json.dumps(told), f"asked at {at.name}, answered at {elsewhere.name}: {told}")
        stream.close()
    stream = session.begin(two, 8, "test_sampling", prompt="Say something.")
    question = stream.until(is_question, "a question")
    session.answer(one, question, result={"role": "assistant", "model": "m", "content": {"type": "text", "text": "Something."}})
    told = stream.until(lambda message: message.get("id") == 8, "the result")
    check("Something." in json.dumps(told), f"sampling: {told}")
    stream.close()
    stream, question = asking(session, three)
    session.answer(two, question, error={"code": -1, "message": "no"})
    told = stream.until(lambda message: message.get("id") == 7, "the result")
    check(told.get("result", {}).get("isError"), f"an error as the answer: {told}")
    stream.close()
    session.finish(three)


def resumed(fleet):
    """Drops the client's connection in the middle of a call. The server that runs the call has the rest; the others
    open the stream of the session and report that each list may have changed."""
    one, two, three = fleet.replicas
    session = fleet.session(one, capabilities=ASKED)
    session.notify(one, "notifications/initialized")
    for answered_first in (False, True):
        stream, question = asking(session, one)
        last = stream.last
        check(last is not None, "events have ids")
        stream.close()
        back = None if answered_first else session.listen(one, last)
        session.answer(two, question, **ACCEPTED)
        if answered_first:
            time_of_result(session, one)
            back = session.listen(one, last)
        what = f"back {'after' if answered_first else 'before'} the answer"
        if check_status(back, what):
            rest = back.ends()
            check(len(rest) == 1 and rest[0].get("id") == 7 and "somebody" in json.dumps(rest), f"{what}: {rest}")
        back.close()
    for elsewhere in (two, three):
        back = session.listen(elsewhere, last)
        if check_status(back, f"an event of another server, at {elsewhere.name}"):
            back.until(lambda message: message.get("method") == "notifications/tools/list_changed", "that lists may have changed")
        back.close()
    session.finish(two)


def time_of_result(session, at):
    """Waits until the call has ended at that server, because its id is free again only then."""
    def is_free():
        status, answer = session.post(at, legacy("ping", id=7))
        return status == 200 and "result" in answer
    until(is_free, "the end of the call")


def check_status(stream, what):
    check(stream.status == 200, f"{what}: {stream.status}")
    return stream.status == 200


def cancelled(fleet):
    """Checks that a call at one server can be cancelled at another one."""
    one, two, three = fleet.replicas
    session = fleet.session(one, capabilities=ASKED)
    for at, elsewhere in ((one, two), (two, three), (three, one)):
        stream, _ = asking(session, at)
        session.notify(elsewhere, "notifications/cancelled", requestId=7)
        rest = stream.ends()
        check(not any("result" in message for message in rest), f"running at {at.name}, cancelled at {elsewhere.name}: {rest}")
        stream.close()
    session.finish(one)


def ended(fleet):
    """Checks that a session that ends at one server ends at all: its streams, its calls and its record."""
    one, two, three = fleet.replicas
    before = set(fleet.engine.keys())
    session = fleet.session(one, capabilities=ASKED)
    session.load(three, "skill-1")
    listening = session.listen(one)
    stream, _ = asking(session, three)
    session.finish(two)
    for what, open_stream in (("the standing stream", listening), ("a call", stream)):
        rest = open_stream.ends()
        check(not any("result" in message for message in rest), f"{what} after the end: {rest}")
        open_stream.close()
    for at in fleet.replicas:
        until(lambda at=at: session.post(at, legacy("ping"))[0] == 404, f"POST at {at.name} is refused after the end")
        check(session.status(at, "DELETE") == 404, f"DELETE at {at.name} after the end")
        check(session.status(at, "GET") == 404, f"GET at {at.name} after the end")
    left = sorted(set(fleet.engine.keys()) - before)
    check(len(left) <= 1, f"left in the engine: {left}")
    for key in left:  # the mark of the end, for servers that still know the session
        value, spans = fleet.engine.ask("GET", key), fleet.engine.ask("PTTL", key)
        check(len(value) < 200 and spans > 0, f"left in the engine: {key}, {len(value)} bytes for {spans} ms")


def foreign(fleet):
    """Checks that a caller who has only the id of a session learns that there is none."""
    session = fleet.session(fleet.replicas[0], capabilities=ASKED)
    stream, question = asking(session, fleet.replicas[0])
    for at in fleet.replicas:
        for body in (legacy("ping"), legacy("tools/list"), {"jsonrpc": "2.0", "id": question["id"], **ACCEPTED},
                     {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}):
            status, answer = session.post(at, body, token=fleet.foreign)
            check(status == 404, f"a stranger's {body.get('method', 'answer')} at {at.name}: {status} {answer}")
        for method in ("GET", "DELETE"):
            status = session.status(at, method, token=fleet.foreign)
            check(status == 404, f"a stranger's {method} at {at.name}: {status}")
    session.answer(fleet.replicas[1], question, **ACCEPTED)
    told = stream.until(lambda message: message.get("id") == 7, "the result")
    check("somebody" in json.dumps(told), f"it is the owner's still: {told}")
    stream.close()
    session.finish(fleet.replicas[2])


def settings(fleet):
    """Checks that a level and subscriptions that are set at one server act on a stream of another one."""
    one, two, three = fleet.replicas
    session = fleet.session(one)
    session.notify(one, "notifications/initialized")
    stream, heard = session.listen(two), []
    listener = threading.Thread(target=collect, args=(stream, heard), daemon=True)
    listener.start()

    def told(method, **params):
        return any(one.get("method") == method and all(one["params"].get(key) == value for key, value in params.items())
                   for one in list(heard))

    def change(name, text):
        heard.clear()
        write_skill(fleet.skills, name, f"The description {text}.", f"The text {text}.\n")
        until(lambda: told("notifications/resources/list_changed"), f"the change {text}")

    uri = "skill://skills/skill-5/SKILL.md"
    session.ask(three, "resources/subscribe", uri=uri)
    change("skill-5", "third")
    until(lambda: told("notifications/resources/updated", uri=uri), "what is subscribed to at another server")
    session.ask(one, "resources/unsubscribe", uri=uri)
    change("skill-5", "fourth")
    change("skill-6", "fifth")  # sent after the notification that must not be sent
    check(not told("notifications/resources/updated"), "what is no longer subscribed to")
    # The log's lines about skills go to sessions that have set a level.
    session.ask(three, "logging/setLevel", level="warning")
    heard.clear()
    (fleet.skills / "nameless").mkdir()
    (fleet.skills / "nameless" / "SKILL.md").write_text("---\nname: nameless\n---\nNo description.\n")
    until(lambda: told("notifications/message", level="warning"), "a line of the log")
    (fleet.skills / "nameless" / "SKILL.md").unlink()
    # The level also filters a tool's own lines.
    for level, count in (("error", 0), ("debug", 3)):
        session.ask(two, "logging/setLevel", level=level)

        def lines():
            call = session.begin(one, 9, "test_tool_with_logging")
            found = [message for message in call.ends() if message.get("method") == "notifications/message"]
            call.close()
            return len(found)

        until(lambda count=count: lines() == count, f"{level}: {count} lines")
    session.finish(three)
    listener.join(DEADLINE)
    check(not listener.is_alive(), "the stream ends with the session")


def collect(stream, heard):
    with contextlib.suppress(OSError, http.client.HTTPException):
        for _, message in stream:
            if message is not None:
                heard.append(message)


def stopped(fleet):
    """Checks that neither an orderly stop nor a kill of a server ends a session."""
    one, two, three = fleet.replicas
    session = fleet.session(one, capabilities=ASKED)
    session.notify(one, "notifications/initialized")
    session.load(one, "skill-1")
    listening = session.listen(one)
    check(one.end() == 0, "an orderly end")
    listening.ends()
    check(session.load(two, "skill-1") == "already_loaded", "the session goes on after an orderly end")
    one.start()
    until(lambda: one.state() == (200, "ready"), "it is back")
    check(session.load(one, "skill-1") == "already_loaded", "also where it was opened")
    stream, question = asking(session, one)
    last = stream.last
    one.end(signal.SIGKILL)
    begun = time.monotonic()
    stream.ends()
    # The call of the killed server is lost: its stream has ended without a result, and a client that returns is
    # notified about the lists.
    back = session.listen(two, last)
    if check_status(back, "back after a kill"):
        back.until(lambda message: message.get("method") == "notifications/tools/list_changed", "that lists may have changed")
    check(time.monotonic() - begun < DEADLINE, f"back after a kill: {time.monotonic() - begun:.1f} s")
    back.close()
    session.answer(three, question, **ACCEPTED)  # no call waits for it: it is accepted and dropped
    check(session.load(three, "skill-1") == "already_loaded", "the session goes on after a kill")
    one.start()
    until(lambda: one.state() == (200, "ready"), "it is back")
    session.finish(one)


def too_old(folder):
    """Checks that a session that is dropped from memory goes on, and ends everywhere when its id is too old."""
    # This case waits for real seconds; the cap keeps it short in a slow build.
    slowness = min(SLOWNESS, 5)
    fleet = Fleet(folder, "--set", "http.session_idle_s=1", "--set", f"http.session_max_age_s={int(8 * slowness)}")
    one, two, three = fleet.replicas
    begun = time.monotonic()
    session = fleet.session(one)
    session.load(one, "skill-1")
    until(lambda: time.monotonic() > begun + 3, "it is dropped from memory")
    for at in fleet.replicas:
        check(session.loaded(at) == {"skill-1"}, f"dropped from memory, it goes on at {at.name}")
    check(fleet.engine.sessions(), "the engine has a record")
    for at in fleet.replicas:
        until(lambda at=at: session.post(at, legacy("ping"))[0] == 404, f"it is over at {at.name}", 20 * SLOWNESS)
    check(time.monotonic() > begun + 7 * slowness, "and not before its time")
    until(lambda: not fleet.engine.sessions(), "nothing is left of it", 20 * SLOWNESS)
    fleet.end()


def hidden(fleet):
    """Checks that neither the engine's traffic nor its data names an owner or contains a secret."""
    written = fleet.engine.written()
    check(len(fleet.seen) > 10_000 and PREFIX.encode() in written, "the engine was in use")
    for words in (fleet.token, fleet.foreign, fleet.secret, fleet.engine.password, OWNER, STRANGER, *fleet.ids):
        check(words.encode() not in fleet.seen, f"the engine was sent {words[:12]}…")
        check(words.encode() not in written, f"the engine holds {words[:12]}…")
    for replica in fleet.replicas:
        log = replica.log()
        for words in (fleet.token, fleet.foreign, fleet.secret, fleet.engine.password):
            check(words not in log, f"{replica.name} has logged {words[:8]}…")
        check("what a session remembers is not written" not in log, f"{replica.name} has answered before it could write what had changed")


def main():
    skip_without("redis-server")
    with tempfile.TemporaryDirectory(prefix="skillhost-sessions-") as folder:
        fleet = Fleet(folder)
        for test in (handshake, walk, at_once, changed, questions, resumed, cancelled, ended, foreign, settings, stopped):
            begun, failed = time.monotonic(), checks.failed
            try:
                test(fleet)
            except (AssertionError, OSError, KeyError, http.client.HTTPException) as error:
                check(False, f"{test.__name__}: {type(error).__name__} {error}")
            print(f"  {test.__name__}: {time.monotonic() - begun:.1f} s, {checks.failed - failed} failed", flush=True)
        fleet.end()
        hidden(fleet)
        if checks.failed:
            for replica in fleet.replicas:
                print(f"--- the end of the log of {replica.name}\n" + replica.log()[-3000:])
    with tempfile.TemporaryDirectory(prefix="skillhost-old-") as folder:
        too_old(folder)
    return checks.finish()


sys.exit(main())
