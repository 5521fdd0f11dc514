// SPDX-License-Identifier: Apache-2.0
// Reads what a plugin's process writes to its standard output and error, and logs it line by line.
// Only one thread may use it.
#pragma once

#include "plugin_calls/plugin_log.hpp"

#include "ground/descriptor.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace skillhost::process {

class ChildOutput {
public:
  using Moment = std::chrono::steady_clock::time_point;

  // `writer` receives the end for the process. Lines go to the log part `part` and begin with `who`
  // and "wrote". Throws std::system_error.
  ChildOutput(std::string part, const std::string &who, Descriptor &writer);

  // Descriptor to poll for reading; -1 while reading rests, and after the process closed it.
  int number(Moment now) const noexcept { return now < resting_ ? -1 : reader_.number(); }
  // Time when number() is valid again; max() if it is valid now or never will be.
  Moment next(Moment now) const noexcept {
    return reader_ && now < resting_ ? resting_ : Moment::max();
  }
  // Reads what is available, at most about 500 KiB, and then rests for a moment if it was much. A
  // process that writes without pause is therefore not blocked for long and does not use up a
  // processor.
  void read();
  // The process has ended: reads and logs the rest.
  void finish();

private:
  bool take(); // returns false if nothing more is available
  void add(std::string_view bytes);
  void endLine();

  Descriptor reader_;
  Moment resting_{}; // no reading before this time
  std::string line_; // incomplete last line
  PluginLog log_;
};

} // namespace skillhost::process
