#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the matcher itself: equal values match, and different ones differ."""
import sys
import tempfile
from pathlib import Path

from patterns import Matcher

MATCHING = [
    ({"a": 1}, {"a": 1, "b": 2}), ([1, 2], [1, 2]), (1, 1.0), ({"$exact": {"a": 1}}, {"a": 1}),
    ({"a": {"$absent": True}}, {}), ({"$any": True}, None), ({"$type": "integer"}, 3),
    ({"$contains": [{"a": 1}, {"a": 2}]}, [{"a": 2, "b": 1}, {"a": 1}]), ({"$contains": ["x", "y"]}, "yx"),
    ({"$each": {"$min": 1, "$max": 2}}, [1, 2]), ({"$length": {"$max": 2}}, [1, 2]), ({"$not": 1}, True),
    ({"$one": [1, 2]}, 2), ({"$all": [{"$type": "string"}, {"$regex": "b.d"}]}, "abcd"),
    ({"$text": "file"}, "\ufeffé\r\n"), ({"$size": "file"}, 7), ({"id": 1, "$one": [{"a": 1}, {"b": 1}]}, {"id": 1, "b": 1}),
    ({"$digest": "file"}, "sha256:aed6404f0f21739aae66e784e8eae25f73c9b3cfe4d3344df2068a9b117a7e2f"),
    ({}, {"a": 1}),
]
DIFFERENT = [
    ({"a": 1}, {"a": 2}), ({"a": 1}, {}), ({"a": {"$absent": True}}, {"a": None}), (1, True), (0, False), (1, "1"),
    ([1, 2], [1, 2, 3]), ([1, 2], [2, 1]), ({"$exact": {"a": 1}}, {"a": 1, "b": 2}), ({"$exact": {}}, {"a": 1}),
    ({"$type": "integer"}, True), ({"$type": "string"}, 1), ({"$contains": [{"a": 3}]}, [{"a": 1}]),
    ({"$contains": ["z"]}, "yx"), ({"$contains": [1]}, {"1": 1}), ({"$each": 1}, [1, 2]), ({"$length": 1}, [1, 2]),
    ({"$length": 1}, 7), ({"$not": 1}, 1), ({"$one": [1, 2]}, 3), ({"$regex": "^a$"}, "b"), ({"$text": "file"}, "é\r\n"),
    ({"$base64": "file"}, ""), ({"id": 1, "$any": True}, {"id": 2}), ({}, 7), ({"$any": True, "a": 1}, 7),
]


def main():
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "file").write_bytes("\ufeffé\r\n".encode())
        for pattern, value in MATCHING:
            if found := Matcher(folder, {}).differences(pattern, value):
                failed.append(f"{pattern} should match {value}: {found}")
        for pattern, value in DIFFERENT:
            if not Matcher(folder, {}).differences(pattern, value):
                failed.append(f"{pattern} should not match {value}")
        kept = Matcher(folder, {})
        kept.differences({"$contains": [{"u": {"$capture": ["^(a/)b$", "here"]}}]}, [{"u": "c"}, {"u": "a/b"}])
        if kept.fill({"x": [{"$join": [{"$saved": "here"}, "d"]}]}) != {"x": ["a/d"]}:
            failed.append("what was kept is not filled in")
    for path in Path(__file__).parent.glob("*.jsonl"):
        if path.name.split("_")[0] not in ("bad", "both", "legacy", "modern"):
            failed.append(f"{path.name} belongs to no group, so nothing replays it")
    print("\n".join(failed))
    print(f"{len(MATCHING) + len(DIFFERENT) + 1 - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
