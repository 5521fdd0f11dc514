#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests engines in groups: three real sentinels whose master is killed and stopped, and a real cluster of three
whose slots move, whose node dies and whose node is replaced. replicas_test.py DRIVER"""
from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from engines import PATIENCE, Driver, Redis, free_port, skip_without_engine
from checks import Checks, until  # noqa: E402  (engines knows where it is)

DRIVER = sys.argv[1]
QUICK: dict[str, Any] = {"timeout_ms": 500, "ping_ms": 200, "longest_pause_ms": 200}
checks = Checks()
check = checks.check


def master_of(*engines: Redis) -> Redis:
    """Returns the master; asks until there is one, because there may be none in the middle of a change."""
    found: list[Redis] = []

    def asked() -> bool:
        found[:] = [one for one in engines if "role:master" in one.cli("info", "replication", check=False)]
        return len(found) == 1

    until(asked, "one of them is the master", PATIENCE)
    return found[0]


def offset_of(engine: Redis, name: str) -> int:
    """Returns an offset in the stream of replication, in bytes."""
    found = re.search(rf"^{name}:(\d+)", engine.cli("info", "replication"), re.M)
    assert found, name
    return int(found[1])


def sentinels(folder: Path) -> None:
    with ExitStack() as stack:
        master = stack.enter_context(Redis(folder / "one"))
        replicas = [stack.enter_context(Redis(folder / name, f"replicaof 127.0.0.1 {master.port}")) for name in ("two", "three")]
        watchers = [stack.enter_context(Redis(folder / f"sentinel{i}", f"sentinel monitor mine 127.0.0.1 {master.port} 2",
                                              "sentinel down-after-milliseconds mine 1500", "sentinel failover-timeout mine 4000",
                                              sentinel=True)) for i in range(3)]
        def joined() -> bool:
            return all("slaves=2,sentinels=3" in one.cli("info", "sentinel", check=False) for one in watchers)

        until(joined, "the sentinels know each other and the replicas", PATIENCE)
        dead = f"127.0.0.1:{free_port()}"
        driver = stack.enter_context(Driver(DRIVER, sentinels=[dead, *[one.address for one in watchers]], master_name="mine", **QUICK))
        answer = driver.ask("check", deadline=10_000)
        check(answer["status"] == "ok", f"by sentinels, one of whom is not there: {answer}")
        check(driver.status("put", "a", "1") == "ok" and master.cli("get", "a") == "1", "the master has it")
        check(driver.status("subscribe", "x") == "ok", "subscribed")
        until(lambda: all(one.cli("get", "a") == "1" for one in replicas), "the replicas have it")
        for number, what in ((signal.SIGKILL, "killed"), (signal.SIGSTOP, "stopped")):
            current = master_of(master, *replicas)
            begin = time.monotonic()
            if number == signal.SIGKILL:
                current.end()
            else:
                current.send(number)
            until(lambda: driver.status("get", "a") == "unavailable" or driver.get("a") == b"1", "noticed")
            until(lambda: driver.status("put", "b", what) == "ok", f"{what}: the new master is used", 2 * PATIENCE)
            print(f"master {what}: writes again after {time.monotonic() - begin:.1f} s")
            check(driver.get("a") == b"1", f"{what}: what was there is there")
            until(lambda: driver.status("subscribe", "x") == "ok", "subscribed at the new one")
            got = driver.receive(1)
            check(bool(got) and got[0]["lost"], f"{what}: messages may have been lost: {got}")

            # The loop sends until a message arrives: on a busy machine the sentinels may change the master once more in
            # between.
            def comes() -> bool:
                driver.ask("publish", "x", what)
                return what.encode() in [m["payload"] for m in driver.receive(1, 500)]

            until(comes, f"{what}: messages come", PATIENCE)
            if number == signal.SIGKILL:
                check(current.start(), "the old one starts again")
            else:
                current.send(signal.SIGCONT)
            # The sentinels make a replica of it, and the plugin stays with the new master. On a busy machine they do
            # nothing for 30 s ("tilt"). The replica must have all data: it started empty, and may be the next master.
            until(lambda: all(word in current.cli("info", "replication", check=False) for word in ("role:slave", "master_link_status:up")),
                  "the old one is a replica", 4 * PATIENCE)
            until(joined, "all are well again", PATIENCE)
            until(lambda: driver.status("put", "b", "after") == "ok" and driver.get("b") == b"after",
                  f"{what}: the old one is back, writes go on", PATIENCE)
        current = master_of(master, *replicas)
        # The sentinel refuses while a failover goes on, and before it has heard of a replica that could take over. A
        # failover that it has begun may also fail.
        def taken_over() -> bool:
            watchers[0].cli("sentinel", "failover", "mine", check=False)
            end = time.monotonic() + 5
            while time.monotonic() < end:
                if "role:slave" in current.cli("info", "replication", check=False):
                    return True
            return False

        until(taken_over, "a failover that the operator wants", 2 * PATIENCE)
        until(lambda: driver.status("put", "c", "1") == "ok", "the new one is used")
        wrong = stack.enter_context(Driver(DRIVER, sentinels=[watchers[0].address], master_name="other", **QUICK))
        check("other" in wrong.ask("check")["why"], "a name that the sentinels do not know")
        for one in watchers:
            one.send(signal.SIGSTOP)
        check(driver.status("put", "c", "2") == "ok", "without sentinels the master goes on")
        late = stack.enter_context(Driver(DRIVER, sentinels=[one.address for one in watchers], master_name="mine", **QUICK))
        answer = late.ask("get", "a")
        check(answer["status"] == "unavailable" and answer["us"] < 4_000_000, f"silent sentinels: {answer}")
        answer = late.ask("get", "a")
        check(answer["status"] == "unavailable" and answer["us"] < 250_000, f"silent sentinels, at once: {answer}")
        for one in watchers:
            one.send(signal.SIGCONT)
        until(lambda: late.get("a") == b"1", "they speak again")


def cluster(folder: Path) -> None:
    with ExitStack() as stack:
        def node(name: str) -> Redis:
            return stack.enter_context(Redis(folder / name, "cluster-enabled yes", "cluster-node-timeout 1000",
                                             "cluster-require-full-coverage no", bus=True))

        nodes = [node(f"node{i}") for i in range(3)]
        made = subprocess.run(["redis-cli", "--cluster", "create", *[one.address for one in nodes], "--cluster-yes"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
        assert made.returncode == 0, made.stdout + made.stderr
        until(lambda: all("cluster_state:ok" in one.cli("cluster", "info") for one in nodes), "the cluster is whole", PATIENCE)
        driver = stack.enter_context(Driver(DRIVER, cluster=[f"127.0.0.1:{free_port()}", nodes[0].address], **QUICK))
        answer = driver.ask("check", deadline=10_000)
        check(answer["status"] == "ok", f"by a node, and one that is not there: {answer}")
        keys = [f"key{i}" for i in range(100)]
        check(all(driver.status("put", key, key) == "ok" for key in keys), "keys of all nodes are put")
        check(all(driver.get(key) == key.encode() for key in keys), "and got")
        sizes = [int(one.cli("dbsize")) for one in nodes]
        check(sum(sizes) == 100 and min(sizes) > 0, f"each where it belongs: {sizes}")
        check([driver.status("cas", key, "2", expected=key) for key in keys] == ["ok"] * 100, "scripts on all nodes")
        check(driver.status("put", "{tag}1", "x") == "ok" and driver.get("{tag}1") == b"x", "a tag")
        other = stack.enter_context(Driver(DRIVER, cluster=[nodes[2].address], **QUICK))
        for i in range(8):
            check(other.status("subscribe", f"channel{i}") == "ok", "subscribed")
        for number in range(25):
            for i in range(8):
                driver.ask("publish", f"channel{i}", str(number))
        got = other.receive(200)
        check(all([m["payload"] for m in got if m["channel"] == f"channel{i}".encode()] == [str(n).encode() for n in range(25)] for i in range(8)),
              "messages of all channels come, each channel's in order")

        # A slot moves from one node to another: ASK, TRYAGAIN, then MOVED.
        slot = nodes[0].cli("cluster", "keyslot", "moving")
        owner = next(one for one in nodes if not one.cli("get", "moving").startswith("MOVED"))
        target = next(one for one in nodes if one is not owner)
        ids = {one.port: one.cli("cluster", "myid") for one in nodes}
        target.cli("cluster", "setslot", slot, "importing", ids[owner.port])
        owner.cli("cluster", "setslot", slot, "migrating", ids[target.port])
        check(driver.status("put", "moving", "1") == "ok" and driver.get("moving") == b"1", "a key that is asked for elsewhere (ASK)")
        check(driver.ask("add", "{moving}n", delta=4)["sum"] == "4", "a counter, by a script that the other has not seen")
        for one in (target, *[n for n in nodes if n is not target]):
            one.cli("cluster", "setslot", slot, "node", ids[target.port])
        check(driver.get("moving") == b"1" and driver.ask("add", "{moving}n", delta=1)["sum"] == "5", "then it has moved (MOVED)")

        # When one node dies, its keys are unavailable at once; those of the others stay.
        victim = nodes[1]
        own = [key for key in keys if not victim.cli("get", key).startswith("MOVED")]
        rest = [key for key in keys if key not in own]
        victim.send(signal.SIGSTOP)
        until(lambda: driver.status("get", own[0]) == "unavailable", "a node is silent")
        begin = time.monotonic()
        check({driver.status("get", key) for key in own} == {"unavailable"} and time.monotonic() - begin < 5, "its keys are away, at once")
        check({driver.status("get", key) for key in rest} == {"ok"}, "the others' are not")
        victim.send(signal.SIGCONT)
        until(lambda: all(driver.status("get", key) == "ok" for key in keys), "it is back", PATIENCE)
        # The node is killed, and its replica takes its place.
        replica = node("replica")
        joined = subprocess.run(["redis-cli", "--cluster", "add-node", replica.address, nodes[0].address, "--cluster-slave",
                                 "--cluster-master-id", ids[victim.port]], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=2 * PATIENCE, check=False)
        assert joined.returncode == 0, joined.stdout + joined.stderr
        until(lambda: "master_link_status:up" in replica.cli("info", "replication", check=False), "the replica has all", PATIENCE)
        check(driver.status("put", own[0], "kept") == "ok", "written before")
        until(lambda: offset_of(replica, "slave_repl_offset") >= offset_of(victim, "master_repl_offset"), "the replica has it, too", PATIENCE)
        victim.end()
        begin = time.monotonic()
        until(lambda: driver.status("put", own[1], "new") == "ok", "the replica takes its place", 2 * PATIENCE)
        print(f"node killed: its keys are written again after {time.monotonic() - begin:.1f} s")
        check(driver.get(own[0]) == b"kept", "what was written is there")
        check({driver.status("get", key) for key in keys} == {"ok"}, "all of it")

        def comes_again() -> bool:
            driver.ask("publish", "channel0", "after")
            return b"after" in [m["payload"] for m in other.receive(1, 500)]

        until(comes_again, "messages come", PATIENCE)
        single = stack.enter_context(Driver(DRIVER, address=nodes[0].address, **QUICK))
        answers = [single.ask("get", key) for key in keys]
        check(any("cluster" in one["why"] for one in answers), "a node of a cluster that is configured as an address says so")
    with Redis(folder / "alone") as engine, Driver(DRIVER, cluster=[engine.address], **QUICK) as driver:
        answer = driver.ask("check")
        check(answer["status"] != "ok" and "cluster" in answer["why"], f"an engine that is no cluster: {answer}")


def main() -> int:
    skip_without_engine()
    with tempfile.TemporaryDirectory() as name:
        sentinels(Path(name))
        cluster(Path(name))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
