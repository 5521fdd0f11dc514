# SPDX-License-Identifier: Apache-2.0
"""Folders of skills for the tests of the console: plain ones, ones that attack their renderer, and many."""
from __future__ import annotations

from pathlib import Path

LARGE_TEXT = 5_000_000
LONG_NAME = 10_000
CANARY = "http://canary.invalid"

# Each would run a script, or fetch something, in a page that included it unchanged.
ATTACKS = {
    "script": "<script>window.ran = 'script'</script>",
    "handler": "<img src=x onerror=\"window.ran = 'handler'\">",
    "svg": "<svg onload=\"window.ran = 'svg'\"><script>window.ran = 'svg script'</script><set attributeName=onmouseover to=alert(1) /></svg>",
    "frame": "<iframe srcdoc=\"<script>parent.ran = 'frame'</script>\"></iframe>",
    "focus": "<input autofocus onfocus=\"window.ran = 'focus'\"><details open ontoggle=\"window.ran = 'toggle'\"><summary>s</summary></details>",
    "mutation": "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=x onerror=window.ran=1&gt;\">",
    "noscript": "<noscript><p title=\"</noscript><img src=x onerror=window.ran=1>\"></noscript>",
    "image": f"![pixel]({CANARY}/pixel.png) <img srcset=\"{CANARY}/set.png 1x\"> <video poster={CANARY}/poster.png></video>",
    "style": f"<style>@import url({CANARY}/a.css); * {{ background: url({CANARY}/b.png) }}</style><p style=\"background: url({CANARY}/c.png)\">s</p>",
    "link": f"<link rel=stylesheet href={CANARY}/d.css><base href={CANARY}/><meta http-equiv=refresh content=\"0; url={CANARY}/e\">",
    "object": f"<object data={CANARY}/f.svg></object><embed src={CANARY}/g.svg><form action={CANARY}/h><button>b</button></form>",
}
LINKS = "\n".join(f"* [link {number}]({target})" for number, target in enumerate((
    "javascript:window.ran=1", "JaVaScRiPt:window.ran=1", "java&#x0A;script:window.ran=1", "&#x6A;avascript:window.ran=1",
    "data:text/html,<script>opener.ran=1</script>", "data:image/svg+xml,<svg onload='top.ran=1'/>", "vbscript:ran", "file:///etc/passwd",
    "//canary.invalid/x", "\\\\canary.invalid\\x", "https://example.org/allowed", "mailto:a@example.org")))


def write(folder: Path, path: str, front_matter: str, text: str, **files: str) -> None:
    place = folder / path
    place.mkdir(parents=True)
    (place / "SKILL.md").write_text(f"---\n{front_matter}\n---\n{text}\n", encoding="utf-8")
    for name, content in files.items():
        (place / f"{name}.md").write_text(content, encoding="utf-8")


def plain(folder: Path) -> None:
    """Writes six skills: one has findings, and another one cannot be served."""
    for name in ("spreadsheets", "release-notes", "code-review", "incident-report"):
        write(folder, name, f"name: {name}\ndescription: How to do {name.replace('-', ' ')} well, step by step.",
              f"# {name}\n\n1. First, look.\n2. Then see [the guide](guide.md).\n\n```sh\necho done\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
              guide="# Guide\n\nIn detail.\n")
    write(folder, "with-finding", "name: other-name\ndescription: Its folder has another name.", "Text with [a file](missing.md) that is not there.")
    write(folder, "not-served", "name: not-served\ndescription: [unclosed", "Nobody is served this.")


def hub(folder: Path) -> None:
    """Writes three skills from elsewhere, one of which brings a program."""
    write(folder, "deploy", "name: deploy\ndescription: How to deploy a service and take it back again.",
          "# Deploy\n\n1. Run `sh run.sh staging`.\n2. Look at the figures for ten minutes.\n3. Run `sh run.sh production`.\n")
    (folder / "deploy/run.sh").write_text("#!/bin/sh\nset -eu\ncurl -fsSL https://deploy.example/install.sh | sh -s -- \"$1\"\n", encoding="utf-8")
    for name in ("log-triage", "schema-change"):
        write(folder, name, f"name: {name}\ndescription: How to do a {name.replace('-', ' ')} without a surprise.", f"# {name}\n\nOne step after another.\n")


def hostile(folder: Path) -> None:
    whole = "\n\n".join(ATTACKS.values())
    write(folder, "attacks", "name: attacks\ndescription: \"<script>window.ran = 'description'</script><img src=x onerror=window.ran=1>\"",
          f"# Attacks\n\n{whole}", page=whole)
    write(folder, "links", "name: links\ndescription: Links that lead elsewhere.", f"# Links\n\n{LINKS}\n\nThe end is here.")
    write(folder, "reversed", "name: reversed\ndescription: \"ends in \\u202Egnp.exe\"",
          "# Reversed\n\nOpen photo\u202egnp.exe and zero\u200bwidth\u2066 isolate, bell \u0007.\n\nThe end is here.")
    write(folder, "large", "name: large\ndescription: Five megabytes of text.", "# Large\n\n" + ("word " * 15 + "\n") * (LARGE_TEXT // 76))
    write(folder, "one-line", "name: one-line\ndescription: A line of five megabytes.", "# One line\n\n" + "x" * LARGE_TEXT)
    write(folder, "long-name", f"name: {'n' * LONG_NAME}\ndescription: A name of {LONG_NAME} characters.", "# Long name\n\nThe end is here.")
    write(folder, "nested", "name: nested\ndescription: Deeply nested.", "# Nested\n\n" + ">" * 5_000 + " deep\n\n" + "[" * 5_000 + "\n\n" + "*a " * 5_000)
    laughs = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10) if n else 'ha'}]" for n in range(9))
    write(folder, "laughs", f"name: laughs\ndescription: A billion laughs.\nmetadata:\n  {laughs.replace(chr(10), chr(10) + '  ')}", "Text.")


def many(folder: Path, number: int) -> None:
    for at in range(number):
        place = folder / f"group-{at // 1000:02}" / f"skill-{at:05}"
        place.mkdir(parents=True)
        (place / "SKILL.md").write_text(f"---\nname: skill-{at:05}\ndescription: Does what number {at} does, for tests of long lists.\n---\nText {at}.\n")
