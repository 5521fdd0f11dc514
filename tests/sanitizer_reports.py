#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges the reports that sanitizers left in a folder: sanitizer_reports.py FOLDER.

Prints the beginning of each and their number; exits 1 when there is one. A fault in a plugin that misbehaves on
purpose does not count: the innermost function of every stack that is not the runtime's is in
tests/plugins/misbehaving. A leak check that itself failed has found nothing: it is only counted."""

import re
import sys
from pathlib import Path

MEANT = "/tests/plugins/misbehaving/"
FRAME = re.compile(r"^\s+#(\d+) 0x[0-9a-f]+ (?:in )?(.*)$")
# These frames stand between a fault and its cause.
RUNTIME = re.compile(r"libsanitizer|compiler-rt|__interceptor_|^operator (?:new|delete)|nptl/|sysdeps/|/lib(?:asan|tsan|ubsan)\.")
UNREAD = re.compile(r"^==\d+==Unable to get registers from thread \d+\.$")
SUMMARY = re.compile(r"^SUMMARY: (.*)$", re.MULTILINE)
MAX_SHOWN, MAX_LINES = 3, 40


def stacks(text):
    """Returns each stack as its frames, innermost first."""
    found = []
    for line in text.splitlines():
        match = FRAME.match(line)
        if not match:
            continue
        if match[1] == "0":
            found.append([])
        if found:
            found[-1].append(match[2])
    return found


def is_meant(text):
    first = [next((frame for frame in stack if not RUNTIME.search(frame)), "") for stack in stacks(text)]
    return bool(first) and all(MEANT in frame for frame in first)


def is_none(text):
    """Returns whether the report comes from a failed leak check. The thread of LeakSanitizer that stops all others
    crashes now and then, before it has looked at anything.

    Or it meets a thread that ends just then, and reports that it cannot read its registers."""
    if stacks(text):
        return False
    lines = [line for line in text.splitlines() if line.strip()]
    return "LeakSanitizer has encountered a fatal error" in text or bool(lines) and all(UNREAD.match(line) for line in lines)


def main(arguments):
    if len(arguments) != 1:
        print("usage: sanitizer_reports.py FOLDER", file=sys.stderr)
        return 2
    texts = {path: path.read_text(encoding="utf-8", errors="replace")
             for path in sorted(Path(arguments[0]).iterdir()) if path.is_file()}
    unchecked = [path for path, text in texts.items() if is_none(text)]
    found = {path: text for path, text in texts.items() if text and not is_meant(text) and path not in unchecked}
    for path, text in list(found.items())[:MAX_SHOWN]:
        summary = SUMMARY.search(text)
        print(f"failed: a sanitizer says in {path}: {summary[1] if summary else 'see below'}")
        # The lines are indented, so that a truncated log keeps them: .ci/run takes the indented lines behind a failure
        # as its reason.
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("=====")]
        print(*(f"    {line.strip()}" for line in lines[:MAX_LINES]), sep="\n")
    if unchecked:
        print(f"{len(unchecked)} leak checks have failed themselves")
    print(f"{len(found)} reports of sanitizers, {len(texts) - len(found) - len(unchecked)} of plugins that misbehave on purpose")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
