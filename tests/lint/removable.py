#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that a folder can be deleted together with the one line that enters it: what is left configures, builds, and passes its unit tests
and lints.

removable.py [--work FOLDER] [--count BUILD] FOLDER...     such as programs/bom plugins/auth/jwt isolation console
removable.py [--work FOLDER] [--count BUILD] --all         every plugin, every command, isolation and the console

Works on a copy of the checkout in --work (default: a temporary folder that is removed); one that is kept is built on the next time. A lint
that compares the pages with the whole product may complain of pages that name what is gone: those complaints are printed, and count as no
failure. With --count the names of the tests are compared with those of a build of the whole. Takes minutes for each folder."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# These read pages that tell of every command and plugin there is. Whoever deletes one edits the pages as well.
OF_PAGES = ("documented_names", "markdown_links", "package_names", "plugin_defaults")
SUITES = ("unit", "lint")


def entering(folder, root):
    """The meson.build that enters a folder, and the line."""
    parts = Path(folder).parts
    page = root / ("" if len(parts) == 1 else parts[0]) / "meson.build"
    line = f"subdir('{'/'.join(parts[1:] or parts)}')"
    return page, line


def candidates(root):
    """All folders that are to be removable."""
    for part in ("plugins", "programs"):
        for name in re.findall(r"^subdir\('([^']+)'\)", (root / part / "meson.build").read_text(encoding="utf-8"), re.MULTILINE):
            text = (root / part / name / "meson.build").read_text(encoding="utf-8")
            is_table = part == "programs" and "command_table" in text
            if not is_table and re.search(r"\bshared_module\(|^catalogue_commands \+=|\bexecutable\('skillhost-", text, re.MULTILINE):
                yield f"{part}/{name}"
    yield from ("isolation", "console")


def copy(tree, without):
    """Makes the tree what the checkout is without a folder and its line; files that are the same are left alone, so that little is built."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=True).stdout
    wanted = {name for name in listed.decode().split("\0") if name and (ROOT / name).is_file() and not Path(name).is_relative_to(without)}
    page, line = entering(without, ROOT)
    lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
    if [one.split("#")[0].strip() for one in lines].count(line) != 1:
        raise SystemExit(f"{page.relative_to(ROOT)} does not have the line {line} once")
    for old in [path for path in tree.rglob("*") if path.is_file() or path.is_symlink()]:
        if old.relative_to(tree).as_posix() not in wanted:
            old.unlink()
    for name in wanted:
        source, target = ROOT / name, tree / name
        data = source.read_bytes()
        if source == page:
            data = "".join(one for one in lines if one.split("#")[0].strip() != line).encode()
        if not target.exists() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            shutil.copymode(source, target)


def run(log, *command):
    """Whether a command succeeds; what it prints goes to the log."""
    with log.open("ab") as output:
        return subprocess.run([str(word) for word in command], stdout=output, stderr=subprocess.STDOUT, check=False).returncode == 0


def tests_of(build):
    found = json.loads(subprocess.run(["meson", "introspect", "--tests", str(build)], capture_output=True, check=True).stdout)
    return {test["name"]: test["suite"] for test in found}


def failed_tests(build):
    """[(name, what it printed)] of the last run."""
    for line in (build / "meson-logs/testlog.json").read_text(encoding="utf-8").splitlines():
        test = json.loads(line)
        if test["result"] in ("FAIL", "ERROR", "TIMEOUT"):
            yield test["name"].split(" / ")[-1], test.get("stdout", "") + test.get("stderr", "")


def examine(folder, work, whole):
    """What is wrong without the folder; empty: nothing is."""
    tree, build, log = work / "tree", work / "build", work / f"{folder.replace('/', '-')}.log"
    log.unlink(missing_ok=True)
    copy(tree, folder)
    known = ("--reconfigure",) if (build / "build.ninja").exists() else ("--unity=on", "--unity-size=64", "-Dconsole=disabled")
    for step, command in (("the map of the folders", (sys.executable, tree / "tests/lint/architecture_map.py", "--write")),
                          ("configuring", ("meson", "setup", build, tree, *known)),
                          ("building", ("ninja", "-C", build)),
                          ("removing what was built before", ("ninja", "-C", build, "-t", "cleandead"))):
        if not run(log, *command):
            return [f"{step} fails:", *log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:]]
    left = tests_of(build)
    if whole is not None:
        gone = sorted(whole.keys() - left.keys())
        print(f"{folder}: {len(left)} tests are left of {len(whole)}; gone: {', '.join(gone) or 'none'}", flush=True)
    run(log, "meson", "test", "-C", build, "--no-rebuild", "--print-errorlogs", *(word for suite in SUITES for word in ("--suite", suite)))
    wrong = []
    for name, said in failed_tests(build):
        if name in OF_PAGES:
            print(f"{folder}: pages to edit, as {name} says:", *said.splitlines()[:20], sep="\n  ", flush=True)
        else:
            wrong += [f"the test {name} fails:", *said.splitlines()[-20:]]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--count", type=Path, metavar="BUILD")
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    given = parser.parse_args()
    folders = list(candidates(ROOT)) if given.all else [Path(one).as_posix() for one in given.folders]
    if not folders:
        parser.error("name a folder, or --all")
    work = (given.work or Path(tempfile.mkdtemp(prefix="removable-"))).resolve()
    (work / "tree").mkdir(parents=True, exist_ok=True)
    whole = tests_of(given.count) if given.count else None
    os.environ.update(CCACHE_BASEDIR=str(work), CCACHE_NOHASHDIR="1")
    failures = 0
    for folder in folders:
        if wrong := examine(folder, work, whole):
            failures += 1
            print(f"{folder}: cannot be removed:", *wrong, sep="\n  ", flush=True)
        else:
            print(f"{folder}: can be removed", flush=True)
    if given.work is None:
        shutil.rmtree(work)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
