// SPDX-License-Identifier: Apache-2.0
// What a test told the scripted source to serve and to get wrong, read from its configuration.
#pragma once

#include <skillhost/config.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scripted {

struct Entry {
  std::string skill, path, revision, location;
  std::string served; // what read() gives, by default the text the revision was made of
  std::uint64_t length = 0;
  std::uint32_t flags = 0;
};

// What one operation does instead of, or after, its work.
struct Misdeed {
  std::string action; // a status name, or "abort", "throw", "block", "await_cancel"
  std::string message;
  std::string fifo;    // "block" reads it until a writer closes it, deaf to cancellation
  std::size_t after{}; // how many documents are added or bytes written before it happens
};

struct Script {
  std::vector<Entry> documents;
  std::string snapshot;
  std::size_t doneCalls = 1;
  bool addAfterDone = false, ignoreRefusal = false, history = true;
  std::optional<Misdeed> create, list, read, changes;
  std::vector<std::pair<std::int32_t, std::string>> health; // state, why

  // Throws skh::Error with SKH_INVALID naming what is wrong.
  static Script parse(const nlohmann::json &value);
};

// The configuration itself, or the JSON in the file it names, read now.
Script load(const skh::Config &config);

} // namespace scripted
