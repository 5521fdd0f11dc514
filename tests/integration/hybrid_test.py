#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests hybrid with faulty models, caches, questions and disks: in every case it finds as much as `keyword` would,
with one warning, and with a state that operators see. hybrid_test.py SERVER WRITE_MODEL"""
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, Checks, until  # noqa: E402
from session import Session, write_skill  # noqa: E402
from small_models import WRONG, Models, set_number  # noqa: E402

SERVER, WRITE_MODEL = (str(Path(one).resolve()) for one in sys.argv[1:3])
checks = Checks()
check = checks.check

ANIMALS = ("cat", "dog", "cats", "dogs", "a new cat", "the york dog")
QUERIES = ("a cat in new york", "dogs! dogs! Where is my dog?", "york", "feed the animal of number 17", "zzz nothing")
SKILLS = 400
# A vector of the small model: digest, scale, 64 numbers, check.
RECORD, HEADER = 32 + 4 + 64 + 8, 56


def write_skills(root):
    for number in range(SKILLS):
        write_skill(root, f"skill-{number}", f"Feed {ANIMALS[number % len(ANIMALS)]} of number {number}, {'cat ' * (number % 7)}")


class Place:
    def __init__(self, root):
        self.root = Path(root)
        self.skills, self.cache = self.root / "skills", self.root / "cache"
        write_skills(self.skills)
        self.models = Models(WRITE_MODEL, self.root / "models")

    def session(self, model=None, before=(), plugin="hybrid", isolation=None, options=(), environment=None, **config):
        """Starts a server. Without `plugin` it takes the default one."""
        if model:
            config["model"] = str(model)
        options = [*options, *(["--set", f"search.isolation={isolation}"] if isolation else []),
                   *(["--set", f"search.plugin={plugin}"] if plugin else [])]
        return Session([*before, SERVER, "--no-config", "--skills-dir", str(self.skills), "--set", "search.config=" + json.dumps(config),
                        *options], {"XDG_CACHE_HOME": str(self.cache), **(environment or {})})

    def vectors(self):
        """Returns the file that was used last: each configuration has its own."""
        found = list(self.cache.glob("skillhost/instances/search@*/vectors"))
        assert found, list(self.cache.rglob("*"))
        return max(found, key=lambda one: Path(f"{one.parent}.lock").stat().st_mtime_ns)


def state(session):
    """Returns the search plugin's state in get_server_stats."""
    return session.plugin("search")


def settled(session):
    """Returns its state, once the model has been read and every skill has a vector or will never get one."""
    seen = []

    def holds():
        seen.append(state(session))
        told, reason = seen[-1].get("reported", {}), seen[-1].get("reason", "")
        vectors = told.get("entries_embedded") == SKILLS or "found by words alone" in reason
        return told.get("entries") == SKILLS and vectors
    until(holds, "the skills are embedded", max(60, 2 * DEADLINE))
    return seen[-1]


def found(session):
    return [session.tool("find_helpful_skills", task_description=query, top_k=20, list_documents=False) for query in QUERIES]


def wrong_models(place):
    with place.session(plugin="keyword") as session:
        by_words = found(session)
    with place.session(place.models.good) as session:
        settled(session)
        check(found(session) != by_words, "control: a good model ranks otherwise")
    for change, file, why in WRONG:
        model = place.models.wrong(change)
        with place.session(model) as session:
            seen = settled(session)
            named = str(model / file) if file else ""
            check(seen["state"] == "degraded" and why in seen["reason"] and named in seen["reason"], f"{change.__name__}: {seen}")
            check(found(session) == by_words, f"{change.__name__}: found as by keyword")
            check(session.end() is None, f"{change.__name__}: ends in order")
            warned = [line for line in session.server.stderr().splitlines() if "[WARNING]" in line and why in line]
            check(len(warned) == 1 and "skillhost model fetch" in warned[0], f"{change.__name__}: one warning: {warned}")
    with place.session(place.models.wrong(WRONG[4][0]), isolation="process") as session:
        seen = settled(session)
        check(seen["state"] == "degraded" and WRONG[4][2] in seen["reason"], f"from a process of its own: {seen}")
        check(found(session) == by_words, "from a process of its own: found as by keyword")


