# SPDX-License-Identifier: Apache-2.0
"""Common parts of the tests of packages: building one, the main job of an installed one, and the search for content
that must not be inside."""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "integration"))
from checks import DEADLINE, Checks, until  # noqa: E402
from http_server import INITIALIZE, Running  # noqa: E402
from session import Session, write_skill  # noqa: E402

__all__ = ["Checks", "DEADLINE", "ROOT", "Running", "Session", "build", "built_program", "clean_environment", "commit", "elf_files", "execute",
           "main_job", "needs_no_newer_system", "oldest_system", "over_http", "start_times", "traces", "until", "version", "write_skill", "write_skills"]

# The newest versions of symbols that an archive may need: those of RHEL 9, with the C++ library of GCC 11.
OLDEST_SYSTEM = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13)}
CANARY = "canary-5f1c7e0b9a"  # a secret in the environment of the build
PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}")


def execute(*command: str | Path, code: int | None = 0, **options: object) -> subprocess.CompletedProcess[str]:
    """Runs it to its end and checks that the exit code is `code` (None: any); stderr goes with stdout unless an
    option says otherwise."""
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True,
                          **{"stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "timeout": 1800, **options})
    if code is not None and done.returncode != code:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-6000:]}")
    return done


def version() -> str:
    found = re.search(r"^ *version: '([^']+)'", (ROOT / "meson.build").read_text(), re.M)
    assert found
    return found[1]


def commit() -> str:
    """Returns the commit that --version of the packages built here prints."""
    return execute(ROOT / "host/commit_name").stdout.strip()


def build(kind: str, output: Path, root: Path = ROOT, options: Sequence[str] = (), **environment: str) -> list[Path]:
    """Returns the files that packaging/build leaves in a folder for it."""
    begun = time.monotonic()
    execute(root / "packaging/build", kind, "--output", output, *options,
            env={**os.environ, "SKILLHOST_SECRET_TOKEN": CANARY, **environment})
    files = sorted(output.iterdir())
    sizes = ", ".join(f"{path.name} {path.stat().st_size / 1e6:.1f} MB" for path in files)
    print(f"{kind}: built in {time.monotonic() - begun:.0f} s: {sizes}", flush=True)
    return files


