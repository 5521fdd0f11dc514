#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that usage is recorded permanently, and that recording never fails a request: usage_test.py SERVER"""
from __future__ import annotations

import csv
import io
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, MODERN, Running, modern  # noqa: E402
from session import Session, write_skill  # noqa: E402

SERVER = sys.argv[1]
checks = Checks()
check = checks.check


class House:
    """Skills, and a usage file beside them. The program runs as it does for a user."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.skills = self.folder / "skills"
        self.file = self.folder / "cache" / "usage.sqlite"
        for name, text in (("pdf-forms", "Fill in forms of PDF files."), ("charts", "Draw charts of numbers."),
                           ("never-used", "Nobody asks for this.")):
            write_skill(self.skills, name, text)
        (self.skills / "pdf-forms" / "fields.md").write_text("# Fields\n")

    def options(self, *more: str) -> list[str]:
        return ["--no-config", "--skills-dir", str(self.skills), "--set", f"usage.path={self.file}", *more]

    def session(self, *more: str) -> Session:
        return Session([SERVER, *self.options(*more)])

    def ask(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")}
        return subprocess.run([SERVER, "usage", *self.options(), *words], capture_output=True, text=True, timeout=DEADLINE,
                              env={**environment, "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "xdg")}, check=False)

    def run(self, *words: str, code: int = 0) -> str:
        done = self.ask(*words)
        check(done.returncode == code, f"usage {words}: exit {done.returncode}, not {code}: {done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def rows(self, *words: str) -> list[dict[str, Any]]:
        text = self.run("--json", *words)
        return json.loads(text)["usage"] if text else []

    def row(self, key: str, *words: str, by: str = "skill") -> dict[str, Any]:
        """Returns the row of that key, or an empty row if there is none yet."""
        done = self.ask("--json", "--by", by, *words)
        rows = json.loads(done.stdout)["usage"] if done.returncode == 0 else []
        return next((row for row in rows if row[by] == key), {})

    def until_loaded(self, skill: str, times: int) -> None:
        until(lambda: self.row(skill).get("loads", 0) >= times, f"{skill} stands in the file {times} times")


def fresh(body: Callable[[House], None]) -> None:
    with tempfile.TemporaryDirectory(prefix="skillhost-usage-") as folder:
        try:
            body(House(folder))
        except Exception as why:  # noqa: BLE001 - the next test must run as well
            check(False, f"{body.__name__}: {type(why).__name__}: {why}")


def every_kind(house: House) -> None:
    """Checks loads by tool and prompt, reads by tool and resource, searches, and skills that do not exist."""
    with house.session() as session:
        session.tool("load_skill", skill_name="pdf-forms")
        session.tool("load_skill", skill_name="pdf-forms")
        session.call("prompts/get", name="charts")
        session.tool("read_skill_document", skill_name="pdf-forms", document_path="fields.md")
        uri = session.listing()["skills"] and session.call("resources/list")["resources"][0]["uri"]
        session.call("resources/read", uri=uri)
        session.tool("find_helpful_skills", task_description="fill in a PDF form")
        session.tool("find_helpful_skills", task_description="zymurgy quokka")
        session.tool("load_skill", skill_name="no-such-skill")
        house.until_loaded("pdf-forms", 2)
        until(lambda: len(house.rows("--by", "query")) == 2, "all of it is written")
        told = json.loads(session.call("resources/read", uri="skillhost://usage")["contents"][0]["text"])
        check(session.end() is None, "the server ends in order")
    check(told["enabled"] and told["totals"]["loads"] == 4 and told["totals"]["searches"] == 2, f"the resource: {told}")
    check({one["id"] for one in told["skills"]} == {"skills/pdf-forms", "skills/charts"}, f"its skills: {told['skills']}")
    check(told["skills"][0]["used_by"][0]["count"] >= 1, f"by whom: {told['skills'][0]}")
    check([one["id"] for one in told["unused"]] == ["skills/never-used"] and told["unused_total"] == 1, f"unused: {told}")
    check(told["not_found"] == [], f"what others asked for is not told where nobody is known: {told['not_found']}")
    pdf, chart = house.row("pdf-forms"), house.row("charts")
    check(pdf["loads"] == 2 and pdf["unchanged"] == 1, f"loads of pdf-forms: {pdf}")
    check(pdf["reads"] + chart["reads"] == 2, f"reads: {pdf} {chart}")
    check(chart["loads"] == 1, f"a prompt is a load: {chart}")
    check(pdf["id"] == "skills/pdf-forms" and pdf["source"] == "skills", f"its id: {pdf}")
    check(pdf["mean_us"] > 0 and pdf["last"].startswith("20"), f"latency and time: {pdf}")
    client = house.row("test", by="client")
    check(client.get("searches") == 2, f"searches by client: {client}")
    check(client.get("failures") == 1, f"what is not there is a failure: {client}")
    asked = {row["query"]: row for row in house.rows("--by", "query")}
    check(set(asked) == {"zymurgy quokka", "no-such-skill"}, f"what was not found: {asked}")
    check(len(house.rows("--by", "day")) in (1, 2), "one day, or two at midnight")
    check(len(house.rows("--kind", "read")) == len([row for row in (pdf, chart) if row["reads"]]), "only reads")
    by_client = house.rows("--skill", "skills/pdf-forms", "--by", "client")
    check([(row["client"], row["loads"]) for row in by_client] == [("test", 2)], f"who uses one skill: {by_client}")
    check(house.rows("--skill", "pdf") == [], "no skill is named so")
    check(house.rows("--since", "2030-01-01") == [], "nothing in the future")
    unused = json.loads(house.run("--unused", "--json"))
    check([one["id"] for one in unused["unused"]] == ["skills/never-used"] and unused["served"] == 3, f"unused: {unused}")
    table = house.run()
    check("SKILL" in table and "pdf-forms" in table and "SEARCHES" not in table, f"the table: {table}")
    lines = list(csv.reader(io.StringIO(house.run("--csv"))))
    check(lines[0][:4] == ["skill", "source", "id", "loads"] and len(lines) == 3, f"CSV: {lines}")
    check(stat.S_IMODE(house.file.stat().st_mode) == 0o600, "nobody else reads the file")


def wrong_words(house: House) -> None:
    for words, told in ((("--since", "yesterday"), "7d"), (("--by", "weather"), "skill"), (("--json", "--csv"), "not both"),
                        (("--since", "1d", "--until", "2d"), "--until"), (("--unused", "--by", "day"), "--unused"),
                        ((), "usage.path")):
        text = house.run(*words, code=1)
        check(told in text, f"usage {words}: {text}")
    with Session([SERVER, *house.options("--set", "usage.enabled=false")]) as session:
        session.tool("load_skill", skill_name="charts")
        session.end()
    check(not house.file.exists(), "switched off, nothing is written")
    with Session([SERVER, *house.options("--set", "usage.queries=false")]) as session:
        session.tool("find_helpful_skills", task_description="zymurgy quokka")
        session.end()
    check(house.rows("--by", "query") == [] and b"quokka" not in house.file.read_bytes(), "texts are left out")
    bad = subprocess.run([SERVER, *house.options("--set", "usage.max_bytes=5", "--print-config")], capture_output=True, text=True,
                         timeout=DEADLINE, check=False)
    check(bad.returncode == 1 and "usage.max_bytes" in bad.stderr, f"a bound that is too small: {bad.stderr}")


def strange_texts(house: House) -> None:
    """Checks that a client's text cannot control a terminal, even if it gets there through a file."""
    asked = "zymurgy \x1b]0;owned\x07 \x00 quokka"
    with house.session() as session:
        session.tool("find_helpful_skills", task_description=asked)
        session.end()
    words = [SERVER, "usage", *house.options(), "--by", "query", "--csv"]
    piped = subprocess.run(words, capture_output=True, timeout=DEADLINE, check=True).stdout
    check(rb"zymurgy \x1b]0;owned\x07 \x00 quokka" in piped and piped.endswith(b"\r\n"), f"CSV in a pipe escapes it: {piped!r}")
    check(not set(piped) & (set(range(32)) - {10, 13}), f"no control characters: {piped!r}")
    formulas = ["\n=1+1", "\uff1d1+1", "zymurgy;=1+1"]
    with house.session() as session:
        for formula in formulas:
            session.tool("find_helpful_skills", task_description=formula)
        session.end()
    piped = subprocess.run(words, capture_output=True, timeout=DEADLINE, check=True).stdout.decode()
    for wanted in ("\"'\n=1+1\"", "'\uff1d1+1,", '"zymurgy;=1+1"'):
        check(wanted in piped, f"no formula of a spreadsheet, {wanted!r}: {piped!r}")
    ours, theirs = os.openpty()
    subprocess.run(words, stdout=theirs, timeout=DEADLINE, check=True)
    shown = os.read(ours, 65536)
    os.close(theirs)
    os.close(ours)
    check(b"quokka" in shown and not {0, 7, 27} & set(shown), f"CSV on a terminal: {shown!r}")


