#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests every promise of the kind with the plugin valkey and a real engine. promises_test.py DRIVER"""
from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from engines import Driver, Redis, skip_without_engine
from checks import Checks, until  # noqa: E402  (engines knows where it is)

DRIVER = sys.argv[1]
checks = Checks()
check = checks.check
BINARY = bytes(range(256)) + b"\r\n$5\r\n*1\0{}"


def values(one: Driver, other: Driver) -> None:
    check(one.get("a") == "not_found", "nothing is there at first")
    check(one.status("put", "a", "1") == "ok" and other.get("a") == b"1", "another instance sees what was put")
    check(one.status("put", BINARY, BINARY) == "ok" and other.get(BINARY) == BINARY, "keys and values are bytes")
    check(one.status("put", "empty", "") == "ok" and other.get("empty") == b"", "an empty value is a value")
    large = bytes(i % 251 for i in range(1 << 20))
    check(one.status("put", "large", large) == "ok" and other.get("large") == large, "1 MiB is stored")
    check(one.status("put", "large", large + b"x") == "too_large" and other.get("large") == large, "more is not, and nothing is done")
    check(one.status("put", "k" * 512, "1") == "ok", "a key of 512 bytes")
    for op in ("get", "put", "cas", "erase", "publish", "subscribe"):
        check(one.status(op, "k" * 513, "1") == "invalid", f"{op}: a key of 513 bytes is refused")
        check(one.status(op, "", "1") == "invalid", f"{op}: an empty key is refused")


def comparisons(one: Driver, other: Driver) -> None:
    check(one.status("cas", "c", "1") == "ok", "where there is none it is set")
    check(other.status("cas", "c", "2") == "stale" and one.get("c") == b"1", "where there is one it is not")
    check(one.status("cas", "c", "2", expected="1") == "ok" and other.get("c") == b"2", "the expected value is replaced")
    check(other.status("cas", "c", "3", expected="1") == "stale" and one.get("c") == b"2", "another one is not")
    check(one.status("cas", "nobody", "3", expected="1") == "stale" and one.get("nobody") == "not_found", "none is not replaced")
    check(one.status("cas", "b", BINARY) == "ok" and one.status("cas", "b", b"\0", expected=BINARY) == "ok", "bytes are compared")
    check(one.status("cas", "b", b"", expected=b"\0") == "ok" and one.status("cas", "b", b"1", expected=b"") == "ok", "empty ones, too")
    check(one.status("erase", "c", expected="1") == "stale" and one.get("c") == b"2", "erase: another value stays")
    check(one.status("erase", "c", expected="2") == "ok" and one.get("c") == "not_found", "erase: the expected one goes")
    check(one.status("erase", "c", expected="2") == "not_found" and one.status("erase", "c") == "not_found", "erase: there is none")
    one.status("put", "c", "x")
    check(one.status("erase", "c") == "ok" and one.get("c") == "not_found", "erase: whatever is there")
    numbers = [(d, d.begin("cas", f"race{i}", str(i))) for i in range(50) for d in (one, other)]
    won = [d.finish(n)["status"] for d, n in numbers]
    check(sorted(won) == ["ok"] * 50 + ["stale"] * 50, "of two who set the same first, one has set it")


def expiry(engine: Redis, one: Driver) -> None:
    one.status("put", "e", "1", expiry=60_000)
    check(0 < int(engine.cli("pttl", "e")) <= 60_000, "what is put has its time")
    one.get("e")
    check(int(engine.cli("pttl", "e")) <= 60_000, "get leaves the time")
    one.get("e", expiry=600_000)
    check(int(engine.cli("pttl", "e")) > 60_000, "get gives a new one")
    one.status("put", "e", "1")
    check(engine.cli("pttl", "e") == "-1", "put without a time takes the old one away")
    for op, more in (("cas", {"expected": "1"}), ("cas", {})):
        if not more:
            one.status("erase", "e")
        check(one.status(op, "e", "2", expiry=60_000, **more) == "ok" and 0 < int(engine.cli("pttl", "e")) <= 60_000, f"{op} {more}: time")
    one.status("cas", "e", "3", expected="2")
    check(engine.cli("pttl", "e") == "-1", "a comparison without a time takes it away")
    one.status("put", "short", "1", expiry=50)
    until(lambda: one.get("short") == "not_found", "what has expired is not there")
    check(one.status("put", "ever", "1", expiry=2**63) == "ok", "the longest time there is")


