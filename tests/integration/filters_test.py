#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests trust rules and a lock between a source and its readers, the lock first: what each lets through, hides and
reports: filters_test.py SERVER SCRIPTED SCRIPTED_AUTH"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from checks import Checks, until
from git_servers import Repository
from http_server import INITIALIZE, LEGACY, MODERN, Running, legacy, modern
from session import write_skill

SERVER, SCRIPTED, AUTH = (str(Path(path).resolve()) for path in sys.argv[1:4])
TOKENS = {"reader": {"scopes": ["skills:read", "staff"]}, "reviewer": {"scopes": ["skills:review", "staff"]},
          "manager": {"scopes": ["skills:manage", "staff"]}, "clerk": {"scopes": ["skills:review"]},
          "warden": {"scopes": ["skills:manage"]}, "stranger": {"scopes": ["skills:read"]}}
OTHER = "blake3:" + "0" * 64
checks = Checks()


def check(holds: bool, what: str, seen: object = "") -> None:
    checks.check(holds, f"{what}: {str(seen)[:900]}")


def page(name: str, text: str = "Text.") -> str:
    return f"---\nname: {name}\ndescription: About {name}.\n---\n{text}\n"


class House:
    """A server with at least two sources: the folder `mine` from the command line, and a scripted plugin."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.mine, self.file = folder, folder / "mine", folder / "skillhost.json"
        self.script = folder / "script.json"
        self.sources: list[dict[str, object]] = [
            {"name": "scripted", "plugin": SCRIPTED, "isolation": "thread", "config": {"file": str(self.script)}}]
        self.write()

    def write(self, **more: object) -> None:
        self.file.write_text(json.dumps({"sources": self.sources, "startup_wait_ms": 60000, **more}))

    def say(self, *documents: dict[str, object], **misbehaviour: object) -> None:
        """Sets the answers of the scripted plugin from its next call on."""
        new = self.script.with_suffix(".new")
        new.write_text(json.dumps({"documents": documents, **misbehaviour}))
        new.rename(self.script)

    def run(self, *words: str, code: int = 0) -> tuple[str, str]:
        done = subprocess.run([SERVER, *words, "--config", str(self.file), "--skills-dir", str(self.mine)], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=120, env=self.environment(), check=False)
        check(done.returncode == code, f"{words} ends with {code}", (done.returncode, done.stdout, done.stderr))
        return done.stdout, done.stderr

    def environment(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}

    def start(self, **settings: object) -> None:
        self.write(trust={"rules": [{"action": "quarantine"}]}, expose="both", search={"min_score": 0}, http={"publish": ["*"]},
                   auth={"plugin": AUTH, "isolation": "thread", "config": {"tokens": {
                       name: {"subject": name, "expires_in": 3600, **answer} for name, answer in TOKENS.items()}}}, **settings)
        os.environ["XDG_CACHE_HOME"] = str(self.folder / "cache")
        self.server = Running(SERVER, str(self.mine), "--config", str(self.file))

    def ask(self, token: str, method: str, **params: object) -> dict[str, Any]:
        return self.server.post(legacy(method, **params), MCP_Protocol_Version=LEGACY, Authorization=f"Bearer {token}")[1]

    def tool(self, token: str, name: str, **arguments: object) -> dict[str, Any]:
        """Calls the tool and returns its data, or its error."""
        answer = self.ask(token, "tools/call", name=name, arguments=arguments)
        return answer.get("result", {}).get("structuredContent", answer)

    def own(self, name: str, token: str = "manager") -> dict[str, Any]:
        return json.loads(self.ask(token, "resources/read", uri=f"skillhost://{name}")["result"]["contents"][0]["text"])

    def load(self, name: str, token: str = "reader") -> tuple[str, str]:
        """Loads a skill and returns (text, ""), or ("", error)."""
        told = self.tool(token, "load_skill", skill_name=name, force_reload=True)
        return told.get("data", {}).get("content", ""), told.get("error", {}).get("message", "")

    def names(self, token: str = "reader") -> list[str]:
        told = self.tool(token, "list_skills")
        return [one["name"] for one in told["data"]["skills"]] if "data" in told else []

    def lists(self, token: str) -> dict[str, list[str]]:
        """Returns the names of the skills in each list that a client may request, in its order."""
        asked = modern("skills/list")
        extension = self.server.post(asked, MCP_Protocol_Version=MODERN, Mcp_Method="skills/list",
                                     Authorization=f"Bearer {token}")[1]["result"]["skills"]
        helpful = self.tool(token, "find_helpful_skills", task_description="one two calm wild alpha beta odd gone late", top_k=20)
        index = json.loads(self.server.ask("GET", "/.well-known/agent-skills/index.json", Authorization=f"Bearer {token}")[1])
        resources = [one["uri"] for one in self.ask(token, "resources/list")["result"]["resources"]]
        own = ("list_", "find_", "read_skill_", "load_", "unload_", "get_", "reload_", "review_")
        return {"list_skills": self.names(token), "skills/list": [one["frontmatter"]["name"] for one in extension],
                "prompts/list": [one["name"] for one in self.ask(token, "prompts/list")["result"]["prompts"]],
                "resources/list": [uri.split("/")[-2] for uri in resources if uri.startswith("skill://")],
                "tools/list": [one["name"] for one in self.ask(token, "tools/list")["result"]["tools"]
                               if not one["name"].startswith(own)],
                "find_helpful_skills": [one["name"] for one in helpful.get("data", {}).get("results", [])],
                "index.json": [one["name"] for one in index["skills"]]}

    def decide(self, action: str, skill: str) -> None:
        digest = self.tool("reviewer", "review_skill", action="show", skill_name=skill)["data"]["review"]["digest"]
        told = self.tool("reviewer", "review_skill", action=action, skill_name=skill, digest=digest)
        check(told.get("success", False), f"{action} {skill}", told)

    def decide_unseen(self, action: str, skill: str) -> None:
        """Decides about a skill that cannot be shown because its source is away."""
        told = self.tool("reviewer", "review_skill", action=action, skill_name=skill)
        check(told.get("success", False), f"{action} {skill}", told)

    def refresh(self) -> None:
        self.tool("manager", "reload_skills_directory")

    def revisions(self) -> dict[str, str]:
        return {one["name"]: one["revision"] for one in self.own("sources")["sources"]}

    def end(self) -> None:
        check(self.server.end() == 0, "the end is in order", self.server.log[-3:])


class Heard:
    """A session whose open stream records the changes of lists."""

    def __init__(self, house: House) -> None:
        credential = {"Authorization": "Bearer reader"}
        response, _ = house.server.post(INITIALIZE, **credential)
        self.fields = {"Mcp_Session_Id": response.headers["Mcp-Session-Id"], "MCP_Protocol_Version": LEGACY, **credential}
        self.house, self.methods = house, []
        house.server.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **self.fields)
        self.connection, stream = house.server.open("GET", Accept="text/event-stream", **self.fields)
        check(stream.status == 200, "the stream is open")
        threading.Thread(target=self.read, args=[stream], daemon=True).start()

    def read(self, stream: Any) -> None:
        for line in stream:
            if line.startswith(b"data: {"):
                self.methods.append(json.loads(line[6:])["method"])

    def counts(self) -> dict[str, int]:
        return {kind: self.methods.count(f"notifications/{kind}/list_changed") for kind in ("tools", "prompts", "resources")}

    def tool(self, name: str, **arguments: object) -> dict[str, Any]:
        return self.house.server.post(legacy("tools/call", name=name, arguments=arguments), **self.fields)[1]["result"]["structuredContent"]


def lock_first(folder: Path) -> None:
    """Checks that a skill has to pass the lock and then the rules: a skill that differs from the lock reaches no
    reviewer, an unapproved one reaches no reader, and neither filter changes a source's answers about other
    skills."""
    house = House(folder)
    for name in ("one", "two", "odd", "gone"):
        write_skill(house.mine, name, f"About {name}.")
    calm = [{"skill": "calm", "text": page("calm"), "revision": "1"},
            {"skill": "calm", "path": "notes.md", "text": "As locked.", "revision": "1"}]
    house.say(*calm)
    (folder / "root").mkdir()
    repository = Repository(folder / "root", "team")
    for name in ("alpha", "beta"):
        repository.skill(name, f"About {name}.", "First.\n")
    commit = repository.push()
    house.sources.append({"name": "team", "plugin": "github", "config": {"url": f"file://{repository.bare}"}})
    house.write()
    house.run("lock")
    facts = json.loads(house.run("skill", "info", "alpha", "--json")[0])
    check(facts["facts"]["commit"] == commit and facts["facts"]["path"] == "alpha", "control: facts without a filter", facts)
    # These changes bypass the lock.
    write_skill(house.mine, "late", "About late.")
    write_skill(house.mine, "odd", "About odd and more.")
    shutil.rmtree(house.mine / "gone")
    repository.skill("alpha", "About alpha.", "Second.\n")
    repository.skill("later", "About later.")
    repository.push()
    house.start(locked=True)

    listed = house.tool("reviewer", "review_skill", action="list")["data"]
    ids = [one["id"] for one in listed["reviews"]]
    check(ids == ["mine/one", "mine/two", "scripted/calm", "team/alpha", "team/beta"], "reviewers see what the lock lets through", ids)
    check(listed["states"] == {"new": 5} and listed["total"] == 5, "and its number", listed)
    for skill, code in (("mine/late", "NOT_FOUND"), ("mine/odd", "NOT_FOUND"), ("mine/gone", "NOT_FOUND"),
                        ("team/later", "NOT_FOUND"), ("mine/one", "CONFLICT")):
        told = house.tool("reviewer", "review_skill", action="approve", skill_name=skill, digest=OTHER)
        check(told["error"]["code"] == code, f"an approval of {skill}: {code}", told)
    for token in ("reader", "reviewer", "manager"):
        lists = house.lists(token)
        check(all(names == [] for names in lists.values()), f"{token}: nothing is listed before a decision", lists)
    for skill in ("mine/one", "scripted/calm", "team/alpha"):
        house.decide("approve", skill)
    served = ["one", "calm", "alpha"]
    until(lambda: house.names() == served, "what passes both is served")
    until(lambda: len(house.lists("reader")["find_helpful_skills"]) == 3, "and found")
    for token in ("reader", "reviewer", "manager"):
        for way, names in house.lists(token).items():
            check(sorted(names) == sorted(served), f"{token}: {way} has what passes both", names)
    shown = json.loads(house.run("skill", "list", "--json")[0])
    check([one["name"] for one in shown["skills"]] == served, "and so has the command", shown)

    # Each filter has its own answer. The lock's reason is given, with the name of the lock's file but without its
    # folder; an unapproved skill appears to every caller as missing.
    nobody = house.tool("reader", "load_skill", skill_name="nobody")["error"]
    for token in ("reader", "reviewer", "manager"):
        for skill, words in (("late", "is withheld: it is not as it was locked: it is not in"),
                             ("odd", "is withheld: it is not as it was locked: SKILL.md has"),
                             ("gone", "and the source no longer has it")):
            error = house.tool(token, "load_skill", skill_name=skill).get("error", {})
            check(error.get("code") == "NOT_FOUND" and words in error["message"] and "skills.lock" in error["message"]
                  and str(folder) not in json.dumps(error), f"{token}: why {skill} is not served", error)
        error = house.tool(token, "load_skill", skill_name="two").get("error", {})
        check(json.loads(json.dumps(error).replace("two", "nobody")) == nobody, f"{token}: what waits is as what does not exist", error)
        check(house.load("one", token)[0] != "", f"{token}: control: what passes both is loaded")
    findings = house.own("findings")["findings"]
    check(sorted((one["id"], one["file"]) for one in findings) == [("not-locked", f"mine/{name}") for name in ("gone", "late", "odd")],
          "managers are told what the lock keeps back, and nothing is a finding that waits", findings)

    # The pin reaches the source through both filters, and its snapshot and facts come back.
    check("First." in house.load("alpha")[0], "the locked commit is served", house.load("alpha"))
    check(house.revisions()["team"] == commit, "under its name", house.revisions())
    now = json.loads(house.run("skill", "info", "alpha", "--json")[0])
    del facts["facts"]["fetched_at"], now["facts"]["fetched_at"]  # it was fetched again
    differing = {name: (facts.get(name), value) for name, value in now.items() if value != facts.get(name)}
    check(not differing, "with the same facts, digest and files as without filters", differing)
    stats = house.tool("manager", "get_server_stats")["data"]
    check(stats["catalogue"]["skills"] == 3 and {one["skills"] for one in stats["sources"]} == {1}, "statistics count what is served",
          (stats["catalogue"], stats["sources"]))

    # Changed bytes under a locked revision are never served, and cost the skill its place.
    notes = "skill://scripted/calm/notes.md"
    house.say(calm[0], {**calm[1], "served": "As forged."})
    answer = house.ask("reader", "resources/read", uri=notes)
    check("error" in answer and "As forged." not in json.dumps(answer), "other bytes are an error", answer)
    until(lambda: "calm" not in house.names(), "and the skill goes")
    check("notes.md has 10 bytes with BLAKE3" in house.load("calm", "manager")[1], "with the words of the lock", house.load("calm", "manager"))
    ids = [one["id"] for one in house.tool("reviewer", "review_skill", action="list")["data"]["reviews"]]
    check(ids == ["mine/two", "team/beta"], "it waits for no reviewer", ids)
    house.say(*calm)
    house.refresh()
    until(lambda: "calm" in house.names(), "as it was locked, it is back with its approval")
    answer = house.ask("reader", "resources/read", uri=notes)
    check(answer.get("result", {}).get("contents", [{}])[0].get("text") == "As locked.", "control: the locked bytes are read", answer)
    # Only the lock withholds a change on disk; the restored file is still the approved content.
    text = (house.mine / "one/SKILL.md").read_text()
    write_skill(house.mine, "one", "About one.", "Changed.\n")
    until(lambda: "one" not in house.names(), "a changed skill goes")
    check("SKILL.md has" in house.load("one", "manager")[1], "with the words of the lock", house.load("one", "manager"))
    (house.mine / "one/SKILL.md").write_text(text)
    until(lambda: house.names() == served, "as it was, it is back in its place")
    # A rejected skill vanishes without a reason, although the lock still names it.
    house.decide("reject", "mine/one")
    until(lambda: house.names() == served[1:], "a rejection counts beside the lock")
    check("locked" not in house.load("one", "manager")[1], "and is not told as one of the lock", house.load("one", "manager"))
    house.end()


def decisions(folder: Path) -> None:
    """Checks that a decision changes the lists once, and no other skill; that a source's unapproved content is never
    served; and that a source that is away takes nothing from anybody."""
    house = House(folder)
    for name in ("one", "two"):
        write_skill(house.mine, name, f"About {name}.")
    wild = {"skill": "wild", "text": page("wild")}
    calm = [{"skill": "calm", "text": page("calm"), "revision": "1"},
            {"skill": "calm", "path": "notes.md", "text": "As agreed.", "revision": "1"}, wild]
    house.say(*calm)
    house.start(access={"visibility": [{"sources": ["scripted"], "scopes": ["staff"]}]})
    for skill in ("mine/two", "scripted/calm"):
        house.decide("approve", skill)
    until(lambda: house.names() == ["two", "calm"], "what is approved is served")
    until(lambda: len(house.lists("reader")["find_helpful_skills"]) == 2, "and found")

    who_sees(house)

    def generation() -> int:
        return house.tool("manager", "get_server_stats")["data"]["catalogue"]["generation"]

    def listings() -> tuple[int, int]:
        reported = next(one for one in house.own("sources")["sources"] if one["name"] == "scripted")["reported"]
        return reported["scripted_list"], reported["scripted_read"]

    def cached() -> tuple[bool, str]:
        told = heard.tool("load_skill", skill_name="calm", force_reload=True)
        return told["metadata"]["cached"], told["data"]["digest"]

    def held() -> list[tuple[str, str]]:
        return sorted((one["name"], one["digest"]) for one in heard.tool("get_loaded_skills_info")["data"]["loaded_skills"])

    heard = Heard(house)
    heard.tool("load_skill", skill_name="two")
    cached()
    before, digests, asked = cached(), house.revisions(), listings()
    check(before[0], "control: a text that was loaded is kept", before)
    loaded = held()
    check([name for name, _ in loaded] == ["calm", "two"], "control: two are loaded", loaded)
    told, number = heard.counts(), generation()
    steps = (("approve", "mine/one", ["one", "two", "calm"]), ("reject", "mine/one", ["two", "calm"]),
             ("approve", "scripted/wild", ["two", "calm", "wild"]), ("reject", "scripted/wild", ["two", "calm"]),
             ("approve", "mine/one", ["one", "two", "calm"]))
    for i, (action, skill, names) in enumerate(steps, 1):
        house.decide(action, skill)
        until(lambda names=names: house.names() == names, f"{action} {skill} is in force, and nobody changes places")
        until(lambda i=i: all(count >= told[kind] + i for kind, count in heard.counts().items()), f"{action} {skill} is told")
        check(all(count == told[kind] + i for kind, count in heard.counts().items()), f"{action} {skill}: once", (told, heard.counts()))
        check(generation() == number + i, f"{action} {skill}: one catalogue more", (number, generation()))
        if i == 1:
            heard.tool("load_skill", skill_name="one")
            loaded = held()
        if i == 2:
            check(listings() == asked, "a decision neither lists nor reads another source", (asked, listings()))
        check(held() == loaded, f"{action} {skill}: what the session has loaded stays noted", (loaded, held()))
    # Undone by hand: the file without the decision.
    approvals = json.loads((folder / "approvals.json").read_text())
    taken = approvals["skills"].pop("mine/one")
    (folder / "approvals.json").write_text(json.dumps(approvals))
    until(lambda: house.names() == ["two", "calm"], "a decision that is taken back counts no more")
    check("No skill is named" in house.load("one")[1] and taken["verdict"] == "approve", "and the skill waits again", house.load("one"))
    until(lambda: all(count >= told[kind] + 6 for kind, count in heard.counts().items()), "which is told")
    check(all(count == told[kind] + 6 for kind, count in heard.counts().items()) and generation() == number + 6, "once", heard.counts())
    check(cached() == before, "the text of another skill is kept with its digest", (before, cached()))
    check(house.revisions() == digests, "the snapshots of the sources are the same", (digests, house.revisions()))
    check(listings()[0] == asked[0], "and no decision lists a source again", (asked, listings()))
    check([name for name, _ in loaded] == ["calm", "one", "two"] and held() == loaded, "what is loaded stays noted", held())
    noted = heard.tool("get_loaded_skills_info")["data"]["loaded_skills"]
    check([one["name"] for one in noted if one.get("no_longer_served")] == ["one"], "and what is served no longer is marked", noted)

    # When a source is away, served skills stay, and decisions made meanwhile take effect.
    house.say(*calm, **{call: {"do": "UNAVAILABLE", "message": "no route"} for call in ("list", "read", "changes")})
    house.refresh()
    until(lambda: any(one["state"] != "ok" for one in house.own("sources")["sources"]), "control: the source is away")
    check(house.names() == ["two", "calm"], "what is approved is served while its source is away", house.names())
    house.decide_unseen("reject", "scripted/calm")
    until(lambda: house.names() == ["two"], "a rejection counts while the source is away")
    check("No skill is named" in house.load("calm")[1], "for who loads it, too", house.load("calm"))
    house.say(*calm)
    house.refresh()
    until(lambda: all(one["state"] == "ok" for one in house.own("sources")["sources"]), "the source is back")
    check(house.names() == ["two"], "and the rejection holds", house.names())
    house.decide("approve", "scripted/calm")
    until(lambda: house.names() == ["two", "calm"], "it is approved again")

    # Other bytes under an approved revision.
    notes = "skill://scripted/calm/notes.md"
    house.say(calm[0], {**calm[1], "served": "As forged."}, wild)
    for method, params in (("resources/read", {"uri": notes}),
                           ("tools/call", {"name": "read_skill_document", "arguments": {"skill_name": "calm", "document_path": "notes.md"}})):
        answer = json.dumps(house.ask("reader", method, **params))
        check("As forged." not in answer, f"{method}: bytes that nobody has approved are not handed on", answer)
    until(lambda: house.names() == ["two"], "and the skill waits")
    review = next(one for one in house.own("reviews")["reviews"] if one["id"] == "scripted/calm")
    check(review["state"] == "changed" and review["action"] == "quarantine", "as one that has changed", review)
    house.say(calm[0], {**calm[1], "revision": "2"}, wild)
    house.refresh()
    until(lambda: house.names() == ["two", "calm"], "with the approved bytes it is back: an approval is of bytes, not of a revision")
    answer = house.ask("reader", "resources/read", uri=notes)
    check(answer.get("result", {}).get("contents", [{}])[0].get("text") == "As agreed.", "control: the approved bytes are read", answer)

    # For a client with a stream, a change on disk removes the skill, and restoring the file brings it back.
    text, told = (house.mine / "two/SKILL.md").read_text(), heard.counts()
    write_skill(house.mine, "two", "About two.", "Planted.\n")
    until(lambda: all(count > told[kind] for kind, count in heard.counts().items()), "a change on disk is told")
    until(lambda: house.names() == ["calm"], "and the skill is withheld")
    for method, params in (("resources/read", {"uri": "skill://mine/two/SKILL.md"}), ("prompts/get", {"name": "two"}),
                           ("tools/call", {"name": "load_skill", "arguments": {"skill_name": "two", "force_reload": True}})):
        answer = json.dumps(house.ask("reader", method, **params))
        check("Planted." not in answer, f"{method}: what was planted is not read", answer)
    (house.mine / "two/SKILL.md").write_text(text)
    until(lambda: house.names() == ["two", "calm"], "as it was approved, it is back in its place")
    house.end()


def who_sees(house: House) -> None:
    """`mine/one` and `scripted/wild` wait; `mine/two` and `scripted/calm` are served, the latter only to staff."""
    for token in TOKENS:
        staff = "staff" in TOKENS[token]["scopes"]
        seen = ["two", "calm"] if staff else ["two"]
        until(lambda token=token, seen=seen: sorted(house.lists(token)["find_helpful_skills"]) == sorted(seen), f"{token} finds")
        for way, names in house.lists(token).items():
            check(sorted(names) == sorted(seen), f"{token}: {way} has what is approved and seen", names)
        # Reviewers have no privilege to read: a waiting skill appears to everybody as missing.
        for skill in ("one", "wild"):
            source = "mine" if skill == "one" else "scripted"
            asked = [("tools/call", {"name": "load_skill", "arguments": {"skill_name": "NAME"}}),
                     ("tools/call", {"name": "load_skill", "arguments": {"skill_name": "SOURCE/NAME"}}),
                     ("tools/call", {"name": "read_skill_document", "arguments": {"skill_name": "NAME"}}),
                     ("tools/call", {"name": "NAME", "arguments": {}}), ("prompts/get", {"name": "NAME"}),
                     ("resources/read", {"uri": "skill://SOURCE/NAME/SKILL.md"})]
            for method, params in asked:
                def answer(name: str, method: str = method, params: dict[str, object] = params, source: str = source) -> str:
                    given = json.loads(json.dumps(params).replace("SOURCE", source).replace("NAME", name))
                    text = json.dumps(house.ask(token, method, **given))
                    return re.sub(r'"durationMs": \d+', "", text.replace(name, "NAME"))
                check(answer(skill) == answer("nobody"), f"{token}: {method} {params} of {skill} is as of nobody", answer(skill))
                check(answer("two") != answer("nobody") or source == "scripted", f"{token}: control: {method} {params}", answer("two"))
        told = house.ask(token, "tools/call", name="review_skill", arguments={"action": "list"})
        may = token == "reviewer"
        check(("result" in told) == may, f"{token} may ask for reviews: {may}", told)
        reviews = house.ask(token, "resources/read", uri="skillhost://reviews")
        if token == "manager":
            ids = [one["id"] for one in json.loads(reviews["result"]["contents"][0]["text"])["reviews"]]
            check(ids == ["mine/one", "scripted/wild"], "a manager looks on", ids)
        elif token == "warden":
            text = json.loads(reviews["result"]["contents"][0]["text"])
            check(text == {"total": 0, "reviews": []}, "a manager who does not see all skills is told of none", text)
        else:
            check("result" not in reviews, f"{token} does not look on", reviews)
        text = json.dumps(house.tool(token, "get_server_stats"))
        check("wild" not in text and "one/" not in text, f"{token}: statistics name nothing that waits", text)
    stats = house.tool("manager", "get_server_stats")["data"]
    check(stats["catalogue"]["skills"] == 2 and {one["name"]: one["skills"] for one in stats["sources"]} == {"mine": 1, "scripted": 1},
          "nor do they count it", (stats["catalogue"], stats["sources"]))


def failures(folder: Path) -> None:
    """Checks that an unreadable filter withholds everything in its scope, with the reason."""
    house = House(folder)
    write_skill(house.mine, "one", "About one.")
    house.sources.clear()
    house.write()
    house.run("lock")
    # This rule withholds nothing by itself; the unreadable file does.
    rules = {"rules": [{"action": "warn", "when": ["changed"]}]}
    house.write(trust=rules)
    house.run("review", "approve", "mine/one")
    approvals, lock = folder / "approvals.json", folder / "skills.lock"
    good, locked = approvals.read_text(), lock.read_text()
    said, _ = house.run("skill", "list")
    check("1 skill\n" in said, "control: what is approved is served", said)

    def spoil(file: Path, text: str, how: str) -> None:
        if file.is_dir():
            file.rmdir()
        file.unlink(missing_ok=True)
        if how == "a folder":
            file.mkdir()
        else:
            file.write_text(text[:-20] if how == "half a file" else text)
            file.chmod(0o666 if how == "writable for others" else 0o600)
        if how == "of another user":
            os.chown(file, 65534, 65534)

    ways = {"a folder": "it is a folder", "half a file": "not JSON", "writable for others": "run chmod go-w"}
    if os.geteuid() == 0:
        ways["of another user"] = "it belongs to user 65534"
    for how, words in ways.items():
        spoil(approvals, good, how)
        said, why = house.run("skill", "list")
        check("0 skills\n1 more skill held back" in said, f"approvals that are {how}: withheld", said)
        check(f"[ERROR] [review] {approvals}" in why and words in why and "is withheld" in why, f"approvals that are {how}: why", why)
    spoil(approvals, good, "as they were")
    house.write(trust=rules, locked=True)
    said, _ = house.run("skill", "list")
    check("1 skill\n" in said, "control: with both as they were it is served", said)
    for how, words in {**ways, "half a file": "the file is damaged"}.items():
        spoil(lock, locked, how)
        said, why = house.run("skill", "list", code=1)
        check(said == "" and f"locked: {lock}" in why and words in why, f"a lock that is {how}: nothing starts", (said, why))


def main() -> int:
    if shutil.which("git") is None:
        print("git is not installed")
        return 77
    for part in (lock_first, decisions, failures):
        with tempfile.TemporaryDirectory() as folder:
            part(Path(folder))
    return checks.finish()


sys.exit(main())
