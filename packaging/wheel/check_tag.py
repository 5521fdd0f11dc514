#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what `auditwheel show --json` says of a wheel from standard input: whether the tag in the wheel's name holds,
that is, whether systems that are no newer than it says have every library and every version of a symbol that it
needs. A wheel that would do for older ones too keeps the tag of the system that it is built and tested on."""

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
