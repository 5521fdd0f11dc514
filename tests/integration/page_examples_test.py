#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests every example of README.md, doc/ and the pages of plugins and programs. Configurations start a server, JSON has
its declared format, commands end with 0, and answers on a page equal real answers.
page_examples_test.py SERVER SOURCE_ROOT WRITE_SMALL_MODEL [PAGE …]

Each block runs in a folder of its page, with a separate home; /srv, /etc, /run, /opt and /home/me stand for folders in
it. Packages come from no registry: they contain the server that was built, with the usual launchers. A block fails the
test if it is neither run, nor compared, nor named in NOT_RUN with a reason. A comment before a block changes that, as
in tests/out_of_tree/pages.py, which tests doc/first-plugin.md:

  <!-- not run: WHY -->  a person may run the block, a test must not
  <!-- with: YAML -->    these settings are added to the configuration"""
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
from pathlib import Path

from checks import DEADLINE, Checks, until
from http_server import MODERN, Running, modern

SERVER, ROOT, MODEL = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]), str(Path(sys.argv[3]).resolve())
BLOCK = re.compile(r"(?:^ *<!-- (?P<rule>not run|with): (?P<what>.*?) -->\n)?"
                   r"^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$", re.M | re.S)
PLACES = re.compile(r"(?<![\w./-])/(srv|etc|run|opt|home/me|root)/")
NAMED = re.compile(r"env:([A-Z_]+)")
# These are plugins of the reader's own: the host's part of such an example is read, but the plugin does not exist.
FOREIGN = re.compile(r"\S+\.so\b")
# Blocks that no test may run, by their page and beginning, with the reason. For pages without room for it.
NOT_RUN = {
    ("README.md", "./examples/quickstart"): "it builds all of this, and runs every test",
    ("doc/architecture.md", "stdin / HTTP"): "it is a drawing",
    ("doc/deploy.md", "packaging/deb/build"): "it needs root; tests/packaging/deb_test.py builds these packages and installs them",
    ("doc/deploy.md", "packaging/container/build"): "it needs buildah; tests/packaging/container_test.py builds the image",
    ("doc/deploy.md", "podman load"): "it needs podman; tests/packaging/container_test.py starts the image that it has built",
    ("plugins/search/keyword/README.md", "ninja -C build tests/bench/retrieval/retrieval_bench"): "it measures data that is no part of the project",
    ("plugins/search/keyword/README.md", "build/tests/bench/retrieval/calibration_fit"): "it measures data that is no part of the project",
    ("plugins/search/keyword/README.md", "ninja -C build tests/bench/retrieval/keyword_scale_bench"): "it measures for minutes",
    ("plugins/search/hybrid/README.md", "build/tests/bench/retrieval/retrieval_bench"): "it measures data that is no part of the project",
    ("plugins/search/hybrid/README.md", "build/tests/bench/retrieval/calibration_fit"): "it measures data that is no part of the project",
    ("plugins/state/valkey/README.md", "ACL SETUSER"): "it is for an engine; tests/integration/valkey/faults_test.py gives a user these rights",
}
# The program that a block needs, by its page and beginning.
NEEDS = {
    ("doc/install.md", "npx "): "npx",
    ("doc/install.md", "tar --zstd"): "zstd",
    ("doc/install.md", "~/.local/share/skillhost/install.sh"): "zstd",
}
# Answers on pages, by their page and beginning, with the method of World that compares each with a real answer.
ANSWERS = {
    ("doc/clients.md", "NOT_FOUND: "): "failure",
    ("doc/monitoring.md", "[2026-"): "line_of_the_log",
    ("doc/approvals.md", '{\n  "skillhost.approvals"'): "approvals",
    ("doc/tools.md", "Base directory for this skill"): "heading",
    ("programs/model/README.md", "skillhost model fetch"): "synopsis",
}
# The provider does not exist, so a start can come no further than this.
NO_PROVIDER = "skillhost: the authorization provider: "
checks = Checks()


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=6 * DEADLINE, check=False,
                          stdin=subprocess.DEVNULL, **more)


class World:
    """The files and programs that the examples presuppose, below one folder."""

    def __init__(self, folder, page):
        self.folder, self.home = folder, folder / "home/me"
        self.bin = folder / "bin"
        for place in (self.home, self.bin, folder / "etc/skillhost", folder / "etc/ssl/certs", folder / "srv/skillhost",
                      folder / "run/credentials/skillhost.service"):
            place.mkdir(parents=True, exist_ok=True)
        for skills in ("srv/skills", "srv/team/skills", "home/me/skills", "home/me/team/skills", "skills", "team-skills"):
            shutil.copytree(ROOT / "examples/skills", folder / skills)
        for name, description in (("pdf", "Fills in PDF forms."), ("pdf-merge", "Merges PDF files into one."), ("my-skill", "Does what I do.")):
            for place in ("hub", "skills", "."):
                entry = folder / place / name / "SKILL.md"
                entry.parent.mkdir(parents=True, exist_ok=True)
                entry.write_text(f"---\nname: {name}\ndescription: {description}\n---\nText.\n")
        for model in ("home/me/models", "home/me/.local/share/skillhost/models"):
            (folder / model).mkdir(parents=True)
            assert run(MODEL, str(folder / model / "all-MiniLM-L6-v2")).returncode == 0
        for secret in ("etc/skillhost/metrics-token", "run/credentials/skillhost.service/github-token"):
            (folder / secret).write_text("x" * 40)
        (folder / "etc/skillhost/otlp-headers").write_text("Authorization=Bearer abc,X-Team=skills")
        self.certificate("etc/skillhost/server")
        shutil.copy(folder / "etc/skillhost/server.pem", folder / "etc/skillhost/clients-ca.pem")
        shutil.copy(folder / "etc/skillhost/server.pem", folder / "etc/ssl/certs/skills.pem")
        shutil.copy(folder / "etc/skillhost/server.key", folder / "run/credentials/skillhost.service/server.key")
        for name in ("server.pem", "server.key"):
            shutil.copy(folder / "etc/skillhost" / name, folder / name)
        self.command()
        if "skillhost key new" not in page:  # otherwise the page makes them
            self.said("skillhost key new --kind store && skillhost key new ~/.config/skillhost/signing.key && skillhost key new signing.pem"
                      " && cp signing.pem.pub etc/skillhost/cosign.pub")
        if "skillhost review" in page:
            (self.home / ".config/skillhost").mkdir(parents=True, exist_ok=True)
            (self.home / ".config/skillhost/skillhost.yaml").write_text(
                f"sources: [{{name: hub, config: {{directories: [{folder}/hub]}}}}]\ntrust: {{rules: [{{sources: [hub], action: quarantine}}]}}\n")
        (folder / "other.yaml").write_text("search: {min_score: 0}\n")
        if "skillhost usage" in page:
            self.use()
        if "skillhost-mcp" in page or "systemctl" in page:
            (folder / "etc/skillhost/skills").mkdir()
            self.packages(run(SERVER, "--version").stdout.split()[1])

    def use(self):
        """Makes a call that is recorded."""
        self.loaded("skills", "code-review")

    def loaded(self, folder, name):
        """Returns the text from load_skill for a folder of skills here."""
        lines = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo":
                                                                                {"name": "t", "version": "1"}}},
                 {"jsonrpc": "2.0", "method": "notifications/initialized"},
                 {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "load_skill", "arguments": {"skill_name": name}}}]
        done = subprocess.run([SERVER, "--no-config", "--skills-dir", str(self.folder / folder)], input="".join(json.dumps(line) + "\n" for line in lines),
                              env=self.surroundings(), capture_output=True, text=True, timeout=6 * DEADLINE, check=False)
        answers = [one for one in map(json.loads, done.stdout.splitlines()) if one.get("id") == 2]
        assert answers, done.stdout + done.stderr
        return answers[0]["result"]["content"][0]["text"]

    def certificate(self, name):
        done = run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                   "/CN=localhost", "-keyout", str(self.folder / f"{name}.key"), "-out", str(self.folder / f"{name}.pem"))
        assert done.returncode == 0, done.stderr

    def command(self):
        """Puts `skillhost` on the path: an HTTP server uses a free port, and ends once it serves."""
        program = self.bin / "skillhost"
        program.write_text(f"#!/bin/sh\nexec {sys.executable} {Path(__file__).resolve()} {SERVER} {ROOT} {MODEL} --as-skillhost \"$@\"\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        for folder in ("build/host", "examples"):
            (self.folder / folder).mkdir(parents=True)
        (self.folder / "build/host/skillhost").symlink_to(program)
        (self.folder / "examples/skills").symlink_to(ROOT / "examples/skills")

    def surroundings(self, text=""):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("SKILLHOST_", "XDG_", "MCP_")) or name.startswith("SKILLHOST_TEST_")}
        # Every host on the network resolves to this machine, which refuses.
        away = {name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY")}
        named = {name: "x" * 40 for name in NAMED.findall(text)}
        return {**kept, **away, **named, "HOME": str(self.home), "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}"}

    def placed(self, text):
        return PLACES.sub(lambda found: f"{self.folder}{found[0]}", text)

    def said(self, script):
        done = run("bash", "-euo", "pipefail", "-c", script, cwd=self.folder, env=self.surroundings(script))
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
        return done.stdout

    def sh(self, text):
        if "blake3:…" in text:  # the reader takes it from `review show`
            shown = json.loads(self.said("skillhost review show hub/pdf --json"))
            text = text.replace("blake3:…", shown["digest"])
        done = run("bash", "-euxo", "pipefail", "-c", self.placed(text), cwd=self.folder, env=self.surroundings(text))
        return "" if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"

    def yaml(self, text, around):
        """Reads a configuration from a file, and serves it unless it names a plugin of the reader's own."""
        text, around = self.placed(text), self.placed(around)
        if re.match(r"config: ", text):
            text = "sources:\n  - name: alone\n    plugin: github\n    " + text
        keys = set(re.findall(r"(?m)^(\w+):", text))
        if "scrape_configs" in keys:
            return ""  # for Prometheus; see plugins/http/prometheus/tests/monitoring_test.py
        if keys & set(re.findall(r"(?m)^(\w+):", around)):
            return f"{keys}: what stands around it repeats a key"
        file = self.folder / "example.yaml"
        file.write_text(text + around)
        words = ["--config", str(file), "--set", "state.secret=" + "s" * 40] if "state" in keys and "secret:" not in text else ["--config", str(file)]
        environment = self.surroundings(text + around)
        built = (Path(SERVER).parent.parent / "plugins/state/valkey/valkey.so").exists()  # only with hiredis
        if FOREIGN.search(text) or "plugin: valkey" in text and not built:
            done = run(SERVER, *words, "--print-config", cwd=self.folder, env=environment)
            return "" if done.returncode == 0 else done.stderr
        http = "http" in keys or "state" in keys or "auth" in keys
        words += ["--transport", "http"] if http else []
        code, log = serve([SERVER, *words], cwd=self.folder, env=environment)
        bad = re.findall(r"\[WARNING\] \[config\].*|no source matches.*", log)
        return "" if (code == 0 or code == 2 and NO_PROVIDER in log) and not bad else f"exit code {code}, {bad}\n{log[-1500:]}"

    def json(self, text):
        try:
            document = [json.loads(line) for line in text.splitlines()] if '"_id"' in text else json.loads(text)
        except ValueError as why:
            return str(why)
        if isinstance(document, list):
            (self.folder / "questions.jsonl").write_text(text)
            return self.sh("skillhost search --no-config --evaluate ./skills questions.jsonl")
        if {"name", "help"} <= document.keys():
            return self.command_of_others(document, text)
        plugins = {"issuer": "jwt", "client_id": "oauth", "language": "search"}
        kind = next((plugins[key] for key in ("client_id", "issuer", "language") if key in document), None)
        if kind == "search":
            return self.yaml("search: {plugin: keyword, config: " + text + "}\n", "")
        if kind:
            return self.yaml(f"auth: {{plugin: {kind}, config: {text.strip()}}}\n", "")
        for server in (document.get("mcpServers") or document.get("servers") or {}).values():
            return self.started(server)
        return "nothing is known of such a document: see ANSWERS and NOT_RUN"

    def command_of_others(self, document, text):
        """Checks the description of a command: help shows it, and its program, made by an earlier block, accepts
        each option."""
        file = self.home / f".local/share/skillhost/commands/{document['name']}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        environment = self.surroundings()
        environment["PATH"] = f"{self.home / 'bin'}{os.pathsep}{environment['PATH']}"
        told = run(SERVER, "--help", cwd=self.folder, env=environment)
        if told.returncode != 0 or told.stderr or f"\n  {document['name']} " not in told.stdout:
            return f"skillhost --help: {told.stdout}{told.stderr}"
        values = {"N": "1", "TEXT": "x"}
        for option in document["options"]:
            for name in option["names"]:
                value = option.get("value", "")
                for given in value.split("|") if "|" in value else [values[value]] if value else [""]:
                    words = [document["name"], name, *([given] if given else []), "review code"]
                    done = run(SERVER, *words, cwd=self.folder, env=environment)
                    if done.returncode != 0:
                        return f"{words}: {done.stdout}{done.stderr}"
        return ""

    def started(self, server):
        """Starts a server as a client with this entry does, and ends it by closing its input."""
        words = [self.placed(word.replace("${workspaceFolder}", str(self.folder))) for word in [server["command"], *server["args"]]]
        if shutil.which(words[0], path=self.surroundings()["PATH"]) is None:
            print(f"{words}: left out: {words[0]} is not installed")
            return ""
        if words[1] == "connect":
            words.append("--help")
        done = run(*words, cwd=self.folder, env=self.surroundings())
        return "" if done.returncode == 0 else f"{words}: {done.stdout}{done.stderr}"

    # Stand-ins for parts that are missing here: a registry, Claude Code, systemd.
    def packages(self, version):
        """Installs the program where the packages have it, with their launchers."""
        launchers = {"uvx": f'[ "$1" = skillhost-mcp ] && shift && PYTHONPATH={self.folder}/wheel exec {sys.executable} -m skillhost_mcp "$@"',
                     "claude": f'exec {sys.executable} {Path(__file__).resolve()} {SERVER} {ROOT} {MODEL} --as-claude "$@"',
                     "systemctl": f'exec {sys.executable} {Path(__file__).resolve()} {SERVER} {ROOT} {MODEL} --as-systemctl {self.folder} "$@"'}
        for name, line in launchers.items():
            (self.bin / name).write_text(f"#!/bin/sh\n{line}\nexit 1\n")
            (self.bin / name).chmod(0o755)
        shutil.copytree(ROOT / "packaging/wheel/skillhost_mcp", self.folder / "wheel/skillhost_mcp")
        (self.folder / "wheel/skillhost_mcp/tree/bin").mkdir(parents=True)
        (self.folder / "wheel/skillhost_mcp/tree/bin/skillhost").symlink_to(SERVER)
        modules = self.folder / "node_modules"
        shutil.copytree(ROOT / "packaging/npm/launcher", modules / "skillhost-mcp")
        shutil.copytree(ROOT / "packaging/npm/platform", modules / "skillhost-mcp-linux-x64")
        (modules / "skillhost-mcp-linux-x64/bin").mkdir()
        (modules / "skillhost-mcp-linux-x64/bin/skillhost").symlink_to(SERVER)
        (modules / ".bin").mkdir()
        (modules / ".bin/skillhost-mcp").symlink_to("../skillhost-mcp/bin/skillhost.js")
        (modules / "skillhost-mcp/bin/skillhost.js").chmod(0o755)
        top = self.folder / "archive" / f"skillhost-{version}-linux-x86_64"
        for place in ("bin", "include", "lib/skillhost/plugins", "libexec/skillhost", "share"):
            (top / place).mkdir(parents=True)
        shutil.copy(SERVER, top / "bin/skillhost")
        for plugin in ("sources/filesystem/filesystem.so", "search/keyword/keyword.so"):
            shutil.copy(Path(SERVER).parent.parent / "plugins" / plugin, top / "lib/skillhost/plugins")
        shutil.copy(Path(SERVER).parent.parent / "plugins/built-in.txt", top / "lib/skillhost/plugins")
        for program in ("catalogue", "validate"):
            shutil.copy(Path(SERVER).parent.parent / f"programs/{program}/skillhost-{program}", top / "libexec/skillhost")
        (top / "share/skillhost/commands").mkdir(parents=True)
        for described in (Path(SERVER).parent.parent / "programs").glob("*/*.json"):
            shutil.copy(described, top / "share/skillhost/commands")
        shutil.copy(ROOT / "packaging/archive/install.sh", top)
        if shutil.which("zstd"):
            self.said(f"tar --create --directory archive {top.name} | zstd --quiet -1 -o {top.name}.tar.zst")
        shutil.rmtree(self.folder / "archive")

    # Answers that pages show.
    def compared(self, is_as, said):
        return "" if is_as else f"the answer is another one:\n{said}"

    def failure(self, text):
        said = self.loaded("hub", "pfd")
        return self.compared(said == text.rstrip("\n"), said)

    def heading(self, text):
        place = self.home / ".claude/skills/skill-creator"
        for name, content in (("SKILL.md", "---\nname: skill-creator\ndescription: Makes skills.\n---\n\n" + "Try it, and look at what comes.\n" * 1000),
                              ("scripts/__init__.py", ""), ("eval-viewer/viewer.html", "<p>"),
                              ("scripts/run_loop.py", '"""Run the eval + improve loop until all pass or max iterations reached."""\nfrom scripts import eval\n')):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(content)
        said = self.loaded("home/me/.claude/skills", "skill-creator")
        return self.compared(said.startswith(self.placed(text) + "\n"), said[:1000])

    def line_of_the_log(self, text):
        """Compares everything except the numbers."""
        server = Running(SERVER, str(self.folder / "skills"))
        server.post(modern("tools/call", name="load_skill", arguments={"skill_name": "code-review"}), MCP_Protocol_Version=MODERN,
                    Mcp_Method="tools/call", Mcp_Name="load_skill", X_Request_Id="abc")
        server.end()
        said = [line for line in server.log if "request=abc" in line]
        return self.compared([re.sub(r"\d+", "0", line) for line in said] == [re.sub(r"\d+", "0", text)], said)

    def approvals(self, text):
        """Compares the members with their order, and the number of digits."""
        script = self.folder / "hub/pdf/run.sh"
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
        self.sh('skillhost review approve hub/pdf --digest blake3:… --reason "read all of it" --expires 90d')
        file = next((self.home / ".config/skillhost").glob("approvals*.json"))

        def shape(value):
            return [(key, shape(member)) for key, member in value.items()] if isinstance(value, dict) else type(value)

        said = file.read_text()
        return self.compared(shape(json.loads(said)) == shape(json.loads(text)) and len(said.splitlines()) == len(text.splitlines()), said)

    def synopsis(self, text):
        for line in text.splitlines():
            done = run(*line.split()[:3], "--help", cwd=self.folder, env=self.surroundings())
            if done.returncode != 0:
                return f"{line}: {done.stderr}"
        return ""


    # Files of other programs: each is read by its program, if that is installed.
    def ini(self, text):
        """Checks a drop-in for a unit that we ship."""
        kind = "socket" if "[Socket]" in text else "service"
        units = self.folder / "units"
        if not units.exists():
            units.mkdir()
            for unit in (ROOT / "packaging/systemd").glob("skillhost.*"):
                content = unit.read_text()
                # The server and its user are not where the package installs them.
                content = re.sub(r"(?m)^(Exec\w+=[-+!@:]*)\S+", rf"\g<1>{SERVER}", content)
                content = re.sub(r"(?m)^(User|Group|SocketUser|SocketGroup)=.*\n", "", content)
                (units / unit.name).write_text(content)
        drop_in = units / f"skillhost.{kind}.d/own.conf"
        drop_in.parent.mkdir(exist_ok=True)
        drop_in.write_text(text)
        done = run("systemd-analyze", "verify", "--man=no", str(units / f"skillhost.{kind}"))
        drop_in.unlink()
        said = [line for line in done.stderr.splitlines() if "own.conf" in line]
        return "\n".join(said) if said or done.returncode == 0 else done.stderr

    def nginx(self, text):
        file = self.folder / "nginx.conf"
        file.write_text(f"pid {self.folder}/nginx.pid; error_log stderr; events {{}}\n"
                        f"http {{ access_log off; server {{ listen 127.0.0.1:8081;\n{text}\n}} }}\n")
        done = run("nginx", "-t", "-q", "-c", str(file), "-p", str(self.folder))
        return "" if done.returncode == 0 else done.stderr

    def haproxy(self, text):
        file = self.folder / "haproxy.cfg"
        file.write_text(f"defaults\n  timeout connect 1s\n  timeout client 1s\n  timeout server 1s\n{text}")
        done = run("haproxy", "-c", "-f", str(file))
        return "" if done.returncode == 0 else done.stdout + done.stderr

    def logrotate(self, text):
        file = self.folder / "logrotate.conf"
        file.write_text(text)
        file.chmod(0o644)
        done = run("logrotate", "-d", "-s", str(self.folder / "logrotate.state"), str(file))
        wrong = [line for line in done.stderr.splitlines() if line.startswith("error:")]
        return "\n".join(wrong) if wrong or done.returncode == 0 else done.stderr


