// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, checked and complete. Immutable after construction.
#pragma once

#include "paths/path_pattern.hpp"
#include "remote/fetcher.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skh {
class Config;
}

namespace skillhost::well_known {

struct Limits {
  std::size_t maxSkills = 5'000;
  std::size_t maxSkillFiles = 512;           // limit of one skill
  std::uint64_t maxSkillBytes = 16'777'216;  // limit of one skill, packed and unpacked
  std::uint64_t maxFetchBytes = 536'870'912; // limit of bytes received in one refresh
};

struct Settings {
  // Reads the JSON object `configuration`. Missing keys have the defaults of schema.json. Throws
  // skh::Error(SKH_INVALID) naming the wrong key.
  explicit Settings(std::string_view configuration);
  explicit Settings(const skh::Config &config);

  std::string indexUrl;
  // Where older servers publish, asked if there is nothing at `indexUrl`. Empty if the
  // configuration names an index itself.
  std::string olderIndexUrl;
  bool allowUnverified = false;                      // serves an index without digests
  remote::FetchRules access;                         // without the agent, which is set later
  std::chrono::milliseconds refreshEvery{3'600'000}; // 0: never automatically
  std::chrono::milliseconds deadline{120'000};       // limit of one refresh
  paths::Selection selection;                        // of the skills in the index
  Limits limits;
};

} // namespace skillhost::well_known
