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
  std::uint64_t artefactBytes = 134'217'728; // limit of the packed layers of one artefact
  std::uint64_t fetchBytes = 536'870'912;    // limit of bytes received in one refresh
  oci::SkillLimits skills;
};

// Access to registries.
struct Access {
  oci::Credentials credentials; // only for the single registry; empty: see dockerConfig
  std::string dockerConfig, caFile;
  oci::AllowedHelpers helpers{{}, "docker_helpers"}; // for dockerConfig
  bool plainHttp = false;                            // for registries on this machine
  std::set<std::string> plainHttpRegistries;         // other registries that are used over http://
  bool allowPrivateAddresses = false;
  std::chrono::seconds stallTimeout{30};

  bool isPlain(const std::string &registry) const;
};

struct Settings {
  // Reads the JSON object `configuration`. Missing keys have the defaults of schema.json. Throws
  // skh::Error(SKH_INVALID) naming the wrong key.
  explicit Settings(std::string_view configuration);
  explicit Settings(const skh::Config &config);

  std::vector<Reference> references;
  // References in the configuration, if a lock has replaced them in `references`.
  std::vector<Reference> named;
  std::optional<Reference> repository, catalogue;
  std::vector<paths::PathPattern> tags; // for the repository
  Take take = Take::newest;
  std::set<std::string> registries; // registries that may be contacted
  Access access;
  // A key in this list must have signed everything served; empty: signatures are not checked.
  std::vector<oci::TrustedKey> trustedKeys;
  std::chrono::milliseconds refreshEvery{3'600'000}; // 0: never automatically
  std::chrono::milliseconds deadline{120'000};       // limit of one refresh
  std::vector<paths::PathPattern> include, exclude;  // for ids of skills
  Limits limits;
  std::string trust; // part of origin: identifies the keys
  std::string about; // what is followed, at the start of every message
  // Identifies the content for which the cache was filled. After a change the cache does not count.
  std::string origin;
  bool awaitNewest = false; // the host wants the registry's present content
  std::string pinned;       // only snapshot that may be served; "": any

  bool takes(const std::string &skill) const;
  // True if the configuration names the reference itself, and not a repository or catalogue.
  bool names(const Reference &reference) const;
};

} // namespace skillhost::oci_source