def killed(house: House) -> None:
    """Checks that kill -9 loses at most the last second."""
    with house.session() as session:
        for _ in range(50):
            session.tool("load_skill", skill_name="charts", force_reload=True)
        time.sleep(2)  # events that are older than a second must survive the end of the process
        session.tool("load_skill", skill_name="pdf-forms")
        session.server.process.send_signal(signal.SIGKILL)
        session.server.process.wait(DEADLINE)
    check(house.row("charts").get("loads") == 50, f"older than a second: {house.row('charts')}")
    # The next server continues where that one ended.
    with house.session() as session:
        session.tool("load_skill", skill_name="charts")
        session.end()
    check(house.row("charts").get("loads") == 51, f"after the next start: {house.row('charts')}")


def works(session: Session) -> bool:
    return session.tool("load_skill", skill_name="charts", force_reload=True)["status"] == "loaded"


def damaged(house: House) -> None:
    with house.session() as session:
        for _ in range(5):
            works(session)
        session.end()
    size = house.file.stat().st_size
    with open(house.file, "r+b") as file:
        # This overwrites everything but the first page, which identifies the file.
        file.seek(4096)
        file.write(b"Z" * (size - 4096))
    with house.session() as session:
        check(works(session), "a damaged file costs no request")
        until(lambda: session.server.stderr().count("set aside") == 1, "told once")
        house.until_loaded("charts", 1)
    check(house.file.with_name("usage.sqlite.damaged").stat().st_size >= size, "it is set aside as it was")


