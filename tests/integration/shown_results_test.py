#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the results that an agent sees of a skill: shown_results_test.py SERVER. No result exceeds the limit of its
client, and a truncated result says how to read on; commands in a heading work; the heading costs little; paths
can be used as they are written."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks
from http_server import LEGACY, Running, legacy, modern
from session import Session, write_skill

SERVER = str(Path(sys.argv[1]).resolve())
DECLARED = "anthropic/maxResultSizeChars"
SHOWN = {"claude-code": (500_000, 100_000), "codex-mcp-client": (40_000, 40_000), "gemini-cli-mcp-client": (40_000, 40_000),
         "opencode": (51_200, 51_200), "nobody-knows-me": (100_000, 100_000)}  # the limits in characters for a skill and for documents
LINE = "A line with \u00e4\u2013\U0001f600 and \"quotes\".\n"
checks = Checks()


def check(holds, what, seen=""):
    checks.check(holds, f"{what}: {str(seen)[:900]}")


class Client:
    """A client that gives its name, on stdio or over HTTP, in the older or the newer protocol."""

    def __init__(self, ask, session=None):
        self.ask, self.session = ask, session

    def __enter__(self):
        return self

    def __exit__(self, *what):
        wrong = self.session.end() if self.session else None
        check(wrong is None, "the server ends in order", wrong)

    def call(self, name, **arguments):
        return self.ask("tools/call", name=name, arguments=arguments)

    def text(self, name, **arguments):
        result = self.call(name, **arguments)
        return "".join(block.get("text", "") for block in result["content"])


def over_stdio(skills, name, *options):
    session = Session([SERVER, "--skills-dir", str(skills), *options])
    session.call("initialize", protocolVersion=LEGACY, capabilities={}, clientInfo={"name": name, "version": "1"})
    return Client(session.call, session)


