// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, checked and complete. Immutable after construction.
#pragma once

#include "oci/cosign.hpp"
#include "oci/credentials.hpp"
#include "oci/reference.hpp"
#include "oci/skills.hpp"
#include "paths/path_pattern.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skh {
class Config;
}

namespace skillhost::oci_source {

using oci::Reference;

enum class Take : std::uint8_t { newest, all };

struct Limits {
  std::size_t artefacts = 1'000;
  std::uint64_t artefactBytes = 134'217'728; // of the layers of one artefact, packed
  std::uint64_t fetchBytes = 536'870'912;    // received in one refresh
  oci::SkillLimits skills;
};

// How registries are asked.
struct Access {
  oci::Credentials credentials; // of the one registry; empty: see dockerConfig
  std::string dockerConfig, caFile;
  bool plainHttp = false;                    // of this machine's registries
  std::set<std::string> plainHttpRegistries; // others that are asked by http:// too
  bool allowPrivateAddresses = false;
  std::chrono::seconds quiet{30};

  bool isPlain(const std::string &registry) const;
};

struct Settings {
  // Reads the JSON object `configuration`; absent keys have the defaults of schema.json.
  // Throws skh::Error(SKH_INVALID) naming the key that is wrong.
  explicit Settings(std::string_view configuration);
  explicit Settings(const skh::Config &config);

  std::vector<Reference> references;
  std::vector<Reference> named; // as the configuration has them, where a lock has put others there
  std::optional<Reference> repository, catalogue;
  std::vector<paths::PathPattern> tags; // of the repository
  Take take = Take::newest;
  std::set<std::string> registries; // that may be asked
  Access access;
  // One of them must have signed what is served; none: signatures are not looked at.
  std::vector<oci::TrustedKey> trustedKeys;
  std::chrono::milliseconds refreshEvery{3'600'000}; // 0: never by itself
  std::chrono::milliseconds deadline{120'000};       // of one refresh
  std::vector<paths::PathPattern> include, exclude;  // of ids of skills
  Limits limits;
  std::string trust; // of origin: what the keys are
  std::string about; // begins every message: what is followed
  // Says of what the cache was filled: another text, and it does not count.
  std::string origin;
  bool awaitNewest = false; // the host wants what the registry has now
  std::string pinned;       // the one snapshot that may be served; "": any

  bool takes(const std::string &skill) const;
  // Is it one that the configuration names by itself, and no repository or catalogue?
  bool names(const Reference &reference) const;
};

} // namespace skillhost::oci_source
