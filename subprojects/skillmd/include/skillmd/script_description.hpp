// SPDX-License-Identifier: Apache-2.0
// Describes how to run a script, for a reader that does not need its source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The most bytes of a script that are read.
inline constexpr std::size_t maxScriptBytes = 256U << 10U;

// Returns true if a file of a skill is meant to be run, judging by its path: by its extension, at
// the top of the skill or in a folder such as scripts/, or because it is executable.
bool isScript(std::string_view path, bool executable) noexcept;

struct ScriptDescription {
  std::string interpreter; // "python3", "uv run"; empty: the file runs by itself
  // The beginning of its first comment and its usage line: one line of printable text without
  // backticks and double quotes, at most about 200 bytes; empty: it has neither.
  std::string summary;
  bool module = false; // not to be run, although its path suggests it
  // The modules that a Python script imports, in its own spelling: "json", "scripts.utils",
  // ".parts".
  std::vector<std::string> imports{};
};

// Strangers write both parameters, so unexpected text is left out. `document` may be empty or cut.
ScriptDescription describeScript(std::string_view path, std::string_view document);

// Returns true if the text has invisible characters, or characters that end a line unexpectedly.
bool hasHiddenCharacters(std::string_view text);

} // namespace skillhost
