# SPDX-License-Identifier: Apache-2.0
"""Writes a wheel. The same content makes the same bytes: the time of every entry is SOURCE_DATE_EPOCH."""

import base64
import hashlib
import os
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path


def write_wheel(path: Path, about: str, entries: Iterable[tuple[str, bytes, bool]]) -> None:
    """Writes each entry, which is its name, its content and whether it is a program, and then the list of all in
    `about`, the folder of the metadata."""
    when = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]  # zip times begin in 1980
    lines = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        def add(name: str, content: bytes, is_program: bool) -> None:
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            wheel.writestr(entry, content)

        for name, content, is_program in entries:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(content)}")
            add(name, content, is_program)
        add(f"{about}/RECORD", "\n".join([*lines, f"{about}/RECORD,,", ""]).encode(), False)