# The method of World for a block, and the program that it needs.
READERS = {"ini": "systemd-analyze", "nginx": "nginx", "haproxy": "haproxy", "logrotate": "logrotate"}


def reader_of(block):
    """Returns the reader of a block. A block in a language without highlighting has no language on its fence."""
    language, text = block["language"], textwrap.dedent(block["text"])
    if not language and text.startswith("listen "):
        return "haproxy"
    if not language and re.match(r"/\S+ \{\n", text):
        return "logrotate"
    return language


def serve(words, **more):
    """Starts the program. An HTTP server is then ended; every other program ends by itself, because nobody talks to
    it."""
    serves = "http" in words or any(word.startswith("--transport=http") for word in words)
    for option, value in (("--port", "0"), ("--listen", "127.0.0.1:0")):
        if option in words:
            words[words.index(option) + 1] = value
    if serves:
        words += ["--set", 'http.listen=["127.0.0.1:0"]']
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more)
    timer = threading.Timer(6 * DEADLINE, process.kill)
    timer.start()
    lines = []
    for line in process.stderr:
        lines.append(line)
        if serves and re.search(r" serving on https?://", line):
            process.terminate()
    code = process.wait()
    timer.cancel()
    return code, "".join(lines)


def as_skillhost(words):
    """Acts as `skillhost` on the path of the examples."""
    if words == ["health", "--ready"] and (unit := Path(os.environ["HOME"]) / "unit").exists():
        words.append(unit.read_text().split()[1])  # the address of the server that systemctl has started
    if words[:1] != ["serve"] and not words[0].startswith("-"):
        os.execv(SERVER, [SERVER, *words])
    code, log = serve([SERVER, *words])
    sys.stderr.write(log)
    return code


