#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds words of a private dialect that have given way to those of the field. words.py [ROOT]

Each was renamed once; the second column says what it is called now. Whole words, in code, pages and tests alike.
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
WORD = re.compile(r"\b(" + "|".join(map(re.escape, BANNED)) + r")\b")
# These files name the old words on purpose.
EXEMPT = {"CHANGELOG.md", "tests/lint/words.py", "tests/conformance/skills/broken/doubled-key/SKILL.md"}


def files():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return listed.stdout.splitlines()
    return [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file() and not path.relative_to(ROOT).parts[0].startswith((".", "build"))]


def main():
    found = checked = 0
    for name in files():
        path = ROOT / name
        if name in EXEMPT or path.suffix not in {".c", ".cpp", ".h", ".hpp", ".py", ".md", ".build", ".sh", ".yaml"} or not path.is_file():
            continue
        checked += 1
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            for word in WORD.findall(line):
                print(f"{name}:{number}: {word}: now {BANNED[word]}")
                found += 1
    print(f"{checked} files, {found} words that have given way to others")
    return 1 if found or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
