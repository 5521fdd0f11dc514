// SPDX-License-Identifier: Apache-2.0
// What a session of the older family is, besides what runs in it: what its client has said of
// itself, asked for and loaded. With these another process goes on with it.
#pragma once

#include "runtime/envelope.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace skillhost {

// A skill the client has in its context.
struct LoadedSkill {
  std::string name, digest, loadedAt; // loadedAt: UTC, RFC 3339
  std::size_t tokens = 0;
  // About what it takes to remember one, its id among it.
  static constexpr std::size_t bytes = 512;
  bool operator==(const LoadedSkill &) const = default;
};

// About what it takes to remember that a resource is subscribed to.
inline std::size_t bytesOfSubscription(const std::string &uri) { return uri.size() + 100; }

struct SessionFacts {
  std::string capabilities = "{}"; // a JSON object
  std::string client;              // its name by its own word; empty: it has said none
  ResultForm form = ResultForm::Both;
  bool ready = false; // its client has said that it is initialized
  int logLevel = -1;  // -1: none was set
  std::set<std::string> uris;
  std::map<std::string, LoadedSkill> loaded; // by skill id
  bool operator==(const SessionFacts &) const = default;
};

} // namespace skillhost
