// SPDX-License-Identifier: Apache-2.0
// Describes one use of a skill, or an attempt, to observers.
#pragma once

#include <cstdint>
#include <string_view>

namespace skillhost {

// The numbers are stored in files, so they never change.
enum class UseKind : std::uint8_t { Load = 0, Read = 1, Search = 2, Refusal = 3 };

// Outcomes besides the codes of faults.
inline constexpr std::string_view useDone = "ok";
inline constexpr std::string_view useUnchanged = "unchanged"; // the client has what it loads
inline constexpr std::string_view useNothing = "nothing";     // a search that found nothing

// The common part of many uses. Text is std::string, or std::string_view if somebody else has the
// bytes.
template <class Text> struct UseSubject {
  UseKind kind = UseKind::Load;
  Text skill{};            // its name as its author wrote it; empty: none is known
  Text source{}, path{};   // the skill's source, and its path in it: together the id
  Text digest{};           // of the content, as clients get it; empty: unknown
  Text issuer{}, person{}; // the principal; both empty: nobody was asked for it
  Text client{};           // as the client names itself
  Text outcome{useDone};
};

template <class Text> struct Use : UseSubject<Text> {
  Text text{};           // the request that found nothing; empty: none
  std::int64_t time = 0; // Unix milliseconds; 0: now
  std::uint32_t microseconds = 0;
};
using UseView = Use<std::string_view>; // its texts belong to somebody else

} // namespace skillhost
