#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests commands with their own programs: ours are found by their descriptions, those of others on PATH.
commands_test.py SKILLHOST"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import DEADLINE, Checks  # noqa: E402

SERVER = Path(sys.argv[1]).resolve()
BUILT = SERVER.parent.parent / "programs"
checks = Checks()
check = checks.check
ECHO = '#!/bin/sh\nprintf "%s\\n" "$0" "$@"\ncat\nexit "${CODE:-0}"\n'


class Place:
    """A user with a folder of programs on PATH, and a folder of descriptions."""

    def __init__(self, root):
        self.home, self.bin = root / "home", root / "bin"
        self.described = self.home / ".local/share/skillhost/commands"
        self.bin.mkdir(parents=True)
        self.described.mkdir(parents=True)

    def program(self, name, text=ECHO):
        file = self.bin / f"skillhost-{name}"
        file.write_text(text)
        file.chmod(0o755)
        return file

    def describe(self, name, **more):
        (self.described / f"{name}.json").write_text(json.dumps({"name": name, "help": f"Does {name}. At once.", **more}))

    def __call__(self, *words, program=SERVER, said="", before=(), **variables):
        environment = {"HOME": str(self.home), "PATH": f"{self.bin}:/usr/bin:/bin", "LANG": "C.UTF-8", **variables}
        kept = {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        environment = {name: value for name, value in {**kept, **environment}.items() if value is not None}
        done = subprocess.run([*before, str(program), *words], input=said, capture_output=True, text=True, timeout=6 * DEADLINE, check=False,
                              env=environment, cwd=self.home)
        return done.returncode, done.stdout, done.stderr


def every_command(place):
    """Checks that each command prints its own help and refuses an unknown option."""
    _, script, err = place("completion", "bash")
    commands = sorted(set(re.findall(r"path=' ([a-z -]+)'", script)))
    check(len(commands) > 40 and not err, f"{len(commands)} commands: {err}")
    for command in commands:
        code, out, err = place(*command.split(), "--help")
        check(code == 0 and f"\n\nUsage: skillhost {command}" in out and not err, f"{command} --help: {code} {out}{err}")
        code, out, err = place(*command.split(), "--no-such-option")
        check(code == 1 and not out and "unknown option --no-such-option" in err and f"Run `skillhost {command} --help`" in err,
              f"{command} --no-such-option: {code} {out}{err}")
    for words, near in ((("doctor", "--jsn"), "--json"), (("generate", "--outptu", "x"), "--output"), (("skill", "push", "--forse"), "--force"),
                        (("client-config", "curser"), "cursor")):
        code, out, err = place(*words)
        check(code == 1 and not out and f'did you mean "{near}"?' in err, f"{words}: {code} {out}{err}")
    code, out, err = place("client-config", "json", "--print-config")
    check(code == 0 and "mcpServers" in json.loads(out), f"client-config writes an entry, and no configuration: {code} {out}{err}")
    code, out, err = place("--print-config", "skill", "new", "a-skill")
    check(code == 0 and (place.home / "a-skill/SKILL.md").is_file(), f"skill new makes a skill: {code} {out}{err}")
    code, out, err = place("validate", "--strict", "a-skill")
    check(code == 0 and "1 skill checked: 0 errors, 0 warnings" in out, f"validate has nothing to say of it: {code} {out}{err}")
    for words, why in (("skill",), "choose a command, such as skill list"), (("skill", "info"), "name the skill"), \
            (("skill", "new"), "name the skill, such as skill new pdf-forms"), (("source",), "choose a command: source list"), \
            (("review",), "choose a command: review list"), (("search",), "say what to search for"), (("client-config",), "name the client, one of"), \
            (("bom", "--files"), "--files is for the document that --json prints"), (("remove",), "name the source; skillhost list"), \
            (("doctor", "--set", "x"), "write --set KEY=VALUE"), (("plugins", "--config", "no.yaml"), "no.yaml: No such file"):
        code, out, err = place(*words)
        check(code == 1 and not out and why in err and err.startswith("skillhost: "), f"{words}: {code} {out}{err}")
    code, _, err = place("serch", "x")
    check(code == 1 and 'unknown command serch - did you mean "search"?' in err, f"a typing error: {err}")


def configurations(place):
    """Checks how each command reads the configuration: commands that do not show a warning themselves log it, and
    some go on without a configuration."""
    (place.home / "warned.yaml").write_text("usual_folders: false\nstate: {config: {a: 1}}\n")
    for words, logs in ((("plugins",), True), (("skill", "list"), True), (("bom",), True), (("search", "x"), True), (("source", "list"), False),
                        (("source", "status"), False), (("list",), False), (("update",), False), (("doctor",), False)):
        _, out, err = place(*words, "--config", "warned.yaml")
        check(("[config]" in err) == logs, f"{words} logs the warning: {logs}: {out}{err}")
        check(words != ("doctor",) or "state.config: is not used" in out, f"doctor shows it: {out}")
    check("[config]" in place("list", "--config", "warned.yaml", SKILLHOST_LOG_LEVEL="WARNING")[2], "as the environment says")
    (place.home / "wrong.yaml").write_text("sorces: []\n")
    for words, goes_on in ((("doctor",), True), (("list",), True), (("remove", "x"), True), (("update",), False), (("add", "./a-skill"), False),
                           (("plugins",), False)):
        _, out, err = place(*words, "--config", "wrong.yaml")
        check(('did you mean "sources"' in err and not out and err.count("\n") == 1) != goes_on, f"{words} goes on: {goes_on}: {out}{err}")
    for words in (("list",), ("remove", "x"), ("update",)):
        code, out, err = place(*words, "--config", "none-yet.yaml")
        check(code == 1 and not out and "none-yet.yaml: No such file" in err, f"{words} need the file: {code} {out}{err}")
        code, out, err = place(*words, SKILLHOST_CONFIG="none-yet.yaml")
        check(code == 1 and not out and "none-yet.yaml: No such file" in err, f"{words} need the file of the variable: {code} {out}{err}")
    code, out, err = place("remove", "x")
    check(code == 1 and "there is none" in err and "usual_folders" not in err, f"no usual folder is there: {err}")
    (place.home / "a-skill").mkdir(exist_ok=True)
    (place.home / "a-skill/SKILL.md").write_text("---\nname: a-skill\ndescription: Does it. Use it then.\n---\nText.\n")
    code, out, err = place("add", "./a-skill", "--config", "none-yet.yaml")
    check(code == 0 and "No such file" not in err, f"the first source makes the file: {out}{err}")
    for words in (("sync", "--folder", ""), ("skill", "save", "a-skill/", "--skill-dir", ""), ("add", ""), ("remove", ""), ("validate", ""),
                  ("skill", "new", "zed", "--in", ""), ("client-config", "zed", "--file", ""), ("list", "-c", "")):
        code, out, err = place(*words)
        check(code == 1 and not out and 'must not be empty' in err, f"{words}: an empty path: {code} {out}{err}")
    blocked = place.home / "blocked"
    blocked.write_text("")
    _, out, err = place("plugins", XDG_CACHE_HOME=str(blocked))
    check("cannot be made: Not a directory" in err and "mode 0700" not in err, f"a cache that cannot be made: {err}")
    code, out, err = place("skill", "list", "--skill-dir", "nodir")
    check(code == 1 and not out and "nodir: there is no such store" in err, f"a store that is not there: {code} {out}{err}")
    odd = place.home / "odd/one"
    odd.mkdir(parents=True)
    (odd / "SKILL.md").write_text('---\nname: one\ndescription: Does it. Use it then.\nmetadata: {version: "1\\n2 forged"}\n---\nText.\n')
    code, out, err = place("bom", "--skills-dir", "odd")
    check(code == 0 and "\n2 forged" not in out and "forged" in out, f"a version with a line break: {code} {out}{err}")
    for more in ((), ("--no-check",)):
        code, out, err = place("add", "https://user:sekret@git.example.org/a/b.git", "--config", "fresh.yaml", *more)
        check(code == 1 and "--token-env" in err and "sekret" not in out + err and not (place.home / "fresh.yaml").exists(),
              f"a password in a URL: {code} {out}{err}")
    code, out, _ = place("client-config", "json", "--url", "http://127.0.0.1:9/mcp", "--token-command", "true", "--header", "X-Team: a", "--connect")
    check(code == 0, out)
    entry = next(iter(json.loads(out)["mcpServers"].values()))
    _, _, err = place(*entry["args"])
    check("unknown" not in err and "unexpected" not in err and "Run `skillhost connect --help`" not in err, f"connect takes what is written: {err}")


def of_others(place):
    file = place.program("bake")
    code, out, err = place("bake", "--degrees", "200", "a b", "--help", said="dough", CODE="7")
    check(code == 7 and out == f"{file}\n--degrees\n200\na b\n--help\ndough" and not err, f"arguments, input and exit code: {code} {out}{err}")
    check("\n  bake " not in place("--help")[1], "without a file it is listed nowhere")
    code, _, err = place("-v", "bake")
    check(code == 1 and "the command bake takes no options of the server" in err, f"options before it: {err}")
    check(place("--help", "bake")[1] == f"{file}\n--help\n", "--help before it")
    check(place("--help", "bake", "a", "--", "b")[1] == f"{file}\n--help\na\n--\nb\n", "--help stands where it is an option")
    check("Usage: skillhost model" in place("--help", "model", "fetch", "--", "x")[1], "the same for a program of ours")
    place.describe("bake", options=[{"names": ["--degrees"], "value": "N", "help": "How hot."}, {"names": ["--form"], "value": "loaf|roll"}],
                   arguments=[{"names": ["DOUGH"], "value": "FILE"}])
    code, out, err = place("--help")
    check(code == 0 and "\n  model " in out and out.index("\n  bake ") > out.index("\n  model ") and not err, f"help lists it: {out}{err}")
    for shell, part in (("bash", "' bake --form') value='loaf roll'"), ("zsh", "'bake:Does bake'"), ("fish", " -a bake -d 'Does bake'")):
        code, out, err = place("completion", shell)
        check(code == 0 and part in out and not err, f"completion {shell}: {err}")
        if shutil.which(shell):
            check(subprocess.run([shell, "-n"], input=out, text=True, check=False).returncode == 0, f"{shell} reads the script")
    code, _, err = place("bak")
    check(code == 1 and 'did you mean "bake"?' in err, f"it is what was meant: {err}")
    place.program("version", "#!/bin/sh\nkill -TERM $$\n")
    check(place("version")[0] == -15, "a signal ends skillhost, too")
    for name in ("serve", "search", "completion"):
        place.program(name)
    check("Usage: skillhost search" in place("search", "--help")[1], "a command of ours wins")
    (place.bin / "skillhost-wrong").write_text("no program")
    (place.bin / "skillhost-wrong").chmod(0o755)
    code, _, err = place("wrong")
    check(code == 1 and "skillhost-wrong cannot be executed: " in err, f"what the kernel refuses: {err}")
    file = place.program("lost", "#!/nonexistent/sh\n")
    code, _, err = place("lost")
    check(code == 1 and err == f"skillhost: {file} cannot be executed: its interpreter is not there\n", f"a missing interpreter: {err}")
    file = place.program("signals", "#!/bin/sh\ngrep -E '^Sig(Ign|Blk):' /proc/self/status\n")
    direct = place(program=file)[1]  # the parent of the tests may ignore signals, as nohup does
    check("SigIgn:" in direct and place("signals")[1] == direct, f"signals are as without skillhost: {direct}{place('signals')[1]}")


def completed(place, *words):
    """Returns bash's completions of the last word."""
    _, script, _ = place("completion", "bash")
    quoted = " ".join(shlex.quote(word) for word in words)
    driver = f'{script}\nCOMP_WORDS=(skillhost {quoted})\nCOMP_CWORD={len(words)}\n_skillhost\necho "${{COMPREPLY[*]}}"\n'
    done = subprocess.run(["bash", "--norc"], input=driver, capture_output=True, text=True, timeout=DEADLINE, check=False, cwd=place.home)
    return done.stdout.split() if done.returncode == 0 and not done.stderr else done.stderr


def completion_of_others(place):
    """Checks that another project's command has its own options, even if they have the names of skillhost's options."""
    lines = (("skill", "--json", "inf"), ("skill", "--json", "info", ""), ("--expose", ""), ("search", "--expose", ""), ("search", "--top-k", ""),
             ("validate", "--fail-on", ""), ("client-config", "--scope", ""))
    before = [completed(place, *line) for line in lines]
    check(before[:4] == [["info"], [], ["gateway", "skills", "both"], ["gateway", "skills", "both"]], before)
    options = [{"names": ["--json"], "value": "FILE"}, {"names": ["--expose"], "value": "loaf|roll"}, {"names": ["--top-k"], "value": "one|two"},
               {"names": ["--fail-on"]}, {"names": ["--scope"], "value": "near|far", "value_optional": True}]
    place.program("bake")
    place.describe("bake", options=options)
    check([completed(place, *line) for line in lines] == before, "ours stay as they were")
    (place.home / "dough").write_text("")
    check(completed(place, "bake", "--expose", "") == ["loaf", "roll"], "its choices")
    check(completed(place, "bake", "--json", "dou") == ["dough"], "its files")
    check(completed(place, "bake", "--scope", "=", "f") == ["far"], "an optional value")
    check(completed(place, "bake", "--log-level", "") == [], "it has no options of ours")
    place.describe("bake", options=[{"names": ["--expose"]}], inherits_options=True, arguments=[{"names": ["FORM"], "value": "loaf|roll"}])
    check(completed(place, "bake", "--expose", "") == ["loaf", "roll"], "its option without a value hides ours with one")
    check("DEBUG" in completed(place, "bake", "--log-level", ""), "and it takes the others, as it says")


def names(place):
    for name in ("..", "A", "a--b", "-x", "a.b"):
        place.program(name)
    (place.home / "skillhost-here").write_text(ECHO)
    (place.home / "skillhost-here").chmod(0o755)
    (place.bin / "sub").mkdir()
    for word in ("..", "A", "a--b", "a.b", "../skillhost-bake", "sub/../bake", "bake/", "bake\n", "", "a b", "x" * 300):
        code, out, err = place(word)
        check(code == 1 and not out and "unknown command" in err, f"{word!r}: {code} {out}{err}")
    for path in (".:", ":", "", None, "/nonexistent"):
        code, out, err = place("here", PATH=path)
        check(code == 1 and not out and "unknown command here" in err, f"PATH={path}: {code} {out}{err}")
    place.describe("gone")
    for path in (None, "/nonexistent"):
        code, _, err = place("gone", PATH=path)
        check(code == 1 and "skillhost-gone, which is in no folder of PATH" in err, f"described and not there: {err}")


def wrong_files(place):
    file = place.program("fine")
    place.describe("fine")
    for name, text, why in (("broken", '{"name": ', ""), ("shell", '{"name": "shell", "help": "x", "options": [{"names": ["--a\'; rm -r x #"]}]}', "options[0].names"),
                            ("terminal", '{"name": "terminal", "help": "\\u001b]0;x"}', "help: expected one line"),
                            ("named", '{"name": "fine", "help": "x"}', 'name: expected "named"'), ("search", '{"name": "search", "help": "Mine."}', "is left out"),
                            ("UPPER", "{}", "no command can be called so"), ("large", "[" + " " * 2_000_000 + "]", ""), ("deep", "[" * 1000 + "]" * 1000, "")):
        wrong = place.described / f"{name}.json"
        wrong.write_text(text)
        for words in (("--help",), ("completion", "fish")):
            code, out, err = place(*words)
            check(code == 0 and "fine" in out and "search" in out and "Mine" not in out and f"{wrong}: " in err and why in err, f"{name}: {words}: {err}")
        wrong.unlink()
    writable = place.described / "writable.json"
    writable.write_text('{"name": "writable", "help": "Mine."}')
    check("Mine." in place("--help")[1], "control: the file is read")
    writable.chmod(0o666)
    code, out, err = place("--help")
    check(code == 0 and "Mine." not in out and str(writable) in err and "chmod" in err, f"a file that others may write: {out}{err}")
    writable.unlink()
    (place.described / "two\nlines.json").write_text("{}")
    err = place("--help")[2]
    check(len(err.splitlines()) == 1 and "no command can be called so" in err, f"a name of two lines: {err}")
    (place.described / "two\nlines.json").unlink()
    own = {name: json.dumps({"name": name.split(".")[-1], "help": "Mine."}) for name in ("serve", "completion", "serve.x")}
    keys = {"program": {"program": "token"}, "group": {"group": True}, "options": {"server_options": "taken"}}
    keys = {name: json.dumps({"name": name, "help": "Mine.", **more}) for name, more in keys.items()}
    for name, text in {**own, **keys}.items():
        wrong = place.described / f"{name}.json"
        wrong.write_text(text)
        code, out, err = place("--help")
        why = "is left out: skillhost itself carries out the command" if name in own else "the key is for files of skillhost"
        check(code == 0 and "Mine." not in out and err.startswith(f"skillhost: {wrong}: ") and why in err and len(err.splitlines()) == 1,
              f"{name}: {out}{err}")
        wrong.unlink()
    (place.described / "bread.twice.json").write_text(json.dumps({"name": "twice", "help": "Bake it twice."}))
    code, out, err = place("bread", "--help")
    check(code == 0 and out.startswith("Commands below bread.\n\nUsage: skillhost bread [OPTIONS] COMMAND\n") and "accepted as well" not in out and not err,
          f"a heading that has no file: {out}{err}")
    (place.described / "bread.twice.json").unlink()
    for home in ("/dev/null", str(file)):
        code, out, err = place("--help", HOME=home)
        check(code == 0 and "\n  search " in out and not err, f"HOME={home} has no folder: {err}")
        code, _, err = place("fine", HOME=home)
        check(code == 0 and not err, f"HOME={home} describes no command: {err}")
    place.program("damaged")
    (place.described / "damaged.json").write_text("{")
    code, out, err = place("damaged", "x")
    check(code == 0 and out.endswith("/skillhost-damaged\nx\n") and f"{place.described}/damaged.json: " in err, f"it is executed all the same: {out}{err}")
    code, out, err = place("fine")
    check((code, out, err) == (0, f"{file}\n", ""), f"others are not concerned: {out}{err}")


def what_serve_reads(place):
    """Checks that serving opens no description of a command. Help opens them all, so the trace would show it."""
    strace = shutil.which("strace")
    if strace is None or "SKILLHOST_TEST_SLOWNESS" in os.environ:
        print("left out: what serve opens (strace is not installed, or this is a build with a sanitizer)")
        return
    trace = place.home / "trace"
    before = (strace, "-f", "-e", "trace=open,openat,openat2,stat,newfstatat,getdents64", "-o", str(trace))
    (place.home / "skills").mkdir()
    place("--help", before=before)
    if "token.json" not in trace.read_text():
        print("left out: what serve opens (strace may not trace here)")
        return
    for words in ((), ("serve",)):
        code, _, err = place(*words, "--no-config", "--skills-dir", str(place.home / "skills"), before=before)
        text = trace.read_text()
        opened = re.findall(r".*(?:token\.json|skillhost/commands|programs/token).*", text)
        check(code == 0 and "libc.so" in text and not opened, f"serve {words} opens no file of a command: {code} {opened} {err}")


def installed(root, place):
    """Checks that with another prefix the installed files decide which commands exist."""
    described = root / "prefix/share/skillhost/commands"
    described.mkdir(parents=True)
    for folder in ("bin", "libexec/skillhost"):
        (root / "prefix" / folder).mkdir(parents=True)
    server = root / "prefix/bin/skillhost"
    shutil.copy(SERVER, server)
    for file in BUILT.glob("*/*.json"):
        shutil.copy(file, described)
    shutil.copy(BUILT / "token/skillhost-token", root / "prefix/libexec/skillhost")
    check("Usage: skillhost token add" in place("token", "add", "--help", program=server)[1], "found below the prefix")
    (root / "link").symlink_to(root / "prefix/share")
    for data in (root / "prefix/share", root / "prefix/bin/../share", root / "link"):
        code, out, err = place("--help", program=server, XDG_DATA_HOME=str(data))
        check(code == 0 and "\n  token " in out and not err, f"installed into the data folder of the user, {data}: {err}")
    (described / "token.json").unlink()
    for file in described.glob("skill.s*.json"):
        file.unlink()
    check("\n  token " not in place("--help", program=server)[1], "a command without its file is gone from help")
    check("\n  model " in place("--help", program=server)[1], "and the others are there")
    help_of_skill = place("skill", "--help", program=server)[1]
    check("\n  list " in help_of_skill and "\n  save " not in help_of_skill, "the same below skill")
    code, out, err = place("token", program=server)
    check(code == 1 and "unknown command token" in err, f"nothing knows it any more: {code} {out}{err}")


with tempfile.TemporaryDirectory() as folder:
    every_command(Place(Path(folder, "every")))
    for part in (configurations, of_others, completion_of_others, names, wrong_files, what_serve_reads):
        part(Place(Path(folder, part.__name__)))
    installed(Path(folder, "installed"), Place(Path(folder, "installed")))
sys.exit(checks.finish())
