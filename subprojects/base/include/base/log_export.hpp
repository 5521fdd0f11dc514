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
  std::string_view origin = {};         // the plugin instance that wrote it; empty: the host did
  bool isLogged = true;                 // false: below log.level, so not in the log
};

// While it exists, the lines that its thread writes have this plugin instance as their origin. The
// text must outlive it. They nest.
class LineOrigin {
public:
  explicit LineOrigin(std::string_view instance) noexcept;
  ~LineOrigin();
  LineOrigin(const LineOrigin &) = delete;
  LineOrigin &operator=(const LineOrigin &) = delete;

private:
  const std::string_view before_;
};

// Sets the function that receives every line at or above INFO, and those lower ones that are
// logged. It is called on the thread that writes the line, perhaps on several at once, so it must
// not wait or write a line itself. `whose` identifies the owner, which has one exporter at a time.
// A null function ends the export and needs no memory, but a running call may end later.
using Exporter = std::function<void(const ExportedLine &)>;
void exportTo(const void *whose, Exporter exporter);
// True if there is an exporter.
bool isExported() noexcept;

} // namespace skillhost::log
