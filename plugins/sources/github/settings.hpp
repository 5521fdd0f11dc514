// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, checked and complete. Immutable after construction.
#pragma once

#include "address.hpp"

#include "paths/path_pattern.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace skh {
class Config;
}

namespace skillhost::github {

struct Limits {
  std::size_t maxFiles = 200'000;            // entries of a tree
  std::uint64_t maxFileBytes = 16'777'216;   // of one document
  std::size_t maxSkillFiles = 512;           // documents of one skill
  std::uint64_t maxSkillBytes = 16'777'216;  // of one skill
  std::uint64_t maxFetchBytes = 536'870'912; // received in one refresh
};

// What decides which documents of a commit are listed.
struct Selection {
  std::string rootName; // id of a skill at the top of the repository
  std::string subpath;  // without leading or trailing '/'; "" for the whole repository
  std::vector<paths::PathPattern> include, exclude;
  bool hidden = false;
  bool marketplace = true; // plugins that a marketplace.json takes from other repositories
  // Of such a plugin alone: what the ids and the paths that patterns see begin with, and folders
  // that are looked into though they be hidden.
  std::string prefix{};
  std::vector<std::string> opened{};
};

enum class Via : std::uint8_t { git, api };

struct Settings {
  // Reads the JSON object `configuration`; absent keys have the defaults of schema.json.
  // Throws skh::Error(SKH_INVALID) naming the key that is wrong.
  explicit Settings(std::string_view configuration);
  explicit Settings(const skh::Config &config);

  std::string baseUrl; // without a trailing '/'
  Address address;
  std::string ref; // as written; "" for the remote's HEAD
  std::string pin; // 40 lower-case hexadecimal digits, or ""
  // With a pin: the commits of the marketplace plugins in the manifest's order, "" for one that is
  // left out. Nothing: those whose sha the manifest tells.
  std::optional<std::vector<std::string>> marketplacePins;
  std::string pinned;       // with marketplacePins: the one State::commits() that may be served
  bool awaitNewest = false; // what is known already does not do: the remote is asked first
  std::string user, token, caFile;
  std::vector<std::string> tokenCommand; // a program and its arguments, or empty
  Via via = Via::git;                    // where a refresh begins
  bool mayTurnToApi = false;             // from git, when the repository is too large for it
  Address apiUrl;            // of GitHub's REST API; for Via::api and mayTurnToApi alone
  std::string apiRepository; // "/repos/owner/name", or ""
  bool allowPrivateAddresses = false;
  std::chrono::milliseconds refreshEvery{3'600'000}; // 0: never by itself
  std::chrono::milliseconds deadline{120'000};       // of one refresh
  Selection selection;
  Limits limits;
  std::string layout; // what decides what is listed as one text: another text, another snapshot
};

} // namespace skillhost::github
