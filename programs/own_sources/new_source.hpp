// SPDX-License-Identifier: Apache-2.0
// A source is asked before it is written down.
#pragma once

#include "app/configuration.hpp"
#include "ground/json.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::app {

struct NewSource {
  std::string failure; // why it cannot be served; empty: it answers
  std::size_t skills = 0;
  std::string revision; // of what it serves: that of a repository begins with its commit
  std::string first;    // the id of its first skill, below the source
  std::vector<std::string> remarks; // what was left out and why, the first few

  // It failed because the remote has nothing of the name that the entry gives (a ref), or because
  // nothing can have that name.
  bool isMisnamed = false;
};

// Starts the source that `entry` of `sources` configures, and nothing else, and waits for its list.
// With `isAsked` false only the configuration is checked.
NewSource lookAtNewSource(const Json &entry, bool isAsked, const Configuration &configuration,
                          const std::string &executable);

} // namespace skillhost::app
