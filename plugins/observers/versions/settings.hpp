// SPDX-License-Identifier: Apache-2.0
// Settings of the history of skills: how much is kept, where, and for how long.
#pragma once

#include <cstddef>
#include <string>

namespace skillhost {

struct VersionSettings {
  std::string path;                     // absolute path of the SQLite file; its folder is created
  std::size_t maxVersionsPerSkill = 50; // includes the current version
  std::size_t keepDays = 365;           // for a version that is no longer served
  std::size_t maxBytes = 256U << 20U;   // of the file; its log beside it may have a few MiB more
};

} // namespace skillhost
