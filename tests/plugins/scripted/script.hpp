// SPDX-License-Identifier: Apache-2.0
// The documents and misdeeds of the scripted source, read from its configuration.
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
  // Bytes that read() gives, by default the text from which the revision was made.
  std::string served;
  std::uint64_t length = 0;
  std::uint32_t flags = 0;
};

// An action of one operation instead of, or after, its work.
struct Misdeed {
  std::string action; // a status name, or "abort", "throw", "block", "await_cancel"
  std::string message;
  // The pipe that "block" reads until a writer closes it, without regard to cancellation.
  std::string fifo;
  std::size_t after{}; // number of documents added or bytes written before the action
};

struct Script {
  std::vector<Entry> documents;
  std::string snapshot;
  std::size_t doneCalls = 1;
  bool addAfterDone = false, ignoreRefusal = false, history = true;
  std::optional<Misdeed> create, list, read, changes;
  std::vector<std::pair<std::int32_t, std::string>> health; // state and reason

  // Throws skh::Error with SKH_INVALID that names the fault.
  static Script parse(const nlohmann::json &value);
};

// Parses the configuration itself, or the JSON in the file that it names, read now.
Script load(const skh::Config &config);

} // namespace scripted
