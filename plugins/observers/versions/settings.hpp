// SPDX-License-Identifier: Apache-2.0
// These settings say what is kept of earlier versions, where, and for how long.
#pragma once

#include <cstddef>
#include <string>

namespace skillhost {

struct VersionSettings {
  std::string path;                   // absolute, of the SQLite file; its folder is made
  std::size_t mostPerSkill = 50;      // what is served now is one of them
  std::size_t keepDays = 365;         // of one that is served no more
  std::size_t maxBytes = 256U << 20U; // of the file; its log beside it has a few MiB more
};

} // namespace skillhost