def command_plugins(place):
    def listed(model):
        done = subprocess.run([SERVER, "plugins", "--json", "--no-config", "--skills-dir", place.skills, "--set", "search.plugin=hybrid",
                               "--set", "search.config=" + json.dumps({"model": str(model)})], capture_output=True, text=True,
                              timeout=60, check=True, env={**os.environ, "XDG_CACHE_HOME": str(place.root / "other")})
        return next(one for one in json.loads(done.stdout) if one.get("instance") == "search")
    good = listed(place.models.good)
    check(good["state"] == "loaded" and "reason" not in good, f"plugins: {good}")
    done = subprocess.run([SERVER, "doctor", "--json", "--no-config", "--skills-dir", place.skills, "--set", "search.plugin=hybrid",
                           "--set", "search.config=" + json.dumps({"model": str(place.models.wrong(WRONG[1][0]))})], capture_output=True,
                          text=True, timeout=60, check=False, env={**os.environ, "XDG_CACHE_HOME": str(place.root / "other")})
    told = [one for one in json.loads(done.stdout)["remarks"] if one["about"] == "plugin search"]
    check(len(told) == 1 and told[0]["state"] == "warning" and "skillhost model fetch" in told[0]["text"], f"doctor: {done.stdout}")
    for number in (1, 10, 12):
        change, _, why = WRONG[number]
        seen = listed(place.models.wrong(change))
        check(seen["state"] == "degraded" and why in seen["reason"], f"plugins, {change.__name__}: {seen}")


def said(session, text):
    """Returns the lines of the log with this text."""
    return [line for line in session.server.stderr().splitlines() if text in line]


