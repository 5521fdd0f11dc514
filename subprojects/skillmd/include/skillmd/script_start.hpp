// SPDX-License-Identifier: Apache-2.0
// Decides whether a Python script is started as a file or as a module of its package, and in which
// folder.
#pragma once

#include "skillmd/script_description.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

struct ScriptStart {
  // Unknown: neither way finds all of its imports.
  enum class Kind : std::uint8_t { File, Module, Unknown };
  Kind kind = Kind::File;
  std::string module;    // scripts.run_loop
  std::string folder;    // start folder relative to the skill; empty: the skill's
  bool optional = false; // it also works as a file
};

// `has` returns true for paths of files of the skill. `text` is the text of the skill, which may
// start the script with `-m`.
ScriptStart startOf(std::string_view path, const ScriptDescription &script,
                    const std::function<bool(std::string_view)> &has, std::string_view text);

} // namespace skillhost
