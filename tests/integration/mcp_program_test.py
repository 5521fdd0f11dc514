#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skills of an MCP server that the source `mcp` starts as a program: of this server itself, and of one that
misbehaves. mcp_program_test.py SERVER ROOT [CASE ...]"""
import os
import signal
import sys
import time
from pathlib import Path

from checks import Checks
from mcp_source_cases import Place, manifests, run_cases, text_of
from session import Session, write_skill
from source_cases import SERVER, SLOWNESS, names, soon

PROGRAM = [sys.executable, str(Path(__file__).resolve().parent / "skills_program.py")]
checks = Checks()
check = checks.check


class Served:
    """A folder of skills, the program that serves it, and what the program wrote down."""

    def __init__(self, place, family, fault="none", skills=("first", "second")):
        self.folder = place.folder / f"skills-{family}-{fault.replace('/', '-').replace(':', '-')}"
        place.cache = Path(f"{self.folder}.cache")
        for skill in skills:
            write_skill(self.folder, skill, f"Does {skill}.")
        self.config = {"command": [*PROGRAM, str(self.folder), family, fault]}

    def lines(self):
        log = Path(f"{self.folder}.log")
        return log.read_text().splitlines() if log.exists() else []

    def starts(self):
        return [int(line.split()[1]) for line in self.lines() if line.startswith("start ")]

    def count(self, line):
        return self.lines().count(line)


def runs(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def own_server(place):
    """This server starts another one of its kind, which serves a folder."""
    folder = place.folder / "skills"
    for name in ("plain", "other"):
        write_skill(folder, name, "Does it.")
    (folder / "plain/some bytes").write_bytes(bytes(range(256)) * 40)
    command = ["/usr/bin/env", f"XDG_CACHE_HOME={place.folder}/inner", SERVER, "--skills-dir", str(folder)]
    with Session([SERVER, "--skills-dir", str(folder)]) as near:
        expected = manifests(near, "skills")
    with place.start({"command": command, "subscribe": True}) as session:
        got = {path.removeprefix("skills/"): files for path, files in manifests(session).items()}
        check(got == expected and len(got) == 2, f"{got} and not {expected}: {session.server.stderr()}")
        facts = session.call("skills/list")["skills"][0]["_meta"]["org.skillhost/facts"]
        check(facts["kind"] == "mcp" and facts["server_name"] == "skillhost", facts)
        write_skill(folder, "later", "Comes later.")
        check(soon(lambda: "later" in names(session)), f"a change is seen: {session.server.stderr()}")
        check(session.end() is None, "the end")


def families(place):
    """Both families of revisions: the program stays and tells of changes, or runs only during a look."""
    for family in ("modern", "legacy"):
        served = Served(place, family)
        config = {**served.config, "env": {"GIVEN": "it"}}
        with place.start({**config, "subscribe": True}, A_SECRET="s3cr3t") as session:
            check(soon(lambda: names(session) == ["first", "second"]), f"{names(session)} {session.server.stderr()}")
            process, = served.starts()
            check(f"start {process} it none" in served.lines(), f"the environment: {served.lines()}")
            check("Body." in text_of(session, "first"), "its text")
            if family == "modern":
                check(soon(lambda: served.count("listening") == 1), served.lines())
            for name in ("third", "fourth"):
                write_skill(served.folder, name, "Comes later.")
                os.kill(process, signal.SIGUSR1)
                check(soon(lambda name=name: name in names(session)), f"a change is seen: {session.server.stderr()}")
            session.tool("reload_skills_directory")
            check(soon(lambda: served.count('skills/list ""') >= 4), served.lines())
            check(served.starts() == [process], "one start is enough")
            log = session.server.stderr()
            check("wrote: hello from the program" in log, log)
            check(session.end() is None, "the end")
            check("end of input" in served.lines() and not runs(process), served.lines())
        with place.start(config) as session:
            check(soon(lambda: len(served.starts()) == 2 and served.count("end of input") == 2), served.lines())
            check(soon(lambda: not runs(served.starts()[1])), "without subscribe it runs only during a look")
            check(names(session) == ["first", "fourth", "second", "third"], names(session))
            session.tool("reload_skills_directory")
            check(soon(lambda: len(served.starts()) == 3), served.lines())


def mute(place):
    """A program that tells of no changes, although it says so, runs only during a look."""
    served = Served(place, "modern", "mute")
    with place.start({**served.config, "subscribe": True}) as session:
        check(soon(lambda: names(session) == ["first", "second"]), session.server.stderr())
        check(soon(lambda: served.count("end of input") == 1), served.lines())
        session.tool("reload_skills_directory")
        check(soon(lambda: served.count("end of input") == 2), served.lines())
        check(len(served.starts()) == 2, served.lines())


def faults(place):
    """Each fault is named, costs no more than its time, and does not hide what was served before."""
    cases = {
        "exits": "ended with exit code 4; the last line that it wrote: hello from the program",
        "skills/list:dies": "skills/list:",
        "resources/read:dies": "ended with exit code 3",
        "resources/read:half": "ended with exit code 0",
        "skills/list:silent": "does not answer within",
        "start:silent": "did not answer in time (deadline_ms)",
        "start:endless": "the remote sends more than 20000000 bytes (max_fetch_bytes)",
        "resources/read:endless": "the remote sends more than 20000000 bytes (max_fetch_bytes)",
        "start:loud": "the remote sends more than 20000000 bytes (max_fetch_bytes)",
        "skills/list:flood": "the server prints what is no MCP",
    }
    for fault, words in cases.items():
        for family in ("modern", "legacy") if ":dies" in fault else ("modern",):
            served = Served(place, family, fault)
            begun = time.monotonic()
            status, log = place.status({**served.config, "deadline_ms": 8000, "max_fetch_bytes": 20_000_000})
            failure = status.get("failure", "")
            check(status["skills"] == 0 and words.replace("skills/list:", "ended with exit code 3") in failure, f"{fault} {family}: {status} {log}")
            check(time.monotonic() - begun < 30 * SLOWNESS, f"{fault}: {time.monotonic() - begun:.1f} s")
            check(not any(map(runs, served.starts())), f"{fault}: it still runs")
    for command, words in ((["/no/such/program"], "/no/such/program cannot be started: No such file or directory"),
                           (["no-such-program-here"], "no-such-program-here cannot be started: No such file or directory"),
                           (["/etc/passwd"], "/etc/passwd cannot be started: Permission denied"),
                           (["true"], "true ended with exit code 0"), (["sh", "-c", "kill -9 $$"], "was ended by signal 9 (SIGKILL)")):
        status, log = place.status({"command": command})
        check(words in status.get("failure", ""), f"{command}: {status} {log}")


def odd_lines(place):
    """Lines that are no MCP, and a line that is too long, do not disturb what comes after them."""
    served = Served(place, "modern", "skills/list:junk")
    status, log = place.status(served.config)
    check(status["skills"] == 2 and "failure" not in status, f"{status} {log}")
    check("the server printed what is no MCP: not MCP" in log, log)
    served = Served(place, "legacy", "resources/read:long")
    status, log = place.status(served.config)
    check(status["skills"] == 0 and "a line is longer than" in log, f"{status} {log}")
    served = Served(place, "modern", "skills/list:dense")
    status, log = place.status(served.config)
    check(status["skills"] == 0 and "more than 947503 values" in status.get("failure", ""), f"{status} {log}")


def dies_later(place):
    """A program that ends between two looks is started again, and meanwhile its skills are served."""
    served = Served(place, "modern")
    with place.start({**served.config, "subscribe": True}) as session:
        check(soon(lambda: names(session) == ["first", "second"] and served.count("listening") == 1), session.server.stderr())
        process, = served.starts()
        write_skill(served.folder, "third", "Comes later.")
        os.kill(process, signal.SIGKILL)
        words = "was ended by signal 9 (SIGKILL); the last line that it wrote: hello from the program; it is started again in 30 s"
        check(soon(lambda: session.listing() and words in session.server.stderr()), session.server.stderr())
        check("Body." in text_of(session, "first"), "served meanwhile")
        check(served.starts() == [process], "not at once")
        check(soon(lambda: names(session) == ["first", "second", "third"], 60 + 20 * SLOWNESS), session.server.stderr())
        check(len(served.starts()) == 2, served.lines())
        # A look that somebody asks for does not wait for the end of the pause.
        os.kill(served.starts()[1], signal.SIGKILL)
        check(soon(lambda: session.listing() and "it is started again in 60 s" in session.server.stderr()), session.server.stderr())
        write_skill(served.folder, "fourth", "Comes later.")
        session.tool("reload_skills_directory")
        check(soon(lambda: "fourth" in names(session)), session.server.stderr())
        check(len(served.starts()) == 3, served.lines())
        check(session.server.stderr().count(" it is started again") == 2, session.server.stderr())


def stubborn(place):
    """A program that does not want to end is killed, and so is what it started."""
    served = Served(place, "modern", "stubborn")
    with place.start({**served.config, "subscribe": True}) as session:
        check(soon(lambda: served.count("listening") == 1), session.server.stderr())
        begun = time.monotonic()
        session.end()
        check(time.monotonic() - begun < 10 * SLOWNESS, f"the end after {time.monotonic() - begun:.1f} s")
        check("stays" in served.lines() and not runs(served.starts()[0]), served.lines())


def never_waits(place):
    """No request waits for a program that hangs."""
    served = Served(place, "modern")
    check(place.status(served.config)[0]["skills"] == 2, "the first start")
    hanging = [*PROGRAM, str(served.folder), "modern", "start:silent"]
    write_skill(place.folder / "near", "near", "Is on this machine.")
    config = {"command": ["sh", "-c", f"if [ -e {served.folder}.hang ]; then exec {' '.join(hanging)}; else exec {' '.join(served.config['command'])}; fi"]}
    check(place.status(config)[0]["skills"] == 2, "the second one")
    Path(f"{served.folder}.hang").touch()
    with Session([*place.command(config), "--skills-dir", str(place.folder / "near")]) as session:
        longest = 0
        for _ in range(20):
            begun = time.monotonic()
            check(names(session) == ["first", "near", "second"], names(session))
            longest = max(longest, time.monotonic() - begun)
        check(longest < 2 * SLOWNESS, f"a request took {longest:.2f} s")
        check(soon(lambda: any(map(runs, served.starts()))), "it hangs meanwhile")
        begun = time.monotonic()
        session.end()
        check(time.monotonic() - begun < 10 * SLOWNESS, f"the end after {time.monotonic() - begun:.1f} s")
    check(not any(map(runs, served.starts())), "it still runs")


def confined(place):
    """A plugin in a process of its own may start no program, and says what to set."""
    served = Served(place, "modern")
    with Session(place.command(served.config, isolation="process")) as session:
        check(soon(lambda: session.listing() is not None and "with isolation: thread it may" in session.server.stderr()), session.server.stderr())
        log = session.server.stderr()
        check("makes it start a program (that of command)" in log and "write isolation: thread to allow it" in log, log)
    check(served.starts() == [], served.lines())


def configuration(place):
    """Wrong settings are named."""
    for config, words in (({"command": ["bin/server"]}, '"bin/server" must be an absolute path'),
                          ({"command": [""]}, "begins with no program"),
                          ({"command": []}, "command"),
                          ({"command": ["a"], "url": "https://a.example"}, "command: excludes url"),
                          ({"command": ["a"], "token": "t"}, "token: is for a server at a url"),
                          ({"url": "https://a.example", "env": {"A": "b"}}, "env: goes with command"),
                          ({"command": ["a"], "env": {"A=B": "c"}}, "env: \"A=B\" is no variable"),
                          ({}, "url: is missing: write the address of the server, or its program as command")):
        run = place.run(config)
        check(run.returncode != 0 or words in run.stdout + run.stderr, f"{config}: {run.stdout} {run.stderr}")
        check(words in run.stdout + run.stderr, f"{config}: {run.stdout} {run.stderr}")


sys.exit(run_cases(checks, (own_server, families, mute, faults, odd_lines, dies_later, stubborn, never_waits, confined, configuration)))