def automatic(place):
    """Checks the default plugin without a model, with one that is installed, and with a damaged one."""
    home, data = place.root / "home", place.root / "data"
    installed = data / "skillhost/models/small"
    here = {"XDG_DATA_HOME": str(data), "HOME": str(home)}

    def start(**options):
        return place.session(**{"plugin": None, "environment": here, **options})

    def indexed(session):
        until(lambda: state(session).get("reported", {}).get("entries") == SKILLS, "the skills are indexed", max(60, 2 * DEADLINE))
        return state(session)
    with place.session(plugin="keyword") as session:
        by_words = found(session)
    with place.session(place.models.good) as session:
        settled(session)
        by_both = found(session)
    with start() as session:
        seen = indexed(session)
        check(seen["id"] == "org.skillhost.hybrid" and seen["state"] == "loaded" and "reason" not in seen, f"without a model: {seen}")
        check(found(session) == by_words, "without a model it finds what keyword finds")
        check(len(said(session, "search.plugin auto: hybrid is used")) == 1, "the log says which plugin is used")
        told = said(session, "no model is installed")
        check(len(told) == 1 and "[INFO]" in told[0] and "skillhost model fetch" in told[0], f"and how to get a model: {told}")
        check(not said(session, "[WARNING]"), f"no model is no fault: {session.server.stderr()}")
    shutil.copytree(place.models.good, installed)
    for plugin in (None, "auto", "hybrid"):
        with start(plugin=plugin) as session:
            seen = settled(session)
            check(seen["state"] == "loaded" and found(session) == by_both, f"{plugin}: the model is found: {seen}")
            check(len(said(session, f"by words and by meaning, with the model {installed}")) == 1, f"{plugin}: the log names the model")
    with start(plugin="keyword") as session:
        check(found(session) == by_words, "keyword stays by words")
    with start(plugin="none") as session:
        check(found(session) == [None] * len(QUERIES), "none stays without a search")
    os.truncate(installed / "model.safetensors", 1000)
    with start() as session:
        seen = settled(session)
        check(seen["state"] == "degraded" and str(installed / "model.safetensors") in seen["reason"], f"a damaged model: {seen}")
        check(found(session) == by_words, "with a damaged model it finds what keyword finds")
        told = said(session, str(installed / "model.safetensors"))
        check(len(told) == 1 and "[WARNING]" in told[0], f"and the log warns once: {told}")
        check(session.end() is None, "and the end is in order")
    shutil.rmtree(data)
    # A process of its own may only read a place that the configuration names.
    confined = home / ".local/share/skillhost/models"
    shutil.copytree(place.models.good, confined / "small")
    here = {"HOME": str(home)}
    with start(isolation="process", options=["--set", "search.allow_read=" + json.dumps([str(confined)])], environment=here) as session:
        settled(session)
        check(found(session) == by_both, "a process of its own reads a place that allow_read names")
    with start(isolation="process", environment=here) as session:
        indexed(session)
        is_closed = len(said(session, f"{confined}: Permission denied: no model is looked for there")) == 1
        if not is_closed:  # a kernel without Landlock
            settled(session)
        check(found(session) == (by_words if is_closed else by_both), "a process of its own without allow_read")
    # A list of allowed files without hybrid leaves keyword.
    lock = place.root / "plugins.lock"
    subprocess.run([SERVER, "plugins", "--write-lock", lock, "--no-config", "--skills-dir", place.skills], capture_output=True, timeout=60,
                   check=True, env={**os.environ, "XDG_CACHE_HOME": str(place.root / "other")})
    lines = lock.read_text().splitlines(keepends=True)
    lock.write_text("".join(line for line in lines if "/hybrid.so" not in line))
    check(len(lines) > lock.read_text().count("\n"), f"control: hybrid was listed: {lines}")
    with start(options=["--plugins-lock", str(lock)], environment=here) as session:
        until(lambda: state(session), "the plugin is made")
        check(state(session)["id"] == "org.skillhost.keyword" and found(session) == by_words, f"without hybrid: {state(session)}")
        check(said(session, "search.plugin auto: keyword is used"), "the log says that keyword is used")
    shutil.rmtree(home)


def questions(place):
    with place.session(place.models.good) as session:
        settled(session)
        for query in ("a" * 2000, "\U0001f408" * 500, "A cat ran. " * 100, "给猫喂食的技能" * 80, "的" * 600, "é" * 900, "\u0001\u0002 \u200b", "!" * 2000,
                      "cat " * 500, "\u202e\u0301\u0301" * 100):
            begun = time.monotonic()
            envelope = session.call("tools/call", name="find_helpful_skills", arguments={"task_description": query})
            # A message with NaN would not have been parsed.
            check(envelope["structuredContent"]["success"], f"{query[:12]!r}…: {json.dumps(envelope)[:300]}")
            check(time.monotonic() - begun < 10, f"{query[:12]!r}…: in time")
        check(state(session)["state"] == "loaded", "and none of them does any harm")
        check(session.end() is None, "and the end is in order")