def not_ours(house: House) -> None:
    house.file.parent.mkdir(parents=True)
    house.file.write_bytes(b"no database at all" * 1000)
    with house.session() as session:
        check(works(session), "a file that is not ours costs no request")
        until(lambda: "is not recorded" in session.server.stderr(), "the log says so")
        check(session.end() is None, "and it ends in order")
    check(house.file.read_bytes() == b"no database at all" * 1000, "it is left as it is")


def newer(house: House) -> None:
    with house.session() as session:
        works(session)
        session.end()
    with sqlite3.connect(house.file) as database:
        database.execute("PRAGMA user_version=99")
    database.close()
    with house.session() as session:
        check(works(session), "a newer file costs no request")
        until(lambda: "a newer skillhost has written it" in session.server.stderr(), "the log says so")
        check(works(session), "nor the next one")
    check("newer" in house.run(code=1), "the command says so too")
    with sqlite3.connect(house.file) as database:
        check(database.execute("SELECT count(*) FROM events").fetchone()[0] == 1, "it is left as it is")
    database.close()


def alike(house: House) -> None:
    """Checks that equal events within a second make one row with a count, and that reports do not change."""
    with house.session() as session:
        for _ in range(200):
            works(session)
        for _ in range(3):
            session.tool("find_helpful_skills", task_description="zymurgy quokka")
        session.end()
    check(house.row("charts").get("loads") == 200, f"each of them counts: {house.row('charts')}")
    check(house.row("zymurgy quokka", by="query").get("searches") == 3, f"what was not found: {house.rows('--by', 'query')}")
    with sqlite3.connect(house.file) as database:
        rows, uses, seconds = database.execute("SELECT count(*), sum(count), count(DISTINCT time) FROM uses WHERE kind = 'load'").fetchone()
        # If the beginning of a second was written already, that second has another row.
        check(uses == 200 and rows <= 2 * seconds, f"{rows} rows of {uses} uses in {seconds} seconds")
        check(database.execute("SELECT count(*), sum(count) FROM uses WHERE kind = 'search'").fetchone() == (3, 3), "texts have a row each")
        mean = database.execute("SELECT sum(microseconds * count) / sum(count) FROM uses WHERE kind = 'load'").fetchone()[0]
    database.close()
    check(abs(house.row("charts")["mean_us"] - mean) <= 1, f"their mean: {mean} and {house.row('charts')}")


