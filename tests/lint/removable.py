#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that a feature can be removed: without its folder, the rest must build and pass its tests.

It copies the tree, and deletes the feature's folder and its one subdir() line in the copy. The copy has the files that
git knows, including uncommitted changes. Meson configures the copy once as a whole and once without the folder, and the
script names the tests that are gone. Then it builds the rest, and the tests of the chosen suites must pass. The suite
`said` and the lints do not run, because they compare the pages with the whole program.

All folders are tried in one build folder, so that little is built again for the next one. This build folder is in the
copy, where ccache finds what another clone has compiled. What the build no longer makes is deleted from it. A test
that passed before runs again only if a file of its command was built since.

Without an argument it lists the folders that can be removed. The exit code is 1 if one of the given folders cannot.
"""
from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# These are libraries of several features, and parts of other features.
KEPT = {"plugins/filters/digests", "programs/shared", "programs/edit", "programs/clients", "programs/catalogue"}
BUILD = "build"


def folders() -> list[str]:
    """Returns the folders of single features: isolation, plugins/KIND/NAME and programs/NAME, as far as a
    meson.build enters them."""
    found = [build.parent.relative_to(ROOT).as_posix()
             for pattern in ("isolation", "plugins/*/*", "programs/*") for build in sorted(ROOT.glob(f"{pattern}/meson.build"))]
    return [folder for folder in found if folder not in KEPT and not folder.startswith("plugins/shared/") and line_of(ROOT, folder)]


def line_of(tree: Path, folder: str) -> tuple[Path, int] | None:
    """Returns the file and the number of the one line that enters a folder; None if there is none, or several."""
    found = []
    for parent in Path(folder).parents:
        build = tree / parent / "meson.build"
        if not build.is_file():
            continue
        name = Path(folder).relative_to(parent).as_posix()
        found += [(build, number) for number, line in enumerate(build.read_text().splitlines())
                  if re.match(rf"\s*subdir\('{re.escape(name)}'\)", line)]
    return found[0] if len(found) == 1 else None


def copy_tree(target: Path) -> None:
    """Copies the files that git knows. Unchanged files keep their time, so that little is compiled again."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, capture_output=True, check=True, text=True).stdout
    names = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for place, below, files in os.walk(target):
        if Path(place) == target and BUILD in below:
            below.remove(BUILD)
        for path in [Path(place, file) for file in files]:
            if path.relative_to(target).as_posix() not in names:
                path.unlink()
    for name in names:
        source, copy = ROOT / name, target / name
        if not copy.is_symlink() and copy.is_file() and copy.read_bytes() == source.read_bytes():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.unlink(missing_ok=True)
        shutil.copy2(source, copy, follow_symlinks=False)


def without(tree: Path, folder: str) -> None:
    """Deletes a folder of a tree, and the line that enters it."""
    build, number = line_of(tree, folder) or sys.exit(f"no single subdir() line enters {folder}")
    shutil.rmtree(tree / folder)
    lines = build.read_text().splitlines(keepends=True)
    del lines[number]
    build.write_text("".join(lines))


class Build:
    """The build folder of a tree, and the log of its commands."""

    def __init__(self, tree: Path, log: Path) -> None:
        self.tree, self.folder, self.log = tree, tree / BUILD, log
        # ccache reuses objects that another folder has compiled.
        self.environment = os.environ | {"CCACHE_BASEDIR": str(tree), "CCACHE_NOHASHDIR": "1"}

    def run(self, *command: str) -> bool:
        with self.log.open("a") as log:
            log.write(f"$ {' '.join(command)}\n")
            log.flush()
            return subprocess.run(command, cwd=self.tree, stdout=log, stderr=subprocess.STDOUT, check=False,
                                  stdin=subprocess.DEVNULL, env=self.environment).returncode == 0

    def configure(self, anew: bool = True) -> bool:
        """Configures the tree. Without `anew`, files that were built before and are still needed are kept."""
        if not anew and (self.folder / "build.ninja").is_file():
            return (self.run("meson", "setup", "--reconfigure", str(self.folder))
                    and self.run("ninja", "-C", str(self.folder), "-t", "cleandead"))
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.run("meson", "setup", str(self.folder), "--libdir=lib", "--unity=on", "--unity-size=64", "-Dtests=true")

    def introspect(self, what: str) -> list[dict]:
        done = subprocess.run(["meson", "introspect", what, str(self.folder)], capture_output=True, check=True, text=True)
        return json.loads(done.stdout)

    def tests(self) -> set[str]:
        """Returns the name of each test with its suites: a unit test may have the name of another one."""
        return {name_of(test) for test in self.introspect("--tests")}

    def chosen(self, suites: list[str]) -> dict[str, tuple[str, float]]:
        """Returns the tests of these suites: by name, how `meson test` names it and the time at which the newest
        built file of its command was made; infinite if no file of it is built."""
        outputs = {target["id"]: target["filename"] for target in self.introspect("--targets")}
        found = {}
        for test in self.introspect("--tests"):
            if not {suite.split(":")[-1] for suite in test["suite"]} & set(suites):
                continue
            files = {Path(word) for word in test["cmd"]} | {Path(file) for target in test["depends"] for file in outputs.get(target, [])}
            times = [file.stat().st_mtime for file in files if file.is_relative_to(self.folder) and file.is_file()]
            found[name_of(test)] = (f"{test['suite'][0].split(':')[0]}:{test['name']}", max(times, default=float("inf")))
        return found


