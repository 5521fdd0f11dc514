# SPDX-License-Identifier: Apache-2.0
"""The licences of the libraries in a package, as SPDX expressions, by the names of Debian's source packages.

This is a table, because Debian's copyright files also list the licences of tests, tools and packaging, and not all
of them are machine-readable. `relocate` fails if a library is missing here: read its copyright file and add a line."""

import re
from pathlib import Path

_GNU = "LGPL-3.0-or-later OR GPL-2.0-or-later"
LICENCES = {
    "abseil": "Apache-2.0", "boost": "BSL-1.0", "brotli": "MIT", "bzip2": "bzip2-1.0.6", "cli11": "BSD-3-Clause", "curl": "curl",
    "cyrus-sasl2": "BSD-4-Clause AND RSA-MD", "e2fsprogs": "MIT", "gmp": _GNU, "gnutls28": "LGPL-2.1-or-later",
    "hiredis": "BSD-3-Clause", "http-parser": "MIT", "keyutils": "LGPL-2.0-or-later", "krb5": "MIT", "libarchive": "BSD-2-Clause",
    "libffi": "MIT", "libgit2": "GPL-2.0-only WITH GCC-exception-2.0", "libidn2": _GNU, "libpsl": "MIT", "libssh2": "BSD-3-Clause",
    "libtasn1-6": "LGPL-2.1-or-later", "libunistring": _GNU, "libzstd": "BSD-3-Clause OR GPL-2.0-only", "llhttp": "MIT",
    "mbedtls": "Apache-2.0 OR GPL-2.0-or-later", "nettle": _GNU, "nghttp2": "MIT", "nlohmann-json3": "MIT", "openldap": "OLDAP-2.8",
    "openssl": "Apache-2.0", "p11-kit": "BSD-3-Clause", "pcre2": "BSD-3-Clause", "re2": "BSD-3-Clause",
    "rtmpdump": "LGPL-2.1-or-later", "rust-blake3": "CC0-1.0 OR Apache-2.0", "snowball": "BSD-3-Clause",
    "sqlite3": "blessing", "tomlplusplus": "MIT", "utf8proc": "MIT AND Unicode-DFS-2016", "valijson": "BSD-2-Clause",
    "xz-utils": "LicenseRef-Public-Domain", "yaml-cpp": "MIT", "zlib": "Zlib",
}
_MARK = "; licence: "


def licence_of(source: str) -> str | None:
    """Returns the licence of a source package, ignoring a version at the end of its name (boost1.81)."""
    return LICENCES.get(source) or LICENCES.get(re.sub(r"[\d.]+$", "", source))


def row(text: str, licence: str) -> str:
    """Returns a line of packages.txt, the list of the contents."""
    return text + _MARK + licence


def expression(packages: Path) -> str:
    """Returns the licence of a whole package: our own, and those of the libraries in its packages.txt."""
    found = {line.split(_MARK, 1)[1] for line in packages.read_text(encoding="utf-8").splitlines() if _MARK in line}
    # Splits conjunctions, so that each licence is named once.
    parts = {part for one in found for part in (one.split(" AND ") if " OR " not in one else [one])} - {"Apache-2.0"}
    return " AND ".join(["Apache-2.0", *(f"({part})" if " OR " in part else part for part in sorted(parts))])
