// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, checked and complete. Immutable after construction.
#pragma once

#include "http_client/web_address.hpp"
#include "paths/path_pattern.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skh {
class Config;
}

namespace skillhost::mcp_source {

struct Limits {
  std::size_t maxSkills = 5'000;
  std::size_t maxSkillFiles = 512;           // limit of one skill
  std::uint64_t maxSkillBytes = 16'777'216;  // limit of one skill
  std::uint64_t maxFetchBytes = 536'870'912; // limit of bytes received in one refresh
};

// A program that signs in as itself: OAuth 2.0 client credentials. `issuer` is the authorization
// server that receives the secret; empty: the token endpoint `grantUrl` receives it.
struct ClientSettings {
  std::string id, secret, scope, issuer, grantUrl;
};

struct Settings {
  // Reads the JSON object `configuration`. Missing keys have the defaults of schema.json. Throws
  // skh::Error(SKH_INVALID) naming the wrong key.
  explicit Settings(std::string_view configuration);
  explicit Settings(const skh::Config &config);

  // The server is reached at an address, or is a program that the source starts.
  web::WebAddress address;
  std::vector<std::string> command;     // the program and its arguments; empty: `address` counts
  std::vector<std::string> environment; // of the program: "NAME=value"
  // The address without its query, which may hold a secret, or the name of the program.
  std::string shownServer;
  std::string identity; // equal for the same address, or for the same program and arguments
  std::string caFile;   // empty: the system's
  // At most one of the three is set. Without one, no token is sent.
  std::string token;
  std::vector<std::string> tokenCommand; // a program that prints the token, and its arguments
  std::optional<ClientSettings> client;
  bool allowPrivateAddresses = false;
  bool subscribes = true;
  std::chrono::milliseconds refreshEvery{900'000}; // 0: only at the start and when asked
  std::chrono::milliseconds deadline{120'000};     // limit of one refresh
  std::chrono::seconds stallTimeout{30};           // limit of one answer's silence
  paths::Selection selection;                      // of the paths of skills
  Limits limits;
};

} // namespace skillhost::mcp_source
