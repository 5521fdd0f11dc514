// SPDX-License-Identifier: Apache-2.0
// A session as replicas share it: what is written down under its name, and read by others, which
// may be of another version.
#pragma once

#include "ground/result.hpp"
#include "mcp/session_facts.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

struct SessionRecord {
  // Ended: it was, and is to be known as such by those who have a copy. Newer: written in a form
  // that this version cannot read.
  enum class Kind : std::uint8_t { Live, Ended, Newer };
  Kind kind = Kind::Live;
  std::string owner; // a keyed hash, never the name
  SessionFacts facts;
  std::string listener; // the copy with the stream of what belongs to no request; empty: none yet
  std::uint64_t writes = 0;   // how often it was written: an engine that lost it may hold fewer
  std::string further = "{}"; // members of later versions, a JSON object: they are kept

  // The same for the same record. Bytes that are no UTF-8 are replaced.
  std::string text() const;
  // Corrupt: nothing of that kind. Never throws but for lack of memory.
  static Result<SessionRecord> read(std::string_view text);

  static constexpr std::size_t largest = 1000U << 10U; // bytes of its text
  // Bytes of the capabilities that a client may open a session with; clients send less than one
  // KiB.
  static constexpr std::size_t mostCapabilities = 16U << 10U;
};

} // namespace skillhost
