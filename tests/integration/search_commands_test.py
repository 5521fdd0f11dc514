#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the output of `skillhost search` at a terminal: explanations, evaluation, and the fallback to words alone.
search_commands_test.py SERVER WRITE_SMALL_MODEL MISBEHAVING_FOLDER"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import Checks  # noqa: E402

SERVER, WRITE_MODEL, MISBEHAVING = (str(Path(one).resolve()) for one in sys.argv[1:4])
checks = Checks()
check = checks.check

SKILLS = {
    "pdf-merge": "Merges PDF files into one.",
    "mail": "Writes friendly letters. Use it for letters.",
    "cat": "Everything about a cat in new york.",
    "dog": "Everything about a dog in new york.",
}


class Folder:
    """Skills, configurations and questions, with a home folder of their own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.skills = self.folder / "skills"
        for name, description in SKILLS.items():
            self.write(f"skills/{name}/SKILL.md",
                       f"---\nname: {name}\ndescription: {description}\n---\nText.\n")
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "SKILLHOST_"))}
        self.environment = {**keep, "HOME": str(self.folder / "home"), "SKILLHOST_LOG_LEVEL": "ERROR"}

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def questions(self, *lines, name="questions.jsonl"):
        return self.write(name, "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines))

    def search(self, *words):
        done = subprocess.run([SERVER, "search", "--no-config", *words], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=120, cwd=self.folder, env=self.environment)
        return done.returncode, done.stdout, done.stderr

    def with_search(self, plugin, **config):
        """Returns options that search with a plugin."""
        isolation = config.pop("isolation", "auto")
        return ["--skills-dir", str(self.skills), "--set", f"search.plugin={plugin}", "--set", f"search.isolation={isolation}",
                "--set", "search.config=" + json.dumps(config)]


def explains(folder):
    for isolation in ("thread", "process"):
        options = folder.with_search("keyword", isolation=isolation)
        code, out, err = folder.search("Merging PDF things, please", "--explain", *options)
        check(code == 0 and not err, f"explain: {code} {err}")
        check("pdf-merge" in out and "Merging as merg: " in out and "; description 1 (" in out and ", name 1 (" in out and
              "missing     things, please" in out and "runs of letters in common" in out, f"explain ({isolation}): {out}")
        code, out, _ = folder.search("Merging PDF things, please", "--explain", "--json", *options)
        hit = json.loads(out)[0]
        why = hit["explanation"]
        words = {one["word"]: one for one in why["words"]}
        check(code == 0 and abs(why["calibrated"]["score"] - hit["score"]) < 1e-4, f"one score: {hit}")
        check(words["Merging"]["stem"] == "merg" and words["Merging"]["fields"] == {"name": 1, "description": 1}, why)
        check(abs(sum(one["share"] for one in why["words"]) + why["similarity"]["share"] - 1) < 1e-6, f"shares: {why}")
    code, out, err = folder.search("pdf", "--json", *options)
    check(code == 0 and "explanation" not in out, f"only when asked for: {out}")

    # The plugins here lack the interface, or break its rules.
    folder.write("skills/pdf-lower/SKILL.md", "---\nname: pdf-lower\ndescription: reads pdf files\n---\n")
    code, out, err = folder.search("pdf", "--explain", *folder.with_search(f"{MISBEHAVING}/misbehaving_search_good.so"))
    check(code == 0 and "pdf-lower" in out and
          err == "skillhost: the search plugin does not explain its results\n", f"explains nothing: {code} {out} {err}")
    code, out, err = folder.search("pdf", "--explain",
                                   *folder.with_search(f"{MISBEHAVING}/misbehaving_search_explains_in_words.so"))
    check(code == 1 and "pdf-lower" in out and "explain: it is no JSON object" not in out and "explain" in err,
          f"explains in words: {code} {out} {err}")
    (folder.skills / "pdf-lower/SKILL.md").unlink()


def bodies(folder):
    """Checks that the search covers the part of a body that the host passes on, and that no setting promises more."""
    text = "word " * 1630 + "quokka " + "word " * 100 + "wombat\n"
    assert text.index("quokka") < 8192 - 6 < text.index("wombat")
    folder.write("skills/long/SKILL.md", f"---\nname: long\ndescription: Has a long text.\n---\n{text}")
    options = ["--json", "--set", "search.min_score=0"]
    for word, size, found in (("quokka", 8192, True), ("wombat", 8192, False), ("quokka", 8000, False)):
        code, out, err = folder.search(word, *options, *folder.with_search("keyword", body_bytes=size))
        check(code == 0 and ('"long"' in out) == found, f"{word} in {size} bytes: {code} {out} {err}")
    code, out, err = folder.search("quokka", *options, *folder.with_search("keyword", body_bytes=8193))
    check(code == 1 and "body_bytes" in err and "8192" in err and not out, f"more than is given: {code} {out} {err}")
    (folder.skills / "long/SKILL.md").unlink()


def by_meaning(folder):
    model = folder.folder / "model"
    model.mkdir()
    subprocess.run([WRITE_MODEL, str(model)], check=True, timeout=60)
    for isolation in ("thread", "process"):
        options = folder.with_search("hybrid", model=str(model), least_cosine=0, isolation=isolation)
        # The answer waits for the vectors: every hit has one, at the first start too.
        code, out, err = folder.search("a cat! new york?", "--explain", "--json", *options)
        check(code == 0 and not err, f"hybrid: {code} {err}")
        for hit in json.loads(out):
            why = hit["explanation"]
            check({"cosine", "whole", "best_sentence"} <= set(why["meaning"]) and "fusion" in why, f"by meaning: {hit}")
            check(abs(why["fusion"]["words"] + why["fusion"]["meaning"] - why["fusion"]["score"]) < 1e-6, f"sum: {why}")
        code, out, err = folder.search("a cat! new york?", "--explain", *options)
        check("whole question" in out and "best sentence" in out and "words " in out and " + meaning " in out, out)
    for config, why in (({}, "no model is installed: `skillhost model fetch` gets one"), ({"model": "/none"}, "/none/config.json: not found")):
        code, out, err = folder.search("letters", *folder.with_search("hybrid", **config))
        check(code == 0 and "mail" in out and
              err == f"skillhost: skills are found by words alone: {why}\n", f"by words alone: {code} {out} {err}")
    # A scan that is not finished in time is reported, and the hits so far are returned.
    folder.write("skills/pdf-lower/SKILL.md", "---\nname: pdf-lower\ndescription: reads pdf files\n---\n")
    for isolation in ("thread", "process"):
        code, out, err = folder.search("pdf", "--set", "deadlines.scan_ms=3000", *folder.with_search(
            f"{MISBEHAVING}/misbehaving_search_never_settles.so", isolation=isolation))
        check(code == 0 and "pdf-lower" in out and "has not finished with every skill in 3000 ms (3 of 7 are done)" in err,
              f"never done ({isolation}): {code} {out} {err}")
    (folder.skills / "pdf-lower/SKILL.md").unlink()


def evaluates(folder):
    questions = folder.questions({"_id": "a", "text": "merge pdf files", "skills": ["pdf-merge"]},
                                 {"text": "write letters", "skills": ["mail", "dog"]},
                                 {"text": "a dog in new york", "skills": ["cat"]},
                                 {"text": "xyzzy", "skills": ["cat"]},
                                 {"text": "quux", "skills": []},
                                 {"text": "letters of nobody"})
    code, out, err = folder.search("--evaluate", str(folder.skills), questions)
    check(code == 0 and not err, f"evaluate: {code} {err}")
    check("4 skills, 6 questions: hybrid\n" in out and "Hit@1      0.5000\n" in out and "MRR@10     0.6250\n" in out and
          "Recall@10  0.6250\n" in out and "no answer  1 of 4\n" in out and
          "2 questions that no skill answers: rightly none found for 1\n" in out, out)
    again = folder.search("--evaluate", questions, "--skills-dir", str(folder.skills))
    check(again == (code, out, err), f"the configured sources: {again}")
    code, out, _ = folder.search("--evaluate", str(folder.skills), questions, "--json")
    said = json.loads(out)
    check(said["Hit@1"] == 0.5 and said["questions"] == 4 and said["unanswered"] == 1 and said["unknown"] == [] and
          said["about_nothing"] == {"questions": 2, "rightly_none": 1} and "against" not in said, said)

    strange = folder.questions({"text": "merge pdf", "skills": ["pdf-merge", "nobody"]}, {"text": "x", "skills": ["\u202eno one"]})
    code, out, err = folder.search("--evaluate", str(folder.skills), strange)
    check(code == 0 and f'{strange}:1: no skill is named "nobody": it counts as not found' in err and "\u202e" not in err and
          "Recall@10  0.2500\n" in out, f"unknown names: {code} {out} {err}")


def compares(folder):
    questions = folder.questions({"_id": "a", "text": "merge pdf files", "skills": ["pdf-merge"]},
                                 {"_id": "b", "text": "friendlily", "skills": ["mail"]},
                                 {"_id": "c", "text": "quu friendlily", "skills": []})
    other = folder.write("other.yaml", "search: {min_score: 0, config: {similarity_weight: 0}}\n")
    # Hits by common letters alone are below the floor.
    arguments = ["--evaluate", str(folder.skills), questions, "--against", other, "--set", "search.min_score=0"]
    code, out, err = folder.search(*arguments)
    check(code == 0 and not err and "this is hybrid, other is hybrid by other.yaml" in out, f"compare: {code} {out} {err}")
    check("worse with the other: 1 question\n  line 2: 1 -> -  friendlily\n" in out and
          "better with the other: 1 question\n  line 3: some -> none" in out and "(may be chance)" in out, out)
    check(folder.search(*arguments) == (code, out, err), "the same each time")
    code, out, _ = folder.search(*arguments, "--json")
    said = json.loads(out)
    check(said["Hit@1"] == 1 and said["against"]["Hit@1"] == 0.5 and said["differences"]["Hit@1"]["mean"] == -0.5, said)
    check(said["differences"]["Hit@1"]["low"] == -1 and said["differences"]["Hit@1"]["high"] == 0 and
          not said["differences"]["Hit@1"]["sure"], said)
    check([(one["_id"], one["first"], one["first_against"]) for one in said["changed"]] ==
          [("b", 1, None), ("c", "some", "none")], said)
    code, out, _ = folder.search("--evaluate", str(folder.skills), questions, "--against",
                                 folder.write("same.yaml", "default_top_k: 4\n"))
    check(code == 0 and "no question comes out differently" in out, out)


def refuses(folder):
    good = json.dumps({"text": "a", "skills": ["mail"]})
    skills = str(folder.skills)
    for lines, why in (([good, "{"], ":2: "), ([good, "[]"], ":2: expected a JSON object"),
                       ([{"skills": []}], ':1: "text" is missing'), ([{"text": "a", "skill": "b"}], ':1: "skills" is missing'),
                       ([], "there is no question in it"), (["", " "], "there is no question in it"),
                       ([good, '{"text": "' + "a" * (1 << 20) + '"}'], ":2: the line has 1048")):
        file = folder.questions(*lines, name="bad.jsonl")
        code, out, err = folder.search("--evaluate", skills, file)
        check(code == 1 and not out and err.startswith(f"skillhost: {file}") and why in err, f"{str(lines)[:80]}: {code} {out} {err[:300]}")
    file = folder.questions(good)
    for words, why in (([skills, "none.jsonl"], "none.jsonl: No such file or directory"), ([skills, skills], "it is a folder"),
                       (["nowhere", file], "nowhere"), ([file, "--set", "search.plugin=none", "--skills-dir", skills], "search.plugin is none"),
                       ([str(folder.folder / "empty"), file], "there is no skill to be found"),
                       ([skills, file, "--against", "gone.yaml"], "gone.yaml: No such file"),
                       ([skills, file, "--against", folder.write("bad.yaml", "search: {config: {k1: x}}\n")], "bad.yaml"),
                       ([skills, file, "--against", folder.write("off.yaml", "search: {plugin: none}\n")], "off.yaml: there is no search")):
        (folder.folder / "empty").mkdir(exist_ok=True)
        code, out, err = folder.search("--evaluate", *words)
        check(code == 1 and not out and why in err, f"{words}: {code} {out} {err}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        made = Folder(folder)
        for part in (explains, bodies, by_meaning, evaluates, compares, refuses):
            part(made)
    return checks.finish()


sys.exit(main())
