#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a store of skills, end to end: store_test.py SERVER. Saves, lists, verifies, signs, exports and imports by
the command line, serves by the plugin store, and refuses archives with content that strangers may have added."""
import io
import json
import os
import re
import stat
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from checks import Checks
from session import Session, write_skill

checks = Checks()


def check(holds, what, seen=""):
    checks.check(holds, f"{what}: {str(seen)[:600]}")


class Commands:
    """Runs skillhost in a home folder of its own."""

    def __init__(self, server, home):
        self.server, self.home = server, home
        self.environment = {**os.environ, "HOME": str(home), "SKILLHOST_CONFIG": ""}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)

    def __call__(self, *arguments, code=0, **more):
        done = subprocess.run([self.server, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              env=self.environment, cwd=self.home, **more)
        check(done.returncode == code, f"{' '.join(map(str, arguments))} ends with {code}", f"{done.returncode} {done.stdout} {done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def json(self, *arguments):
        return json.loads(self(*arguments, "--json"))


def save_and_look(run, folder):
    write_skill(folder, "pdf", "Read PDF files.")
    (folder / "pdf" / "logo.png").write_bytes(bytes(range(256)))
    (folder / "code.wasm").write_bytes(b"\0asm\1\0\0\0")
    check("version 1 saved" in run("skill", "save", "./skills/pdf", "--wasm", "skills/code.wasm"), "it is saved")
    store = run.home / ".local/share/skillhost/skills"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (store / "pdf/1").iterdir()}
    check(modes == {"metadata.json": 0o644, "vfs.json": 0o644, "module.wasm": 0o644, "checksum.blake3": 0o600}, "a version is four files", modes)
    listing = json.loads((store / "pdf/1/vfs.json").read_text())
    check([file["path"] for file in listing["files"]] == ["SKILL.md", "logo.png"], "vfs.json is JSON for everybody", listing)
    before = {path: path.stat().st_mtime_ns for path in store.rglob("*")}
    check(not run.json("skill", "save", "./skills/pdf", "--wasm", "skills/code.wasm")["changed"], "the same again changes nothing")
    after = {path: path.stat().st_mtime_ns for path in store.rglob("*")}
    check(before == after, "not even a time")
    info = run.json("skill", "info", "pdf", "--skill-dir", store)
    check(info["verified"] and info["module_bytes"] == 8 and len(info["files"]) == 2, "info tells all", info)
    check(run("skill", "load", "pdf") == (folder / "pdf/SKILL.md").read_text(), "load prints the document")
    loaded = json.loads(run("skill", "load", "pdf", "--json"))
    texts = {file["path"]: file.get("text") for file in loaded["files"]}
    check(loaded["verified"] and texts["SKILL.md"] == (folder / "pdf/SKILL.md").read_text(), f"load as JSON: {loaded}")
    run("skill", "load", "pdf", "--output", "out")
    check((run.home / "out/logo.png").read_bytes() == bytes(range(256)), "and writes the files")
    run("skill", "load", "pdf", "--output", "out", code=1)
    foreign = next(store.glob("pdf/[0-9]*")) / "notes.txt"
    foreign.write_text("mine")
    run("skill", "verify", "pdf", code=1)
    said = run("skill", "list", "--skill-dir", store)
    check("WRONG: not the store's, and in no checksum: notes.txt" in said, "a foreign file is not verified", said)
    check(not run.json("skill", "info", "pdf", "--skill-dir", store)["verified"], "neither is it for programs")
    foreign.unlink()
    listed = run("skill", "list", "--skill-dir", store)
    check(all(part in listed for part in ("pdf", "saved 20", "2 files", "B", "verified", "1 skill in ")), "list shows size, date, files and verdict", listed)
    check("Read PDF" in run("skill", "list", "--skills-dir", folder), "list without a store is the catalogue")


def versions(run, folder):
    for text in ("Second.", "Third."):
        write_skill(folder, "pdf", text)
        run("skill", "save", "pdf", "--keep", "3", "--zstd", "--skills-dir", folder)
    check(run.json("skill", "info", "pdf", "--skill-dir", store_of(run))["versions"] == [3, 2, 1], "three are kept")
    back = run.json("skill", "rollback", "pdf")
    check((back["version"], back["from"]) == (4, 2), "one comes back, under a number of its own", back)
    for words, says in ((("--to", "9"), "no such version"), (("--to", "0"), "from 1 to"), (("--above", "x"), "from 1 to")):
        check(says in run("skill", "rollback", "pdf", *words, code=1), f"rollback {words}: {says}")
    check("Second." in run("skill", "load", "pdf"), "and is what it was")
    check("./none" in run("skill", "save", "none", "--skills-dir", folder, code=1), "a name nobody serves is refused with advice")


def store_of(run):
    return run.home / ".local/share/skillhost/skills"


def archives(run):
    run("skill", "export", "pdf", "pdf.tar")
    with tarfile.open(run.home / "pdf.tar") as tar:
        check("pdf/SKILL.md" in tar.getnames(), "an archive is a folder anybody can use", tar.getnames())
    run("skill", "export", "pdf", "again.tar")
    check((run.home / "pdf.tar").read_bytes() == (run.home / "again.tar").read_bytes(), "equal skills are equal archives")
    run("skill", "import", "pdf.tar", "--skill-dir", "other")
    contents = [run.json("skill", "info", "pdf", "--skill-dir", where)["content"] for where in ("other", store_of(run))]
    check(contents[0] == contents[1], "what is imported is what was exported")

    def refused(what, *entries, says):
        with tarfile.open(run.home / "bad.tar", "w") as tar:
            for name, change in entries:
                entry = tarfile.TarInfo(name)
                body = b"---\nname: bad\ndescription: Bad.\n---\n"
                entry.size = len(body)
                if change:
                    change(entry)
                tar.addfile(entry, io.BytesIO(body if entry.isreg() else b""))
        check(says in run("skill", "import", "bad.tar", "--skill-dir", "bad", code=1), what)
        check(not (run.home / "bad").exists(), f"{what}, and nothing is written")

    def link(kind):
        def change(entry):
            entry.type, entry.linkname, entry.size = kind, "/etc/passwd", 0
        return change

    def device(entry):
        entry.type, entry.size = tarfile.CHRTYPE, 0

    refused("a symbolic link", ("bad/SKILL.md", None), ("bad/l", link(tarfile.SYMTYPE)), says="is a link")
    refused("a hard link", ("bad/SKILL.md", None), ("bad/l", link(tarfile.LNKTYPE)), says="is a link")
    refused("a device", ("bad/SKILL.md", None), ("bad/d", device), says="neither a file")
    refused("a way out", ("bad/SKILL.md", None), ("bad/../../x", None), says="not safe")
    refused("an absolute path", ("/bad/SKILL.md", None), says="not safe")
    refused("a file twice", ("bad/SKILL.md", None), ("bad/SKILL.md", None), says="there twice")
    refused("two that fold to one", ("bad/SKILL.md", None), ("bad/a", None), ("bad/A", None), says="differ in case")
    refused("two skills", ("bad/SKILL.md", None), ("worse/SKILL.md", None), says="two folders")
    refused("a stray file", ("bad/SKILL.md", None), ("stray", None), says="belongs to no skill")
    refused("too many files", ("bad/SKILL.md", None), *((f"bad/{i}", None) for i in range(600)), says="one file more")
    refused("no SKILL.md", ("bad/README.md", None), says="no file SKILL.md")
    with tarfile.open(run.home / "bad.tar", "w") as tar:
        entry = tarfile.TarInfo("bad/SKILL.md")
        entry.size = 1 << 40
        tar.fileobj.write(entry.tobuf())
    check("larger than" in run("skill", "import", "bad.tar", "--skill-dir", "bad", code=1), "a size that is a lie takes no memory")


def keys(run, folder):
    run("key", "new", "--kind", "store")
    key = run.home / ".config/skillhost/store.key"
    check((key.stat().st_size, stat.S_IMODE(key.stat().st_mode)) == (32, 0o600), "a key is 32 bytes for its owner")
    check("never overwritten" in run("key", "new", "--kind", "store", code=1), "and never overwritten")
    run("skill", "save", "./skills/pdf", "--skill-dir", "keyed", "--store-key", key)
    check("name the key file" in run("skill", "info", "pdf", "--skill-dir", "keyed", code=1), "without the key it does not verify")
    run("skill", "verify", "--skill-dir", "keyed", "--store-key", key)
    run("skill", "verify", "--skill-dir", "keyed", code=1)
    out = run("skill", "verify", "--skill-dir", "nowhere", code=1)
    check("nowhere: there is no such store" in out, "a store that is not there does not verify", out)
    run("key", "new", "ada.pem")
    public = run.home / "ada.pem.pub"
    check("no signature" in run("skill", "load", "pdf", "--trusted-key", public, "--require-signature", code=1), "unsigned is refused where a signature is required")
    run("skill", "sign", "pdf", "--key", "ada.pem")
    check("signed by" in run("skill", "list", "--skill-dir", store_of(run), "--trusted-key", public), "signed, it is told by whom")
    run("skill", "export", "pdf", "signed.tar")
    run("skill", "import", "signed.tar", "--skill-dir", "elsewhere")
    run("skill", "load", "pdf", "--skill-dir", "elsewhere", "--trusted-key", public, "--require-signature")
    imported_as_served(run, key, public)


def imported_as_served(run, key, public):
    """Checks that an import refuses everything that would be refused when it is served."""
    def archive(name, change):
        """Makes signed.tar with other bytes in its files; None leaves one out."""
        with tarfile.open(run.home / "signed.tar") as good, tarfile.open(run.home / name, "w") as made:
            for entry in good:
                data = change(entry.name, good.extractfile(entry).read())
                if data is not None:
                    entry.size = len(data)
                    made.addfile(entry, io.BytesIO(data))

    archive("unsigned.tar", lambda path, data: None if path.endswith(".signatures") else data)
    archive("wrong.tar", lambda path, data: data + b"More.\n" if path.endswith("SKILL.md") else data)

    def imports(file, *options, says, code=1):
        out = run("skill", "import", file, "--skill-dir", "guarded", *options, code=code)
        check(says in out, f"{file} {options}: {says}", out)
        there = (run.home / "guarded/pdf").exists()
        check(there == (code == 0), f"{file} {options}: {'taken' if code == 0 else 'nothing is touched'}")

    trusted = ("--trusted-key", public)
    imports("unsigned.tar", *trusted, "--require-signature", says="not imported: it has no signature")
    run("key", "new", "eve.pem")
    imports("signed.tar", "--trusted-key", run.home / "eve.pem.pub", "--require-signature", says="by none of the trusted keys")

    def configured(**trust):
        file = run.home / "guarded.json"
        file.write_text(json.dumps({"sources": [{"name": "kept", "plugin": "store", "config": {
            "directory": f"{run.home}/guarded/", **trust}}]}))
        return "--config", file

    require = configured(signatures="require", trusted_keys=[str(public)])
    imports("unsigned.tar", *require, says="the source kept would not serve it: it has no signature")
    require = configured(signatures="require", trusted_keys=[str(run.home / "eve.pem.pub")])
    imports("signed.tar", *require, says="the source kept would not serve it: it is signed, but by none")
    imports("signed.tar", *configured(key_file=str(key)), says="--store-key")
    imports("signed.tar", "--store-key", key, *configured(), says="leave out --store-key")
    imports("signed.tar", *configured(key_file=str(run.home / "absent")), says="the source kept: ")

    verify = configured(signatures="verify", trusted_keys=[str(public)])
    imports("wrong.tar", *verify, says="its signature is wrong")
    imports("wrong.tar", *trusted, says="its signature is wrong")

    imports("unsigned.tar", *verify, says="version 1 saved", code=0)
    # This is the same content, now with its signature. The unsigned version would not be served, so the import replaces
    # it; a signed version keeps its number.
    require = configured(signatures="require", trusted_keys=[str(public)])
    imports("signed.tar", *require, says="version 4 saved", code=0)
    imports("signed.tar", *require, says="has this content already", code=0)
    check(", signed by" in run("skill", "import", "signed.tar", "--skill-dir", "guarded", *require), "it is told whose signature it is")
    session = Session([run.server, "--config", str(require[1]), "serve"])
    check([skill["name"] for skill in session.tool("list_skills")["skills"]] == ["pdf"], "and is served")
    check(session.end() is None, "its end")
    check("signed, and nobody has checked" in run("skill", "import", "signed.tar", "--skill-dir", "unguarded"), "that nobody has checked is said")


def serve(run, folder):
    write_skill(folder, "csv", "Read CSV files.")
    run("skill", "save", "./skills/csv", "--skill-dir", "served")
    run("skill", "save", "./skills/pdf", "--skill-dir", "served")
    configuration = run.home / "skillhost.yaml"
    configuration.write_text(json.dumps({"sources": [
        {"name": "kept", "plugin": "store", "config": {"directory": str(run.home / "served")}}]}))
    session = Session([run.server, "--config", str(configuration), "serve"])

    def names():
        return sorted(skill["name"] for skill in session.tool("list_skills")["skills"])

    check(names() == ["csv", "pdf"], "both are served", names())
    check("Body." in json.dumps(session.tool("load_skill", skill_name="csv")), "with their text")
    # A failing disk changes the bytes of a version that is already there.
    path = run.home / "served/pdf/1/vfs.json"
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 4
    path.write_bytes(damaged)
    session.tool("reload_skills_directory")
    check(names() == ["csv"], "what does not verify is not served, the rest is", names())
    check("checksum.blake3 is not the checksum" in session.server.stderr(), "the log says why")
    run("skill", "save", "./skills/pdf", "--skill-dir", "served")
    while names() != ["csv", "pdf"]:
        session.wait_for("notifications/resources/list_changed")
    check(names() == ["csv", "pdf"], "saved again, it is back by itself", names())
    session.server.finish()


def facts(run, folder):
    """Checks the facts in the _meta of listings and results: the verification of a skill and its signer."""
    public = run.home / "ada.pem.pub"
    run("skill", "save", "./skills/csv", "--skill-dir", "attested")
    run("skill", "save", "./skills/pdf", "--skill-dir", "attested")
    run("skill", "sign", "pdf", "--key", "ada.pem", "--skill-dir", "attested")
    config = {"directory": str(run.home / "attested"), "signatures": "verify", "trusted_keys": [str(public)]}
    for isolation in ("thread", "process"):
        configuration = run.home / "attested.json"
        configuration.write_text(json.dumps({"sources": [
            {"name": "kept", "plugin": "store", "isolation": isolation, "config": config, "allow_read": [str(run.home)]}]}))
        with Session([run.server, "--config", str(configuration), "serve"]) as session:
            session.tool("list_skills")
            listed = {skill["frontmatter"]["name"]: skill["_meta"] for skill in session.call("skills/list")["skills"]}
            signed = listed["pdf"]["org.skillhost/facts"]
            check((signed["integrity"], signed["signature"], len(signed["signer"])) == ("blake3", "trusted", 16), f"{isolation}: the verdict is listed", signed)
            unsigned = listed["csv"]["org.skillhost/facts"]
            check((unsigned["integrity"], unsigned["signature"], "signer" in unsigned) == ("blake3", "none", False), f"{isolation}: and that there is none", unsigned)
            versions = {"thread": "1", "process": "2"}  # it is saved once more between them
            check((unsigned["kind"], unsigned["version"]) == ("store", versions[isolation]), f"{isolation}: and where it lies", unsigned)
            for again in range(2):
                loaded = session.call("tools/call", name="load_skill", arguments={"skill_name": "pdf"})
                check(loaded.get("_meta") == {"org.skillhost/facts": signed}, f"{isolation}: load_skill has it", loaded.get("_meta"))
            if isolation == "thread":
                run("skill", "sign", "csv", "--key", "ada.pem", "--skill-dir", "attested")
                session.tool("reload_skills_directory")
                now = session.call("tools/call", name="load_skill", arguments={"skill_name": "csv"})["_meta"]
                check(now["org.skillhost/facts"]["signature"] == "trusted", "signed since, it is told without a restart", now)
                run("skill", "remove", "csv", "--skill-dir", "attested")
                run("skill", "save", "./skills/csv", "--skill-dir", "attested")
    plugin = next(Path(run.server).parent.parent.glob("plugins/sources/store/store.so"), None)
    if plugin:
        (run.home / "try.json").write_text(json.dumps(config))
        tried = run("try", plugin, "list", "--config", "try.json")
        check('"signature":"trusted"' in tried, "skillhost try shows it", tried)


def without_space(run, folder):
    import resource
    (folder / "pdf" / "long.md").write_text("x" * 100_000)

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    said = run("skill", "save", "./skills/pdf", code=1, preexec_fn=small)
    check("vfs.json: cannot be written: File too large" in said, "without space it says which file", said)
    run("skill", "verify")
    (folder / "pdf" / "long.md").unlink()
    (folder / "pdf" / "link.md").symlink_to("SKILL.md")
    check("link.md" in run("skill", "save", "./skills/pdf", code=1), "a link is refused by name")
    said = run("skill", "remove", "pdf")
    check(re.search(r"^pdf: removed from \S+, versions? \d+", said), f"remove says what it removed: {said}")
    check("no such skill" in run("skill", "remove", "pdf", code=1), "removed, it is gone")


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-store-") as folder:
        run = Commands(str(Path(sys.argv[1]).resolve()), Path(folder))
        skills = Path(folder) / "skills"
        for part in (lambda: save_and_look(run, skills), lambda: versions(run, skills), lambda: archives(run),
                     lambda: keys(run, skills), lambda: serve(run, skills), lambda: facts(run, skills),
                     lambda: without_space(run, skills)):
            try:
                part()
            except Exception as broken:  # the reports of other failures say more
                check(False, "ended early", repr(broken))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