# These are the tables of version 1.
OLDER = """
CREATE TABLE subjects(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, skill TEXT NOT NULL, source TEXT NOT NULL,
  path TEXT NOT NULL, digest TEXT NOT NULL, principal TEXT NOT NULL, client TEXT NOT NULL, outcome TEXT NOT NULL, last INTEGER NOT NULL);
CREATE TABLE events(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, subject INTEGER NOT NULL, microseconds INTEGER NOT NULL, asked TEXT);
CREATE VIEW uses AS SELECT datetime(time/1000, 'unixepoch') AS time,
    CASE kind WHEN 0 THEN 'load' WHEN 1 THEN 'read' WHEN 2 THEN 'search' ELSE 'refusal' END AS kind,
    skill, source, path, digest, principal, client, microseconds, outcome, asked
  FROM events JOIN subjects ON subjects.id = events.subject ORDER BY events.id;
INSERT INTO subjects VALUES(7, 0, 'charts', 'skills', 'charts', '', '', 'test', 'ok', 10);
"""


def older(house: House) -> None:
    """Checks a file of the previous version: the command reads it unchanged, and a server continues it."""
    house.file.parent.mkdir(parents=True)
    with sqlite3.connect(house.file, isolation_level=None) as database:
        database.execute("PRAGMA auto_vacuum=INCREMENTAL")
        database.execute("PRAGMA journal_mode=WAL")
        database.executescript(OLDER)
        now = int(time.time() * 1000)
        database.executemany("INSERT INTO events(time, subject, microseconds, asked) VALUES(?, 7, 100, NULL)", [(now,)] * 10)
        database.execute("PRAGMA application_id=1936422259")
        database.execute("PRAGMA user_version=1")
    database.close()
    before = house.file.read_bytes()
    check(house.row("charts").get("loads") == 10 and house.row("charts")["mean_us"] == 100, f"read: {house.row('charts')}")
    check(house.rows("--by", "day")[0]["loads"] == 10 and house.row("test", by="client")["loads"] == 10, "by day and by client, too")
    check(house.file.read_bytes() == before, "who reads it changes nothing")
    with house.session() as session:
        for _ in range(5):
            works(session)
        told = session.call("resources/read", uri="skillhost://usage")["contents"][0]["text"]
        check(json.loads(told)["totals"]["loads"] >= 10, f"the resource: {told}")
        check(session.end() is None, "the server ends in order")
        check("[usage]" not in session.server.stderr(), f"and has nothing to tell: {session.server.stderr()}")
    check(house.row("charts").get("loads") == 15, f"what was there, and what came: {house.row('charts')}")
    with sqlite3.connect(house.file) as database:
        check(database.execute("PRAGMA user_version").fetchone()[0] == 2, "it is of this version")
        check(database.execute("SELECT sum(count) FROM uses").fetchone()[0] == 15, "the view, too")
    database.close()


