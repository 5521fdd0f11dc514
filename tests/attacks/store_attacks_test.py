#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a store that returns to an older version, and files that may not grow: store_attacks_test.py SERVER

Each attack has a control: the same store without required signatures, a server that has served nothing yet, a
program that the signal ends, the same command without the limit."""
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import DEADLINE, Checks  # noqa: E402
from session import Session, write_skill  # noqa: E402

SERVER = os.path.abspath(sys.argv[1])
checks = Checks()
check = checks.check

# The first release signed the name and the content, and no version.
EARLIER_KEY = """-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAYqyuEKcx4067IrPIzqvfyQojCYLfKUg/Op2LUBsR+Jo=
-----END PUBLIC KEY-----
"""
EARLIER_SIGNATURE = ("55a055074cef73fa TnKETUOVhsfjdAPJwHbEY3YeDaX0AKc4O81kZWIqIBCILBQf0jDfT4say098/a8cvRnp8CwoJA2u7chc"
                     "V1DKBw==\n")
EARLIER_BODY = "The first words.\n"


class Place:
    """A store, its skill `pdf` and a configuration in a folder of its own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.store, self.configuration = self.folder / "store", self.folder / "skillhost.json"

    def environment(self, home="home"):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("SKILLHOST_", "XDG_"))}
        return {**kept, "HOME": str(self.folder / home), "XDG_CACHE_HOME": str(self.folder / home / "cache"),
                "SKILLHOST_STARTUP_WAIT_MS": "60000"}

    def run(self, *words, code=0, home="home", **more):
        done = subprocess.run([SERVER, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120, env=self.environment(home), cwd=self.folder, **more)
        check(done.returncode == code, f"{words} ends with {code}: {done.returncode} {done.stdout} {done.stderr}")
        return done.stdout if "--json" in words else done.stdout + done.stderr

    def save(self, body, *words, into=None, key=None):
        write_skill(self.folder, "pdf", "Read PDF files.", body)
        said = self.run("skill", "save", "./pdf", "--skill-dir", into or self.store, *words)
        if key:
            self.run("skill", "sign", "pdf", "--key", key, "--skill-dir", into or self.store)
        return said

    def configure(self, isolation="thread", **config):
        self.configuration.write_text(json.dumps({"sources": [
            {"name": "kept", "plugin": "store", "isolation": isolation, "allow_read": [str(self.folder)],
             "config": {"directory": str(self.store), **config}}]}))

    def plant(self, number, body, signatures=None):
        """Writes these bytes as this version, whole and with a matching checksum, as an attacker without the key
        can."""
        own = self.folder / f"own-{number}"
        for count in range(1, number):
            self.save(f"Filler {count}.\n", into=own)
        self.save(body, into=own)
        version = self.store / "pdf" / str(number)
        shutil.copytree(own / "pdf" / str(number), version)
        if signatures is not None:
            (version / "signatures").write_text(signatures)
        return version

    def session(self, home="home", **more):
        return Served(self, ["env", *(f"{name}={value}" for name, value in self.environment(home).items()), SERVER,
                             "--config", str(self.configuration), *more.get("options", ()), "serve"])


class Served(Session):
    def __init__(self, place, command):
        super().__init__(command)
        self.place = place

    def text(self):
        """Returns the text of the skill; None when it is not served."""
        self.tool("reload_skills_directory")
        names = [skill["name"] for skill in self.listing()["skills"]]
        return json.dumps(self.tool("load_skill", skill_name="pdf")) if names == ["pdf"] else None

    def log(self):
        return self.server.stderr()

    def finish(self):
        self.server.finish()
        return self.log()


def seen(place, home):
    """Returns the text that a new server in this home serves, and its log."""
    with place.session(home) as session:
        text = session.text()
        return text, session.finish()


def signed_versions(place):
    """Checks an old signed version under a higher number."""
    place.run("key", "new", "ada.pem")
    public = str(place.folder / "ada.pem.pub")
    place.save("Old and weak.\n", "--keep", "3", key="ada.pem")
    old = (place.store / "pdf/1/signatures").read_text()
    place.save("New and good.\n", "--keep", "3", key="ada.pem")
    require = {"signatures": "require", "trusted_keys": [public]}
    place.configure(**require)
    check("New and good" in str(seen(place, "a")[0]), "control: the true version is served")

    planted = place.plant(3, "Old and weak.\n", old)
    text, log = seen(place, "b")
    check(text is None, f"the old version as version 3 is not served: {text}")
    check("it was signed as version 1, and is version 3 here" in log, f"the log says why: {log[-800:]}")
    (planted / "signatures").write_text(old.replace("version 1", "version 3"))
    text, log = seen(place, "c")
    check(text is None and "its signature is wrong" in log, f"nor with a number that was changed: {text} {log[-800:]}")
    place.configure(signatures="verify", trusted_keys=[public])
    check(seen(place, "d")[0] is None, "nor where signatures are verified alone")
    place.configure()
    check("Old and weak" in str(seen(place, "e")[0]), "control: who asks for no signature is served the old version")

    shutil.rmtree(planted)
    place.configure(**require)
    place.save("Newer and better.\n", "--keep", "3", key="ada.pem")
    check("Newer and better" in str(seen(place, "f")[0]), "control: version 3 of who has the key is served")


def earlier_signatures(place):
    """Checks signatures that name no version, which may be of any age."""
    (place.folder / "earlier.pub").write_text(EARLIER_KEY)
    keys = [str(place.folder / "earlier.pub")]
    place.save("New and good.\n")
    place.plant(2, EARLIER_BODY, EARLIER_SIGNATURE)
    place.configure(signatures="require", trusted_keys=keys)
    text, log = seen(place, "a")
    check(text is None, f"required, they are refused: {text}")
    check("does not say of which version" in log and "skillhost skill sign" in log, f"with what to do: {log[-800:]}")
    place.configure(signatures="verify", trusted_keys=keys)
    with place.session("b") as session:
        check("The first words" in str(session.text()), "control: it is a good signature of that key, and not required")
        facts = session.call("skills/list")["skills"][0]["_meta"]["org.skillhost/facts"]
        check(facts["signature"] == "untrusted", f"and no trusted one for this version: {facts}")
        check("signed without its version" in session.finish(), "as the log says")
    other = EARLIER_SIGNATURE.replace("TnKE", "TnKF")
    (place.store / "pdf/2/signatures").write_text(other)
    check(seen(place, "c")[0] is None, "a wrong one is refused all the same")


def gone_back(place, isolation):
    """Checks an old copy of the whole store, in which every signature is good."""
    place.run("key", "new", "ada.pem")
    place.configure(isolation, signatures="require", trusted_keys=[str(place.folder / "ada.pem.pub")])
    place.save("Old and weak.\n", "--keep", "3", key="ada.pem")
    shutil.copytree(place.store, place.folder / "backup")

    def restore():
        shutil.rmtree(place.store)
        shutil.copytree(place.folder / "backup", place.store)

    place.save("New and good.\n", "--keep", "3", key="ada.pem")
    with place.session() as session:
        check("New and good" in str(session.text()), f"{isolation}: control: the newest is served")
        restore()
        check(session.text() is None, f"{isolation}: gone back, it is not served any more")
        check("version 1 is older than version 2, which was served before" in session.log(), session.log()[-800:])
        figures = json.dumps(session.tool("get_server_stats"))
        session.finish()
    check("skills_gone_back" in figures, f"{isolation}: the statistics: {figures[:2000]}")
    text, log = seen(place, "home")
    check(text is None, f"{isolation}: nor after a restart: {text}")
    advice = re.search(r"skillhost (skill rollback pdf .*)", log)
    check(advice is not None, f"{isolation}: the log says what to do: {log[-800:]}")
    status = json.loads(place.run("--config", place.configuration, "source", "status", "--json"))
    reported = status["sources"][0]["reported"]
    check((reported["skills_refused"], reported["skills_gone_back"]) == (1, 1), f"{isolation}: so does source status: {reported}")
    check("Old and weak" in str(seen(place, "new")[0]), f"{isolation}: control: who has served nothing yet is deceived")

    # The same number has other bytes, signed as well.
    place.save("Another second.\n", "--keep", "3", key="ada.pem")
    text, log = seen(place, "home")
    check(text is None and "version 2 holds something else" in log, f"{isolation}: another version 2: {text} {log[-800:]}")
    restore()
    place.run(*shlex.split(advice[1]), "--key", "ada.pem")
    check("Old and weak" in str(seen(place, "home")[0]), f"{isolation}: what the log says puts it back on purpose")
    restore()
    check(seen(place, "home")[0] is None, f"{isolation}: and from then on that counts")


def at_once(place):
    """Checks a second server, and one whose record of versions was damaged or lost."""
    place.configure()
    place.save("Old and weak.\n")
    shutil.copytree(place.store, place.folder / "backup")
    place.save("New and good.\n")
    with place.session() as first:
        check("New and good" in str(first.text()), "control: it is served")
        shutil.rmtree(place.store)
        shutil.copytree(place.folder / "backup", place.store)
        check(seen(place, "home")[0] is None, "a second server knows what the first has served")
        first.finish()
    memory = [path for path in (place.folder / "home").rglob("served-*.json")]
    check(len(memory) >= 1 and all(path.stat().st_mode & 0o077 == 0 for path in memory), f"for its owner alone: {memory}")
    for path in memory:
        path.write_text(path.read_text()[:-20])
    text, log = seen(place, "home")
    check(text is None and "is damaged" in log, f"what is damaged is not as if it were not there: {log[-800:]}")
    for path in memory:
        path.unlink()
    check("Old and weak" in str(seen(place, "home")[0]), "control: without it nothing is known")
    # A skill that is removed and saved again does not count as older.
    place.save("New and good.\n")
    check("New and good" in str(seen(place, "home")[0]), "control: a newer one")
    place.run("skill", "remove", "pdf", "--skill-dir", place.store)
    place.save("Saved again.\n")
    check("Saved again" in str(seen(place, "home")[0]), "a skill that was removed and saved again is served")


def digest(plugin):
    return hashlib.sha256(plugin.encode()).hexdigest()[:16]


def folders_of_strangers(place):
    """Checks that files that other plugins write into their own folders, beside the store's, are no memory of the
    store."""
    place.configure()
    place.save("Served.\n")
    check("Served" in str(seen(place, "home")[0]), "control: it is served")
    memory, = (place.folder / "home").rglob("served-*.json")
    own = digest("org.skillhost.store")
    check(memory.parent.name == f"kept-{own}", f"the store's folder: {memory.parent.name}")
    forged = json.loads(memory.read_text())
    forged["skills"]["pdf"] = {"version": 4_000_000_000, "content": forged["skills"]["pdf"]["content"]}

    def forge(name):
        folder = memory.parent.parent / name
        folder.mkdir()
        (folder / memory.name).write_text(json.dumps(forged))
        return folder

    stranger = digest("org.example.stranger")
    for name in (f"notes-{stranger}", f"notes-{stranger}-2", f"kept-{own}-{stranger}", f"kept-{own}-{stranger}-2", f"kept-{own}-2-{stranger}",
                 f"kept-{own}-x", f"kept-{own}-", f"kept-{own}-1234", own, "kept"):
        folder = forge(name)
        text, log = seen(place, "home")
        check("Served" in str(text), f"with {name} it is served: {log[-800:]}")
        shutil.rmtree(folder)
    for name in (f"other-{own}", f"kept-{own}-2", f"kept-{stranger}-{own}-17"):
        folder = forge(name)
        text, log = seen(place, "home")
        check(text is None and "is older than version 4000000000" in log, f"control: {name} is the store's own: {text} {log[-800:]}")
        shutil.rmtree(folder)
        memory.unlink()  # the server has read it
        check("Served" in str(seen(place, "home")[0]), f"control: without {name} it is served again")

    # A stranger takes the store's id, under the name of its instance: a copy elsewhere is no built-in plugin.
    plugins = json.loads(place.run("plugins", "--json", "--no-config"))
    file = next(one["file"] for one in plugins if one.get("id") == "org.skillhost.store")
    (place.folder / "strange").mkdir()
    copy = shutil.copy(file, place.folder / "strange/store.so")
    ours = place.configuration.read_text()
    theirs = json.loads(ours)
    theirs["sources"][0].update(plugin=str(copy))
    before = {path.name for path in memory.parent.parent.iterdir()}
    place.configuration.write_text(json.dumps(theirs))
    check("Served" in str(seen(place, "home")[0]), "control: the stranger runs")
    # Other sources make a search index of their own.
    new = {path.name for path in memory.parent.parent.iterdir() if path.is_dir() and not path.name.startswith("search@")} - before
    check(len(new) == 1 and not any(own in name for name in new), f"its folder is not as one of the store's: {new}")


def limited(most):
    """Returns a function for a child, which limits its files to `most` bytes."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return limit


def everything(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def file_limits(place):
    """Checks ulimit -f: a failed write is an error, and ends no program."""
    ended = subprocess.run([sys.executable, "-c", "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
                            f"open({str(place.folder / 'x')!r}, 'w').write('x' * 30000)"], preexec_fn=limited(20_000))
    check(ended.returncode == -signal.SIGXFSZ, f"control: the signal ends a program: {ended.returncode}")
    too_large = "File too large"

    place.save("First.\n")
    before = everything(place.store)
    (place.folder / "pdf/long.md").write_text("x" * 100_000)
    said = place.run("skill", "save", "./pdf", "--skill-dir", place.store, code=1, preexec_fn=limited(20_000))
    check(too_large in said and "pdf was not saved" in said, f"save: {said}")
    check(everything(place.store) == before, "save: the store is what it was")
    place.run("skill", "export", "pdf", "pdf.tar", "--skill-dir", place.store)
    good = (place.folder / "pdf.tar").read_bytes()
    said = place.run("skill", "export", "pdf", "pdf.tar", "--skill-dir", place.store, code=1, preexec_fn=limited(1_000))
    check(too_large in said and (place.folder / "pdf.tar").read_bytes() == good, f"export: {said}")
    check(sorted(path.name for path in place.folder.glob("*.new")) == [], "export: nothing half-written is left")
    said = place.run("skill", "save", "./pdf", "--skill-dir", place.store)
    check("version 2 saved" in said, f"control: without the limit it is saved: {said}")

    said = place.run("key", "new", "half.pem", code=1, preexec_fn=limited(10))
    check(too_large in said and list(place.folder.glob("half.pem*")) == [], f"key: {said}")
    said = place.run("skill", "load", "pdf", "--output", "half", "--skill-dir", place.store, code=1, preexec_fn=limited(1_000))
    check(too_large in said and not (place.folder / "half").exists(), f"load: {said}")

    skills = place.folder / "skills"
    for number in range(40):
        write_skill(skills, f"skill-{number}", f"The skill {number}.")
    lock = place.folder / "skills.lock"
    lock.write_text("")
    options = ("--no-config", "--skills-dir", skills)
    said = place.run("lock", *options, "--file", lock, code=1, preexec_fn=limited(2_000))
    check(too_large in said and lock.read_text() == "", f"lock: {said}")
    lock.unlink()
    place.run("lock", *options, "--file", lock)
    check(lock.stat().st_size > 2_000, "control: without the limit it is written")

    plugins = place.folder / "plugins.lock"
    plugins.write_text("what was there\n")
    said = place.run("plugins", *options, "--write-lock", plugins, code=1, preexec_fn=limited(50))
    check(too_large in said and plugins.read_text() == "what was there\n", f"plugins.lock: {said}")
    place.run("plugins", *options, "--write-lock", plugins)
    check(plugins.stat().st_size > 50, "control: without the limit it is written")

    with open(place.folder / "printed", "wb") as printed:
        done = subprocess.run([SERVER, "skill", "list", *map(str, options)], stdin=subprocess.DEVNULL, stdout=printed,
                              stderr=subprocess.PIPE, text=True, env=place.environment(), preexec_fn=limited(500), timeout=120)
    check(done.returncode == 1 and too_large in done.stderr, f"what is not printed is no success: {done.returncode} {done.stderr}")

    server = [sys.executable, str(Path(__file__).resolve().parent.parent / "integration/faulty_mcp_server.py"), "none"]
    said = place.run("generate", "faulty", "--", *server, code=1, preexec_fn=limited(100))
    left = [path.name for path in place.folder.iterdir() if "faulty" in path.name]
    check(too_large in said and left == [], f"generate: {said} {left}")
    place.run("generate", "faulty", "--", *server)
    check((place.folder / "faulty/SKILL.md").exists(), "control: without the limit it is written")
    # A started program has the default signal actions, whatever the server ignores.
    said = place.run("generate", "x", "--", "sh", "-c", "grep SigIgn /proc/self/status >&2; exit 1", code=1)
    found = re.search(r"SigIgn:\s*([0-9a-f]+)", said)
    check(found and not int(found[1], 16) & (1 << signal.SIGXFSZ - 1 | 1 << signal.SIGPIPE - 1), f"a child ignores nothing: {said}")


def serving(place, isolation):
    """Checks a server whose log, audit and cache may not grow."""
    place.save("Served.\n")
    place.configure(isolation)
    log = place.folder / f"log-{isolation}"
    audit = place.folder / f"audit-{isolation}"

    def start(most, log_to):
        return subprocess.Popen([SERVER, "--config", str(place.configuration), "--audit-log", str(audit), "--log-level", "DEBUG",
                                 "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log_to, text=True,
                                env=place.environment(f"home-{isolation}-{most}"), preexec_fn=limited(most) if most else None)

    def ask(server, count):
        """Returns how many of `count` loads are answered with the skill; audited calls run in between."""
        answered = 0
        for number in range(count):
            for tool, arguments in (("reload_skills_directory", {}), ("load_skill", {"skill_name": "pdf", "force_reload": True})):
                server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": f"{tool} {number}", "method": "tools/call", "params": {
                    "name": tool, "arguments": arguments}}) + "\n")
                server.stdin.flush()
                answered += "Served." in server.stdout.readline()
        return answered

    for most in (1_500, 0):
        with open(log, "wb") as log_to:
            server = start(most, log_to)
            try:
                answered = ask(server, 30)
                check(answered == 30, f"{isolation}, limit {most}: every call is answered: {answered}")
                server.stdin.close()
                check(server.wait(DEADLINE) == 0, f"{isolation}, limit {most}: its end is in order: {server.returncode}")
            finally:
                server.kill()
                server.wait()
        if most:
            check(log.stat().st_size <= most and audit.stat().st_size <= most,
                  f"{isolation}: control: both files are at their limit: {log.stat().st_size} {audit.stat().st_size}")
            log.unlink()
            audit.unlink()
    check(log.stat().st_size > 1_500 and audit.stat().st_size > 1_500, f"{isolation}: control: without a limit both are larger")

    if isolation == "thread":
        server = start(100, subprocess.PIPE)
        check(ask(server, 1) == 1, "what was served cannot be remembered, and is served")
        server.stdin.close()
        said = server.stderr.read()
        check(server.wait(DEADLINE) == 0 and "not remembered beyond the end" in said and "File too large" in said,
              f"as the log says: {said[-1500:]}")
        left = [path for path in (place.folder / "home-thread-100").rglob("*") if path.is_file() and path.stat().st_size == 100]
        check(left == [], f"nothing half-written is left: {left}")


PARTS = (signed_versions, earlier_signatures, lambda place: gone_back(place, "thread"), lambda place: gone_back(place, "process"),
         at_once, folders_of_strangers, file_limits, lambda place: serving(place, "thread"), lambda place: serving(place, "process"))
for part in PARTS:
    with tempfile.TemporaryDirectory(prefix="skillhost-store-attack-") as folder:
        part(Place(folder))
sys.exit(checks.finish())
