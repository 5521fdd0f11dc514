// SPDX-License-Identifier: Apache-2.0
// What a plugin's process writes to its standard output and error: a pipe, read here and put into
// the log line by line, for who reads that alone. One thread.
#pragma once

#include "plugin_log.hpp"

#include "ground/descriptor.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace skillhost::process {

class ChildOutput {
public:
  using Moment = std::chrono::steady_clock::time_point;

  // `writer` becomes the end that the process gets. Lines are of the log's part `part` and begin
  // with `who` and "wrote". Throws std::system_error.
  ChildOutput(std::string part, const std::string &who, Descriptor &writer);

  // What to poll for reading; -1 while it rests, and once the process has closed it.
  int number(Moment now) const noexcept { return now < resting_ ? -1 : reader_.number(); }
  // When number() is there again; max() when it is there or will not be.
  Moment next(Moment now) const noexcept {
    return reader_ && now < resting_ ? resting_ : Moment::max();
  }
  // Takes what is there, at most some 500 KiB, and rests a little after much of it: one that
  // writes without pause is neither blocked for long nor costs a processor.
  void read();
  // The process has ended: what is left.
  void finish();

private:
  bool take(); // false: nothing more for now
  void add(std::string_view bytes);
  void endLine();

  Descriptor reader_;
  Moment resting_{}; // until then
  std::string line_; // that has not ended
  PluginLog log_;
};

} // namespace skillhost::process
