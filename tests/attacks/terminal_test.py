#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests texts of strangers in the output of commands: nothing in them may command the terminal. terminal_test.py
SERVER

The controls: the text is in the output, and JSON has it unchanged for a program."""
import json
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import DEADLINE, Checks  # noqa: E402

SERVER = sys.argv[1]
# The texts have CSI as one character, DEL, and a mark that reverses the text; then a title by ESC.
HOSTILE = "before \x9b31m \x7f \u202e after"
ESCAPE = "\x1b]0;owned\x07"
checks = Checks()
check = checks.check


def speaks(text):
    """Returns the characters that a terminal obeys, except its line ends."""
    return [c for c in text if (ord(c) < 32 and c not in "\r\n\t") or 127 <= ord(c) < 160 or 0x202A <= ord(c) <= 0x202E]


def on_terminal(*words):
    ours, theirs = pty.openpty()
    with subprocess.Popen([SERVER, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                part = b""
            if not part:
                break
            text += part
        process.wait(DEADLINE)
    os.close(ours)
    return text.decode()


def piped(*words):
    return subprocess.run([SERVER, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE, check=False).stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        skills = Path(folder) / "skills"
        (skills / "evil").mkdir(parents=True)
        quoted = json.dumps(HOSTILE)  # YAML reads the escapes of JSON
        text = f"---\nname: evil\ndescription: {quoted}\n---\nBody {ESCAPE} {HOSTILE}\n"
        (skills / "evil/SKILL.md").write_text(text)
        where = ("--no-config", "--skills-dir", str(skills))
        for words in (("skill", "list", "--json", *where), ("skill", "info", "evil", "--json", *where), ("bom", "--json", *where),
                      ("validate", "--json", str(skills)), ("search", "--json", "after", *where)):
            out = piped(*words).decode()
            check(not speaks(out), f"{words[:3]}: {speaks(out)} in {out[:400]!r}")
            check(json.loads(out) is not None, f"control: {words[:2]} is JSON")
        told = json.loads(piped("skill", "info", "evil", "--json", *where))
        check(HOSTILE in json.dumps(told, ensure_ascii=False), f"control: a program reads all of it: {told}")
        for words in (("skill", "list", *where), ("skill", "info", "evil", *where), ("search", "evil", *where), ("validate", str(skills))):
            out = on_terminal(*words)
            check(not speaks(out) and "evil" in out, f"{words[:2]} on a terminal: {speaks(out)} in {out[:400]!r}")
        store = ("--skill-dir", f"{folder}/store")
        subprocess.run([SERVER, "skill", "save", f"{skills}/evil/", *store], capture_output=True, timeout=DEADLINE, check=True)
        check(piped("skill", "load", "evil", *store) == text.encode(), "control: a file has the bytes as they are")
        out = on_terminal("skill", "load", "evil", *store)
        check(not speaks(out) and r"\x1b]0;owned\x07" in out, f"skill load on a terminal: {out!r}")
    return checks.finish()


sys.exit(main())