def locked(house: House) -> None:
    with house.session() as session:
        works(session)
        house.until_loaded("charts", 1)
        other = sqlite3.connect(house.file, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        begun = time.monotonic()
        for _ in range(20):
            check(works(session), "a locked file costs no request")
        check(time.monotonic() - begun < DEADLINE / 4, "nobody waits for who has locked it")
        until(lambda: "database is locked" in session.server.stderr(), "the log says so")
        other.execute("ROLLBACK")
        other.close()
        house.until_loaded("charts", 21)
        check(session.server.stderr().count("database is locked") == 1, "it is told once")


def read_only(house: House) -> None:
    # Root may write anywhere, but not below a file.
    house.file.parent.write_text("a file where the folder should be")
    with house.session() as session:
        check(works(session), "no folder, and no request is lost")
        until(lambda: "is not recorded" in session.server.stderr(), "the log says so")
        check(session.end() is None, "and it ends in order")


def full_disk(house: House) -> None:
    """Checks an almost full disk of 4 MiB: usage is lost, but no request fails. Then there is room again."""
    mount = house.folder / "small"
    mount.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "skillhost-test", str(mount)], capture_output=True, check=False)
    if done.returncode != 0:
        print("full disk: not tried, no file system may be mounted here")
        return
    try:
        house.file = mount / "usage.sqlite"
        filler = mount / "filler"
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
        with house.session() as session:
            for _ in range(5):
                check(works(session), "a full disk costs no request")
            until(lambda: "is not recorded" in session.server.stderr(), "the log says so")
            filler.unlink()
            until(lambda: house.row("charts").get("loads", 0) > 0 or not works(session), "it is recorded again", 3 * DEADLINE)
            check("set aside" not in session.server.stderr(), "a full disk is no damage")
            session.end()
    finally:
        subprocess.run(["umount", "-l", str(mount)], capture_output=True, check=False)


def two_servers(house: House) -> None:
    with house.session() as one, house.session() as other:
        for _ in range(30):
            works(one)
            works(other)
        for session in (one, other):
            check(session.end() is None, "two servers of one file end in order")
            check("[usage]" not in session.server.stderr(), f"and have nothing to tell: {session.server.stderr()}")
    check(house.row("charts").get("loads") == 60, f"the figures of both add up: {house.row('charts')}")


def several_files(house: House) -> None:
    """Checks that replicas record in one file each, and that the command adds up the given files, each once."""
    with house.session() as session:
        for _ in range(2):
            works(session)
        check(session.end() is None, "it ends in order, with its file written")
    other = house.folder / "other.sqlite"
    with house.session("--set", f"usage.path={other}") as session:
        works(session)
        check(session.end() is None, "it ends in order, with its file written")
    files = [str(house.file), str(other)]
    done = house.ask("--json", *files, files[0])
    check(done.returncode == 0 and done.stderr.count("or a copy of it") == 1, f"a file that comes twice is told: {done.stderr}")
    loads = {row["skill"]: row["loads"] for row in json.loads(done.stdout)["usage"]}
    check(loads.get("charts") == 3, f"the files add up: {loads}")
    done = house.ask(files[0], str(house.folder / "absent.sqlite"))
    check(done.returncode == 1 and "absent.sqlite" in done.stderr, f"a file that is not there is an error: {done.stderr}")


