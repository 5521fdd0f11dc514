// SPDX-License-Identifier: Apache-2.0
// `skillhost doctor`: what is there, what is wrong with it, and what to do.
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
  std::string advice; // one line; empty where all is well
};
using Remarks = std::vector<Remark>;

// The sources are asked anew, as by `source refresh`; so is the auth plugin.
void examineSources(const Configuration &configuration, const std::string &executable,
                    Remarks &remarks);
// Says whether clients get tokens for the audience that is accepted.
void examineAudience(const Configuration &configuration, Remarks &remarks);
// The clients' files, and what they start: a program of somebody else's is looked for, not run.
// `problems` of the configuration, a line each, have been told.
void examineClients(const Surroundings &surroundings, const std::string &problems,
                    Remarks &remarks);

} // namespace skillhost::app
