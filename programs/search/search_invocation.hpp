// SPDX-License-Identifier: Apache-2.0
// What `search` was told.
#pragma once

#include "app/configuration.hpp"

#include <optional>
#include <string>

namespace skillhost::app {

struct SearchInvocation {
  std::string query;     // empty: --evaluate
  bool explain = false;  // each hit
  std::string questions; // for --evaluate: a file, absolute
  // For --against: of another configuration, how it searches; the whole of it, for messages.
  std::optional<Configuration> other;
  std::string otherFile; // absolute
};

} // namespace skillhost::app