def over_http(house: House) -> None:
    """Checks that principals are stored as hashes, and that refused strangers and exceeded rate limits are recorded."""
    tokens = house.folder / "tokens"
    secret = subprocess.run([SERVER, "token", "add", "grace-hopper", "--file", str(tokens), "--scope", "skills:read"], capture_output=True,
                            text=True, timeout=DEADLINE, check=True).stdout.strip()
    server = Running(SERVER, str(house.skills), "--no-config", "--auth", "static", "--set", "auth.config=" + json.dumps({"file": str(tokens)}),
                     "--set", f"usage.path={house.file}", "--set", "rate_limit.requests_per_second=1",
                     "--set", "rate_limit.burst=3")
    body = modern("tools/call", name="load_skill", arguments={"skill_name": "charts"})
    body["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = {"name": "http-client", "version": "1"}
    fields = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/call", "Mcp_Name": "load_skill"}
    check(server.post(body, **fields)[0].status == 401, "a stranger is refused")
    check(server.post(INITIALIZE)[0].status == 401, "and again")
    for _ in range(6):
        server.post(body, Authorization=f"Bearer {secret}", **fields)
    check(server.end() == 0, "it ends in order")
    row = house.row("charts")
    check(row.get("loads", 0) >= 3 and row.get("principals") == 1, f"loads of one person: {row}")
    people = {one["principal"]: one for one in house.rows("--by", "principal")}
    check(sorted(name[:2] for name in people) == ["", "h-"], f"people: {people}")
    check(people[""]["refusals"] == 2, f"strangers: {people['']}")
    hashed = next(one for name, one in people.items() if name)
    check(hashed["refusals"] >= 1 and hashed["loads"] + hashed["refusals"] == 6, f"who asks too much: {hashed}")
    check(b"grace-hopper" not in house.file.read_bytes(), "the name does not stand in the file")
    check(house.row("http-client", by="client").get("loads") == row.get("loads"), "the client's name goes with it")


def read_as_a_whole(house: House) -> None:
    """Checks that skills/get, which returns all files of a skill, counts as a read, and that a missing skill does
    not."""
    with house.session() as session:
        skills = {one["uri"].split("/")[-2]: one["uri"] for one in session.call("skills/list")["skills"]}
        session.call("skills/get", uri=skills["charts"])
        until(lambda: house.row("charts").get("reads") == 1, "skills/get is a read")
        session.end()
    charts = house.row("charts")
    check(charts["loads"] == 0 and charts["failures"] == 0 and charts["id"] == "skills/charts", f"and nothing else: {charts}")
    check(len(house.rows()) == 1, f"the list of skills is no use of them: {house.rows()}")


def downloads(house: House) -> None:
    """Checks the published index: a download by a known principal is a load, and one by a stranger is a refusal."""
    tokens = house.folder / "tokens"
    secret = subprocess.run([SERVER, "token", "add", "grace-hopper", "--file", str(tokens), "--scope", "skills:read"], capture_output=True,
                            text=True, timeout=DEADLINE, check=True).stdout.strip()
    server = Running(SERVER, str(house.skills), "--no-config", "--auth", "static", "--set", "auth.config=" + json.dumps({"file": str(tokens)}),
                     "--set", f"usage.path={house.file}", "--set", "http.publish=*")
    known = {"Authorization": f"Bearer {secret}", "User_Agent": "skills-cli/1.2 (linux)"}
    charts = "/.well-known/agent-skills/charts/SKILL.md"
    check(server.ask("GET", charts)[0].status == 401, "a stranger is refused")
    response, _ = server.ask("GET", charts, **known)
    check(response.status == 200, f"who is known has it: {response.status}")
    again, _ = server.ask("GET", charts, If_None_Match=response.headers["ETag"], **known)
    check(again.status == 304, f"and keeps it: {again.status}")
    check(server.ask("HEAD", charts, **known)[0].status == 200, "who asks for the head has nothing yet")
    check(server.ask("GET", "/.well-known/agent-skills/index.json", **known)[0].status == 200, "nor who reads the index")
    check(server.ask("GET", "/.well-known/agent-skills/zymurgy/SKILL.md", **known)[0].status == 404, "nor who asks for what is not there")
    connection, archive = server.open("GET", "/.well-known/agent-skills/pdf-forms.tar.gz", **known)
    check(archive.status == 200 and archive.read()[:2] == b"\x1f\x8b", "a skill of several files is an archive")
    connection.close()
    check(server.end() == 0, "it ends in order")
    row, pdf = house.row("charts"), house.row("pdf-forms")
    check((row.get("loads"), row.get("unchanged"), row.get("failures")) == (2, 1, 0), f"two downloads, one of what was there: {row}")
    check(row.get("principals") == 1 and row.get("clients") == 1, f"by whom: {row}")
    check((pdf.get("loads"), pdf.get("unchanged")) == (1, 0), f"an archive: {pdf}")
    check(house.row("skills-cli", by="client").get("loads") == 3, f"the client: {house.rows('--by', 'client')}")
    people = {one["principal"][:2]: one for one in house.rows("--by", "principal")}
    check({name: (one["loads"], one["refusals"]) for name, one in people.items()} == {"": (0, 1), "h-": (3, 0)}, f"people: {people}")


for part in (every_kind, read_as_a_whole, downloads, wrong_words, strange_texts, killed, damaged, not_ours, newer, alike, older, locked, read_only, full_disk, two_servers, several_files, over_http):
    fresh(part)
sys.exit(checks.finish())
