#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests texts longer than an answer may be: no answer exceeds its limit, and the parts together are the whole.
long_texts_test.py SERVER"""
import base64
import json
import sys
import tempfile
from pathlib import Path

from checks import SLOWNESS, Checks
from session import Session, write_skill

SERVER = str(Path(sys.argv[1]).resolve())
# With a sanitizer, a text of 2 MB takes longer than a call may by default.
DEADLINE_MS = int(10_000 * SLOWNESS)
LIMIT = 1 << 20  # the default of limits.max_response_bytes
checks = Checks()
check = checks.check


def parts_of(session, name, arguments, pick):
    """Returns every part of a tool's answer, reading on until its end."""
    parts, arguments = [], dict(arguments)
    while True:
        result = session.call("tools/call", name=name, arguments=arguments)
        size = len(json.dumps(result, ensure_ascii=False).encode())
        check(size <= LIMIT, f"{name} from {arguments.get('offset', 0)} on answers {size} bytes")
        data = pick(result["structuredContent"]["data"])
        parts.append((result, data))
        if "next_offset" not in data or len(parts) > 200:
            return parts
        check(result["structuredContent"]["metadata"]["truncated"], f"{name}: a part says that it is one")
        check(f"offset {data['next_offset']}" in result["content"][0]["text"], f"{name}: the text says how to read on")
        arguments["offset"] = data["next_offset"]


def check_skill(session, name, body):
    parts = parts_of(session, "load_skill", {"skill_name": name}, lambda data: data)
    whole = "".join(data["content"] for _, data in parts)
    check(whole.endswith(body), f"{name}: the parts of the skill are the whole, without a gap")
    check(whole.startswith("Base directory for this skill: "), f"{name}: it begins with where its files are")
    check(len(parts) == 1 or sum(len(data["content"]) for _, data in parts) == len(whole), f"{name}: nothing is sent twice")
    again = session.tool("load_skill", skill_name=name)
    check(again["status"] == "already_loaded", f"{name} is held")
    return len(parts)


