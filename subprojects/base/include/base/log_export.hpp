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

// Receives every line at or above INFO, and every lower line that the log contains. It is called on
// the thread that writes the line, possibly several at once. It must not wait or log. nullptr
// removes it; a call that is under way may end later.
using Exporter = std::function<void(const ExportedLine &)>;
void exportTo(Exporter exporter);
// True if an exporter is set.
bool isExported() noexcept;

} // namespace skillhost::log
