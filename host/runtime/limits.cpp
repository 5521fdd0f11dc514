// SPDX-License-Identifier: Apache-2.0
#include "runtime/limits.hpp"

#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {
namespace {

class Checker {
public:
  Checker(const Limits &limits, std::string_view tool) : limits_(limits) {
    const auto own = limits.toolArrayItems.find(std::string(tool));
    arrayItems_ = own == limits.toolArrayItems.end() ? limits.arrayItems : own->second;
  }

  // Recurses at most limits.depth levels; what is over a limit is not looked into.
  Status check(const Json &value, std::size_t depth) {
    if (depth > limits_.depth) return over(Fault::InvalidInput, "depth", limits_.depth, depth);
    if (value.is_string()) return checkText(value.get_ref<const std::string &>());
    if (!value.is_structured()) return Done{};
    if (value.size() > arrayItems_)
      return over(Fault::ArrayTooLarge, value.is_array() ? "items" : "members", arrayItems_,
                  value.size());
    // One path for all of the walk: each step adds its part and takes it away again.
    const std::size_t length = path_.size();
    std::size_t index = 0;
    for (auto it = value.begin(); it != value.end(); ++it, ++index) {
      if (value.is_array())
        path_ += "[" + std::to_string(index) + "]";
      else
        (path_ += '.') += cutUtf8(it.key(), longestKeyShown);
      if (value.is_object())
        if (Status key = checkText(it.key()); !key) return key;
      if (Status one = check(*it, depth + 1); !one) return one;
      path_.resize(length);
    }
    return Done{};
  }

private:
  static constexpr std::size_t longestKeyShown = 100; // bytes

  Status checkText(const std::string &text) {
    const std::size_t length = countCharacters(text);
    if (length <= limits_.stringCharacters) return Done{};
    return over(Fault::InvalidInput, "characters", limits_.stringCharacters, length);
  }
  Status over(Fault fault, std::string_view what, std::size_t limit, std::size_t actual) const {
    return {fault, path_ + ": " + std::to_string(actual) + " " + std::string(what) +
                       " are more than the limit of " + std::to_string(limit)};
  }

  const Limits &limits_;
  std::size_t arrayItems_;
  std::string path_ = "arguments";
};

} // namespace

std::size_t messageValues(const Limits &limits) noexcept {
  constexpr std::size_t least = 100'000, each = 4;
  std::size_t items = limits.arrayItems;
  for (const auto &[tool, own] : limits.toolArrayItems) items = std::max(items, own);
  return std::max(least, each * items);
}

Status checkArguments(const Limits &limits, std::string_view tool, const Json &arguments) {
  return Checker(limits, tool).check(arguments, 1);
}

} // namespace skillhost
