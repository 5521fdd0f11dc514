# SPDX-License-Identifier: Apache-2.0
"""Clients of both protocols that know the right answer to everything, for the test of several servers
(replicas_test.py). Each runs on its own thread; a Tally combines their observations."""
import collections
import dataclasses
import http.client
import itertools
import random
import statistics
import threading
import time

from checks import DEADLINE, SLOWNESS
from http_server import LEGACY, MODERN, legacy, modern
from replicas import Door, Events

PATIENCE = 3 * DEADLINE  # for one request with all its repetitions
HEARD = 10 * SLOWNESS  # seconds within which all servers learn of a change in a session
BROKEN = (OSError, http.client.HTTPException)


@dataclasses.dataclass
class Told:
    """A change of a skill that clients must be notified of."""
    number: int
    skill: str
    at: float


class Wrong(Exception):
    """An answer that must not occur."""


def spans_of(moments):
    """Pairs beginnings and ends; the last one may have no end yet."""
    return itertools.zip_longest(moments[::2], moments[1::2], fillvalue=float("inf"))


def within(spans, begin, end):
    return any(first <= end and begin <= last for first, last in spans)


class Tally:
    """The observations of all clients. May be used on any thread."""

    def __init__(self, without_engine):
        """`without_engine`: the spans in which a server could not reach the engine."""
        self.without_engine, self.lock = without_engine, threading.Lock()
        self.over = threading.Event()
        self.calls = 0
        self.counts, self.by_replica = collections.Counter(), collections.Counter()
        self.seconds, self.wrong, self.disturbances, self.restarts = [], [], [], []

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def answered(self, replica, seconds):
        with self.lock:
            self.calls += 1
            self.by_replica[replica] += 1
            self.seconds.append(seconds)

    def fail(self, words):
        with self.lock:
            self.wrong.append(words)

    def disturbed(self, of_engine=False):
        """Called when a disturbance begins, and when it ends."""
        self.disturbances.append(time.monotonic())
        if of_engine:
            self.restarts.append(self.disturbances[-1])

    def was_disturbed(self, begin, end):
        """Returns whether a disturbance, or an outage of the engine, overlaps this time."""
        return within(spans_of(self.disturbances), begin, end) or self.was_without_engine(begin, end)

    def was_without_engine(self, begin, end):
        """Returns whether a restart of the engine, or an outage for its own reasons, overlaps this time: on a busy
        machine it may be slow, and then a server reports it."""
        return within(spans_of(self.restarts), begin, end) or within(self.without_engine(), begin, end)

    def figures(self):
        hundredths = statistics.quantiles(self.seconds, n=100)
        return (f"{self.calls} calls answered, p50 {hundredths[49] * 1000:.1f} ms, p99 {hundredths[98] * 1000:.1f} ms; "
                + "by server " + ", ".join(f"{name} {count}" for name, count in sorted(self.by_replica.items())) + "; "
                + ", ".join(f"{what} {count}" for what, count in sorted(self.counts.items())))


class Listener(threading.Thread):
    """Keeps an event stream open, and reconnects when it breaks. No event may come twice."""

    def __init__(self, client):
        super().__init__(daemon=True)
        self.client, self.tally = client, client.tally
        self.events, self.heard = None, []  # times of list changes
        self.opened = threading.Event()
        self.ids, self.last, self.gone = set(), None, False
        self.openings, self.attached = 0, False

    def heard_since(self, at):
        return any(when >= at for when in self.heard)

    def unbroken(self):
        """Returns the number of the stream's opening; None while it is closed. The same number before and after
        means that it never broke."""
        return self.openings if self.attached else None

    def run(self):
        while not self.gone:
            try:
                self.listen()
            except BROKEN:
                if not self.gone:
                    self.tally.count("streams broken")
            except Wrong as error:
                self.tally.fail(f"client {self.client.number}, its stream: {error}")
                return

    def listen(self):
        self.events = self.client.open_stream(self.last)
        status = self.events.status
        if status == 503:
            return self.client.pause(self.events.response.headers)
        if status == 404 and self.last is not None and b"this event is not stored" in self.events.response.read():
            # The missed events are not kept, so it begins a new stream and looks at the lists.
            self.tally.count("streams that could not go on where they were")
            self.last = None
            return None
        if status in (502, 504):
            return self.tally.count("streams broken")
        if status != 200:
            raise Wrong(f"status {status} {self.events.response.read()[:200]}")
        if self.last is not None:
            self.tally.count("streams gone on with")
        self.openings, self.attached = self.openings + 1, True
        self.opened.set()
        if self.gone:
            self.events.close()  # end() was called while it was opened
        try:
            for number, message in self.events:
                self.take(number, message)
        finally:
            self.attached = False
        if not self.gone:
            self.tally.count("streams broken")
        return None

    def take(self, number, message):
        if number:
            self.last = number
        if message is None:
            return
        if number and number in self.ids:
            raise Wrong(f"the event {number} came twice: {message}")
        self.ids.add(number)
        if message.get("method") == "notifications/resources/list_changed":
            self.heard.append(time.monotonic())

    def end(self):
        self.gone = True
        if self.events:
            self.events.close()
        self.join(DEADLINE)