def built_program() -> Path:
    """Returns the server from which the packages are made, in its build folder."""
    return Path(os.environ.get("SKILLHOST_BUILT") or ROOT / "build-dist") / "host/skillhost"


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    """Returns the environment of a user who has never compiled anything."""
    return {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", **more}


def write_skills(folder: Path) -> None:
    for number in range(3):
        write_skill(folder, f"skill-{number}", f"The skill of number {number}.", f"The answer is {number * 111}.\n")


def main_job(checks: Checks, name: str, command: Sequence[str | Path]) -> None:
    """Does the main job with a folder of skills over stdio: initialize, tools/list, load_skill, and the end with
    exit code 0."""
    with tempfile.TemporaryDirectory() as folder:
        write_skills(Path(folder))
        with Session([*map(str, command), "--skills-dir", folder]) as session:
            tools = {tool["name"] for tool in session.call("tools/list")["tools"]}
            checks.check({"list_skills", "load_skill", "find_helpful_skills"} <= tools, f"{name}: tools/list: {tools}")
            listed = [skill["name"] for skill in session.listing()["skills"]]
            checks.check(listed == ["skill-0", "skill-1", "skill-2"], f"{name}: list_skills: {listed}")
            loaded = json.dumps(session.call("tools/call", name="load_skill", arguments={"skill_name": "skill-2"}))
            checks.check("The answer is 222." in loaded, f"{name}: load_skill: {loaded[:400]}")
            found = json.dumps(session.tool("find_helpful_skills", task_description="the skill of number 1"))
            checks.check("skill-1" in found, f"{name}: find_helpful_skills: {found[:400]}")
            wrong = session.end()
            checks.check(wrong is None, f"{name}: the end: {wrong}")


def over_http(checks: Checks, name: str, program: str | Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_skills(Path(folder))
        server = Running(str(program), folder)
        response, answer = server.post(INITIALIZE)
        is_answer = response.status == 200 and isinstance(answer, dict)
        checks.check(is_answer and answer["result"]["serverInfo"]["version"] == version(),
                     f"{name}: initialize over HTTP: {response.status} {answer}")
        checks.check(server.ask("GET", "/healthz")[0].status == 200, f"{name}: /healthz")
        code = server.end()
        checks.check(code == 0, f"{name}: over HTTP it ends with {code}: {''.join(server.log)[-2000:]}")


def first_answer(command: Sequence[str]) -> float:
    """Returns the seconds from the start of a process to its answer to initialize."""
    begun = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    process.stdin.flush()
    line = process.stdout.readline()
    took = time.monotonic() - begun
    process.stdin.close()
    process.stdout.read()
    assert b'"serverInfo"' in line and process.wait(DEADLINE) == 0, (command, line)
    return took


def until_its_end(command: Sequence[str]) -> float:
    """Returns the seconds of a command that only prints its version."""
    begun = time.monotonic()
    subprocess.run([*command, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True, timeout=60)
    return time.monotonic() - begun


def start_times(name: str, bare: str | Path, launcher: Sequence[str | Path], runs: int = 15) -> None:
    """Prints the time of initialize by the launcher, beside that of the program alone in the same minutes. It is a
    figure and no check, because the machine may be busy. The launcher's own time is the addition to --version."""
    with tempfile.TemporaryDirectory() as folder:
        write_skills(Path(folder))
        words = {"bare": [str(bare)], "launcher": [*map(str, launcher)]}
        times: dict[str, list[float]] = {which: [] for which in ("bare", "launcher", "own")}
        for _ in range(runs):
            for which, command in words.items():
                times[which].append(first_answer([*command, "--skills-dir", folder]))
            times["own"].append(until_its_end(words["launcher"]) - until_its_end(words["bare"]))
    alone, launched, own = (1e3 * statistics.median(times[which]) for which in ("bare", "launcher", "own"))
    print(f"{name}: initialize is answered after {launched:.1f} ms, by the program alone after {alone:.1f} ms, "
          f"{launched / alone:.2f} times; twice that and the launcher's own {own:.1f} ms are {2 * alone + own:.1f} ms", flush=True)



def oldest_system(folder: Path, objdump: str = "objdump") -> dict[str, dict[tuple[int, ...], list[str]]]:
    """Returns, by the library, the versions of symbols that the files need of the system, with the files' names."""
    found: dict[str, dict[tuple[int, ...], list[str]]] = {name: {} for name in OLDEST_SYSTEM}
    for path in elf_files(folder):
        wanted = execute(objdump, "-p", path).stdout.partition("Version References:")[2]
        for name, version in set(re.findall(r"\b(GLIBC|GLIBCXX|CXXABI)_(\d[\d.]*)", wanted)):
            found[name].setdefault(tuple(map(int, version.split("."))), []).append(path.name)
    return found


def needs_no_newer_system(checks: Checks, name: str, folder: Path, objdump: str = "objdump") -> None:
    """Checks the versions of symbols, and prints the newest. A build for tests has the C++ library's of its compiler."""
    found = oldest_system(folder, objdump)
    for library, versions in found.items():
        newest = max(versions)
        print(f"{name}: the oldest system has {library}_{'.'.join(map(str, newest))}")
        if library == "GLIBC" or not os.environ.get("SKILLHOST_BUILT"):
            checks.check(newest <= OLDEST_SYSTEM[library], f"{name}: {versions[newest]} need {library} {newest}")


def elf_files(folder: Path) -> Iterator[Path]:
    for path in files_below(folder):
        with path.open("rb") as file:
            if file.read(4) == b"\x7fELF":
                yield path


def files_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path


def traces(checks: Checks, name: str, folder: Path, *built_in: Path) -> None:
    """Checks that no file contains the place of the build, or a secret."""
    # The places include the next part of the path: a clone alone may lie at a short path such as /src, which others use
    # too.
    within = ("build-dist", "build/", "host/", "packaging", "plugin-api/", "plugins/", "programs/", "subprojects/")
    places = {f"{place}/{below}".encode() for place in (ROOT, *built_in) for below in within}
    places |= {b"build-dist", b"build-sysroot", CANARY.encode()}
    home = os.environ.get("HOME", "")
    if home.count("/") > 1:
        places.add(home.encode() + b"/")
    count = 0
    for path in files_below(folder):
        content = path.read_bytes()
        count += 1
        found = [place.decode() for place in places if place in content]
        checks.check(not found, f"{name}: {path.relative_to(folder)} has {found} in it")
        # libgnutls and libmbedx509 hold keys for their self-tests.
        is_others = path.parent.name == "lib" and ".so." in path.name
        checks.check(is_others or not PRIVATE_KEY.search(content), f"{name}: {path.relative_to(folder)} has a private key in it")
    checks.check(count > 20, f"{name}: only {count} files in {folder}")
