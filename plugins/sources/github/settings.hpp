// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, checked and complete. Immutable after construction.
#pragma once

#include "address.hpp"
#include "app_token.hpp"

#include "paths/path_pattern.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace skh {
class Config;
}

namespace skillhost::github {

struct Limits {
  std::size_t maxFiles = 200'000;            // limit of entries in a tree
  std::uint64_t maxFileBytes = 16'777'216;   // limit of one document
  std::size_t maxSkillFiles = 512;           // limit of documents in one skill
  std::uint64_t maxSkillBytes = 16'777'216;  // limit of one skill
  std::uint64_t maxFetchBytes = 536'870'912; // limit of bytes received in one refresh
};

// Selects the documents of a commit to list.
struct Selection {
  std::string rootName; // id of a skill at the top of the repository
  std::string subpath;  // without leading or trailing '/'; "" for the whole repository
  std::vector<paths::PathPattern> include, exclude;
  bool hidden = false;
  bool marketplace = true; // plugins that a marketplace.json takes from other repositories
  // For a marketplace plugin only: a prefix of ids and of the paths that patterns see, and folders
  // that are searched although they are hidden.
  std::string prefix{};
  std::vector<std::string> opened{};
};

enum class Via : std::uint8_t { git, api };

struct Settings {
  // Reads the JSON object `configuration`. Missing keys have the defaults of schema.json. Throws
  // skh::Error(SKH_INVALID) naming the wrong key.
  explicit Settings(std::string_view configuration);
  explicit Settings(const skh::Config &config);

  std::string baseUrl; // without a trailing '/'
  Address address;
  std::string ref; // in the operator's spelling; "" for the remote's HEAD
  std::string pin; // 40 lower-case hexadecimal digits, or ""
  // With a pin: the commits of the marketplace plugins in the manifest's order; "" for a plugin
  // that is left out. If absent, plugins whose sha is in the manifest are served.
  std::optional<std::vector<std::string>> marketplacePins;
  std::string pinned;       // with marketplacePins: the only State::commits() that may be served
  bool awaitNewest = false; // the known state is not enough: check the remote first
  std::string user, token, caFile;
  std::vector<std::string> tokenCommand; // a program and its arguments, or empty
  std::optional<AppCredentials> app;     // in place of token and tokenCommand
  std::string appApi;                    // address of the API that gives its tokens
  Via via = Via::git;                    // transport with which a refresh begins
  // Switch from git to the API if the repository is too large for git.
  bool mayTurnToApi = false;
  Address apiUrl;            // URL of GitHub's REST API; only for Via::api and mayTurnToApi
  std::string apiRepository; // "/repos/owner/name", or ""
  bool allowPrivateAddresses = false;
  std::chrono::milliseconds refreshEvery{3'600'000}; // 0: never automatically
  std::chrono::milliseconds deadline{120'000};       // limit of one refresh
  Selection selection;
  Limits limits;
  // All settings that affect the listing, as one text: a change requires a new snapshot.
  std::string layout;
};

} // namespace skillhost::github
