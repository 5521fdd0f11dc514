#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the same sources make the same bytes: packages are built here, and in a copy of the sources in another
folder. There a part is compiled again, the rest comes from the compiler's cache where there is one, and only the
archive is made; SKILLHOST_LONG_TESTS=1 compiles everything again, and makes wheel and npm packages of the same
files too."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from packages import ROOT, Checks, build, commit, execute

LONG = os.environ.get("SKILLHOST_LONG_TESTS") == "1"
# These are compiled again in any case: a small library, plugins, a program, each with sources that name their files.
ANEW = ("subprojects/ground/", "plugins/sources/filesystem/", "plugins/auth/static/", "programs/token/", "subprojects/base/")


def copied(folder: Path) -> None:
    """Copies the sources here as git would take them, with changes that are not committed yet."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def last_commit() -> str:
    return subprocess.run(["git", "-c", "safe.directory=*", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True,
                          text=True, check=True).stdout.strip()


def compile_anew(copy: Path, output: Path, same: dict[str, str]) -> None:
    if LONG:
        build("archive", output, copy, **same, CCACHE_DISABLE="1")
        return
    build("archive", output, copy, **same)
    count = 0
    for path in (copy / "build-dist").rglob("*.o"):
        if str(path.relative_to(copy / "build-dist")).startswith(ANEW):
            path.unlink()
            count += 1
    assert count >= 5, f"only {count} objects are compiled anew"
    begun = time.monotonic()
    build("archive", output, copy, **same, CCACHE_DISABLE="1")
    print(f"{count} objects compiled anew, in {time.monotonic() - begun:.0f} s")


def main() -> int:
    checks = Checks()
    # The copy is no clone, so it gets the commit and time of this one.
    same = {"SOURCE_DATE_EPOCH": last_commit(), "SKILLHOST_COMMIT": commit()}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        copy = folder / "another" / "place-of-the-sources"
        copied(copy)
        here, there = folder / "here", folder / "there"
        compile_anew(copy, there, same)
        more = ("wheel",) + (("npm",) if shutil.which("npm") else ()) if LONG else ()
        for kind in ("archive", *more):
            build(kind, here, **same)
            if kind != "archive":
                build(kind, there, copy, **same)
        names = sorted(path.name for path in here.iterdir())
        checks.check(len(names) > len(more), f"built: {names}")
        checks.check(names == sorted(path.name for path in there.iterdir()), f"the same packages: {names}")
        for name in names:
            is_same = (here / name).read_bytes() == (there / name).read_bytes()
            checks.check(is_same, f"{name} is another when it is built in another folder"
                         + ("" if is_same else ": " + differences(here / name, there / name, folder)))
    return checks.finish()


def differences(one: Path, other: Path, folder: Path) -> str:
    """Returns the files that differ between two archives."""
    places = []
    for path, name in ((one, "one"), (other, "other")):
        place = folder / f"{name}-{path.name}"
        place.mkdir()
        if path.suffix == ".whl":
            execute(sys.executable, "-m", "zipfile", "-e", path, place)
        else:
            execute("tar", "-xf", path, "-C", place)
        places.append(place)
    return execute("diff", "-rq", *places, code=None).stdout[:2000]


if __name__ == "__main__":
    sys.exit(main())
