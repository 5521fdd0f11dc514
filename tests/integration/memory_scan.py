# SPDX-License-Identifier: Apache-2.0
"""Searches texts in all writable memory of running processes, which is what a core dump would contain (Linux,
/proc)."""
import re
from pathlib import Path

PIECE = 16 << 20


def family(process):
    """Returns the process and all its descendants, the eldest first."""
    found = [process]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found.extend(int(child) for child in task.read_text().split())
            except OSError:
                pass  # the thread has ended
    return found


def _pieces(process):
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            first, last, rights = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", line).groups()
            if not rights.startswith("rw"):
                continue
            at, end, tail = int(first, 16), int(last, 16), b""
            name = line.split(maxsplit=5)[5].strip() if len(line.split(maxsplit=5)) > 5 else "anonymous"
            while at < end:
                memory.seek(at)
                try:
                    piece = memory.read(min(PIECE, end - at))
                except OSError:
                    break  # unmapped meanwhile, or a device
                if not piece:
                    break
                yield f"{name} of {process}", at - len(tail), tail + piece
                tail, at = piece[-256:], at + len(piece)


def holding(processes, texts, around=0):
    """Finds texts (bytes) in memory: {text: [region and its surroundings]}. Raises PermissionError."""
    found = {}
    for process in processes:
        try:
            for name, start, piece in _pieces(process):
                for text in texts:
                    at = piece.find(text)
                    if at >= 0:
                        place = f"{name} at {start + at:#x} {piece[max(0, at - around):at + len(text) + around]!r}"
                        found.setdefault(text, []).append(place)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has ended, so it holds nothing
    return found


def open_words(processes):
    """Returns what every user of this machine, or the same one, can read: titles, arguments and environments."""
    words = b""
    for process in processes:
        for name in ("comm", "cmdline", "environ"):
            try:
                words += Path(f"/proc/{process}/{name}").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                pass
    return words