def counters(engine: Redis, one: Driver, other: Driver) -> None:
    check(one.ask("add", "n", delta=5)["sum"] == "5" and other.ask("add", "n", delta=-7)["sum"] == "-2", "sums")
    check(engine.cli("pttl", "n") == "-1", "without a time it stays")
    check(one.ask("add", "t", delta=1, expiry=60_000)["sum"] == "1", "with a time")
    check(one.ask("add", "t", delta=1, expiry=6_000_000)["sum"] == "2" and int(engine.cli("pttl", "t")) <= 60_000,
          "its time begins once, and is not extended")
    one.ask("add", "soon", delta=9, expiry=30)
    until(lambda: one.ask("add", "soon", delta=0, expiry=30)["sum"] == "0", "after its time it begins at 0")
    top = 2**63 - 1
    check(one.ask("add", "top", delta=top)["sum"] == str(top), "no digit is lost")
    check(one.status("add", "top", delta=1) == "invalid" and one.ask("add", "top", delta=0)["sum"] == str(top), "overflow changes nothing")
    check(one.ask("add", "top", delta=-top)["sum"] == "0" and one.ask("add", "low", delta=-(2**63))["sum"] == str(-(2**63)), "the lowest")
    check(one.status("add", "low", delta=-1) == "invalid", "overflow downwards")
    numbers = [(d, d.begin("add", "many", delta=1)) for _ in range(100) for d in (one, other)]
    check(sorted(int(d.finish(n)["sum"]) for d, n in numbers) == list(range(1, 201)), "nobody's addition is lost, none done twice")


def others_things(engine: Redis, one: Driver) -> None:
    engine.cli("rpush", "list", "x")
    for op, more in (("get", {}), ("get", {"expiry": 1_000}), ("cas", {"expected": "x"}), ("erase", {"expected": "x"}), ("add", {"delta": 1})):
        check(one.status(op, "list", "v", **more) == "corrupt" and engine.cli("type", "list") == "list", f"{op}: a list stays what it is")
    check(engine.cli("pttl", "list") == "-1", "and gets no time")
    check(one.status("cas", "list", "v") == "stale", "there is one")
    check(one.status("put", "list", "v") == "ok" and one.get("list") == b"v", "put takes its place")
    engine.cli("rpush", "list2", "x")
    check(one.status("erase", "list2") == "ok", "erase takes it away")
    one.status("put", "text", "abc")
    check(one.status("add", "text", delta=1) == "corrupt" and one.get("text") == b"abc", "a value is no counter")
    engine.cli("setrange", "huge", str(2 << 20), "x")
    check(one.status("get", "huge") == "corrupt", "a value larger than any of ours")
    check(one.get("text") == b"abc", "and the next answer is the right one")
    engine.cli("script", "flush")
    check(one.ask("add", "after", delta=3)["sum"] == "3", "an engine that has forgotten the scripts")


