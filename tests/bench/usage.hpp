// SPDX-License-Identifier: Apache-2.0
// Options of programs that have none except --help.
#pragma once

#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>
#include <system_error>

namespace bench {

constexpr int wrongUsage = 2; // exit code

inline int refuse(std::string_view what, const char *usage) {
  std::fprintf(stderr, "%.*s\n%s", static_cast<int>(what.size()), what.data(), usage);
  return wrongUsage;
}

// Returns the exit code when the program was asked for help or given an option, of which there is
// none; nothing otherwise.
inline std::optional<int> endedByOption(int count, char **words, const char *usage) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--help" || word == "-h") {
      std::fputs(usage, stdout);
      return 0;
    }
    if (!word.starts_with('-')) continue;
    std::fprintf(stderr, "unknown option %s\n%s", words[i], usage);
    return wrongUsage;
  }
  return std::nullopt;
}

// Returns nothing when it is no number from 0 to `most`.
template <class Number> std::optional<Number> numberIn(std::string_view text, Number most) {
  Number value{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || value > most)
    return std::nullopt;
  return value;
}

} // namespace bench
