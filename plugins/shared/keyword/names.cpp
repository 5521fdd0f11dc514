// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

#include "characters.hpp"

#include <algorithm>
#include <array>

namespace skillhost::keyword {
namespace {

constexpr std::size_t shortestToEdit = 6; // bytes

bool isPluralOf(std::string_view more, std::string_view one) {
  if (more.size() <= one.size() || one.size() < 2) return false;
  if (one.back() == 'y' && more.size() == one.size() + 2)
    return more.substr(0, one.size() - 1) == one.substr(0, one.size() - 1) &&
           more.substr(one.size() - 1) == "ies";
  const std::string_view ending = more.substr(one.size());
  return more.substr(0, one.size()) == one && (ending == "s" || ending == "es");
}

bool isDigit(std::string_view rest) {
  return !rest.empty() && rest.front() >= '0' && rest.front() <= '9';
}
bool isAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Edits of a digit do not count: "v8" is not "v9".
bool isOneEdit(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  const auto differs = std::mismatch(a.begin(), a.end(), b.begin());
  const std::string_view restA = a.substr(static_cast<std::size_t>(differs.first - a.begin()));
  const std::string_view restB = b.substr(static_cast<std::size_t>(differs.second - b.begin()));
  if (isDigit(restA) || isDigit(restB)) return false;
  if (a.size() < b.size()) return restA == restB.substr(1);
  if (restA.empty() || restA.substr(1) == restB.substr(1)) return true;
  return restA.size() > 1 && restA[0] == restB[1] && restA[1] == restB[0] &&
         restA.substr(2) == restB.substr(2);
}

} // namespace

std::string foldedName(std::string_view name) {
  std::string folded;
  for (std::size_t at = 0; at < name.size();) {
    const Character here = characterAt(name, at);
    at += here.size;
    if (kindOf(here.code) != CharacterKind::Separator)
      appendCharacter(folded, lowerCase(here.code));
  }
  return folded;
}

NameShape::NameShape(std::string_view folded) noexcept
    : length_(static_cast<std::uint8_t>(std::min<std::size_t>(folded.size(), UINT8_MAX))) {
  if (folded.size() >= first_.size() && isAscii(folded.substr(0, first_.size())))
    std::copy_n(folded.begin(), first_.size(), first_.begin());
}

// A plural is at most two bytes longer. One edit leaves one of the first two letters in place, or
// moves it by one place.
bool NameShape::mayMatch(NameShape name) const noexcept {
  if (length_ == 0 || name.length_ == 0) return false;
  const auto [less, more] = std::minmax(length_, name.length_);
  if (more - less > 2) return false;
  const auto &[a, b] = first_;
  const auto &[c, d] = name.first_;
  return a == 0 || c == 0 || a == c || b == d || a == d || b == c;
}

NameMatch matchNames(std::string_view asked, std::string_view name) {
  if (asked.empty() || name.empty()) return NameMatch::None;
  if (asked == name) return NameMatch::Same;
  if (isPluralOf(asked, name) || isPluralOf(name, asked)) return NameMatch::Plural;
  if (name.size() >= shortestToEdit && asked.size() + 1 >= shortestToEdit && isAscii(asked) &&
      isAscii(name) && isOneEdit(asked, name))
    return NameMatch::OneEdit;
  return NameMatch::None;
}

} // namespace skillhost::keyword
