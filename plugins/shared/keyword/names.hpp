// SPDX-License-Identifier: Apache-2.0
// Whether somebody who asks means a name.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::keyword {

enum class NameMatch : std::uint8_t {
  None,
  OneEdit, // a letter more, less, other, or two exchanged, in a name of six or more
  Plural,  // one of them is the other's plural
  Title,   // the same as the title: others may have that for a name
  Same     // but for case and for what parts words
};

inline constexpr std::size_t longestNameAsked = 128; // bytes

// Makes a name comparable: in lower case, without what is neither letter nor digit.
std::string foldedName(std::string_view name);
// Of a folded name, three bytes that tell it from most others.
class NameShape {
public:
  NameShape() = default; // of an empty one
  explicit NameShape(std::string_view folded) noexcept;
  // Quick: false only where matchNames() would find nothing.
  bool mayMatch(NameShape name) const noexcept;

private:
  std::uint8_t length_ = 0;     // in bytes; the greatest means that or more
  std::array<char, 2> first_{}; // both 0: short, or not ASCII
};
// Of two folded names; nothing is like an empty one.
NameMatch matchNames(std::string_view asked, std::string_view name);

} // namespace skillhost::keyword
