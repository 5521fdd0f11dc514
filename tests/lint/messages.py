#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""messages.py [--root FOLDER] [FOLDER...]: lists every text that people or models may read, with its file and line.

The list has the string literals of the C++ sources that contain at least two words, but for SQL, and the descriptions of each
settings.json and schema.json. Pieces that a source joins by + or << are one message: {name} stands for the value in the
middle, and (one|other) for a choice. Read the list from top to bottom as somebody new: a message says who does what,
where it is and what to do. The list is read by a person, it fails nothing. Test sources are left out.
"""
import argparse
import json
import pathlib
import re
import subprocess

CODE = ["host", "isolation", "plugin-api", "plugins", "programs", "subprojects"]
TOKEN = re.compile(
    r'(?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*#(?!include)(?:[^\n]*\\\n)*[^\n]*|^[ \t]*#include[^\n]*)'
    r'|(?P<raw>(?:u8|[LuU])?R"(?P<mark>[^()\\ ]{0,16})\((?P<text>.*?)\)(?P=mark)")'
    r'|(?P<string>(?:u8|[LuU])?"(?P<inner>(?:\\.|[^"\\\n])*)")'
    r"|(?P<character>'(?:\\.|[^'\\\n])+')"
    r"|(?P<word>[A-Za-z_]\w*|\d[\w'.]*)|(?P<mark2>::|->|<<|.)", re.S | re.M)
ESCAPE = {"n": "\\n", "t": "\\t", '"': '"', "\\": "\\", "r": "\\r"}
SQL = re.compile(r"\s*(PRAGMA|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|AND|FROM|GROUP BY|ORDER BY|UNION|BEGIN)\b")
WORDS = re.compile(r"[A-Za-z]{2,}[^A-Za-z]*\s[^A-Za-z]*[A-Za-z]")


def without_escapes(text):
    return re.sub(r"\\(.)", lambda found: ESCAPE.get(found[1], "\\" + found[1]), text)


class Level:
    """One pair of brackets: the message in it so far."""

    def __init__(self, joins):
        self.joins, self.text, self.line, self.has_text, self.value = joins, "", 0, False, ""


def messages_of_source(text):
    """Gives (line, message) for each message of a C++ source."""
    found, levels, line, previous = [], [Level(False)], 1, ""

    def end_value():
        level = levels[-1]
        if level.value:
            level.text += "{" + level.value + "}"
            level.value = ""

    def end_message():
        end_value()
        level = levels[-1]
        words = re.sub(r"\{[^}]*\}", "", level.text)
        if level.has_text and WORDS.search(words) and not SQL.match(words.replace("\\n", " ")):
            found.append((level.line, level.text))
        level.text, level.has_text = "", False

    for token in TOKEN.finditer(text):
        at, line = line, line + token.group().count("\n")
        if token.group("space"):
            continue
        level, mark = levels[-1], token.group()
        if token.group("raw") or token.group("string"):
            if not level.has_text:
                level.line = at
            level.value = ""
            level.has_text = True
            raw = token.group("raw")
            level.text += token.group("text").replace("\n", "\\n") if raw else without_escapes(token.group("inner"))
        elif token.group("word") or token.group("character"):
            if mark == "return":
                end_message()
            else:
                level.value = mark.strip("'")
        elif mark in "([":
            joins = previous in ("string", "string_view", "(", "+", ",", "return", "=", "<<", "", "?", ":")
            if joins:
                level.value = ""
            levels.append(Level(joins))
        elif mark in ")]" and len(levels) > 1:
            if level.joins:
                end_value()
                levels.pop()
                outer = levels[-1]
                outer.value = ""
                if not outer.has_text:
                    outer.line = level.line
                outer.has_text = outer.has_text or level.has_text
                outer.text += f"({level.text})" if "|" in level.text else level.text
            else:
                end_message()
                levels.pop()
        elif mark in ("+", "<<"):
            end_value()
        elif mark in "?:" and level.joins:
            if mark == "?":
                level.text, level.value = "", ""
            else:
                end_value()
                level.text += "|"
        elif mark in ",;{}?:=":
            level.value = "" if mark in "?=" else level.value
            end_message()
            if mark == "}" and not level.joins and len(levels) == 1:
                level.text = ""
        previous = mark if token.group("space") is None else previous
    return found


def messages_of_json(text):
    """Gives (line, message) for each description and reason of a settings.json or schema.json."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for name, value in re.findall(r'"([^"]+)"\s*:\s*("(?:\\.|[^"\\])*")', line):
            words = json.loads(value)
            if WORDS.search(words):
                found.append((number, f"{name}: {words}"))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2], type=pathlib.Path)
    parser.add_argument("folders", nargs="*", help="folders of the root; default: all with code of the product")
    arguments = parser.parse_args()
    files = subprocess.run(["git", "-C", arguments.root, "ls-files", "--", *(arguments.folders or CODE)], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for name in files:
        path = pathlib.PurePath(name)
        if "tests" in path.parts:
            continue
        text = (arguments.root / name).read_text(encoding="utf-8", errors="replace") if path.suffix in (
            ".c", ".h", ".cpp", ".hpp", ".json") else ""
        if path.name in ("settings.json", "schema.json"):
            found = messages_of_json(text)
        elif path.suffix in (".c", ".h", ".cpp", ".hpp"):
            found = messages_of_source(text)
        else:
            continue
        for line, message in found:
            print(f"{name}:{line}: {message}")


if __name__ == "__main__":
    main()
