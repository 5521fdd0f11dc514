// SPDX-License-Identifier: Apache-2.0
// Exports the lines of the log to another program, in addition to standard error.
#pragma once

#include "base/fault.hpp"

#include <functional>
#include <string_view>

namespace skillhost::log {

struct ExportedLine {
  LogLevel level = LogLevel::Info;
  std::string_view part, text, members; // as in write(), with secrets masked
  bool isLogged = true;                 // false: below log.level, so not in the log
};

// Hears every line at or above INFO, and those below that the log has. Called on the thread that
// writes the line, several at once: it must not wait, and writes no line itself. `whose` tells one
// exporter from the others, and has one at a time. nullptr to stop; a call that is under way may
// end after that.
using Exporter = std::function<void(const ExportedLine &)>;
void exportTo(const void *whose, Exporter exporter);
// Whether somebody hears them.
bool isExported() noexcept;

} // namespace skillhost::log