def as_claude(words):
    """Acts as `claude`: starts the given server, and waits for its end."""
    assert words[:2] == ["mcp", "add-json"] and len(words) == 4, words
    entry = json.loads(words[3])
    assert entry["type"] == "stdio", entry
    done = run(entry["command"], *(PLACES.sub(lambda found: f"{Path(os.environ['HOME']).parent.parent}{found[0]}", word) for word in entry["args"]))
    sys.stderr.write(done.stderr)
    return done.returncode


def as_systemctl(folder, words):
    """Acts as `systemctl`: the unit serves the folder in its configuration on a free port."""
    assert words == ["enable", "--now", "skillhost"], words
    log = Path(folder) / "unit.log"
    with log.open("w") as said:
        unit = subprocess.Popen([SERVER, "serve", "--no-config", "--transport", "http", "--port", "0", "--skills-dir", f"{folder}/etc/skillhost/skills"],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True)
    try:
        until(lambda: " serving on " in log.read_text() or unit.poll() is not None, "the unit serves")
        url = re.search(r" serving on (http://[^/]*)/", log.read_text())
    finally:
        (Path(folder) / "home/me/unit").write_text(f"{unit.pid} {url[1] if url else 'none'}")
    return 0 if url else 1


def follow(page, used):
    text = page.read_text()
    name = str(page.relative_to(ROOT))
    checks.check(text.count("```") == 2 * len(BLOCK.findall(text)), f"{name}: every block is found")
    if "```" not in text:
        return
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), text)
        try:
            for block in BLOCK.finditer(text):
                where = f"{name}:{text.count(chr(10), 0, block.start('language')) + 1}"
                why = try_block(world, name, where, block, used)
                checks.check(not why, f"{where}: {why}")
        finally:
            if (world.home / "unit").exists():
                os.kill(int((world.home / "unit").read_text().split()[0]), signal.SIGTERM)


