#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that changes on disk are seen soon and in few steps: live_reload_test.py SERVER. Measures and prints the
time from the change to the notification, to the list and to the search."""
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import SLOWNESS
from session import DEADLINE, Broken, Session, write_skill

# The promise is half a second; sanitizers and emulators get a multiple of it.
LIMIT = 0.5 * SLOWNESS
CHANGED = "notifications/resources/list_changed"


class Missed(Exception):
    """A promise that was not kept."""


def names(session):
    found, offset = [], 0
    while True:
        page = session.listing(offset=offset)
        found += [skill["name"] for skill in page["skills"]]
        offset += len(page["skills"])
        if not page["hasMore"] or not page["skills"]:
            return found


def seen(session, what, since):
    """Returns the seconds from `since` until what() holds. Each look is one round trip; there is a deadline."""
    while not what():
        if time.monotonic() - since > DEADLINE:
            raise Missed(f"not seen within {DEADLINE} s")
    return time.monotonic() - since


def listed(session, name, wanted):
    return lambda: (name in names(session)) == wanted


def found(session, text, name, wanted):
    return lambda: (name in [r["name"] for r in session.tool("find_helpful_skills", task_description=text)["results"]]) == wanted


def fresh(root, count):
    for number in range(count):
        write_skill(root, f"steady-{number}", f"Stays as it is, number {number}.")


def opened(server, root, count):
    session = Session([server, "--skills-dir", str(root)])
    seen(session, lambda: len(names(session)) == count, time.monotonic())
    return session


def within_half_a_second(server, root):
    """Checks new, changed and removed skills, one after another, ten times. Each time uses another server, because
    notifications in quick succession come in growing intervals."""
    fresh(root, 20)
    times = {"notification": [], "list": [], "search": []}
    wrong = None
    for round_number in range(10):
        with opened(server, root, 20) as session:
            name, word = f"guest-{round_number}", f"unicycle{round_number}"
            steps = [
                (lambda: write_skill(root, name, "Waits."), listed(session, name, True), None),
                (lambda: write_skill(root, name, f"Rides a {word}."), None, found(session, word, name, True)),
                (lambda: shutil.rmtree(Path(root) / name), listed(session, name, False), found(session, word, name, False)),
            ]
            for change, in_list, in_search in steps:
                session.notifications.clear()
                start = time.monotonic()
                change()
                times["notification"].append(session.wait_for(CHANGED) - start)
                for kind, what in (("list", in_list), ("search", in_search)):
                    if what:
                        times[kind].append(seen(session, what, start))
            wrong = wrong or session.end()
    for kind, values in times.items():
        print(f"  {kind}: median {statistics.median(values) * 1000:.0f} ms, worst {max(values) * 1000:.0f} ms of {len(values)}")
    worst = max(max(values) for values in times.values())
    if worst > LIMIT:
        raise Missed(f"a change was seen after {worst * 1000:.0f} ms, the limit is {LIMIT * 1000:.0f}")
    return wrong


def member(value, name):
    """Returns the first member with that name at any depth."""
    if isinstance(value, dict):
        if name in value:
            return value[name]
        value = list(value.values())
    if isinstance(value, list):
        return next((found for inner in value if (found := member(inner, name)) is not None), None)
    return None


def thousand_at_once(server, root):
    """Checks that 1,000 new skills cause few rebuilds and few notifications."""
    fresh(root, 20)
    with tempfile.TemporaryDirectory(prefix="skillhost-beside-", dir=Path(root).parent) as beside, \
            opened(server, root, 20) as session:
        for number in range(1000):
            write_skill(beside, f"many-{number}", f"One of many, number {number}.")
        before = member(session.tool("get_server_stats"), "rebuilds")
        session.notifications.clear()
        start = time.monotonic()
        for number in range(1000):
            (Path(beside) / f"many-{number}").rename(Path(root) / f"many-{number}")
        written = time.monotonic()
        seen(session, lambda: len(names(session)) == 1020, start)
        done = time.monotonic()
        after = member(session.tool("get_server_stats"), "rebuilds")
        told = sum(1 for _, name in session.notifications if name == CHANGED)
        print(f"  1,000 changes: written in {(written - start) * 1000:.0f} ms, all seen {(done - written) * 1000:.0f} ms later, "
              f"{after - before} rebuilds, {told} notifications")
        if after - before > 20 or told > 20:
            raise Missed(f"{after - before} rebuilds and {told} notifications for one wave of changes")
        if done - written > 4 * LIMIT:
            raise Missed(f"the last of 1,000 changes was seen after {(done - written) * 1000:.0f} ms")
        return session.end()


def same_bytes(server, root):
    """Checks that rewriting SKILL.md with the same bytes changes no list, although a follower of the file is
    notified."""
    write_skill(root, "calm", "Stays as it is.")
    write_skill(root / "calm", "inner", "Lies inside.")
    with opened(server, root, 2) as session:
        listed_before = session.call("skills/list")
        for path in ("calm", "calm/inner"):
            entry = root / path / "SKILL.md"
            uri = next(one["uri"] for one in session.call("resources/list")["resources"] if one["uri"].endswith(f"{path}/SKILL.md"))
            session.call("resources/subscribe", uri=uri)
            session.notifications.clear()
            os.utime(entry, (1, 1))
            # It comes after the notifications about lists.
            seen(session, lambda: session.call("ping") == {} and
                 any(name == "notifications/resources/updated" for _, name in session.notifications), time.monotonic())
            told = [name for _, name in session.notifications if name.endswith("list_changed")]
            if told or session.call("skills/list") != listed_before:
                raise Missed(f"{path} was touched, and told was {told}")
            session.call("resources/unsubscribe", uri=uri)
        session.notifications.clear()
        text = entry.read_text()
        entry.write_text(text.replace("Body", "Ydob"))
        session.wait_for(CHANGED)
        return session.end()


def size_of(session, uri, name):
    children = session.call("resources/directory/read", uri=uri)["resources"]
    return next((child.get("size", 0) for child in children if child["name"] == name), 0)


def file_grows(server, root):
    """Checks that a growing file is reported in growing intervals, including the last change, and never to a client
    that lists no files."""
    write_skill(root, "grower", "Grows.")
    log = root / "grower" / "log.txt"

    def grow(session, uri, times):
        session.notifications.clear()
        start = time.monotonic()
        for number in range(times):
            with log.open("a") as file:
                file.write("One more line.\n")
            written, wanted = time.monotonic(), log.stat().st_size
            seen(session, lambda: size_of(session, uri, "log.txt") == wanted, written)
        return time.monotonic() - start, written

    with opened(server, root, 1) as session:
        uri = session.call("resources/list")["resources"][0]["uri"].removesuffix("/SKILL.md")
        after, last = grow(session, uri, 30)
        # The intervals are 0.1, 0.2, 0.4 seconds and so on.
        most = 2 + math.log2(1 + after / 0.1)
        told = sum(1 for _, name in session.notifications if name == CHANGED)
        print(f"  a file that grew 30 times in {after:.2f} s was told {told} times, at most {most:.1f} are right")
        if not 1 <= told <= most:
            return f"{told} notifications"
        while session.wait_for(CHANGED) < last:
            pass
        if ended := session.end():
            return ended
    with opened(server, root, 1) as session, opened(server, root, 1) as other:
        session.call("resources/list")
        session.notifications.clear()
        grow(other, uri, 5)
        session.tool("reload_skills_directory")
        session.call("ping")
        told = [name for _, name in session.notifications]
        return f"told was {told}" if told else session.end() or other.end()


def root_appears(server, root):
    """Checks that a missing root is served as empty, and filled as soon as it appears."""
    later = Path(root) / "later" / "skills"
    source = json.dumps([{"name": "later", "config": {"directories": [str(later)], "optional": True}}])
    with Session([server, "--set", f"sources={source}"]) as session:
        if names(session) != []:
            raise Missed("a root that is not there is served empty")
        write_skill(Path(root) / "prepared", "arrival", "Comes with its root.")
        later.parent.mkdir()
        start = time.monotonic()
        (Path(root) / "prepared").rename(later)
        after = seen(session, listed(session, "arrival", True), start)
        print(f"  a root that appears is seen after {after * 1000:.0f} ms")
        return session.end()


def root_is_a_file(server, root):
    """Checks that a root that is a file, or missing, fails the start with advice, and that --keep-going serves the
    rest."""
    path = Path(root) / "skills"
    path.write_text("no folder")
    for wrong, words in ((path, "is a file: write the path of a folder"), (Path(root) / "none", "does not exist: create the folder")):
        run = subprocess.run([server, "--skills-dir", str(wrong)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        if run.returncode != 1 or f"skillhost: --skills-dir: {wrong} {words}" not in run.stderr:
            return f"exit {run.returncode}: {run.stderr}"
        with Session([server, "--keep-going", "--skills-dir", str(wrong)]) as session:
            if names(session) != [] or words not in session.server.stderr():
                return f"--keep-going: {session.server.stderr()}"
            if ended := session.end():
                return ended
    return None


def root_vanishes(server, root):
    """Checks that the skills of a root that vanishes stay listed, and that it may return with other content."""
    path = Path(root) / "skills"
    fresh(path, 3)
    with opened(server, path, 3) as session:
        start = time.monotonic()
        path.rename(Path(root) / "gone")
        after = seen(session, lambda: names(session) and "skills cannot be read: No such file" in session.server.stderr(), start)
        if len(names(session)) != 3:
            raise Missed(f"the skills of a root that vanished are {names(session)}")
        print(f"  a root that vanishes is seen after {after * 1000:.0f} ms")
        write_skill(Path(root) / "prepared", "comeback", "Comes with the new root.")
        start = time.monotonic()
        (Path(root) / "prepared").rename(path)
        after = seen(session, lambda: names(session) == ["comeback"], start)
        print(f"  a root that comes back is seen after {after * 1000:.0f} ms")
        return session.end()


def main():
    cases = [within_half_a_second, thousand_at_once, same_bytes, file_grows, root_appears, root_is_a_file, root_vanishes]
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="skillhost-reload-") as scratch:
            root = Path(scratch) / "root"
            root.mkdir()
            try:
                wrong = case(sys.argv[1], root)
            except (Missed, Broken) as error:
                wrong = str(error)
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok    '} {case.__name__} {wrong or ''}", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
