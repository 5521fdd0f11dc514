#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the faults of an engine: it is stopped, restarted, paused, full, loading, in read-only mode, or cannot be
reached; its user lacks rights; TLS is wrong; and a peer speaks another protocol. faults_test.py DRIVER"""
from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engines import Driver, Redis, free_port, skip_without_engine
from checks import SLOWNESS, Checks, until  # noqa: E402  (engines knows where it is)

DRIVER = sys.argv[1]
QUICK: dict[str, Any] = {"timeout_ms": 500, "ping_ms": 200, "longest_pause_ms": 200}
# These rights are the line of the plugin's README, for one engine.
RIGHTS = ("~skillhost:* &skillhost:* -@all +get +getex +set +del +exists +incrby +pexpire +eval +evalsha +publish +subscribe "
          "+unsubscribe +ping +info +client|setname +select").split()
checks = Checks()
check = checks.check


def is_away_at_once(driver: Driver, what: str) -> None:
    """Checks that every operation except receive fails at once."""
    until(lambda: driver.status("get", "a") == "unavailable", f"{what}: noticed")
    for op, more in (("get", {}), ("put", {}), ("cas", {}), ("cas", {"expected": "1"}), ("erase", {}), ("add", {"delta": 1}),
                     ("publish", {}), ("subscribe", {})):
        answer = driver.ask(op, f"{what} {op}", "1", **more)
        check(answer["status"] == "unavailable", f"{what}: {op} {answer}")
        check(answer["us"] < 250_000 * SLOWNESS, f"{what}: {op} fails at once: {answer['us']} µs")


def stopped(folder: Path) -> None:
    with Redis(folder / "stopped") as engine, Driver(DRIVER, address=engine.address, **QUICK) as driver:
        driver.status("put", "a", "1")
        check(driver.status("subscribe", "x") == "ok", "subscribed")
        engine.send(signal.SIGSTOP)
        answer = driver.ask("get", "a", deadline=300)
        check(answer["status"] == "deadline" and 250_000 < answer["us"] < 900_000 * SLOWNESS, f"stopped: its own deadline: {answer}")
        is_away_at_once(driver, "stopped")
        check(engine.address in driver.ask("get", "a")["why"], "the reason names the address")
        engine.send(signal.SIGCONT)
        driver.works_again()
        check(driver.get("a") == b"1", "what was there is there")
        until(lambda: driver.status("subscribe", "x") == "ok", "subscribed again")
        got = driver.receive(1)
        check(got[0]["lost"], f"messages may have been lost: {got}")
        driver.ask("publish", "x", "1")
        check([m["payload"] for m in driver.receive(2, 2_000) if m["channel"]] == [b"1"], "and messages come again")

        engine.send(signal.SIGSTOP)
        answer = driver.ask("get", "a", deadline=60_000, cancel=100)
        check(answer["status"] == "cancelled" and answer["us"] < 400_000 * SLOWNESS, f"stopped: cancelled: {answer}")
        engine.send(signal.SIGCONT)
        driver.works_again()
        engine.cli("client", "pause", "3000")
        until(lambda: driver.status("put", "a", "2", deadline=400) in ("deadline", "unavailable"), "paused")
        is_away_at_once(driver, "paused")
        driver.works_again()
        # The plugin also checks idle connections: without any call it notices the silence.
        outages = sum("away" in line for line in driver.logs)
        engine.send(signal.SIGSTOP)
        until(lambda: sum("away" in line for line in driver.logs) > outages, "the silence is noticed by PING")
        engine.send(signal.SIGCONT)
        driver.works_again()
        until(lambda: driver.metrics.get("outages", 0) >= 3 and driver.metrics.get("reconnects", 0) >= 3, "counted")


def restarted(folder: Path) -> None:
    with Redis(folder / "restarted") as engine, Driver(DRIVER, address=engine.address, **QUICK) as driver:
        driver.status("put", "a", "1")
        driver.ask("add", "n", delta=7)
        driver.status("subscribe", "x")
        engine.end()
        is_away_at_once(driver, "killed")
        check(driver.status("subscribe", "new") == "unavailable", "remembered")
        check(engine.start(), "the engine starts again")
        driver.works_again()
        check(driver.get("a") == "not_found" and driver.ask("add", "n", delta=1)["sum"] == "1", "it has forgotten, scripts too")
        got = driver.receive(1)
        check(got[0]["lost"], "that is said")
        for channel in ("x", "new"):
            until(lambda: f"channels={2}" in engine.cli("info", "clients") or engine.cli("pubsub", "numsub", channel).endswith("1"),
                  "it listens again")
            driver.ask("publish", channel, channel)
        got = driver.receive(2, 3_000)
        check([m["payload"] for m in got if m["channel"]] == [b"x", b"new"], f"both channels: {got}")
        # After a restart without calls, the plugin does not use the connections that were idle.
        engine.end()
        check(engine.start(), "again")
        until(lambda: driver.get("a") == "not_found", "used again")
        # Until it has subscribed, the connection for subscriptions is a normal one. If its login is cut off, the engine
        # counts as away for a moment.
        for channel in ("x", "new"):
            until(lambda: engine.cli("pubsub", "numsub", channel).endswith("1"), "it listens after the second restart")
        # Here only the connections end, while the engine goes on.
        for _ in range(20):
            engine.cli("client", "kill", "type", "normal", check=False)
            answer = driver.ask("get", "a")
            check(answer["status"] == "not_found", f"a connection that was ended is not used: {answer}")
        for _ in range(5):
            engine.cli("client", "kill", "type", "pubsub")
            got = driver.receive(1)
            check(got and got[0]["lost"], "its end is said")


def not_done_twice(folder: Path) -> None:
    """Cuts connections at any moment; the counter is never above the number of requests, nor below the number of
    answers."""
    with Redis(folder / "twice") as engine, Driver(DRIVER, address=engine.address, **QUICK) as driver:
        stop = threading.Event()

        def cut() -> None:
            while not stop.wait(0.003):
                engine.cli("client", "kill", "type", "normal", check=False)

        cutter = threading.Thread(target=cut)
        cutter.start()
        asked, done = 0, 0
        for _ in range(60):
            numbers = [driver.begin("add", "n", delta=1) for _ in range(20)]
            asked += len(numbers)
            done += sum(driver.finish(number)["status"] == "ok" for number in numbers)
        stop.set()
        cutter.join()
        driver.works_again()
        total = int(driver.ask("add", "n", delta=0)["sum"])
        check(done <= total <= asked, f"{done} answered, {total} done, {asked} asked")
        print(f"cut connections: {asked} asked, {total} done, {done} answered")


def full(folder: Path) -> None:
    with Redis(folder / "full", "maxmemory-policy noeviction") as engine, \
            Driver(DRIVER, address=engine.address, **QUICK) as driver:
        driver.ask("put", "n", "1")
        engine.cli("config", "set", "maxmemory", "1")
        for op, more in (("put", {}), ("cas", {}), ("cas", {"expected": "1"}), ("add", {"delta": 1})):
            answer = driver.ask(op, "n" if more else "other", "1", **more)
            check(answer["status"] == "unavailable" and "OOM" in answer["why"], f"full: {op} {answer}")
        check(driver.get("n") == b"1", "full: reading goes on")
        check(driver.status("erase", "n", expected="1") in ("ok", "unavailable"), "full: erase")
        engine.cli("config", "set", "maxmemory", "0")
        check(driver.status("put", "n", "1") == "ok", "room again")
    with Redis(folder / "evicts", "maxmemory 50mb", "maxmemory-policy allkeys-lru") as engine, \
            Driver(DRIVER, address=engine.address, **QUICK) as driver:
        check(driver.status("check") == "ok" and any("allkeys-lru" in line for line in driver.logs), "who forgets is warned of")


def not_ready(folder: Path) -> None:
    with Redis(folder / "master") as master, Redis(folder / "replica", f"replicaof 127.0.0.1 {master.port}") as replica, \
            Driver(DRIVER, address=replica.address, **QUICK) as driver:
        until(lambda: "master_link_status:up" in replica.cli("info", "replication"), "it is a replica")
        answer = driver.ask("put", "a", "1")
        check(answer["status"] == "unavailable" and "READONLY" in answer["why"], f"a replica takes no writes: {answer}")
        check(driver.status("check") == "unavailable", "and check says so")
        replica.cli("replicaof", "no", "one")
        driver.works_again()
    with Driver(DRIVER, address=f"127.0.0.1:{free_port()}", **QUICK) as driver:
        answer = driver.ask("check")
        check(answer["status"] == "unavailable" and "127.0.0.1" in answer["why"], f"nobody there: {answer}")
        is_away_at_once(driver, "nobody there")
    with Driver(DRIVER, address=str(folder / "no-socket"), **QUICK) as driver:
        check("no-socket" in driver.ask("get", "a")["why"], "no local socket")
    with Driver(DRIVER, address="no-such-host.invalid", **QUICK) as driver:
        check("no-such-host.invalid" in driver.ask("get", "a", deadline=20_000)["why"], "no such name")


def rights(folder: Path) -> None:
    secret = "correct-horse-battery"
    with Redis(folder / "rights", "requirepass other-secret") as engine:
        def cli(*words: str) -> str:
            return engine.cli("--no-auth-warning", "-a", "other-secret", *words)

        cli("acl", "setuser", "skillhost", "on", f">{secret}", "resetkeys", "resetchannels", *RIGHTS)
        known = {"address": engine.address, "user": "skillhost", "password": secret, **QUICK}
        with Driver(DRIVER, **known) as driver:
            answer = driver.ask("check")
            check(answer["status"] == "ok", f"the rights of the README suffice: {answer}")
            key = "skillhost:a"
            done = [driver.ask(op, key, "1", **more) for op, more in
                    (("put", {}), ("get", {}), ("get", {"expiry": 60_000}), ("cas", {}), ("cas", {"expected": "1"}), ("erase", {}),
                     ("add", {"delta": 1}), ("erase", {"expected": "1"}), ("subscribe", {}), ("publish", {}), ("unsubscribe", {}))]
            check([answer["status"] for answer in done] ==
                  ["ok", "ok", "ok", "stale", "ok", "ok", "ok", "ok", "ok", "ok", "ok"], f"for everything: {done}")
            answer = driver.ask("put", "elsewhere", "1")
            check(answer["status"] == "unavailable" and "NOPERM" in answer["why"], f"a key of others: {answer}")
            check(driver.status("subscribe", "elsewhere") == "denied" and driver.status("subscribe", "skillhost:b") == "ok", "a channel of others")
            check(driver.status("get", key) == "not_found", "and the rest goes on")
        with Driver(DRIVER, address=engine.address, password="other-secret", **QUICK) as driver:
            check(driver.status("check") == "ok", "the default user's password")
        for wrong in ({"password": "wrong-secret-12"}, {"user": "nobody", "password": "wrong-secret-12"}, {}):
            with Driver(DRIVER, address=engine.address, **wrong, **QUICK) as driver:
                answer = driver.ask("check")
                check(answer["status"] == "invalid", f"{wrong}: {answer}")
                late = driver.ask("get", "a")
                check(late["status"] == "unavailable", f"{wrong}: {late}")
                check("wrong-secret" not in str(answer) + str(late) + str(driver.logs), "no secret in any text")
        for less in ("-evalsha", "-getex", "-publish", "-subscribe", "-set", "-del"):
            cli("acl", "setuser", "skillhost", less)
            with Driver(DRIVER, **known) as driver:
                answer = driver.ask("check")
                check(answer["status"] == "invalid" and less[1:].upper() in answer["why"].upper(), f"{less}: {answer}")
            cli("acl", "setuser", "skillhost", "+" + less[1:])
        cli("acl", "setuser", "skillhost", "resetkeys", "~other:*")
        with Driver(DRIVER, **known) as driver:
            check(driver.status("check") == "invalid", "the keys")
        with Driver(DRIVER, **known, check_prefix="other:") as driver:
            check("SUBSCRIBE" in driver.ask("check")["why"], "then the channels")


def openssl(*words: str) -> None:
    subprocess.run(["openssl", *words], check=True, stdin=subprocess.DEVNULL, capture_output=True)


def certificate(folder: Path, name: str, alternative: str, authority: str = "ca") -> tuple[Path, Path]:
    key, request, made, extension = (folder / f"{name}.{end}" for end in ("key", "csr", "crt", "ext"))
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out", str(request), "-subj", f"/CN={name}")
    extension.write_text(f"subjectAltName={alternative}\n")
    openssl("x509", "-req", "-in", str(request), "-CA", str(folder / f"{authority}.crt"), "-CAkey", str(folder / f"{authority}.key"),
            "-CAcreateserial", "-out", str(made), "-days", "2", "-extfile", str(extension))
    return made, key


def encrypted(folder: Path) -> None:
    if shutil.which("openssl") is None:
        print("skipped: TLS: openssl is not installed")
        return
    for name in ("ca", "stranger"):
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.crt"),
                "-subj", f"/CN={name}", "-days", "2")
    server, server_key = certificate(folder, "server", "DNS:localhost,DNS:engine.test,IP:127.0.0.1")
    named, named_key = certificate(folder, "named", "DNS:other.test")
    client, client_key = certificate(folder, "client", "DNS:client")
    ca = str(folder / "ca.crt")

    def options(made: Path, key: Path, clients: str) -> tuple[str, ...]:
        return (f"tls-cert-file {made}", f"tls-key-file {key}", f"tls-ca-cert-file {ca}", f"tls-auth-clients {clients}")

    with Redis(folder / "tls", *options(server, server_key, "no"), tls=True) as engine:
        local = f"localhost:{engine.port}"
        for right in ({"address": engine.address}, {"address": local}, {"address": engine.address, "server_name": "engine.test"}):
            with Driver(DRIVER, tls=True, ca_file=ca, **right, **QUICK) as driver:
                answer = driver.ask("check", deadline=10_000)
                check(answer["status"] == "ok", f"TLS {right}: {answer}")
                large = bytes(i % 250 for i in range(1 << 20))
                check(driver.status("put", "large", large) == "ok" and driver.get("large") == large, "TLS: 1 MiB")
                check(driver.status("subscribe", "x") == "ok" and driver.status("publish", "x", large) == "ok", "TLS: messages")
                check(driver.receive(1)[0]["payload"] == large, "TLS: received")
                bench = driver.ask("get", "nobody", bench=1)
                check(bench["status"] == "not_found", "TLS: get")
                engine.send(signal.SIGSTOP)
                is_away_at_once(driver, "TLS: stopped")
                engine.send(signal.SIGCONT)
                driver.works_again()
        wrongs: tuple[tuple[dict[str, Any], str], ...] = (
            ({"ca_file": str(folder / "stranger.crt")}, "certificate"), ({}, "certificate"),
            ({"ca_file": ca, "server_name": "wrong.test"}, "mismatch"), ({"ca_file": ca, "server_name": "127.0.0.2"}, "mismatch"))
        for wrong, word in wrongs:
            with Driver(DRIVER, address=engine.address, tls=True, **wrong, **QUICK) as driver:
                answer = driver.ask("check")
                check(answer["status"] == "unavailable" and word in answer["why"], f"TLS {wrong}: {answer}")
        with Driver(DRIVER, address=engine.address, **QUICK) as driver:
            check(driver.ask("check")["status"] == "unavailable", "plain to an engine that speaks TLS")
    with Redis(folder / "named-engine", *options(named, named_key, "no"), tls=True) as engine:
        with Driver(DRIVER, address=engine.address, tls=True, ca_file=ca, **QUICK) as driver:
            check("mismatch" in driver.ask("check")["why"], "a certificate for another host is refused")
    with Redis(folder / "mutual", *options(server, server_key, "yes"), tls=True) as engine:
        with Driver(DRIVER, address=engine.address, tls=True, ca_file=ca, client_certificate=str(client), client_key=str(client_key),
                    **QUICK) as driver:
            check(driver.status("check") == "ok", "a client with its certificate")
        with Driver(DRIVER, address=engine.address, tls=True, ca_file=ca, **QUICK) as driver:
            check(driver.status("check") == "unavailable", "a client without")
    with Redis(folder / "plain") as engine, Driver(DRIVER, address=engine.address, tls=True, ca_file=ca, **QUICK) as driver:
        answer = driver.ask("check")
        check(answer["status"] == "unavailable" and engine.address in answer["why"], f"TLS to a plain engine: {answer}")
    missing = Driver(DRIVER, address="127.0.0.1", tls=True, ca_file="/no/such/file")
    check(missing.created == "invalid" and "ca_file" in missing.why, f"no such file: {missing.why}")


class Stranger:
    """A peer that sends wrong answers to a request."""

    def __init__(self, says: Callable[[socket.socket], None]) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.server.getsockname()[1]}"
        self.says = says
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        while True:
            try:
                one, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(one,), daemon=True).start()

    def serve(self, one: socket.socket) -> None:
        with one:
            try:
                self.says(one)
            except OSError:
                pass

    def __enter__(self) -> Stranger:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close()


def always(reply: bytes) -> Callable[[socket.socket], None]:
    def say(one: socket.socket) -> None:
        while one.recv(65_536):
            one.sendall(reply)
    return say


def endless(one: socket.socket) -> None:
    one.recv(65_536)
    one.sendall(b"+OK\r\n")
    one.recv(65_536)
    one.sendall(b"$1000000000\r\n")
    while True:
        one.sendall(b"x" * 65_536)


def drip(one: socket.socket) -> None:
    one.recv(65_536)
    for byte in b"+OK\r\n" * 1_000:
        one.sendall(bytes([byte]))
        time.sleep(0.05)  # the test is about a slow peer


def strangers() -> None:
    for name, reply in (("http", b"HTTP/1.1 400 Bad Request\r\n\r\n"), ("nothing", b""), ("half", b"$100\r\nabc"), ("list", b"*1\r\n*1\r\n:1\r\n"),
                        ("deep", b"*1\r\n" * 20), ("many", b"*2000000000\r\n"), ("integer", b":5\r\n"), ("nil", b"$-1\r\n"), ("negative", b"$-9\r\n"),
                        ("nonsense", b"\0\1\2\r\n"), ("moved", b"-MOVED 1 127.0.0.1:1\r\n"), ("ask", b"-ASK 1 :0\r\n"), ("error", b"-ERR \x1b[31m no\r\n"),
                        ("limit", b"-ERR max number of clients reached\r\n"), ("large", b"+" + b"x" * 2_000_000 + b"\r\n")):
        with Stranger(always(reply)) as one, Driver(DRIVER, address=one.address, **QUICK) as driver:
            for op, more in (("check", {}), ("put", {}), ("cas", {"expected": "1"}), ("add", {"delta": 1}), ("subscribe", {})):
                answer = driver.ask(op, "a", "1", **more)
                check(answer["status"] in ("unavailable", "failed", "invalid", "corrupt", "stale"), f"{name}: {op}: {answer}")
                check(answer["us"] < 6_000_000 * SLOWNESS and "\x1b" not in answer["why"], f"{name}: {op} ends: {answer}")
    for name, says in (("endless", endless), ("drip", drip)):
        with Stranger(says) as one, Driver(DRIVER, address=one.address, **QUICK) as driver:
            answer = driver.ask("get", "a")
            check(answer["status"] in ("unavailable", "corrupt", "failed") and answer["us"] < 5_000_000 * SLOWNESS, f"{name}: {answer}")


def lost_before_the_reply() -> None:
    """A connection ends after its second request arrived. A read is sent once more over a new connection, and a change
    is not, because the engine can have executed it."""
    received: list[bytes] = []

    def ends_after_one(one: socket.socket) -> None:
        asked = 0
        while command := one.recv(65_536):
            if b"CLIENT" in command:
                one.sendall(b"+OK\r\n")
                continue
            received.append(command)
            asked += 1
            if asked == 2:
                return
            one.sendall(b"$-1\r\n" if b"GET" in command else b"+OK\r\n")

    quiet = {"timeout_ms": 5_000, "ping_ms": 60_000}
    with Stranger(ends_after_one) as one, Driver(DRIVER, address=one.address, **quiet) as driver:
        answers = [driver.get("a"), driver.get("a"), driver.get("a", expiry=1_000)]
        check(answers == ["not_found"] * 3, f"a read is repeated: {answers}")
        check(len(received) == 5, f"each lost read was sent twice: {received}")
    received.clear()
    with Stranger(ends_after_one) as one, Driver(DRIVER, address=one.address, **quiet) as driver:
        answers = [driver.status("put", "a", "1"), driver.status("put", "a", "2")]
        check(answers == ["ok", "unavailable"], f"a change is not repeated: {answers}")
        check(len(received) == 2, f"each change was sent once: {received}")


def configurations() -> None:
    wrongs: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "address, sentinels, cluster"), ({"address": "a", "cluster": ["b"]}, "exactly one"), ({"address": "a:0"}, "address"),
        ({"address": "a b"}, "address"), ({"address": "[::1"}, "address"), ({"sentinels": ["a"]}, "master_name"),
        ({"cluster": ["/path"]}, "cluster[0]"), ({"cluster": ["a"], "database": 1}, "database"), ({"address": "a", "user": "u"}, "password"),
        ({"address": "a", "ca_file": "/x"}, "tls"), ({"address": "/x", "tls": True}, "tls"),
        ({"address": "a", "tls": True, "client_key": "/x"}, "client_certificate"), ({"address": "a", "timeout_ms": 0}, "timeout_ms"))
    for wrong, word in wrongs:
        driver = Driver(DRIVER, **wrong)
        check(driver.created == "invalid" and word in driver.why, f"{wrong}: {driver.created} {driver.why}")


def main() -> int:
    skip_without_engine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in (stopped, restarted, not_done_twice, full, not_ready, rights, encrypted):
            begin = time.monotonic()
            part(folder)
            print(f"{part.__name__}: {time.monotonic() - begin:.1f} s", flush=True)
        strangers()
        lost_before_the_reply()
        configurations()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
