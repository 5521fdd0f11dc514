// SPDX-License-Identifier: Apache-2.0
// What `skillhost generate` was told.
#pragma once

#include "connect/settings.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace skillhost::app {

// Where it is saved stands in the StoreInvocation.
struct GenerateInvocation {
  std::string name;                 // of the skill, by the rules
  std::vector<std::string> command; // that starts the server; empty: it is at connect.url
  ConnectSettings connect;
  std::string output; // absolute folder; empty: the store
  std::chrono::seconds timeout{30};
  bool force = false, dryRun = false, json = false;
};

} // namespace skillhost::app
