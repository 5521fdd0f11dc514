// SPDX-License-Identifier: Apache-2.0
// The settings of the log, and an object that writes it.
#pragma once

#include "app/surroundings.hpp"
#include "base/log.hpp"

namespace skillhost::app {

struct LogConfiguration {
  LogLevel level = LogLevel::Info;
  log::Format format = log::Format::Text;
};

// Writes the log while it lives. Its destructor waits for the remaining lines, but only for a
// limited time in case nobody reads the log. Make it before the first thread, once in a process.
class Logging {
public:
  // Warns about environment variables that count as not set.
  Logging(const LogConfiguration &configuration, const Surroundings &surroundings);
  ~Logging();
  Logging(const Logging &) = delete;
  Logging &operator=(const Logging &) = delete;
};

} // namespace skillhost::app
