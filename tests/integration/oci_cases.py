# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of the tests of registries, each in its own folder."""
from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from checks import Checks


def run_cases(checks: Checks, cases: Sequence[Callable[[Any], Any]], place: Callable[[str], Any], wanted: Sequence[str],
              registry: bool = False) -> int:
    """Runs the wanted cases, or all, and returns the exit code: 77 if a case returned that because it could not run
    and nothing failed. With `registry`, no case can run without Docker's registry."""
    if registry and not shutil.which("docker-registry"):
        print("skipped: docker-registry is not installed (apt-get install docker-registry skopeo)")
        return 77
    skipped = False
    for case in cases:
        if wanted and case.__name__ not in wanted:
            continue
        print(case.__name__, flush=True)
        with tempfile.TemporaryDirectory(prefix="skillhost-oci-", ignore_cleanup_errors=True) as folder:
            skipped |= case(place(folder)) == 77
    code = checks.finish()
    return 77 if skipped and code == 0 else code