def caches(place):
    shutil.rmtree(place.cache, ignore_errors=True)
    with place.session(place.models.good) as session:
        settled(session)
        expected = found(session)
    file = place.vectors()
    whole = file.read_bytes()
    kept = (len(whole) - HEADER) // RECORD
    check((len(whole) - HEADER) % RECORD == 0 and kept > SKILLS / 2, f"control: there are vectors to lose: {len(whole)}")
    other = place.root / "models" / "other"
    shutil.copytree(place.models.good, other)
    set_number(other, "encoder.layer.0.output.dense.bias", 0, 2.5)

    def replaced(data):
        def write():
            file.write_bytes(data)
        return write

    def folder_there():
        file.unlink()
        file.mkdir()

    def link_there():
        shutil.rmtree(file)
        (place.root / "precious").write_text("of somebody else")
        file.symlink_to(place.root / "precious")

    def plain_again():
        file.unlink()
        file.write_bytes(whole)

    def by_other_model():
        with place.session(other) as session:
            settled(session)
            check(found(session) != expected, "control: another model ranks otherwise")
        # Each model has its own file; vectors in an exchanged file are the ones that are found.
        made = place.vectors()
        check(made != file and made.read_bytes()[:HEADER] != whole[:HEADER], "control: the cache is the other model's")
        file.write_bytes(made.read_bytes())

    cases = [(f"cut off at {at}", replaced(whole[:at])) for at in
             (0, 1, 8, HEADER - 1, HEADER, HEADER + 1, HEADER + RECORD - 1, HEADER + RECORD, len(whole) // 2, len(whole) - 1)]
    cases += [("of another version", replaced(b"skhvec0\n" + whole[8:])), ("a flipped bit", replaced(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])),
              ("something else", replaced(os.urandom(5000))), ("appended to", replaced(whole + whole[HEADER:] + b"x" * 50)),
              ("of another model", by_other_model), ("a folder", folder_there), ("a link", link_there), ("as it was", plain_again)]
    for name, prepare in cases:
        prepare()
        with place.session(place.models.good) as session:
            seen = settled(session)
            check(found(session) == expected, f"a cache {name}: the same is found")
            told = name in ("a folder", "a link")
            check((seen["state"] == "degraded" and "vectors are not kept" in seen["reason"]) == told, f"a cache {name}: {seen}")
            check(session.end() is None, f"a cache {name}: the end is in order")
    check((place.root / "precious").read_text() == "of somebody else", "what a link leads to is left alone")
    check(file.read_bytes() == whole, "and a whole cache is added nothing to")


def full_disk(place):
    """Checks a full disk, which a limit on the size of files imitates."""
    with place.session(place.models.good) as session:
        settled(session)
        expected = found(session)
    shutil.rmtree(place.cache)
    limited = ("bash", "-c", 'ulimit -f 20; exec "$0" "$@"')  # KiB: less than the vectors, more than the log
    # Each question for the state is a log line at the usual level, and a slow build is asked often.
    with place.session(place.models.good, before=limited, options=["--log-level", "warning"]) as session:
        seen = settled(session)
        check(seen["state"] == "degraded" and "/vectors: cannot be written (File too large)" in seen["reason"], f"full: {seen}")
        check("/index/" in seen["reason"] and "the index goes on in memory" in seen["reason"], f"full, and the index, too: {seen}")
        check(found(session) == expected, "on a full disk the same is found")
        # The state may be visible before the log is written, but at the end the log is complete.
        _, code = session.server.finish()
        check(code == 0, f"full: it ends in order, not with {code}")
        said = [line for line in session.server.stderr().splitlines() if "/vectors: cannot be written" in line]
        check(len(said) == 1 and "[WARNING]" in said[0], f"and the log says it once: {said}")
    with place.session(place.models.good) as session:
        seen = settled(session)
        check(seen["state"] == "loaded" and found(session) == expected, f"with space again all is well: {seen}")


def instructions(place):
    with place.session(place.models.good) as session:
        settled(session)
        expected = found(session)
    flags = Path("/proc/cpuinfo").read_text()
    known = ["portable"] + (["avx2"] if " avx2 " in flags else []) + (["avx512"] if " avx512_vnni " in flags else [])
    for name in known:
        shutil.rmtree(place.cache)
        with place.session(place.models.good, instructions=name) as session:
            check(settled(session)["state"] == "loaded" and found(session) == expected, f"{name} finds the same")
    absent = "neon" if platform.machine() == "x86_64" else "avx2"
    with place.session(place.models.good, instructions=absent) as session:
        until(lambda: state(session)["state"] == "degraded", f"{absent} is refused")
        check("not to be had on this processor" in state(session)["reason"], f"{absent}: {state(session)}")


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-hybrid-") as folder:
        place = Place(folder)
        for part in (wrong_models, automatic, command_plugins, questions, caches, full_disk, instructions):
            part(place)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
