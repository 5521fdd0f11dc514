# SPDX-License-Identifier: Apache-2.0
"""A folder of skills with one of every oddity found in the wild, and the ways in which each is served."""
import os
from pathlib import Path


LISTED = "listed"  # by the tools and by skills/list
TOLERATED = "listed, but to clients that may refuse it"  # the same, except for FastMCP and clients without a name
WITHHELD = "withheld"  # by the tools alone, with a reason
SKIPPED = "skipped"  # not served, with a reason
BODY = "Body."


def matter(*lines, name, description="description: Does it."):
    return "\n".join(["---", f"name: {name}", description, *lines, "---", BODY, ""]).encode()


# Each entry: folder, name of the file, its bytes, and how it is served.
SKILLS = [
    ("good", "SKILL.md", matter(name="good"), LISTED),
    ("lower-case", "skill.md", matter(name="lower-case"), LISTED),
    ("mixed-case", "Skill.MD", matter(name="mixed-case"), LISTED),
    ("carriage", "SKILL.md", matter(name="carriage").replace(b"\n", b"\r\n"), LISTED),
    ("mark", "SKILL.md", b"\xef\xbb\xbf" + matter(name="mark"), LISTED),
    ("more-fields", "SKILL.md", matter("hooks: {a: [1, {b: null}]}", "model: opus", name="more-fields"), LISTED),
    ("full", "SKILL.md", matter("license: MIT", "compatibility: Linux", "allowed-tools: Read Bash(git add:*)",
                                "metadata:", "  author: me", name="full"), LISTED),
    ("infinite", "SKILL.md", matter("ratio: .inf", name="infinite"), WITHHELD),
    ("numbers", "SKILL.md", matter("ratio: 1.5e3", "count: 99999999999999999999999", "when: 2026-01-01",
                                   name="numbers"), LISTED),
    ("spaces and % signs", "SKILL.md", matter(name="percent"), LISTED),
    ("b/same", "SKILL.md", matter(name="same"), LISTED),
    ("a/same", "SKILL.md", matter(name="same"), LISTED),
    ("outer", "SKILL.md", matter(name="outer"), LISTED),
    ("outer/inner", "skill.md", matter(name="inner"), LISTED),
    ("full-length", "SKILL.md", matter(name="full-length", description="description: " + "a" * 1024), LISTED),
    ("blank-name", "SKILL.md", matter(name="Azure CLI"), WITHHELD),
    ("upper-case", "SKILL.md", matter(name="UPPER"), WITHHELD),
    ("underscore", "SKILL.md", matter(name="under_score"), WITHHELD),
    ("script", "SKILL.md", matter(name="\u5206\u6790"), WITHHELD),
    ("emoji", "SKILL.md", matter(name="\U0001f680 launch"), WITHHELD),
    ("long-name", "SKILL.md", matter(name="n" * 300), WITHHELD),
    ("hyphens", "SKILL.md", matter(name="a--b"), WITHHELD),
    ("dots", "SKILL.md", matter(name='".."'), WITHHELD),
    ("dot", "SKILL.md", matter(name='"."'), WITHHELD),
    ("slash", "SKILL.md", matter(name="a/b"), WITHHELD),
    ("upwards", "SKILL.md", matter(name="../good"), WITHHELD),
    ("mark?and#more", "SKILL.md", matter(name='"a?b#c%2F"'), WITHHELD),
    ("controls", "SKILL.md", matter(name='"a\\tb\\x1b[31m"'), WITHHELD),
    ("number", "SKILL.md", matter(name="123"), WITHHELD),
    ("no name", "SKILL.md", b"---\ndescription: Does it.\n---\nBody.\n", WITHHELD),
    ("empty-name", "SKILL.md", matter(name=""), WITHHELD),
    ("tools-list", "SKILL.md", matter("allowed-tools: [Read, Write]", name="tools-list"), TOLERATED),
    ("tools-lines", "SKILL.md", matter("allowed-tools:", "  - Read", name="tools-lines"), TOLERATED),
    ("tools-null", "SKILL.md", matter("allowed-tools:", name="tools-null"), WITHHELD),
    ("tools-number", "SKILL.md", matter("allowed-tools: 5", name="tools-number"), WITHHELD),
    ("license-number", "SKILL.md", matter("license: 2.0", name="license-number"), WITHHELD),
    ("license-null", "SKILL.md", matter("license:", name="license-null"), WITHHELD),
    ("license-map", "SKILL.md", matter("license: {name: MIT}", name="license-map"), WITHHELD),
    ("compatibility-number", "SKILL.md", matter("compatibility: 3", name="compatibility-number"), WITHHELD),
    ("compatibility-empty", "SKILL.md", matter('compatibility: ""', name="compatibility-empty"), WITHHELD),
    ("compatibility-long", "SKILL.md", matter("compatibility: " + "a" * 501, name="compatibility-long"), WITHHELD),
    ("metadata-nested", "SKILL.md", matter("metadata:", "  a:", "    b: c", name="metadata-nested"), WITHHELD),
    ("metadata-list", "SKILL.md", matter("metadata: [a]", name="metadata-list"), WITHHELD),
    ("metadata-number", "SKILL.md", matter("metadata:", "  version: 1.0", name="metadata-number"), WITHHELD),
    ("metadata-null", "SKILL.md", matter("metadata:", name="metadata-null"), WITHHELD),
    ("huge", "SKILL.md", matter(name="huge", description="description: " + "a" * 60000), WITHHELD),
    ("huge-wide", "SKILL.md", matter(name="huge-wide", description="description: " + "\U0001f680" * 600), WITHHELD),
    ("nul", "SKILL.md", matter(name="nul").replace(b"Does", b"Do\0es"), WITHHELD),
    ("latin", "SKILL.md", matter(name="latin").replace(b"Does", b"D\xe9s"), WITHHELD),
    ("empty", "SKILL.md", b"", SKIPPED),
    ("bare", "SKILL.md", b"# Only text\n", SKIPPED),
    ("unclosed", "SKILL.md", b"---\nname: unclosed\ndescription: Does it.\n", SKIPPED),
    ("doubled", "SKILL.md", matter("name: again", name="doubled"), SKIPPED),
    ("anchor", "SKILL.md", matter("a: &x [1]", "b: *x", name="anchor"), SKIPPED),
    ("no-description", "SKILL.md", b"---\nname: no-description\n---\n", SKIPPED),
    ("list-description", "SKILL.md", matter(name="list-description", description="description: [a]"), WITHHELD),
    ("wide-blank-name", "SKILL.md", matter(name='"\\u3000"'), WITHHELD),
    ("wide-blank", "SKILL.md", matter(name="wide-blank", description='description: "\\u00a0\\u3000"'), SKIPPED),
]
# A reader may replace a surrogate half as it likes, as long as every client takes the list.
FREE = [("surrogate", "SKILL.md", matter(name="surrogate", description='description: "\\ud83d\\ude80"')),
        ("half", "SKILL.md", matter(name="half", description='description: "\\ud83d"'))]


LINKED = "again"  # a link to the folder of another skill


def write(root):
    """Writes the corpus below `root`, with links that lead nowhere, out of it and in a circle."""
    root = Path(root)
    for folder, name, text, *_ in SKILLS + FREE:
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / name).write_bytes(text)
    good = root / "good"
    for name in ("a b.md", "caf\u00e9.md", "cafe\u0301.md", "100%.md", "q&a?.md", "#.md", "[x](y).md", "semi;colon,.md"):
        (good / name).write_text("x")
    for name in (b"back\\slash.md", b"latin\xe9.md", b"line\nfeed.md"):
        Path(os.fsdecode(os.fsencode(good) + b"/" + name)).write_text("x")
    (good / "nowhere").symlink_to("missing")
    (good / "circle").symlink_to("..", target_is_directory=True)
    (root / "outward").symlink_to("/usr/share", target_is_directory=True)
    (root / LINKED).symlink_to("good", target_is_directory=True)