class Client(threading.Thread):
    """Sends requests until the end of the test, checks every answer, and repeats a request when told to or when
    there was no answer."""

    def __init__(self, number, run):
        super().__init__(daemon=True)
        self.number, self.tally, self.marks, self.port = number, run.tally, run.skills.marks, run.port
        self.token = run.tokens[number % len(run.tokens)]
        self.random, self.count = random.Random(number), 0
        self.door, self.listener = Door(run.port, self.token), None
        self.replicas = set()  # that have answered it
        self.listens = False
        self.to_see = []  # changes without a notification

    def run(self):
        try:
            self.begin()
            while not self.tally.over.is_set():
                self.see_changes()
                self.step()
            self.see_changes()
            self.finish()
        except Wrong as error:
            self.tally.fail(f"client {self.number}: {error}")
        finally:
            if self.listener:
                self.listener.end()
            self.door.close()

    def pause(self, fields):
        """Waits as long as a refusing server says."""
        after = fields["Retry-After"]
        if after is None or not after.isdigit() or int(after) > 10:
            raise Wrong(f"a refusal with the hint {after}")
        self.tally.count("refused with a retry hint")
        time.sleep(max(int(after), 0.1))  # as a polite client does

    def attempt(self, body, method="POST"):
        """Sends one request and returns its answer, or None if the connection broke before it."""
        begun = time.monotonic()
        try:
            answer = self.door.ask(method, body, **self.fields(body))
        except TimeoutError:
            raise Wrong(f"no answer to {body}") from None
        except BROKEN:
            self.tally.count("broken by a kill")
            return None
        if answer.replica is None:  # from the balancer: its server has gone
            if answer.status not in (502, 503):
                raise Wrong(f"the balancer says {answer.status} to {body}")
            self.tally.count(f"answered by the balancer with {answer.status}")
            return None
        if answer.status in (200, 202, 204):
            self.tally.answered(answer.replica, time.monotonic() - begun)
            self.replicas.add(answer.replica)
        return answer

    def send(self, make, method="POST"):
        """Returns the answer, and whether a killed server may have carried out the request before."""
        end, unsure = time.monotonic() + PATIENCE, False
        while time.monotonic() < end:
            body = make()
            answer = self.attempt(body, method)
            if answer is None:
                if not self.tally.was_disturbed(time.monotonic() - 5 * SLOWNESS, time.monotonic()):
                    raise Wrong(f"a connection broke, and no server was killed: {body}")
                unsure = True
                continue
            if answer.status != 503:
                return answer, unsure
            unsure = unsure or method == "DELETE"  # the engine may have done this without confirming it
            self.pause(answer.fields)
        raise Wrong(f"not answered within {PATIENCE} s: {method}")

    def ask(self, method, **params):
        """Returns the result of a request, and whether it may have been carried out before."""
        def make():
            self.count += 1
            return self.message(method, f"{self.number}-{self.count}", params)

        answer, unsure = self.send(make)
        if answer.status != 200:
            raise Wrong(f"{method}: {answer.status} {answer.messages} from {answer.replica}")
        own = [one for one in answer.messages if "id" in one]
        if len(own) != 1 or own[0]["id"] != f"{self.number}-{self.count}":
            raise Wrong(f"{method}: {len(own)} answers, for {[one['id'] for one in own]}")
        if "result" not in own[0]:
            raise Wrong(f"{method} {params}: {own[0]} from {answer.replica}")
        return own[0]["result"], unsure

    def tool(self, name, **arguments):
        result, unsure = self.ask("tools/call", name=name, arguments=arguments)
        envelope = result["structuredContent"]
        if not envelope["success"]:
            raise Wrong(f"{name} {arguments}: {envelope}")
        return envelope["data"], unsure

    def see_changes(self):
        """Checks that the next list contains changes without a notification."""
        while self.to_see:
            told = self.to_see.pop()
            listed, _ = self.ask("resources/list")
            [shown] = [one["description"] for one in listed["resources"] if f"/{told.skill}/" in one["uri"]]
            if int(shown.split()[1]) < told.number:
                raise Wrong(f"change {told.number} was neither told nor is it in the next list: {shown}")
            self.tally.count("list_changed repaired by the next list")

    def check_text(self, name, text):
        if self.marks[name] not in text:
            raise Wrong(f"another text than that of {name}: {text[:200]}")

    def read(self):
        """Makes a request that both protocols answer in the same way."""
        name = self.random.choice(list(self.marks))
        match self.random.randrange(4):
            case 0:
                listed, _ = self.ask("tools/list")
                if "load_skill" not in {tool["name"] for tool in listed["tools"]}:
                    raise Wrong(f"tools/list: {listed}")
            case 1:
                read, _ = self.ask("resources/read", uri=f"skill://skills/{name}/SKILL.md")
                self.check_text(name, read["contents"][0]["text"])
            case 2:
                data, _ = self.tool("list_skills")
                missing = set(self.marks) - {one["name"] for one in data["skills"]}
                if missing:
                    raise Wrong(f"list_skills without {missing}")
            case _:
                got, _ = self.ask("prompts/get", name=name)
                self.check_text(name, str(got["messages"]))


