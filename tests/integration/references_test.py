#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the paths in a skill's text: a skill's own files and folders take precedence over any project's.
references_test.py SERVER ROOT [FOLDER…] Checks skills written here and, if available, the corpora; or prints a
table of the given folders."""
import os
import re
import sys
import tarfile
import tempfile
from pathlib import Path

from checks import Checks
from session import Session, write_skill

SERVER, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
# Usual projects have these at the top, and in each of these folders.
FOLDERS = ("src tests docs examples scripts assets references templates data config lib bin build dist tools public "
           "resources packages app .github").split()
OWN = [each for each in FOLDERS if each[0] != "."]  # hidden folders are no part of a skill
FILES = ("README.md", "index.md", "main.py", "config.json", "package.json")
END = re.compile(r"[\s`\"'()<>\[\]{},;|*#?\\]|:\d|[.:!]+(?:[\s*]|$)|$")
HEAD = "| skills of | skills | references to the skill's own | to the project | of these the skill's own | of these no file |"
checks = Checks()
check = checks.check


def write_project(root):
    """Makes a project with twenty folders, and files in each of them."""
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True)
    for folder in (".", *FOLDERS):
        for name in FILES:
            (root / folder / name).write_text("of the project\n")


def below(text, root):
    """Yields every path in `text` below the folder `root`, relative to it."""
    for found in re.finditer(re.escape(str(root)) + r"(/|\b)", text):
        rest = text[found.end():]
        yield rest[:END.search(rest).start()].rstrip("/")


def owns(files, path):
    """Returns whether the skill has the path itself, or its first folder."""
    first = path.split("/")[0]
    return path in files or any(each.startswith((path + "/", first + "/")) for each in files)


class Table:
    """Counts how the references of many skills were resolved."""

    def __init__(self, project):
        self.project, self.rows, self.taken, self.folders = project, [], [], []

    def measure(self, name, skills):
        count = own = project = 0
        taken, folders = [], []
        with Session([SERVER, "--skills-dir", str(skills)]) as session:
            for skill in all_names(session):
                text = session.tool("load_skill", skill_name=skill, force_reload=True)["content"]
                text = text.partition("\n\n")[2]  # the text before it is not the author's
                files = {each["path"] for each in session.tool("read_skill_document", skill_name=skill)["documents"]}
                count += 1
                own += sum(1 for _ in below(text, skills))
                for path in below(text, self.project):
                    project += 1
                    if owns(files, path):
                        taken.append((skill, path))
                    if not (self.project / path).is_file():
                        folders.append((skill, path))
        where = f"{len(taken)} in {len({skill for skill, _ in taken})}" if taken else "0"
        self.rows.append(f"| {name} | {count} | {own} | {project} | {where} | {len(folders)} |")
        self.taken += taken
        self.folders += folders

    def __str__(self):
        return "\n".join((HEAD, "|" + " --- |" * HEAD.count(" | ") + " --- |", *self.rows))


def all_names(session):
    names = []
    while True:
        page = session.tool("list_skills", limit=100, offset=len(names))
        names += [skill["name"] for skill in page["skills"]]
        if not page["hasMore"]:
            return names


def own_skills(scratch):
    """Makes two skills whose text names every usual folder: one has them all, one has none."""
    words = "\n".join(f"See {each}/ and {each} and `{each}/`, [it]({each}), {each}/absent.md." for each in FOLDERS)
    words += "\n" + "\n".join(f"Read {each}/README.md then." for each in FOLDERS) + "\nChange package.json, [main](main.py).\n"
    for name in ("has-all", "has-none"):
        write_skill(scratch / "own-skills", name, "Names folders.", words)
    for each in OWN:
        folder = scratch / "own-skills/has-all" / each
        folder.mkdir()
        (folder / "own.md").write_text("of the skill\n")
    return scratch / "own-skills"


def check_own(table):
    """Checks that the first skill keeps everything to itself, and that of the second's words only files belong to
    the project."""
    check(table.rows[0].startswith(f"| own-skills | 2 | {len(OWN) * 3} | {len(FOLDERS) * 2 - len(OWN)} | 0 | 0 |"),
          f"own skills: {table.rows[0]}")


def corpora():
    """Returns the archives of real skills; none if they are not available."""
    for shared in (os.environ.get("SKILLHOST_SHARED"), ROOT.parent / "shared"):
        if shared and (Path(shared) / "corpora").is_dir():
            return [Path(shared) / "corpora" / name for name in ("real-skills.tar.gz", "more-skills.tar.gz")]
    return []


def run(scratch, folders):
    project = scratch / "project"
    write_project(project)
    os.chdir(project)
    table = Table(project)
    for folder in folders or [own_skills(scratch)]:
        table.measure(folder.name, folder)
    if not folders:
        check_own(table)
    for archive in [] if folders else corpora():
        unpacked = scratch / archive.name.split(".")[0]
        with tarfile.open(archive) as packed:
            packed.extractall(unpacked, filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(unpacked)
        table.measure(unpacked.name, unpacked)
    return table


def main():
    folders = [Path(each).resolve() for each in sys.argv[3:]]
    with tempfile.TemporaryDirectory(prefix="skillhost-references-") as scratch:
        table = run(Path(scratch).resolve(), folders)
    print(table)
    for skill, path in table.taken:
        print(f"{skill}: the project took {path}")
    check(not table.taken, "a skill's own files and folders win")
    check(not table.folders, f"the project only has files named: {table.folders[:20]}")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
