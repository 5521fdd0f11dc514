// SPDX-License-Identifier: Apache-2.0
#include "way.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/sha256.hpp"

#include <algorithm>

namespace skillhost::mcp_source {
namespace {

constexpr std::size_t nameDigits = 16;

// Takes the first word off `way`.
std::string_view takeWord(std::string_view &way) {
  const std::string_view word = way.substr(0, way.find(' '));
  way.remove_prefix(std::min(word.size() + 1, way.size()));
  return word;
}

} // namespace

std::string wayName(std::string_view address) { return sha256Hex(address).substr(0, nameDigits); }

std::string wayThrough(const std::string &name, std::string_view before) {
  std::string way = name;
  while (!before.empty())
    if (const std::string_view word = takeWord(before); isHexadecimal(word, nameDigits))
      way.append(" ").append(word);
  return way;
}

bool passes(std::string_view way, std::string_view name) {
  while (!way.empty())
    if (takeWord(way) == name) return true;
  return false;
}

std::size_t serversOf(std::string_view way) {
  return way.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(way.begin(), way.end(), ' '));
}

} // namespace skillhost::mcp_source
