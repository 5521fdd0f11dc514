#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what a caller who may not see a skill could compute about it: from scores, order, counts, cursors, names,
notifications. Two servers give a visitor answers equal to the byte, one with hidden skills, the other without.
hidden_scores_test.py SERVER"""
import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, LEGACY, Running, legacy  # noqa: E402

SERVER = sys.argv[1]
RULES = [{"sources": ["hr*"], "scopes": ["hr"]}, {"categories": ["internal*"], "scopes": ["hr"]}]
QUERIES = ("layoffs", "plan of layoffs", "air quality forecast", "airqualityforecast", "report", "redundancy plan letters",
           "salaries", "forms and tables. A letter to everybody. Find the forecast", "zzz", "quality", "letter layoffs")
checks = Checks()
check = checks.check


def skill(place, name, description, category="", body="Text."):
    place.mkdir(parents=True, exist_ok=True)
    category = f"metadata:\n  category: {category}\n" if category else ""
    new = place / "new"
    new.write_text(f"---\nname: {name}\ndescription: {description}\n{category}---\n{body}\n")
    new.rename(place / "SKILL.md")


def fill_visible(root):
    for number, words in enumerate(("layoffs of layers in drawings", "air filters", "report on quality", "letters and forms",
                                    "tables of a report", "forecast of weather", "plan of a garden", "forms", "a letter", "drawings")):
        skill(root / f"s{number}", f"s{number}", f"About {words}.", body=f"Use it for {words}. " * 5)
    skill(root / "airqualityforecast", "airqualityforecast", "Looks ahead.")  # a compound of words in other skills
    skill(root / "open", "open", "Has a skill inside.")
    (root / "open/notes.md").write_text("notes")
    skill(root / "plan-2", "plan", "The plan that all see.")  # a hidden skill claims this name, too
    skill(root / "template", "template", "Fills $ARGUMENTS in.")


HIDDEN = ("hr", "layoffs", "pub/open/inner", "pub/aaa", "pub/plan")


def fill_hidden(root):
    """Adds hidden skills in a source of their own, inside a visible skill, before one in the order, and with the
    name of one."""
    for number in range(12):
        skill(root / "hr" / f"h{number}", f"h{number}", f"Plan of layoffs, air quality and redundancy {number}.", body="layoffs salaries quality " * 9)
    skill(root / "pub/open/inner", "inner", "A plan of layoffs.", "internal")
    (root / "pub/open/inner/list.csv").write_text("a,b")
    skill(root / "pub/aaa", "aaa", "Air quality of layoffs.", "internal")
    skill(root / "pub/plan", "plan", "The plan of layoffs.", "internal")


def token(file, name, *scopes):
    options = [option for scope in scopes for option in ("--scope", scope)]
    run = subprocess.run([SERVER, "token", "add", name, "--file", file, *options], capture_output=True, text=True, timeout=DEADLINE)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


class Asking:
    """A client of one server: its credential, and all answers that it has received."""

    def __init__(self, running, credential):
        self.running, self.fields = running, {"Authorization": f"Bearer {credential}", "MCP_Protocol_Version": LEGACY} if credential else {}

    def post(self, method, **params):
        response, text = self.running.ask("POST", body=json.dumps(legacy(method, **params)).encode(), **self.fields)
        text = re.sub(r'(durationMs\\*":)\d+', r"\g<1>0", text)
        return response.status, re.sub(r'("loaded_at":")[^"]*', r"\g<1>", text)

    def tool(self, name, **arguments):
        return self.post("tools/call", name=name, arguments=arguments)

    def pages(self, method):
        """Returns all pages of a list, each with its cursor."""
        cursor, told = {}, []
        while True:
            status, text = self.post(method, **cursor)
            told.append((status, text))
            follows = json.loads(text).get("result", {}).get("nextCursor")
            if not follows:
                return told
            cursor = {"cursor": follows}

    def battery(self):
        """Asks everything twice, because the first client finds less in the cache."""
        self.questions()
        return self.questions()

    def questions(self):
        told = {}
        for query in QUERIES:
            for more in ({}, {"source": "pub"}, {"source": "hr"}, {"category": "internal"}, {"top_k": 1}):
                told[f"find {query} {more}"] = self.tool("find_helpful_skills", task_description=query, **{"top_k": 20, **more})
        for more in ({}, {"limit": 3, "offset": 2}, {"source": "hr"}, {"category": "internal"}, {"detail": True}):
            told[f"list {more}"] = self.tool("list_skills", **more)
        for method in ("tools/list", "prompts/list", "resources/list", "skills/list"):
            told[method] = self.pages(method)
            for forged in ("0 shr/h3", "0 spub/aaa", "2 spub/open/inner", "5 snobody/x", "0 phr\nx"):
                told[f"{method} after {forged!r}"] = self.post(method, cursor=base64.b64encode(forged.encode()).decode())
        for name in ("open", "plan", "pub/plan", "hr/h3", "h3", "inner", "layof", "aaa", "nobody"):
            told[f"load {name}"] = self.tool("load_skill", skill_name=name)
            told[f"read {name}"] = self.tool("read_skill_document", skill_name=name, document_path="**")
            told[f"prompt {name}"] = self.post("prompts/get", name=name)
        for uri in ("skill://pub/open/inner/SKILL.md", "skill://hr/h3/SKILL.md", "skill://pub/open", "skill://pub/plan", "skill://pub/open/SKILL.md"):
            told[uri] = self.post("resources/read", uri=uri), self.post("resources/directory/read", uri=uri), self.post("skills/get", uri=uri)
        for argument in ({"name": "source", "value": ""}, {"name": "path", "value": ""}, {"name": "path", "value": "open/"}):
            told[f"complete {argument}"] = self.post("completion/complete", ref={"type": "ref/resource", "uri": "skill://{source}/{+path}"},
                                                     argument=argument)
        return told

    def names(self):
        found = json.loads(self.tool("list_skills", limit=1000)[1])
        return {one["name"] for one in found["result"]["structuredContent"]["data"]["skills"]}


class Stream:
    """The notifications that a session receives, by method."""

    def __init__(self, asking):
        response, _ = asking.running.post(INITIALIZE, **asking.fields)
        own = {**asking.fields, "Mcp_Session_Id": response.headers["Mcp-Session-Id"]}
        asking.running.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **own)
        asking.running.post(legacy("logging/setLevel", level="info"), **own)
        self.connection, self.stream = asking.running.open("GET", Accept="text/event-stream", **own)
        assert self.stream.status == 200
        self.heard, self.lines = [], []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            for line in self.stream:
                if line.startswith(b"data:") and b"list_changed" in line:
                    self.heard.append(json.loads(line[5:])["method"])
                elif line.startswith(b"data:") and b"notifications/message" in line:
                    self.lines.append(json.loads(line[5:])["params"]["data"])
        except OSError:
            pass  # the server has ended

    def hears(self, what):
        until(lambda: any("resources" in one for one in self.heard), what)


def same(what, one, other):
    check(one.keys() == other.keys(), f"{what}: the same questions")
    for question in one:
        check(one[question] == other[question], f"{what}: {question}:\n  {str(one[question])[:900]}\n  {str(other[question])[:900]}")


# The server has no floor, so its answers have every score.
def serve(root, file, *options, sources=("pub", "hr")):
    directories = [option for name in sources[1:] for option in ("--skills-dir", str(root / name))]
    auth = ("--set", "auth.plugin=static", "--set", "auth.config=" + json.dumps({"file": file})) if file else ()
    return Running(SERVER, str(root / sources[0]), *directories, *auth, "--set", "page_size=3", "--set", "search.min_score=0", "--results", "structured", *options)


def settled(asking, names, what):
    """Waits until the skills are listed, and found."""
    until(lambda: asking.names() == names, what)
    until(lambda: '"retryable":true' not in asking.tool("find_helpful_skills", task_description="layoffs")[1], what)


def move_hidden(root, away, back=False):
    for name in ("hr/h1", "hr/h2", "pub/open/inner", "pub/aaa", "pub/plan"):
        one, other = root / name, away / name.replace("/", "-")
        shutil.move(*((other, one) if back else (one, other)))


def live(root, server, visitor, manager, seen, keeper, everything):
    all_names = manager.names()
    before, first = visitor.battery(), visitor.pages("tools/list")
    cursor = json.loads(visitor.post("resources/list")[1])["result"]["nextCursor"]
    second = visitor.post("resources/list", cursor=cursor)
    hears, manages = Stream(visitor), Stream(manager)
    reads, reads_all = Stream(Asking(server, keeper)), Stream(Asking(server, everything))
    away = root / "away"
    away.mkdir()
    move_hidden(root, away)
    settled(manager, all_names - {"h1", "h2", "inner", "aaa", "pub/plan", "plan", "pub/plan-2"} | {"plan"}, "the hidden ones are gone")
    manages.hears("control: who sees them hears of it")
    same("after hidden skills have gone", before, visitor.battery())
    check(visitor.post("resources/list", cursor=cursor) == second, "a cursor from before leads to the same page")
    move_hidden(root, away, back=True)
    until(lambda: "aaa" in manager.names() and "inner" in manager.names(), "they are back")
    same("after they came back", before, visitor.battery())
    check(visitor.post("resources/list", cursor=cursor) == second, "and so it does now")
    check(visitor.pages("tools/list") == first, "a list page by page")
    # The visitor gets one notification about a visible skill; with those about hidden skills there would be more.
    skill(root / "pub/news", "news", "All may see it.")
    hears.hears("a change that all see")
    until(lambda: "news" in visitor.names(), "it is seen")
    reads.hears("who keeps the server hears of it too")
    reads_all.hears("and so does who sees all")
    check(reads.lines == [] and hears.lines == [], f"lines of the log count what is hidden: {reads.lines + hears.lines}")
    check(any("catalogue" in line for line in reads_all.lines), f"control: who sees all reads them: {reads_all.lines}")
    check(sorted(hears.heard) == sorted(set(hears.heard)), f"nothing was told of hidden changes: {hears.heard}")
    check(len(manages.heard) > len(set(manages.heard)), f"control: who sees them was told each time: {manages.heard}")
    check(visitor.names() == seen | {"news"}, "what is seen")


def figures(with_hidden, without, keeper, everything):
    """Checks that a manager who may not see all skills gets no numbers of the rest."""
    def told(running, credential):
        _, text = Asking(running, credential).tool("get_server_stats")
        data = json.loads(text)["result"]["structuredContent"]["data"]
        return {part: data[part] for part in ("catalogue", "sources", "plugins", "search")}

    settled(Asking(with_hidden, keeper), Asking(without, keeper).names(), "who keeps the server")
    one, other = told(with_hidden, keeper), told(without, keeper)
    # The source without hidden skills does not exist in the other server.
    check(one == other, f"statistics: {one}\n  {other}")
    for who, sees in ((keeper, False), (everything, True)):
        _, text = with_hidden.ask("GET", "/metrics", Authorization=f"Bearer {who}")
        check("skillhost_request_seconds" in text and sees == ('source="hr"' in text) == ('instance="search"' in text), f"/metrics: {sees}: {text[:300]}")
    whole = told(with_hidden, everything)
    check(whole["search"]["entries"] > one["search"]["entries"] and "generation" in whole["catalogue"] and whole["plugins"],
          f"control: who sees all has them: {whole}")


def scores(asking):
    told = {}
    for query in QUERIES:
        data = json.loads(asking.tool("find_helpful_skills", task_description=query, top_k=20)[1])["result"]["structuredContent"]["data"]
        told.update({(query, one["name"]): one["score"] for one in data["results"]})
    return told


def many_scopes(folder):
    """Uses more sets of satisfied rules than the usual number of kept indexes, all at once: no client ends another's
    index."""
    scopes = [f"scope-{number}" for number in range(10)]
    for number in range(600):
        skill(folder / "many/pub" / f"s{number}", f"s{number}", f"About thing {number} and layoffs.", body="Use it for forms. " * 60)
    for scope in scopes:
        skill(folder / "many" / scope / f"own-{scope}", f"own-{scope}", f"The layoffs of {scope}.")
    file = str(folder / "many-tokens")
    tokens = {scope: token(file, scope, "skills:read", scope) for scope in scopes}
    server = serve(folder / "many", file, "--set", "access.visibility=" + json.dumps([{"sources": [one], "scopes": [one]} for one in scopes]),
                   sources=("pub", *scopes))
    told = []

    def ask(scope):
        asking = Asking(server, tokens[scope])
        for _ in range(6):
            text, until = "still indexing", time.monotonic() + 120
            # An index that is still being filled says so, and asks the client to repeat the query.
            while "still indexing" in text and time.monotonic() < until:
                try:
                    text = asking.tool("find_helpful_skills", task_description=f"layoffs of {scope}", top_k=1)[1]
                except OSError as why:
                    text = str(why)
            told.append((scope, text))

    threads = [threading.Thread(target=ask, args=[scope]) for scope in scopes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failed = [text for scope, text in told if f"own-{scope}" not in text or '"isError":true' in text]
    check(len(told) == 60 and not failed, f"{len(failed)} of {len(told)} searches failed: {failed[:1]}")
    check(server.end() == 0, "the end")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        full, bare, file = folder / "full", folder / "bare", str(folder / "tokens")
        for root in (full, bare):
            fill_visible(root / "pub")
        fill_hidden(full)
        reader, chief = token(file, "reader", "skills:read"), token(file, "chief", "skills:read", "hr")
        half = token(file, "half", "skills:read", "other")
        rules = ["--set", "access.visibility=" + json.dumps(RULES + [{"sources": ["nothing-*"], "scopes": ["other"]}])]
        many_scopes(folder)
        with_hidden, without = serve(full, file, *rules), serve(bare, file, *rules, sources=("pub",))
        visitor, other = Asking(with_hidden, reader), Asking(without, reader)
        manager = Asking(with_hidden, chief)
        seen = other.names()
        settled(visitor, seen, "the visitor's index")
        settled(other, seen, "the other's index")
        reference = other.battery()
        check('"score":' in str(reference["find layoffs {}"]), "control: there is something to be found")
        same("with hidden skills and without", visitor.battery(), reference)
        # A caller who satisfies a rule that names nothing sees the same, by an index of its own.
        third, alike = Asking(with_hidden, half), Asking(without, half)
        settled(third, seen, "a third index")
        settled(alike, seen, "a fourth index")
        same("for another set of rules", third.battery(), reference)
        settled(manager, seen - {"plan"} | {f"h{n}" for n in range(12)} | {"inner", "aaa", "plan", "pub/plan-2"}, "who sees all")
        check(manager.battery() != reference, "control: who sees all is answered otherwise")
        keeper, everything = token(file, "keeper", "skills:manage"), token(file, "all", "skills:manage", "hr", "other")
        figures(with_hidden, without, keeper, everything)
        live(full, with_hidden, visitor, manager, seen, keeper, everything)
        for running in (with_hidden, without):
            check(running.end() == 0, "the end")
        # The attack itself: the scores of an index of all skills reveal that there are more.
        shutil.rmtree(full / "pub/news")
        open_full, open_bare = serve(full, None), serve(bare, None, sources=("pub",))
        everything, little = Asking(open_full, None), Asking(open_bare, None)
        settled(little, seen, "an open server")
        until(lambda: "h11" in everything.names(), "another one")
        settled(everything, everything.names(), "another one")
        one, two = scores(everything), scores(little)
        differ = [key for key in one.keys() & two.keys() if one[key] != two[key]]
        check(len(differ) > 5, f"control: with one index the scores tell of the others: {len(differ)} of {len(two)}")
        for running in (open_full, open_bare):
            check(running.end() == 0, "the end")
    return checks.finish()


sys.exit(main())
