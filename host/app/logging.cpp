// SPDX-License-Identifier: Apache-2.0
#include "app/log_configuration.hpp"

#include "base/orderly_end.hpp"

namespace skillhost::app {

Logging::Logging(const LogConfiguration &configuration, const Surroundings &surroundings) {
  log::start(configuration.level, configuration.format);
  for (const auto &[name, value] : surroundings.variables)
    if (!value.empty() && surroundings.variable(name).empty())
      log::warning("config", name + "=" + value + " is no absolute path and counts as not set");
}

Logging::~Logging() { log::finish(patienceWithLog); }

} // namespace skillhost::app
