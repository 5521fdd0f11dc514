# SPDX-License-Identifier: Apache-2.0
"""Patterns: JSON with wildcards, matched against a server's messages. The README lists them."""
import base64
import hashlib
import json
import re
from pathlib import Path

TYPES = {
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "null": lambda v: v is None,
}
ABSENT = object()


def short(value):
    text = "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else text[:300] + f"... ({len(text)} characters)"


def equal(expected, actual):
    """Compares by JSON equality: true is not 1, but 1 is 1.0."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(equal(v, actual[k]) for k, v in expected.items())
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(equal, expected, actual))
    return expected == actual


class Matcher:
    """Compares one value with one pattern. $text and $base64 find their files in `folder`; `saved` keeps the values
    of $save, for $saved, across the whole transcript."""

    def __init__(self, folder, saved):
        self.folder = Path(folder)
        self.saved = saved

    def differences(self, pattern, actual, where="$"):
        """Returns one line for each difference; an empty list is a match."""
        if isinstance(pattern, dict):
            found = []
            for key in (key for key in pattern if key.startswith("$")):
                if not hasattr(self, "on_" + key[1:]):
                    raise ValueError(f"unknown wildcard {key}")
                found += getattr(self, "on_" + key[1:])(pattern[key], actual, where)
            members = {key: inner for key, inner in pattern.items() if not key.startswith("$")}
            if (members or not pattern) and not isinstance(actual, dict):
                return found + [f"{where}: expected an object, got {short(actual)}"]
            for key, inner in members.items():
                found += self.differences(inner, actual.get(key, ABSENT), f"{where}.{key}")
            return found
        if isinstance(pattern, list):
            if not isinstance(actual, list):
                return [f"{where}: expected an array, got {short(actual)}"]
            if len(pattern) != len(actual):
                return [f"{where}: expected {len(pattern)} items, got {len(actual)}: {short(actual)}"]
            found = []
            for index, inner in enumerate(pattern):
                found += self.differences(inner, actual[index], f"{where}[{index}]")
            return found
        return [] if equal(pattern, actual) else [f"{where}: expected {short(pattern)}, got {short(actual)}"]

    def fill(self, value):
        """Returns a message to send, with {"$saved": name} replaced by the value kept under that name, and
        {"$join": [...]} by its parts in one string."""
        if isinstance(value, dict):
            if set(value) == {"$saved"}:
                return self.saved[value["$saved"]]
            if set(value) == {"$join"}:
                return "".join(map(str, self.fill(value["$join"])))
            return {key: self.fill(inner) for key, inner in value.items()}
        return [self.fill(inner) for inner in value] if isinstance(value, list) else value

    @staticmethod
    def _unless(good, where, wanted, actual):
        return [] if good else [f"{where}: expected {wanted}, got {short(actual)}"]

    def on_any(self, _, actual, where):
        return self._unless(actual is not ABSENT, where, "anything", actual)

    def on_absent(self, _, actual, where):
        return self._unless(actual is ABSENT, where, "nothing there", actual)

    def on_type(self, name, actual, where):
        return self._unless(TYPES[name](actual), where, f"a value of type {name}", actual)

    def on_regex(self, expression, actual, where):
        good = isinstance(actual, str) and re.search(expression, actual, re.DOTALL)
        return self._unless(good, where, f"text matching {expression}", actual)

    def on_contains(self, wanted, actual, where):
        if isinstance(actual, str):
            return [f"{where}: no {short(part)} in {short(actual)}" for part in wanted if part not in actual]
        if not isinstance(actual, list):
            return [f"{where}: expected text or an array, got {short(actual)}"]
        found = []
        for pattern in wanted:
            if not any(not self.differences(pattern, item) for item in actual):
                found.append(f"{where}: no item like {short(pattern)} among {len(actual)}: {short(actual)}")
        return found

    def on_each(self, pattern, actual, where):
        if not isinstance(actual, list):
            return [f"{where}: expected an array, got {short(actual)}"]
        return [line for i, item in enumerate(actual) for line in self.differences(pattern, item, f"{where}[{i}]")]

    def on_length(self, pattern, actual, where):
        size = len(actual) if isinstance(actual, (list, str, dict)) else ABSENT
        return self.differences(pattern, size, where + ".length")

    def on_min(self, limit, actual, where):
        return self._unless(TYPES["number"](actual) and actual >= limit, where, f"at least {limit}", actual)

    def on_max(self, limit, actual, where):
        return self._unless(TYPES["number"](actual) and actual <= limit, where, f"at most {limit}", actual)

    def on_exact(self, value, actual, where):
        return self._unless(equal(value, actual), where, f"exactly {short(value)}", actual)

    def on_not(self, pattern, actual, where):
        return self._unless(self.differences(pattern, actual), where, f"anything but {short(pattern)}", actual)

    def on_all(self, patterns, actual, where):
        """Tries each in turn; the first that differs ends it, so a later $save keeps only matching values."""
        return next((found for p in patterns if (found := self.differences(p, actual, where))), [])

    def on_one(self, patterns, actual, where):
        attempts = [self.differences(pattern, actual, where) for pattern in patterns]
        if not all(attempts):
            return []
        return [f"{where}: none of {len(patterns)} alternatives: " + "; or ".join(a[0] for a in attempts)]

    def on_text(self, path, actual, where):
        """Equals the file's bytes read as UTF-8, byte order mark and line ends included."""
        return self._unless((self.folder / path).read_bytes().decode() == actual, where, f"the text of {path}", actual)

    def on_base64(self, path, actual, where):
        wanted = base64.b64encode((self.folder / path).read_bytes()).decode()
        return self._unless(wanted == actual, where, f"the bytes of {path} as base64", actual)

    def on_digest(self, path, actual, where):
        wanted = "sha256:" + hashlib.sha256((self.folder / path).read_bytes()).hexdigest()
        return self._unless(wanted == actual, where, f"the digest of {path}, {wanted}", actual)

    def on_size(self, path, actual, where):
        return self.differences((self.folder / path).stat().st_size, actual, where)

    def on_save(self, name, actual, where):
        if actual is ABSENT:
            return [f"{where}: nothing to keep as {name}"]
        self.saved[name] = actual
        return []

    def on_capture(self, pair, actual, where):
        """Takes [expression, name]: matches, and keeps the expression's first group under the name."""
        met = re.search(pair[0], actual, re.DOTALL) if isinstance(actual, str) else None
        if not met:
            return [f"{where}: expected text matching {pair[0]}, got {short(actual)}"]
        self.saved[pair[1]] = met.group(1)
        return []

    def on_join(self, parts, actual, where):
        return self.differences(self.fill({"$join": parts}), actual, where)

    def on_saved(self, name, actual, where):
        return self._unless(equal(self.saved.get(name, ABSENT), actual), where, f"the kept {name}", actual)
