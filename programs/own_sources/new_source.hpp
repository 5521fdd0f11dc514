// SPDX-License-Identifier: Apache-2.0
// Tries a source before it is written into the configuration.
#pragma once

#include "app/configuration.hpp"
#include "ground/json.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::app {

struct NewSource {
  std::string failure; // why it cannot be served; empty: it works
  std::size_t skills = 0;
  std::string revision;             // of its content; a repository's begins with the commit
  std::string first;                // id of its first skill, below the source
  std::vector<std::string> remarks; // the first omissions with their reasons

  // True if it failed because the remote lacks the given ref, or because the name is invalid.
  bool isMisnamed = false;
};

// Starts only the source that `entry` of `sources` configures, and waits until it has asked its
// remote. If `isAsked` is false, only checks the configuration.
NewSource lookAtNewSource(const Json &entry, bool isAsked, const Configuration &configuration,
                          const std::string &executable);

} // namespace skillhost::app
