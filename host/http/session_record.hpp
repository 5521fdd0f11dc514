// SPDX-License-Identifier: Apache-2.0
// The record of a session in the engine. A replica of another version may have written it.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"
#include "mcp/session_notes.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct SessionRecord {
  bool ended = false; // The id is refused. The record then contains nothing else.
  SessionNotes notes;
  std::uint64_t writes = 0; // number of writes; after the engine has lost records, it may be lower

  // Returns the same text for the same record. Invalid UTF-8 is replaced.
  std::string text() const;
  // Fails with Corrupt if the text is no record or has another version. Throws only if memory runs
  // out.
  static Result<SessionRecord> read(std::string_view text);

  static constexpr std::size_t largest = 1000U << 10U; // bytes of its text
};

// Converts a change to and from the form in which replicas send it to each other. Reading returns
// nothing if the JSON is no change.
Json changeAsJson(const SessionChange &change);
std::optional<SessionChange> changeFromJson(const Json &json);

} // namespace skillhost