def messages(one: Driver, other: Driver) -> None:
    begin = time.monotonic()
    answer = one.ask("receive", deadline=200)
    check(answer["status"] == "ok" and answer["messages"] == [], "none until the deadline")
    check(0.15 < time.monotonic() - begin < 5, "and the wait was as long")
    check(one.status("receive", deadline=60_000, cancel=100) == "cancelled", "a wait can be cancelled")
    for driver in (one, other):
        for channel in ("x", BINARY):
            check(driver.status("subscribe", channel) == "ok" and driver.status("subscribe", channel) == "ok", "subscribed, twice too")
    for i in range(300):
        one.ask("publish", "x", str(i))
    one.ask("publish", BINARY, BINARY)
    one.ask("publish", "nobody", "1")
    for driver, name in ((one, "the sender"), (other, "another")):
        got = driver.receive(301)
        check([m["payload"] for m in got if m["channel"] == b"x"] == [str(i).encode() for i in range(300)], f"{name}: all, in order")
        check([m["payload"] for m in got if m["channel"] == BINARY] == [BINARY], f"{name}: bytes")
        check(len(got) == 301 and not any(m["lost"] for m in got), f"{name}: nothing else, nothing lost")
    check(one.status("unsubscribe", "x") == "ok" and one.status("unsubscribe", "x") == "not_found", "unsubscribed once")
    one.ask("publish", "x", "unheard")
    one.ask("publish", BINARY, "heard")
    check([m["payload"] for m in one.receive(1)] == [b"heard"], "what was unsubscribed from does not come")
    check(one.status("subscribe", "x") == "ok", "subscribed again")
    one.ask("publish", "x", "again")
    check([m["payload"] for m in one.receive(1)] == [b"again"], "and it comes again")
    other.receive(3)
    large = b"m" * (1 << 20)
    check(one.status("publish", "x", large + b"m") == "too_large", "a payload beyond 1 MiB is refused")
    check(one.status("publish", "x", large) == "ok" and one.receive(1)[0]["payload"] == large, "one of 1 MiB is not")


def overflow_of_messages(engine: Redis, configuration: dict[str, str]) -> None:
    with Driver(DRIVER, **configuration) as slow, Driver(DRIVER, **configuration) as fast:
        slow.status("subscribe", "flood")
        for _ in range(6):
            fast.ask("publish", "flood", "m", bench=1_000)
        fast.ask("publish", "flood", "end")
        until(lambda: slow.metrics.get("message_losses", 0) == 6_001 - 4_096, "all have come, and the oldest had to go")
        got = slow.receive(4_096)
        check(got[0]["lost"] and not any(m["lost"] for m in got[1:]), "the first after those that were dropped says so")
        check(len(got) == 4_096 and got[-1]["payload"] == b"end", "4,096 wait, the newest")
        stopped = slow.ask("receive", deadline=200)
        check(stopped["messages"] == [], "all were taken")
        for word in ("1", "2", "3"):
            fast.ask("publish", "flood", word)
        refused = slow.ask("receive", deadline=5_000, room=0)
        check(refused["status"] == "cancelled", "the host takes none")
        check([m["payload"] for m in slow.receive(3)] == [b"1", b"2", b"3"], "and gets them the next time")
        many = [slow.begin("subscribe", f"ch{i}") for i in range(1_023)]
        check({slow.finish(n)["status"] for n in many} == {"ok"}, "1,024 channels")
        check(slow.status("subscribe", "one more") == "too_large", "no more of them")
        engine.cli("ping")


def cost(one: Driver) -> None:
    one.status("put", "cost", "v" * 200)
    answer = one.ask("get", "cost", bench=20_000)
    print(f"get: {answer['us'] / 20_000:.1f} µs, {answer['cpu_us'] / 20_000:.1f} µs of processor time")
    check(answer["status"] == "ok", "20,000 in a row")


def main() -> int:
    skip_without_engine()
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder) / "s"
        with Redis(Path(folder) / "engine", f"unixsocket {local}") as engine:
            for configuration in ({"address": engine.address}, {"address": str(local)}, {"address": engine.address, "database": 3}):
                engine.cli("flushall")
                with Driver(DRIVER, **configuration) as one, Driver(DRIVER, **configuration) as other:
                    answer = one.ask("check")
                    check(answer["status"] == "ok", f"check: {answer['why']}")
                    check(engine.cli("dbsize") == "0", "check leaves nothing behind")
                    values(one, other)
                    comparisons(one, other)
                    if "database" not in configuration:
                        expiry(engine, one)
                        counters(engine, one, other)
                        others_things(engine, one)
                    messages(one, other)
                    cost(one)
                    names = engine.cli("client", "list")
                    check("name=skillhost:test" in names, "the engine knows who it is")
                    check(one.end() == 0, "it ends")
            overflow_of_messages(engine, {"address": engine.address})
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
