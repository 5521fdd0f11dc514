#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds texts that are hard to read for newcomers. words.py [ROOT]

It reports three things:
* Words of this project that were replaced by the usual terms. BANNED has each word and its replacement. It finds whole
  words, in code, pages and tests.
* Comments that begin with a noun clause ("What nobody can come back for is not there."). A comment should be a sentence
  whose subject is the thing that acts.
* Sentences of the manual with more than 40 words.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent.parent)
BANNED = {
    "Doorkeeper": "HttpAuthFilter", "doorkeeper": "auth filter", "Lane": "PluginExecutor", "LaneJob": "ExecutorJob",
    "RequestSeal": "SignedRequestState", "strangersLoaded": "thirdPartyPluginLoaded", "heedsPin": "supportsPinning",
    "Turnstile": "FairMutex", "turnstile": "fair mutex", "Deed": "Function", "told nonsense": "sent a malformed frame",
    "answered nonsense": "sent a malformed frame", "bury": "reap",
    "did not come back": "timed out", "stands twice": "duplicate key", "no further words": "unspecified error",
    "Era": "ProtocolFamily", "eraOf": "familyOf", "OfferSet": "PluginToolSet", "Offers": "PluginTools", "OfferedResult": "PluginResult",
    "authorise": "authorize", "ForeignPlugin": "MarketplacePlugin", "foreign_plugins": "marketplace_plugins", "refusalCode": "AccessRefusal::code",
    "nobody is asked for an access token": "authentication is disabled",
}
COMMENT = re.compile(r"\s*(?://+|#) ?(.*)")
NOUN_CLAUSE = re.compile(r"(What|Of|Who|Whose|Whether|Those|So)\b")
# Such a beginning is allowed if the clause is not the subject of the sentence.
ALLOWED = re.compile(r"Of (the|these|several|all|two|many) [^.]*,|So (far|that)\b|So many|What [^.]*\?$|Who [^.]*\?$")
MAX_SENTENCE_WORDS = 40  # words
WORD = re.compile(r"\b(" + "|".join(map(re.escape, BANNED)) + r")\b")
# These files contain the replaced words on purpose.
EXEMPT = {"CHANGELOG.md", "tests/lint/words.py", "tests/conformance/skills/broken/doubled-key/SKILL.md"}


def files():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return listed.stdout.splitlines()
    return [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file() and not path.relative_to(ROOT).parts[0].startswith((".", "build"))]


def noun_clauses(text):
    """Yields the number and the text of each line that begins a comment with a noun clause."""
    before = False
    for number, line in enumerate(text.splitlines(), 1):
        comment = COMMENT.fullmatch(line)
        if comment and not before and NOUN_CLAUSE.match(comment[1]) and not ALLOWED.match(comment[1]):
            yield number, comment[1]
        before = comment is not None


def long_sentences(text):
    """Yields the sentences of a page with too many words; code, tables and headings have none."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    prose = "\n".join(line for line in prose.splitlines() if not line.lstrip().startswith(("|", "#")))
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[*-]|\d+\.) )", prose):
        for sentence in re.split(r"(?<=[.!?:;])\s+", paragraph):
            words = [word for word in sentence.split() if any(map(str.isalnum, word))]
            if len(words) > MAX_SENTENCE_WORDS:
                yield " ".join(words)


def main():
    found = checked = 0
    for name in files():
        path = ROOT / name
        if name in EXEMPT or path.suffix not in {".c", ".cpp", ".h", ".hpp", ".py", ".md", ".build", ".sh", ".yaml"} or not path.is_file():
            continue
        checked += 1
        text = path.read_text(errors="replace")
        if path.suffix in {".c", ".cpp", ".h", ".hpp", ".py", ".build"}:
            for number, comment in noun_clauses(text):
                print(f"{name}:{number}: begins with a noun clause: {comment}")
                found += 1
        if name.startswith("doc/") or name == "README.md":
            for sentence in long_sentences(text):
                print(f"{name}: a sentence of {len(sentence.split())} words: {sentence[:80]}")
                found += 1
        for number, line in enumerate(text.splitlines(), 1):
            for word in WORD.findall(line):
                print(f"{name}:{number}: {word}: now {BANNED[word]}")
                found += 1
    print(f"{checked} files, {found} places that are hard to read")
    return 1 if found or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
