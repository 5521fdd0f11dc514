// SPDX-License-Identifier: Apache-2.0
// `skillhost doctor` reports the state, the faults, and what to do.
#pragma once

#include "app/configuration.hpp"
#include "app/surroundings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

enum class Health : std::uint8_t { Good, Warning, Wrong };

struct Remark {
  Health health = Health::Good;
  std::string about; // "source team", "Cursor"
  std::string text;
  std::string advice; // one line; empty if all is well
};
using Remarks = std::vector<Remark>;

// Asks the sources again, as `source refresh` does, and also the auth plugin.
void examineSources(const Configuration &configuration, const std::string &executable,
                    Remarks &remarks);
// Reports whether clients get tokens for the accepted audience.
void examineAudience(const Configuration &configuration, Remarks &remarks);
// Examines the clients' files and the programs that they start. Another author's program is
// searched for, but not run. `problems` are the lines about the configuration that were already
// reported.
void examineClients(const Surroundings &surroundings, const std::string &problems,
                    Remarks &remarks);

} // namespace skillhost::app