def check_documents(session, name, folder, documents):
    """Reads each document alone in parts, and then all at once."""
    for path, content in documents.items():
        binary = isinstance(content, bytes)
        arguments = {"skill_name": name, "document_path": path, "include_base64": binary}
        parts = parts_of(session, "read_skill_document", arguments, lambda data: data["documents"][0])
        if binary:
            whole = b"".join(base64.b64decode(data["base64"], validate=True) for _, data in parts)
        else:
            whole = "".join(data["content"] for _, data in parts)
        size = len(whole if binary else whole.encode())
        check(all(data["size"] == size for _, data in parts), f"{path}: the size is that of what is sent: {parts[0][1]['size']}, {size}")
        # Paths in Markdown are rewritten before the text is cut.
        content = content.replace("See short.md", f"See {folder}/short.md") if path == "paths.md" else content
        check(whole == content, f"{path}: the parts of the document are the whole")
        check(len(parts) > 1 or len(content) < LIMIT // 2, f"{path} comes in {len(parts)} parts")
        there = session.tool("read_skill_document", skill_name=name, document_path=f"{folder}/{path}")
        check(there["documents"][0]["path"] == path, f"{path} by its absolute path")
    result = session.call("tools/call", name="read_skill_document", arguments={"skill_name": name, "document_path": "**/*"})
    size = len(json.dumps(result, ensure_ascii=False).encode())
    check(size <= LIMIT, f"all documents at once answer {size} bytes")
    data, text = result["structuredContent"]["data"], result["content"][0]["text"]
    for one in data["documents"]:
        whole = one.get("content") == documents.get(one["path"], one.get("content"))
        check(whole or one.get("binary") or one.get("next_offset") or "no room left" in text, f"{one['path']} is not cut silently")
    check(data["total"] + data.get("not_read", 0) == len(documents) + 1, "every document is sent or counted")
    outside = session.call("tools/call", name="read_skill_document",
                           arguments={"skill_name": name, "document_path": f"{folder}/../short/SKILL.md"})
    check(outside.get("isError"), "no absolute path leads out of the skill")


def check_image(session, name):
    for path, kind, size in (("images/right.png", "image/png", 2), ("images/wrong.jpg", "image/png", 2), ("images/no.png", None, 1)):
        result = session.call("tools/call", name="read_skill_document", arguments={"skill_name": name, "document_path": path})
        check(len(result["content"]) == size, f"{path}: {len(result['content'])} blocks of content")
        check(kind is None or result["content"][1]["mimeType"] == kind, f"{path} is said to be what it is")
    result = session.call("tools/call", name="read_skill_document", arguments={"skill_name": name, "document_path": "images/big.png"})
    check(len(result["content"]) == 1 and "too large" in result["content"][0]["text"], "an image that is too large is said to be")


# These exceed the 1,024 characters that a description may have, in every supported form.
DESCRIPTIONS = {
    "of-one-line": " " + "A word and more. " * 5_000,
    "of-a-block": " |\n" + "  A line of it.\n" * 5_000,
    "of-a-list": "\n" + "  - An item of it.\n" * 500,
    "of-a-map": "\n" + "".join(f"  key-{number}: A value of it.\n" for number in range(500)),
    "of-other-letters": " " + "\u6f22\u5b57" * 30_000,
    "not-quoted": " Use: this: and: that: " * 2_000,
}


def check_descriptions(session):
    """Checks that a list has at most as much of a description as the format allows, and that load_skill has all of
    it."""
    said = {}
    for method, kind in (("prompts/list", "prompts"), ("resources/list", "resources")):
        for one in session.call(method)[kind]:
            said.setdefault(one["name"], []).append(one["description"])
    for one in session.tool("list_skills", detail=True, limit=100)["skills"]:
        said.setdefault(one["name"], []).append(one["description"])
    for name in DESCRIPTIONS:
        found = said.get(name, [])
        check(len(found) == 3, f"{name} is in {len(found)} lists")
        for text in found:
            check(700 < len(text) <= 1024 and text.endswith("\u2026"), f"{name}: {len(text)} characters: {text[-40:]!r}")
    check(len(json.dumps(session.call("tools/list"))) < 64 << 10, "the list of tools stays small")
    whole = session.tool("load_skill", skill_name="of-a-block")["content"]
    check(len(whole) > 60_000, f"load_skill has the whole: {len(whole)}")


def write_documents(folder):
    documents = {"long.md": "Line of \u00e4 text.\n" * 100_000, "short.md": "Short.\n", "quotes.txt": '"\\\n' * 250_000,
                 "paths.md": "See short.md.\n" * 30_000, "data.bin": bytes(range(256)) * 6_000, "empty.md": ""}
    png = b"\x89PNG\r\n\x1a\n\0"
    images = {"images/right.png": png * 100, "images/wrong.jpg": png, "images/no.png": b"\0no image", "images/big.png": png * 100_000}
    for path, content in {**documents, **images}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return {**documents, **images}


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-long-") as scratch:
        bodies = {"plain": "".join(f"Line {i}: \u00e4\u2013\U0001f600 and \"quotes\".\n" for i in range(60_000)),
                  "one-line": "x" * 2_000_000, "escapes": "\\\"\t\x01" * 300_000, "short": "Short.\n"}
        for name, body in bodies.items():
            write_skill(scratch, name, "Is long.", body)
        for name, description in DESCRIPTIONS.items():
            (Path(scratch) / name).mkdir()
            (Path(scratch) / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription:{description.rstrip()}\n---\nText.\n")
        write_skill(scratch, "documents", "Has long documents.")
        documents = write_documents(Path(scratch) / "documents")
        with Session([SERVER, "--skills-dir", scratch, "--paths", "absolute",
                      "--set", f"deadlines.query_ms={DEADLINE_MS}"]) as session:
            for name, body in bodies.items():
                count = check_skill(session, name, body)
                check((count == 1) == (name == "short"), f"{name} comes in {count} parts")
            check_documents(session, "documents", Path(scratch).resolve() / "documents", documents)
            check_image(session, "documents")
            check_descriptions(session)
            wrong = session.end()
            check(wrong is None, wrong)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
