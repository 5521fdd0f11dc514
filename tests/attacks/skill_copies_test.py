#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the folder of copies of skills, where another user can reach it: skill_copies_test.py SERVER

A server on stdio removes there the folders that a killed one has left. Another user must not be able to make it
remove or change files of its own user. The control: in a private folder it removes a left folder, and copies a
skill."""
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import Checks  # noqa: E402
from copies_test import Place, loaded  # noqa: E402
from session import Session  # noqa: E402

SERVER = os.path.abspath(sys.argv[1])
STRANGER = 54321
checks = Checks()
check = checks.check


def projects_in(folder):
    """Makes the user's projects, beside locks as tools and servers make them."""
    projects = folder / "projects"
    for name in ("poetry", "01234567"):
        (projects / name).mkdir(parents=True)
        (projects / name / "work.py").write_text("work\n")
        (projects / f"{name}.lock").write_text("")
        (projects / name).chmod(0o750)
    projects.chmod(0o700)
    return projects


def untouched(projects):
    return all((projects / name / "work.py").exists() and (projects / name).stat().st_mode & 0o777 == 0o750 for name in ("poetry", "01234567"))


def served(place, cache):
    """Returns the folder of the copy that load_skill names, or None; and the server's log."""
    with Session([SERVER, *place.options()], {"XDG_CACHE_HOME": str(cache)}) as session:
        folder = loaded(session)
        session.end()
        return folder, session.server.stderr()


def link_of_stranger(cache, projects):
    (cache / "skillhost").mkdir()
    (cache / "skillhost/copies").symlink_to(projects)
    os.chown(cache / "skillhost", STRANGER, STRANGER)
    os.lchown(cache / "skillhost/copies", STRANGER, STRANGER)
    return "belongs to user 54321"


def link_above(cache, projects):
    (projects / "copies").mkdir(mode=0o700)
    (cache / "skillhost").symlink_to(projects)
    os.lchown(cache / "skillhost", STRANGER, STRANGER)
    return "is a link of user 54321"


def own_link(cache, projects):
    (cache / "skillhost").mkdir(mode=0o755)
    (cache / "skillhost/copies").symlink_to(projects)
    return "must be a folder, and no link, of this user with mode 0700"


def open_above(cache, projects):
    """Makes a folder whose parent others may write, so that they can replace it after it was checked."""
    (cache / "skillhost").mkdir()
    shutil.copytree(projects, cache / "skillhost/copies")
    (cache / "skillhost/copies").chmod(0o700)
    (cache / "skillhost").chmod(0o777)
    return "others may write"


def open_to_others(cache, projects):
    (cache / "skillhost").mkdir(mode=0o755)
    shutil.copytree(projects, cache / "skillhost/copies")
    (cache / "skillhost/copies").chmod(0o755)
    return "must be a folder, and no link, of this user with mode 0700"


def refused(folder):
    for attack in (link_of_stranger, link_above, own_link, open_above, open_to_others):
        scratch = folder / attack.__name__
        cache = scratch / "cache"
        cache.mkdir(parents=True)
        for path, mode in ((scratch, 0o755), (cache, 0o1777)):
            path.chmod(mode)
        projects = projects_in(scratch)
        why = attack(cache, projects)
        copy, log = served(Place(scratch), cache)
        check(untouched(projects) and untouched(cache / "skillhost/copies" if attack in (open_above, open_to_others) else projects),
              f"{attack.__name__}: the user's files are removed or changed")
        check(copy is None, f"{attack.__name__}: copied to {copy}")
        told = [line for line in log.splitlines() if "copied to this machine" in line]
        check(len(told) == 1 and why in told[0], f"{attack.__name__}: one warning says why: {told or log}")


def private(folder):
    """Checks that a private folder loses the remains of a server, and nothing else: no other name, and no target of
    a link."""
    scratch = folder / "private"
    projects, copies = projects_in(scratch), scratch / "cache/skillhost/copies"
    scratch.chmod(0o755)
    shutil.copytree(projects, copies)
    copies.chmod(0o700)
    (copies / "89abcdef.lock").write_text("")
    (copies / "89abcdef").symlink_to(projects / "poetry")
    copy, log = served(Place(scratch), scratch / "cache")
    check(copy is not None and "copied" not in log, f"control: it is copied: {log}")
    check(sorted(one.name for one in copies.iterdir()) == ["poetry", "poetry.lock"], f"control: what was left goes: {sorted(copies.iterdir())}")
    check((copies / "poetry/work.py").exists() and untouched(projects), "what no server has made, or a link leads to, is removed or changed")


def main():
    if os.geteuid() != 0:
        print("needs root")
        return 77
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        refused(Path(folder))
        private(Path(folder))
    return checks.finish()


sys.exit(main())
