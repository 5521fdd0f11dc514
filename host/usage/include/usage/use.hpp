// SPDX-License-Identifier: Apache-2.0
// One use of a skill, or the attempt: a row of the figures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// The numbers stand in files: they never change.
enum class UseKind : std::uint8_t { Load = 0, Read = 1, Search = 2, Refusal = 3 };
inline constexpr std::array<std::string_view, 4> useKindNames{"load", "read", "search", "refusal"};

// Outcomes besides the codes of faults.
inline constexpr std::string_view useDone = "ok";
inline constexpr std::string_view useUnchanged = "unchanged"; // a load of what the client has
inline constexpr std::string_view useNothing = "nothing";     // a search that found nothing

struct UseEvent {
  UseKind kind = UseKind::Load;
  std::string skill;          // its name as its author wrote it; empty: none is known
  std::string source, path;   // of the skill in it: together they are its id
  std::string digest;         // of the content, as clients are told it; empty: not known
  std::string issuer, person; // the principal; both empty: nobody was asked who it is
  std::string client;         // by its own word
  std::string outcome{useDone};
  std::string text;      // that was asked for and not found; empty: none
  std::int64_t time = 0; // Unix milliseconds; 0: now
  std::uint32_t microseconds = 0;
};

} // namespace skillhost