def name_of(test: dict) -> str:
    return f"{test['name']} of {', '.join(suite.split(':')[-1] for suite in test['suite'])}"


def try_without(folder: str, tree: Path, tests: set[str], log: Path, suites: list[str], passed: dict[str, float]) -> list[str]:
    """Returns the faults of the tree without the folder. The list is empty if the folder can be removed.

    `tests` are those of the whole tree. `passed` has the tests that passed without another folder, with the time of the
    newest file of each; tests that pass now are added."""
    without(tree, folder)
    rest = Build(tree, log)
    if not rest.configure(anew=False) and not rest.configure():
        return ["it does not configure"]
    left = rest.tests()
    gone = sorted(tests - left)
    wrong = [f"the test {name} is new" for name in sorted(left - tests)]
    if not rest.run("ninja", "-C", str(rest.folder)):
        return [*wrong, "it does not compile"]
    chosen = rest.chosen(suites)
    again = {name: test for name, test in chosen.items() if test[1] > passed.get(name, 0)}
    if again:
        log_of_tests = rest.folder / "meson-logs/testlog.json"
        log_of_tests.unlink(missing_ok=True)
        # Tests of other suites can have the same names.
        ended_well = rest.run("meson", "test", "-C", str(rest.folder), "--no-rebuild", "--print-errorlogs", "--timeout-multiplier", "3",
                              "--num-processes", str((os.cpu_count() or 1) + 1), *(f"--suite={suite}" for suite in suites),
                              *sorted({test for test, _ in again.values()}))
        results = [json.loads(line) for line in log_of_tests.read_text().splitlines()] if log_of_tests.is_file() else []
        failed = [f"the test {one['name']} ends with {one['result']}" for one in results if one["result"] not in ("OK", "SKIP")]
        if len(results) < len(again):
            failed.append(f"only {len(results)} of {len(again)} tests ran")
        if not ended_well and not failed:
            failed.append("its tests do not pass")
        if not failed:
            passed |= {name: newest for name, (_, newest) in again.items() if newest != float("inf")}
        wrong += failed
    print(f"  {len(tests)} tests, {len(gone)} gone: {'; '.join(gone) or 'none'}\n"
          f"  {len(chosen)} of the suite {', '.join(suites)}: {len(again)} run, {len(chosen) - len(again)} unchanged since they passed", flush=True)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="try every folder that can be removed")
    parser.add_argument("--suite", action="append", help="run this suite of the rest (default: unit)")
    parser.add_argument("--place", type=Path, default=ROOT / "build-removable", help="folder for the copy and its builds")
    parser.add_argument("folders", nargs="*", help="folder to try without, such as plugins/http/webhook")
    options = parser.parse_args()
    wanted = folders() if options.all else [folder.rstrip("/") for folder in options.folders]
    if unknown := [folder for folder in wanted if folder not in folders()]:
        sys.exit(f"{unknown[0]} cannot be taken away; these can: {', '.join(folders())}")
    if not wanted:
        print("\n".join(folders()))
        return 0
    options.place.mkdir(parents=True, exist_ok=True)
    tree = options.place / "tree"
    copy_tree(tree)
    whole = Build(tree, options.place / "whole.log")
    if not whole.configure():
        sys.exit(f"the whole tree does not configure, see {whole.log}")
    tests = whole.tests()
    passed: dict[str, float] = {}
    failed = 0
    for folder in wanted:
        began = time.monotonic()
        print(f"without {folder}:", flush=True)
        log = options.place / (folder.replace("/", "-") + ".log")
        log.unlink(missing_ok=True)
        copy_tree(tree)
        wrong = try_without(folder, tree, tests, log, options.suite or ["unit"], passed)
        failed += bool(wrong)
        print("".join(f"  {one}\n" for one in wrong) + f"  {'FAILED, see ' + str(log) if wrong else 'ok'}, "
              f"{time.monotonic() - began:.0f} s", flush=True)
    print(f"{len(wanted) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
