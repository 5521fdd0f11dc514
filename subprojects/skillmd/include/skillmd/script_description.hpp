// SPDX-License-Identifier: Apache-2.0
// How to run a script, for a reader that has no use for its source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// As much of a script as is worth looking at.
inline constexpr std::size_t longestScript = 256U << 10U;

// Whether a file of a skill is one to be run, as far as its path tells: by its ending, at the top
// of the skill or in a folder such as scripts/, or because it is marked as executable.
bool isScript(std::string_view path, bool executable) noexcept;

struct ScriptDescription {
  std::string interpreter; // "python3", "uv run"; empty: the file is run as it is
  // What its first comment begins with and its line about usage: one line of printable text without
  // backticks and double quotes, at most some 200 bytes; empty: it says nothing.
  std::string summary;
  bool module = false; // nothing to be run, though it looks like it by its path
  // Modules that a Python script imports, as it names them: "json", "scripts.utils", ".parts".
  std::vector<std::string> imports{};
};

// Both are written by strangers: whatever does not look like it should is left out. `document` may
// be empty or cut.
ScriptDescription describeScript(std::string_view path, std::string_view document);

// Characters that nobody sees, or that end a line where none seems to end.
bool hasHiddenCharacters(std::string_view text);

} // namespace skillhost
