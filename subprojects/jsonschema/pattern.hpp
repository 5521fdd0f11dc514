// SPDX-License-Identifier: Apache-2.0
// A pattern of a schema. Only pattern.cpp uses RE2, whose time grows with the text alone, while
// std::regex recurses for each character and may take exponential time.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace re2 {
class RE2;
}

namespace skillhost {

inline constexpr std::size_t maxPatternBytes = 1000;
// A text of more bytes is not compared with a pattern. The keys of a plugin may be that long.
inline constexpr std::size_t maxTextBytes = 16384;

// Says that the document, not the schema, is at fault.
struct TextTooLong : std::runtime_error {
  TextTooLong();
};

class Pattern {
public:
  // Throws std::runtime_error with the reason if the pattern is too long or not understood.
  explicit Pattern(const std::string &written);
  Pattern(Pattern &&) noexcept;
  ~Pattern();

  // True if some part of the text matches. Throws TextTooLong.
  bool isIn(const std::string &text) const;
  // Returns the part that matches, followed by the parts of its groups; empty if none matches.
  // Throws TextTooLong.
  std::vector<std::string> groupsIn(const std::string &text) const;

private:
  std::unique_ptr<const re2::RE2> compiled_;
};

} // namespace skillhost
