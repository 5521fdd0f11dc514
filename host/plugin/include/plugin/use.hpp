// SPDX-License-Identifier: Apache-2.0
// Describes one use of a skill, or an attempt, to observers.
#pragma once

#include <cstdint>
#include <string_view>

namespace skillhost {

// The numbers stand in files: they never change.
enum class UseKind : std::uint8_t { Load = 0, Read = 1, Search = 2, Refusal = 3 };

// Outcomes besides the codes of faults.
inline constexpr std::string_view useDone = "ok";
inline constexpr std::string_view useUnchanged = "unchanged"; // a load of what the client has
inline constexpr std::string_view useNothing = "nothing";     // a search that found nothing

// What many uses have in common. Text: std::string, or std::string_view for who has the bytes.
template <class Text> struct UseSubject {
  UseKind kind = UseKind::Load;
  Text skill{};            // its name as its author wrote it; empty: none is known
  Text source{}, path{};   // of the skill in it: together they are its id
  Text digest{};           // of the content, as clients are told it; empty: not known
  Text issuer{}, person{}; // the principal; both empty: nobody was asked who it is
  Text client{};           // by its own word
  Text outcome{useDone};
};

template <class Text> struct Use : UseSubject<Text> {
  Text text{};           // that was asked for and not found; empty: none
  std::int64_t time = 0; // Unix milliseconds; 0: now
  std::uint32_t microseconds = 0;
};
using UseView = Use<std::string_view>; // its texts are somebody else's

} // namespace skillhost