def named(table, page, example, used):
    """Returns a table's entry for a block, or None."""
    for key, value in table.items():
        if key[0] == page and example.startswith(key[1]):
            used.add(key)
            return value
    return None


def try_block(world, name, where, block, used):
    """Returns why the example does not work; empty if it does, or if it is left out with a printed reason."""
    example = textwrap.dedent(block["text"])
    reader = reader_of(block)
    why_not = block["what"] if block["rule"] == "not run" else named(NOT_RUN, name, example, used)
    answer = named(ANSWERS, name, example, used)
    needed = READERS.get(reader) or named(NEEDS, name, example, used)
    if why_not is None and needed and not shutil.which(needed, path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin"):
        why_not = f"{needed} is not installed"
    if why_not is not None:
        print(f"{where}: left out: {why_not}")
        return ""
    around = block["what"].replace("\\n", "\n") + "\n" if block["rule"] == "with" else ""
    if answer is not None:
        return getattr(world, answer)(example)
    if reader in READERS:
        return getattr(world, reader)(example)
    if reader == "sh":
        return world.sh(example.replace(" CLIENT ", " claude-code "))  # from the table below it
    if reader == "yaml":
        return world.yaml(example, around)
    if reader == "json":
        return world.json(example)
    return "it is neither run nor compared: name it in ANSWERS or, with a reason, in NOT_RUN"


def main():
    pages = [ROOT / "README.md", *sorted((ROOT / "doc").glob("*.md")), *sorted((ROOT / "plugins").rglob("README.md")),
             *sorted((ROOT / "programs").rglob("README.md"))]
    wanted = sys.argv[4:]
    used = set()
    for page in pages:
        if page.name != "first-plugin.md" and (not wanted or str(page.relative_to(ROOT)) in wanted):
            follow(page, used)
    checks.check(checks.passed > (0 if wanted else 60), "the pages have examples")
    for key in set() if wanted else {*NOT_RUN, *ANSWERS, *NEEDS} - used:
        checks.check(False, f"{key[0]}: no block begins with {key[1]!r}: take it out of the table")
    return checks.finish()


STANDS_IN = {"--as-skillhost": as_skillhost, "--as-claude": as_claude, "--as-systemctl": lambda words: as_systemctl(words[0], words[1:])}

if __name__ == "__main__":
    sys.exit(STANDS_IN[sys.argv[4]](sys.argv[5:]) if sys.argv[4:5] and sys.argv[4] in STANDS_IN else main())