class ModernClient(Client):
    """Makes requests that are complete in themselves, so that no server has to remember anything."""

    def __init__(self, number, run):
        super().__init__(number, run)
        self.listens = number % 10 == 0

    def begin(self):
        if self.listens:
            self.listener = Listener(self)
            self.listener.start()

    def message(self, method, id, params):
        return modern(method, id=id, **params)

    def fields(self, body):
        params = body["params"]
        named = params.get("uri") or params.get("name")
        return {"MCP_Protocol_Version": MODERN, "Mcp_Method": body["method"], **({"Mcp_Name": named} if named else {})}

    def open_stream(self, _):
        body = modern("subscriptions/listen", id=f"{self.number}-listen", notifications={"resourcesListChanged": True})
        return Events(self.port, "POST", body, self.token, PATIENCE * 10, **self.fields(body))

    def step(self):
        if self.random.randrange(2):
            return self.read()
        name = self.random.choice(list(self.marks))
        data, _ = self.tool("load_skill", skill_name=name)
        if data["status"] != "loaded" or data["skill_name"] != name:
            raise Wrong(f"load_skill {name} without a session: {data}")
        self.check_text(name, data["content"])

    def finish(self):
        pass


class LegacyClient(Client):
    """Uses a session that every server has to know, above all its loaded skills."""

    def __init__(self, number, run):
        super().__init__(number, run)
        self.listens = True
        self.session = None
        self.loaded = {}  # name: the span in which a server confirmed it
        self.unloaded = {}  # likewise
        self.unsure = set()  # the server was killed, so the state of these is unknown

    def message(self, method, id, params):
        return legacy(method, id=id, **params)

    def fields(self, _):
        if self.session is None:
            return {}
        return {"Mcp_Session_Id": self.session, "MCP_Protocol_Version": LEGACY}

    def open_stream(self, last):
        more = {} if last is None else {"Last_Event_ID": last}
        return Events(self.port, token=self.token, patience=PATIENCE * 10, **self.fields(None), **more)

    def begin(self):
        self.session, self.loaded, self.unloaded, self.unsure = None, {}, {}, set()
        self.tally.count("sessions opened")
        answer, _ = self.send(lambda: legacy("initialize", id="first", protocolVersion=LEGACY, capabilities={},
                                             clientInfo={"name": "replicas-test", "version": "1"}))
        if answer.status != 200 or "result" not in answer.messages[0]:
            raise Wrong(f"initialize: {answer.status} {answer.messages}")
        self.session = answer.fields["Mcp-Session-Id"]
        answer, _ = self.send(lambda: {"jsonrpc": "2.0", "method": "notifications/initialized"})
        if answer.status != 202:
            raise Wrong(f"notifications/initialized: {answer.status}")
        self.ask("logging/setLevel", level="warning")
        self.ask("resources/subscribe", uri="skill://skills/changing-0/SKILL.md")
        self.listener = Listener(self)
        self.listener.start()

    def step(self):
        if self.number % 4 == 0 and self.random.randrange(40) == 0:
            self.finish()
            return self.begin()
        name = self.random.choice(list(self.marks)[:10])  # few, so that most are loaded already
        match self.random.randrange(10):
            case 0 | 1:
                self.read()
            case 2:
                self.unload(name)
            case 3:
                self.compare()
            case 4:
                self.load(name, force_reload=True)
            case _:
                self.load(name)
        return None

    def load(self, name, **more):
        begun = time.monotonic()
        data, unsure = self.tool("load_skill", skill_name=name, **more)
        if data["skill_name"] != name:
            raise Wrong(f"load_skill {name}: {data}")
        known, status = name in self.loaded, data["status"]
        if name in self.unsure or unsure:
            self.tally.count("loads whose session may have had them")
        elif status == "already_loaded" and not known:
            self.said_loaded(name, begun)
        elif status == "loaded" and known and not more:
            self.sent_again(name, begun)
        if status == "loaded":
            self.check_text(name, data["content"])
        elif more:
            raise Wrong(f"load_skill {name} with force_reload: {data}")
        self.unsure.discard(name)
        if status == "loaded":
            self.loaded[name] = begun, time.monotonic()
        else:
            self.loaded.setdefault(name, (begun, time.monotonic()))

    def excused(self, span, begun):
        """Returns whether the engine was unreachable when it should have stored this, or is unreachable now: then a
        server goes on with its own knowledge. A killed server is no excuse: it had stored its answers before, and
        a client does not know the result of a request that the kill broke, see `unsure`."""
        out = self.tally.was_without_engine
        return out(begun, time.monotonic()) or (span is not None and out(*span))

    def sent_again(self, name, begun):
        """Accepts a repeated text, which is not wrong: the server may not know yet, or the engine was away."""
        if begun - self.loaded[name][1] > HEARD and not self.excused(self.loaded[name], begun):
            raise Wrong(f"load_skill has forgotten {name}, and the engine was there")
        self.tally.count("texts sent again")

    def said_loaded(self, name, begun):
        """Accepts "loaded" if the server may not know of the unloading yet, or the engine was away."""
        span = self.unloaded.get(name)
        if span is None or (begun - span[1] > HEARD and not self.excused(span, begun)):
            raise Wrong(f"load_skill says {name} is loaded, and it is not: unloaded {self.unloaded.get(name)}")
        self.tally.count("unloads forgotten")

    def unload(self, name):
        begun = time.monotonic()
        data, unsure = self.tool("unload_skill", skill_name=name)
        known = name in self.loaded
        if not unsure and name not in self.unsure and data["status"] != ("unloaded" if known else "not_loaded"):
            if not self.excused((self.loaded if known else self.unloaded).get(name), begun):
                raise Wrong(f"unload_skill {name}, loaded: {known}: {data}")
        self.unsure.discard(name)
        self.loaded.pop(name, None)
        self.unloaded[name] = begun, time.monotonic()

    def compare(self):
        """Checks that the session has the loaded skills, whichever server is asked."""
        begun = time.monotonic()
        data, _ = self.tool("get_loaded_skills_info")
        differ = {one["name"] for one in data["loaded_skills"]} ^ set(self.loaded)
        differ -= self.unsure
        spans = {**self.unloaded, **self.loaded}
        differ -= {name for name in differ if name in spans and self.excused(spans[name], begun)}
        if differ:
            raise Wrong(f"get_loaded_skills_info differs in {differ}")

    def finish(self):
        """Checks that a session that ended at one server has ended at all."""
        self.listener.end()
        begun = time.monotonic()
        answer, unsure = self.send(lambda: None, "DELETE")
        if answer.status != 204 and not (unsure and answer.status == 404):
            raise Wrong(f"DELETE: {answer.status}")
        for _ in range(3):
            end = time.monotonic() + HEARD
            while (answer := self.send(lambda: legacy("ping", id="last"))[0]).status != 404:
                # A server that cannot learn of the end continues with its copy until it can.
                if self.excused((begun, time.monotonic()), begun):
                    break
                if time.monotonic() > end:
                    raise Wrong(f"a session that has ended: {answer.status} from {answer.replica}")
