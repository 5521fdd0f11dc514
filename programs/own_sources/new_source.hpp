// SPDX-License-Identifier: Apache-2.0
// Tries a source before it is written into the configuration.
#pragma once

#include "app/configuration.hpp"
#include "ground/json.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::app {

// The result of trying a source.
struct NewSource {
  std::string failure; // why the source cannot be served; empty: it works
  std::size_t skillCount = 0;
  std::string revision;   // of its content; the revision of a repository begins with the commit
  std::string firstSkill; // id of a skill in it, without the name of the source; empty: none
  std::vector<std::string> remarks; // the first skills that were left out, with the reasons

  // True if it failed because the remote lacks the given ref, or because the name is invalid.
  bool isMisnamed = false;
};

// Checks `entry`, an entry of `sources`. With `asksRemote`, also starts a host with this source
// only and waits until the source has asked its remote.
NewSource tryNewSource(const Json &entry, bool asksRemote, const Configuration &configuration,
                       const std::string &executable);

} // namespace skillhost::app
