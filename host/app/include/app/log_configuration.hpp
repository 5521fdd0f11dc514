// SPDX-License-Identifier: Apache-2.0
// How a program of ours logs, and that it does.
#pragma once

#include "app/surroundings.hpp"
#include "base/log.hpp"

namespace skillhost::app {

struct LogConfiguration {
  LogLevel level = LogLevel::Info;
  log::Format format = log::Format::Text;
};

// While it lives the log is written; at its end what is still to be written is waited for, but not
// for a log that nobody reads. Made before the first thread, once in a process.
class Logging {
public:
  // Warns of those variables of the environment that count as not set.
  Logging(const LogConfiguration &configuration, const Surroundings &surroundings);
  ~Logging();
  Logging(const Logging &) = delete;
  Logging &operator=(const Logging &) = delete;
};

} // namespace skillhost::app