def over_http(running, name):
    def ask(method, **params):
        body = modern(method, **params)
        body["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = {"name": name, "version": "1"}
        fields = {"Mcp-Method": method}
        if "name" in params:
            fields["Mcp-Name"] = params["name"]
        response, answer = running.post(body, MCP_Protocol_Version="2026-07-28", **fields)
        assert response.status == 200, (response.status, answer)
        return answer["result"]
    return Client(ask)


def read_on(client, most, name, reads_on, **arguments):
    """Reads all parts of a text and checks each of them; `reads_on` holds the words of the call."""
    whole, offset = "", 0
    for _ in range(100):
        text = client.text(name, **arguments, **({"offset": offset} if offset else {}))
        length = len(text.encode("utf-16-le")) // 2  # the unit of hosts in JavaScript
        check(length <= most, f"{name} from {offset} on has {length} characters, {most} are shown")
        part, mark, note = text.partition("\n... [truncated]\n")
        part = part.partition(" ==\n")[2] if name == "read_skill_document" else part
        whole += part
        if not mark:
            return whole
        check(reads_on in note, f"{name} says how to read on", note)
        offset = int(re.search(r"offset (\d+)\.$", note)[1])
        check(part.endswith("\n"), f"{name}: a part ends with a line", part[-30:])
    raise AssertionError(f"{name} never ends")


def check_lengths(client, name, skill_tools=False):
    of_skill, of_documents = SHOWN[name]
    if skill_tools:
        whole = read_on(client, of_skill, "long", "call long with offset ")
    else:
        whole = read_on(client, of_skill, "load_skill", 'call load_skill with skill_name "long" and offset ', skill_name="long")
    check(whole.endswith("\n# Long\n" + LINE * 20_000), f"{name}: the parts are the whole skill")
    if skill_tools:
        return
    reads_on = 'call read_skill_document with skill_name "long", document_path "data/huge.txt" and offset '
    whole = read_on(client, of_documents, "read_skill_document", reads_on, skill_name="long", document_path="data/huge.txt")
    check(whole == LINE * 20_000, f"{name}: the parts are the whole document")


def check_declared(tools, expected):
    said = {tool["name"]: tool.get("_meta", {}).get(DECLARED) for tool in tools}
    for name, characters in expected.items():
        check(said.get(name) == characters, f"{name} declares {characters} characters", said)
    rest = {name for name, characters in said.items() if characters is not None} - set(expected)
    check(not rest, "no other tool declares a length", rest)


def write_long(skills):
    write_skill(skills, "long", "Is long.", "\n# Long\n" + LINE * 20_000)
    data = skills / "long/data"
    data.mkdir()
    (data / "huge.txt").write_text(LINE * 20_000)
    (data / "a-larger.txt").write_text("x" * 2_200_000)
    (data / "small.txt").write_text("Small.\n")
    (data / "tool.bin").write_bytes(b"\0" * 5_000)
    (data / "big.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(2_000_000))
    (data / "plot.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200_000))


def check_documents(client, skills):
    """Checks a glob, and files that cannot be shown."""
    text = client.text("read_skill_document", skill_name="long", document_path="data/*.txt")
    check("== data/small.txt ==\nSmall.\n" in text, "a small file behind large ones is shown", text[-300:])
    for path in ("a-larger", "huge"):
        check(f"== data/{path}.txt ==\n(no room left in this answer: read this document alone)" in text, f"{path} is named", text[:300])
    for path in ("data/tool.bin", "data/big.png"):
        text = client.text("read_skill_document", skill_name="long", document_path=path)
        check(f"it is the file {skills}/long/{path})" in text and "include_base64" not in text, f"{path} is a file at hand", text)
    result = client.call("read_skill_document", skill_name="long", document_path="data/plot.png")
    check([block["type"] for block in result["content"]] == ["text", "image"], "an image is no text: it is shown", str(result)[:300])


def check_far(skills):
    """Checks that a client without access to the files of the skill gets no paths."""
    with over_stdio(skills, "claude-code", "--paths", "uri") as client:
        text = client.text("read_skill_document", skill_name="long", document_path="data/tool.bin")
    check("include_base64 sends it" in text and str(skills) not in text, "from elsewhere there is base64 alone", text)


def write_tools(skills):
    write_skill(skills, "tools", "Has tools.", "Read FORMS.md and `references/Guide.md`.\n\n" + "Text.\n" * 4_000)
    folder = skills / "tools"
    for path, text in {"forms.md": "Use scripts/one.py and [the guide](references/guide.md).\n",
                       "references/guide.md": "See other.md, ../forms.md, [this](./other.md) and scripts/one.py.\n",
                       "references/other.md": "Other.\n", "scripts/__init__.py": "",
                       "scripts/words.py": "WORD = 'done'\n\n\ndef word():\n    return WORD\n",
                       "scripts/one.py": "\"\"\"Says a word.\"\"\"\nfrom scripts.words import word\nprint(word())\n",
                       "plain/bin/two.py": "\"\"\"Says it, too.\"\"\"\nimport words\nprint(words.WORD)\n",
                       "plain/bin/words.py": "WORD = 'done'\n\n\ndef word():\n    return WORD\n",
                       "neither/scripts/three.py": "from neither.scripts.four import x\nimport five\n",
                       "neither/scripts/four.py": "x = 1\n\n\ndef f():\n    pass\n", "neither/scripts/five.py": "x = 1\n\n\nclass X:\n    pass\n"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def check_tools(client, skills, elsewhere):
    text = client.text("load_skill", skill_name="tools")
    head, _, body = text.partition("\n\n")
    folder = skills / "tools"
    check(head.startswith(f"Base directory for this skill: {folder}\n") and "description:" not in text, "there is no front matter", head)
    check(head.count("one") == 1 and head.count("two.py") == 1 and "three" not in head, "each script is named once, if it can be run", head)
    start, ran = str(elsewhere), 0
    for line in head.splitlines():
        if line.startswith("Scripts, to be run"):
            start = line[line.index(" in ") + 4:-1] if " in /" in line else str(elsewhere)
        for command in re.findall(r"^- `([^`]+)`", line):
            done = subprocess.run(["sh", "-c", command], cwd=start, capture_output=True, text=True, timeout=60)
            check(done.stdout == "done\n", f"{command} in {start} works", (done.stdout, done.stderr))
            ran += 1
    check(ran == 2 and "python3 -B -m scripts.one" in head, "both commands have been run", head)
    check(not list(folder.rglob("__pycache__")), "nothing is left in the folder", head)
    check(body.startswith(f"Read {folder}/forms.md and `{folder}/references/guide.md`."), "a wrong case is mended", body[:200])
    done = subprocess.run([SERVER, "validate", str(folder)], capture_output=True, text=True, timeout=60)
    check("did you mean `guide.md`? The case of letters counts" in done.stdout + done.stderr, "validate says so", done.stdout + done.stderr)
    with tempfile.TemporaryDirectory() as several:
        write_skill(Path(several), "twins", "Has two files of one name.", "\nRead [it](GUIDE.md).\n")
        for name in ("guide.md", "Guide.md"):
            Path(several, "twins", name).write_text("x")
        done = subprocess.run([SERVER, "validate", several], capture_output=True, text=True, timeout=60)
        said = done.stdout + done.stderr
        check("GUIDE.md" in said and "did you mean" not in said, "of two files that may be meant none is named", said)
    text = client.text("read_skill_document", skill_name="tools", document_path="references/guide.md")
    check(text == f"== references/guide.md ==\nSee {folder}/references/other.md, {folder}/forms.md, [this]({folder}/references/other.md) "
          f"and {folder}/scripts/one.py.\n", "paths of a document are absolute", text)
    result = client.call("read_skill_document", skill_name="tools", document_path="FORMS.md")
    check(result["isError"] and 'Did you mean "forms.md"?' in result["content"][0]["text"], "a wrong case is asked for", result)


def write_costs(skills):
    """Writes a skill of some 8 KB with eight scripts that its text does not name, and one that names all of its
    files often."""
    write_skill(skills, "many-scripts", "Has many scripts. " * 20, "\n# Many\n" + "Some words that say what is to be done.\n" * 200)
    scripts = skills / "many-scripts/scripts"
    scripts.mkdir()
    for number in range(8):
        (scripts / f"extract_form_part_{number}.py").write_text(f'"""Extracts part {number} of a form.\n\nUsage: extract.py IN OUT\n"""\nprint(1)\n')
    named = "".join(f"Run `scripts/serve_{number}.py` to serve it. " + "It says what it needs. " * 25 + "\n" for number in range(6))
    write_skill(skills, "named-scripts", "Names its scripts.", "\n# Named\n" + named)
    (skills / "named-scripts/scripts").mkdir()
    for number in range(6):
        (skills / f"named-scripts/scripts/serve_{number}.py").write_text(f'"""Serves {number}."""\nprint(1)\n')


def check_costs(client, skills):
    """Compares the cost with Claude Code's own tool for skills, which gives the folder and the text without front
    matter."""
    for name in ("many-scripts", "named-scripts"):
        document = (skills / name / "SKILL.md").read_text()
        native = f"Base directory for this skill: {skills}/{name}\n\n" + document.split("---\n", 2)[2].lstrip("\n")
        text = client.text("load_skill", skill_name=name)
        check(len(text) < 1.1 * len(native), f"{name} costs {len(text) / len(native):.3f} of what is natively given", text[:600])


def main():
    # The folder's path stands before each script, so the costs depend on its length: TMPDIR must not change it.
    with tempfile.TemporaryDirectory(prefix="skillhost-shown-", dir="/tmp") as scratch:
        skills = Path(scratch).resolve() / "skills"
        write_long(skills)
        for name in SHOWN:
            with over_stdio(skills, name) as client:
                check_lengths(client, name)
        for name in ("claude-code", "opencode"):
            with over_stdio(skills, name, "--expose", "skills") as client:
                check_lengths(client, name, skill_tools=True)
                check_declared(client.ask("tools/list")["tools"], {"long": 500_000})
        running = Running(SERVER, str(skills), "--paths", "absolute")
        for name in ("claude-code", "codex-mcp-client"):
            client = over_http(running, name)
            check_lengths(client, name)
            check_declared(client.ask("tools/list")["tools"], {"load_skill": 500_000, "read_skill_document": 100_000})
        check(running.end() == 0, "the server ends")
        with over_stdio(skills, "claude-code") as client:
            check_documents(client, skills)
        check_far(skills)
        write_tools(skills)
        write_costs(skills)
        with over_stdio(skills, "claude-code") as client:
            os.mkdir(Path(scratch) / "elsewhere")
            check_tools(client, skills, Path(scratch) / "elsewhere")
            check_costs(client, skills)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
