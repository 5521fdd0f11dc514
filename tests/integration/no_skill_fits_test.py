#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that a question about something else finds nothing: search.min_score, with the tool, the command and SIGHUP.
no_skill_fits_test.py SERVER [SHARED]

With SHARED/corpora/no-skill-queries.jsonl it counts how many everyday questions find something among the skills
of the corpora. Exits with 77 if everything else is right and they are missing."""
import json
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from checks import SLOWNESS, Checks, until
from http_server import LEGACY, Running, legacy
from session import write_skill

SERVER = sys.argv[1]
CORPORA = Path(sys.argv[2]) / "corpora" if len(sys.argv) > 2 else None
checks = Checks()
check = checks.check
SKILLS = {"pdf-tools": "Extract text and tables from PDF documents, fill in forms.",
          "send-email": "Send and schedule messages to people.",
          "weather": "Temperature and rain of a city.",
          "deploy-app": "Roll out a service to a Kubernetes cluster, and roll it back.",
          "sql-review": "Find slow statements of a database and add an index."}
# Skills with a text, as real ones have: missing words say less about bare descriptions.
TEXT = "Text. " + "Read these instructions to their end before you begin with the first step of them. " * 5
# Words that only a body contains.
BODIES = {"weather": "Text. Ask a barometer for the pressure, and a hygrometer. A thermohygrograph draws both."}
TITLES = {"deploy-app": "Roll-out of services"}
# Below a hundred skills there is no minimum score.
OTHERS = {f"log-{number}": f"Keep the log of machine {number}." for number in range(100)}
FITS = "Extract the tables of this PDF document"
HARDLY = "Which city has the best football team, and who was its coach when they won?"
WEAKLY = "Draw a map of the city"  # its best score is about 0.14
NOTHING = "No skill fits this task. Call list_skills to see all there are."


class House:
    def __init__(self, folder):
        self.file = folder / "skillhost.json"
        for name, description in (SKILLS | OTHERS).items():
            (folder / "skills" / name).mkdir(parents=True)
            title = f"title: {TITLES[name]}\n" if name in TITLES else ""
            (folder / "skills" / name / "SKILL.md").write_text(f"---\nname: {name}\n{title}description: {description}\n---\n{BODIES.get(name, '')} {TEXT}\n")
        self.say({})
        self.server = Running(SERVER, str(folder / "skills"), "--config", str(self.file))

    def say(self, search):
        self.file.write_text(json.dumps({"search": search}))

    def hang_up(self, search):
        self.say(search)
        ends = ("was read again", "is not applied")
        before = sum(any(end in line for end in ends) for line in self.server.log)
        self.server.process.send_signal(signal.SIGHUP)
        until(lambda: sum(any(end in line for end in ends) for line in self.server.log) > before, "SIGHUP is answered")
        return [line for line in self.server.log if any(end in line for end in ends)][-1]

    def find(self, task, top=20):
        request = legacy("tools/call", name="find_helpful_skills", arguments={"task_description": task, "top_k": top})
        result = self.server.post(request, MCP_Protocol_Version=LEGACY)[1]["result"]
        return result["structuredContent"]["data"], result["content"][0]["text"]


def by_the_tool(house):
    data, text = house.find(FITS)
    check([one["name"] for one in data["results"]][:1] == ["pdf-tools"], f"what fits is found: {text}")
    check(all(.35 <= one["score"] <= 1 for one in data["results"]), f"scores are above the floor: {data}")
    data, text = house.find(HARDLY)
    check(data == {"results": [], "total": 0} and text == NOTHING, f"nothing fits: {text}")
    for task in ("thermohygrograph", "barometer", "How do I ask a barometer for the pressure?"):
        data, text = house.find(task)
        check("weather" in [one["name"] for one in data["results"]], f"what a body says is found, {task}: {text}")
    data, text = house.find(WEAKLY)
    check([one["name"] for one in data["results"]][:1] == ["weather"] and data["results"][0]["score"] < .35 and text.startswith("No skill fits this task well."),
          f"weak hits are found, with a note: {text}")
    check(house.find("bassoon")[1] == NOTHING, "what nothing says is not")
    for task, name in (("Weather", "weather"), ("deploy app", "deploy-app"), ("Roll-out of services", "deploy-app")):
        data, _ = house.find(task)
        check(data["results"][0]["name"] == name and data["results"][0]["score"] > .95, f"a name comes first, {task}: {data}")


def by_sighup(house):
    line = house.hang_up({"min_score": 0})
    check("search.min_score changed" in line, f"it is taken over: {line}")
    data, text = house.find(HARDLY)
    check(data["total"] > 0, f"without a floor what hardly fits is found: {text}")
    check(data["results"][0]["score"] < .35, f"with a low score: {data}")
    house.hang_up({"min_score": 1})
    check(house.find(FITS)[1] == NOTHING, "a floor of 1 leaves nothing")
    line = house.hang_up({"min_score": 1.5})
    check("is not applied" in line and "min_score: expected a number from 0 to 1" in line, f"1.5 is refused: {line}")
    check(house.find(FITS)[1] == NOTHING, "what was before holds")
    house.hang_up({})
    check(house.find(FITS)[0]["total"] > 0 and house.find(HARDLY)[0]["total"] == 0, "the default is back")


def by_the_command(folder):
    def search(*arguments):
        return subprocess.run([SERVER, "search", "--skills-dir", str(folder / "skills"), *arguments], capture_output=True, text=True, timeout=60)
    done = search(FITS)
    check(done.returncode == 0 and "pdf-tools" in done.stdout, f"the command finds: {done}")
    done = search(HARDLY)
    check(done.returncode == 0 and done.stdout == "no skill fits\n", f"and says when nothing fits: {done}")
    done = search("--json", HARDLY)
    check(done.returncode == 0 and json.loads(done.stdout) == [], f"as JSON: {done}")
    done = search("--json", WEAKLY)
    hits = json.loads(done.stdout)
    check([hit["name"] for hit in hits][:1] == ["weather"] and len(hits) <= 3 and all(.05 <= hit["score"] < .35 for hit in hits),
          f"weak hits are found: {done}")
    done = search(WEAKLY)
    check("weather" in done.stdout and "no skill fits this well" in done.stderr, f"with a note: {done}")
    check(search("--min-score", "0.35", WEAKLY).stdout == "no skill fits\n", "but not with a score of one's own")
    done = search("--min-score", "0", HARDLY)
    check(done.returncode == 0 and "no skill" not in done.stdout, f"the option holds: {done}")
    for wrong in ("1.1", "-0.1", ".nan", "much"):
        done = search("--min-score", wrong, FITS)
        check(done.returncode != 0 and "number from 0 to 1" in done.stderr, f"{wrong} is refused: {done}")


def among_few(folder):
    """Checks that a fitting skill is found however few skills there are, and however many fit, and that a hardly
    fitting one is found, too."""
    for name, description in SKILLS.items():
        write_skill(folder / "few", name, description)
    for number in range(110):
        write_skill(folder / "alike", f"part-{number}", f"Works with PDF files, part {number}.")
    for which, task in (("few", FITS), ("few", HARDLY), ("few", "help me with email"), ("alike", "PDF files"), ("alike", "pdf"),
                        ("alike", "What can you do with PDF files?")):
        done = subprocess.run([SERVER, "search", "--no-config", "--skills-dir", str(folder / which), task],
                              capture_output=True, text=True, timeout=60)
        check(done.returncode == 0 and "no skill fits" not in done.stdout, f"{which}, {task}: {done}")


def told_among_few(folder):
    """Checks that a model learns that nothing fits well, in a catalogue of any size, while programs still get the
    nearest skills."""
    server = Running(SERVER, str(folder / "few"))

    def find(task):
        request = legacy("tools/call", name="find_helpful_skills", arguments={"task_description": task})
        result = server.post(request, MCP_Protocol_Version=LEGACY)[1]["result"]
        return result["structuredContent"]["data"], result["content"][0]["text"]
    data, text = find(FITS)
    check(text.startswith("Most helpful first. Load one with load_skill") and "- pdf-tools (" in text, f"what fits: {text}")
    data, text = find(HARDLY)
    check(text.startswith("No skill fits this task well.") and "- weather (" in text and "load_skill" not in text, f"what hardly fits: {text}")
    check(data["total"] > 0 and data["results"][0]["score"] < .35, f"a program gets it: {data}")
    check(server.end() == 0, "the end is in order")
    for task, note in ((FITS, False), (HARDLY, True)):
        done = subprocess.run([SERVER, "search", "--no-config", "--skills-dir", str(folder / "few"), task], capture_output=True, text=True, timeout=60)
        check(done.returncode == 0 and ("no skill fits this well" in done.stderr) == note, f"the command, {task}: {done}")


def by_many_questions(folder):
    """Checks the thresholds: of 40 questions about nothing here at least 36 find nothing that fits, and at least 30
    find nothing at all; of those with an answer at most 2 % find nothing that fits."""
    if CORPORA is None or not CORPORA.is_dir():
        print("the corpora are absent: no count of questions")
        return False
    if SLOWNESS > 1:  # The count is the same in a build that is many times slower.
        print("no count of questions in a slow build")
        return True
    for name in ("real-skills.tar.gz", "more-skills.tar.gz"):
        with tarfile.open(CORPORA / name) as archive:
            archive.extractall(folder / "corpora", filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(folder / "corpora")
    server = Running(SERVER, str(folder / "corpora"))
    lines = {name: [json.loads(line)["text"] for line in (CORPORA / name).read_text().splitlines()]
             for name in ("no-skill-queries.jsonl", "skill-queries.jsonl")}

    def answer(task):
        request = legacy("tools/call", name="find_helpful_skills", arguments={"task_description": task, "list_documents": False})
        return server.post(request, MCP_Protocol_Version=LEGACY)[1]["result"]["structuredContent"]

    def finds(task, least=.35):
        return any(one["score"] >= least for one in answer(task)["data"]["results"])
    until(lambda: finds("Map Azure resources") and "partial" not in answer("Map Azure resources").get("metadata", {}),
          "all skills are indexed")
    kept = [text for text in lines["no-skill-queries.jsonl"] if not finds(text)]
    lost = [text for text in lines["skill-queries.jsonl"] if not finds(text)]
    empty = [text for text in kept if not finds(text, 0)]
    print(f"nothing at all: {len(empty)} of 40 about nothing here")
    check(len(empty) >= 30, f"{len(empty)} of 40 find nothing at all")
    print(f"nothing fits: {len(kept)} of 40 about nothing here, {len(lost)} of {len(lines['skill-queries.jsonl'])} with an answer")
    check(len(kept) >= 36, f"{len(kept)} of 40 find nothing that fits")
    check(len(lost) <= len(lines["skill-queries.jsonl"]) * .02, f"these find nothing: {lost}")
    check(server.end() == 0, "the end is in order")
    return True


with tempfile.TemporaryDirectory() as place:
    house = House(Path(place))
    by_the_tool(house)
    by_sighup(house)
    check(house.server.end() == 0, "the end is in order")
    by_the_command(Path(place))
    among_few(Path(place))
    told_among_few(Path(place))
    counted = by_many_questions(Path(place))
sys.exit(checks.finish() or (0 if counted else 77))
