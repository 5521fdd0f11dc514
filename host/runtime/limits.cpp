// SPDX-License-Identifier: Apache-2.0
#include "runtime/limits.hpp"

#include "base/utf8.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

class Checker {
public:
  Checker(const Limits &limits, std::string_view tool) : limits_(limits) {
    const auto own = limits.toolArrayItems.find(std::string(tool));
    arrayItems_ = own == limits.toolArrayItems.end() ? limits.arrayItems : own->second;
  }

  // Recurses at most limits.depth levels.
  Status check(const Json &value, const std::string &path, std::size_t depth) {
    if (depth > limits_.depth)
      return over(Fault::InvalidInput, path, "depth", limits_.depth, depth);
    if (value.is_string()) {
      const std::size_t length = countCharacters(value.get_ref<const std::string &>());
      if (length > limits_.stringCharacters)
        return over(Fault::InvalidInput, path, "characters", limits_.stringCharacters, length);
    } else if (value.is_array()) {
      if (value.size() > arrayItems_)
        return over(Fault::ArrayTooLarge, path, "items", arrayItems_, value.size());
      for (std::size_t i = 0; i < value.size(); ++i)
        if (Status item = check(value[i], path + "[" + std::to_string(i) + "]", depth + 1); !item)
          return item;
    } else if (value.is_object()) {
      for (const auto &[key, member] : value.items())
        if (Status one = check(member, path + "." + key, depth + 1); !one) return one;
    }
    return Done{};
  }

private:
  static Status over(Fault fault, const std::string &path, std::string_view what, std::size_t limit,
                     std::size_t actual) {
    return {fault, std::string(cutUtf8(path, 200)) + ": " + std::to_string(actual) + " " +
                       std::string(what) + " are more than the limit of " + std::to_string(limit)};
  }

  const Limits &limits_;
  std::size_t arrayItems_;
};

} // namespace

Status checkArguments(const Limits &limits, std::string_view tool, const Json &arguments) {
  return Checker(limits, tool).check(arguments, "arguments", 1);
}

bool truncate(std::string &text, std::size_t characters) {
  if (text.size() <= characters || countCharacters(text) <= characters) return false;
  const std::size_t keep =
      characters > truncationMark.size() ? characters - truncationMark.size() : 0;
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes) {
    const bool begins = (static_cast<unsigned char>(text[bytes]) & 0xC0U) != 0x80U;
    if (begins && seen++ == keep) break;
  }
  text.resize(bytes);
  text += truncationMark;
  return true;
}

} // namespace skillhost
