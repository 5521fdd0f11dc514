// SPDX-License-Identifier: Apache-2.0
// Decides whether a question names an entry.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::keyword {

enum class NameMatch : std::uint8_t {
  None,
  OneEdit, // one letter added, removed, replaced, or two exchanged, in a name of at least six bytes
  Plural,  // one is the other's plural
  Title,   // equal to the title, which may be another entry's name
  Same     // equal but for case and separators
};

inline constexpr std::size_t longestNameAsked = 128; // bytes

// Makes names comparable: lower case, only letters and digits.
std::string foldedName(std::string_view name);
// Three bytes of a folded name that differ from those of most other names.
class NameShape {
public:
  NameShape() = default; // shape of an empty name
  explicit NameShape(std::string_view folded) noexcept;
  // Fast test: false only if matchNames() would find no match.
  bool mayMatch(NameShape name) const noexcept;

private:
  std::uint8_t length_ = 0;     // in bytes; the greatest value also stands for longer names
  std::array<char, 2> first_{}; // both are 0 if the name is short or not ASCII
};
// Compares two folded names. An empty name matches nothing.
NameMatch matchNames(std::string_view asked, std::string_view name);

} // namespace skillhost::keyword
