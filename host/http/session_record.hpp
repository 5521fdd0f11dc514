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
  bool ended = false; // its id is refused; there is nothing else then
  SessionNotes notes;
  std::uint64_t writes = 0; // how often it was written: an engine that lost it may hold fewer

  // The same for the same record. Bytes that are no UTF-8 are replaced.
  std::string text() const;
  // Corrupt: nothing of that kind, or of a later version. Never throws but for lack of memory.
  static Result<SessionRecord> read(std::string_view text);

  static constexpr std::size_t largest = 1000U << 10U; // bytes of its text
};

// A change as replicas tell it to each other; nothing for anything else.
Json changeAsJson(const SessionChange &change);
std::optional<SessionChange> changeFromJson(const Json &json);

} // namespace skillhost
