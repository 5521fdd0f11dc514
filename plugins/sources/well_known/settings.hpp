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
  std::size_t maxSkillFiles = 512;           // of one skill
  std::uint64_t maxSkillBytes = 16'777'216;  // of one skill, packed and unpacked
  std::uint64_t maxFetchBytes = 536'870'912; // received in one refresh
};

// What decides which skills of the index are listed.
struct Selection {
  std::vector<paths::PathPattern> include, exclude;

  bool takes(const std::string &name) const;
};

struct Settings {
  // Reads the JSON object `configuration`; absent keys have the defaults of schema.json.
  // Throws skh::Error(SKH_INVALID) naming the key that is wrong.
  explicit Settings(std::string_view configuration);
  explicit Settings(const skh::Config &config);

  std::string indexUrl;
  remote::FetchRules access;                         // its agent is still empty
  std::chrono::milliseconds refreshEvery{3'600'000}; // 0: never by itself
  std::chrono::milliseconds deadline{120'000};       // of one refresh
  Selection selection;
  Limits limits;
};

} // namespace skillhost::well_known
