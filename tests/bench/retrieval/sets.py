#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes collections in the BEIR layout from archives of skills and questions about them. sets.py CORPORA OUT

CORPORA holds real-skills.tar.gz, more-skills.tar.gz, skill-queries.jsonl, task-queries.jsonl, no-skill-queries.jsonl
and retrieval.tar.gz. OUT gets a folder for each set: skill-queries and task-queries with the skills of both archives,
and the content of retrieval.tar.gz. It also gets an unchanged copy of no-skill-queries.jsonl."""
import json
import re
import shutil
import sys
import tarfile
from pathlib import Path

import yaml

BODY = 8192  # bytes of a body that the search receives


def fields(text):
    """Returns name, description and body of a SKILL.md, or None."""
    found = re.match(r"---\n(.*?)\n---\n?(.*)", text.replace("\r\n", "\n"), re.DOTALL)
    if not found:
        return None
    try:
        front = yaml.safe_load(found[1])
    except yaml.YAMLError:  # the server also reads line by line if the text is not YAML
        front = dict(re.findall(r"^(name|description):\s*(.*)$", found[1], re.MULTILINE))
    if not isinstance(front, dict) or "name" not in front:
        return None
    body = found[2].encode()[:BODY].decode(errors="ignore")
    return str(front["name"]), str(front.get("description", "")), body


def skills(corpora):
    for archive in ("real-skills.tar.gz", "more-skills.tar.gz"):
        with tarfile.open(corpora / archive) as tar:
            for member in tar:
                if member.isfile() and member.name.rsplit("/", 1)[-1] == "SKILL.md":
                    found = fields(tar.extractfile(member).read().decode(errors="replace"))
                    if found:
                        yield member.name.replace(" ", "_"), *found


def lines(file):
    return [json.loads(line) for line in file.read_text().splitlines() if line]


def main(corpora, out):
    documents = sorted(skills(corpora))
    for name in ("skill-queries", "task-queries"):
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        questions = lines(corpora / f"{name}.jsonl")
        with (folder / "corpus.jsonl").open("w") as corpus:
            for identity, title, text, body in documents:
                corpus.write(json.dumps({"_id": identity, "title": title, "text": text, "body": body}) + "\n")
        with (folder / "queries.jsonl").open("w") as queries, (folder / "qrels.tsv").open("w") as relevant:
            relevant.write("query\tdocument\tscore\n")
            for question in questions:
                queries.write(json.dumps({"_id": question["_id"], "text": question["text"]}) + "\n")
                for identity, title, _, _ in documents:
                    if title in question["skills"]:
                        relevant.write(f"{question['_id']}\t{identity}\t1\n")
        print(f"{name}: {len(documents)} skills, {len(questions)} questions")
    with tarfile.open(corpora / "retrieval.tar.gz") as tar:
        for member in tar:
            parts = Path(member.name).parts
            if member.isfile() and len(parts) >= 2 and parts[-1] in ("corpus.jsonl", "queries.jsonl", "qrels.tsv"):
                folder = out / parts[-2]
                folder.mkdir(parents=True, exist_ok=True)
                (folder / parts[-1]).write_bytes(tar.extractfile(member).read())
    shutil.copyfile(corpora / "no-skill-queries.jsonl", out / "no-skill-queries.jsonl")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
