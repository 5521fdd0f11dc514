#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the tag in a wheel's name with the output of `auditwheel show --json` on standard input: the oldest system
that the tag names must have every library and every symbol version that the wheel needs. A wheel that would also
work on older systems keeps the tag of the system on which it is built and tested."""

import json
import re
import sys

VERSION = re.compile(r"manylinux_(\d+)_(\d+)_(\w+)$")


def main() -> None:
    found = json.load(sys.stdin)
    if "error" in found:
        sys.exit(f"packaging: auditwheel: {found['error']}")
    claimed = VERSION.search(found["wheel"].removesuffix(".whl"))
    holds = VERSION.search(found["overall_tag"])
    if claimed is None or holds is None or holds[3] != claimed[3]:
        sys.exit(f"packaging: auditwheel finds the tag {found['overall_tag']}, for {found['wheel']}: {json.dumps(found)}")
    if tuple(map(int, holds.groups()[:2])) > tuple(map(int, claimed.groups()[:2])):
        sys.exit(f"packaging: the tag of {found['wheel']} says less than {found['overall_tag']}, which auditwheel finds")
    print(f"packaging: auditwheel finds {found['overall_tag']}; outside of the wheel it needs "
          f"{', '.join(sorted(found['versioned_symbols'])) or 'nothing'}")


if __name__ == "__main__":
    main()
