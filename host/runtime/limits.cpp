// SPDX-License-Identifier: Apache-2.0
#include "runtime/limits.hpp"

#include "ground/counted.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

class Checker {
public:
  Checker(const Limits &limits, std::string_view tool) : limits_(limits) {
    const auto own = limits.toolArrayItems.find(std::string(tool));
    arrayItems_ = own == limits.toolArrayItems.end() ? limits.arrayItems : own->second;
  }

  // Recurses at most limits.depth levels, and not into a value that is over a limit.
  void check(const Json &value, std::size_t depth) {
    if (depth > limits_.depth)
      return addViolation(Fault::InvalidInput, "a depth of " + std::to_string(depth) + " is",
                          limits_.depth, depth);
    if (value.is_string()) return checkText(value.get_ref<const std::string &>());
    if (!value.is_structured()) return;
    if (value.size() > arrayItems_)
      return tooMany(Fault::ArrayTooLarge, value.is_array() ? "item" : "member", arrayItems_,
                     value.size());
    // The whole walk shares one path: each step appends its part and removes it again.
    const std::size_t length = path_.size();
    std::size_t index = 0;
    for (auto it = value.begin(); it != value.end() && found_.size() < maxViolations;
         ++it, ++index) {
      if (value.is_array())
        path_ += "[" + std::to_string(index) + "]";
      else
        (path_ += '.') += cutUtf8(it.key(), maxKeyShownBytes);
      if (value.is_object()) checkText(it.key());
      check(*it, depth + 1);
      path_.resize(length);
    }
  }
  std::vector<Violation> take() { return std::move(found_); }

private:
  static constexpr std::size_t maxKeyShownBytes = 100; // bytes

  void checkText(const std::string &text) {
    const std::size_t length = countCharacters(text);
    if (length > limits_.stringCharacters)
      tooMany(Fault::InvalidInput, "character", limits_.stringCharacters, length);
  }
  void tooMany(Fault fault, const char *what, std::size_t limit, std::size_t actual) {
    addViolation(fault, counted(actual, what) + (actual == 1 ? " is" : " are"), limit, actual);
  }
  void addViolation(Fault fault, const std::string &words, std::size_t limit, std::size_t actual) {
    found_.push_back({fault, path_, words + " more than the limit of " + std::to_string(limit),
                      static_cast<std::int64_t>(limit), static_cast<std::int64_t>(actual)});
  }

  const Limits &limits_;
  std::size_t arrayItems_;
  std::string path_ = "arguments";
  std::vector<Violation> found_;
};

} // namespace

std::size_t maxMessageValues(const Limits &limits) noexcept {
  constexpr std::size_t least = 100'000, each = 4;
  std::size_t items = limits.arrayItems;
  for (const auto &[tool, own] : limits.toolArrayItems) items = std::max(items, own);
  return std::max(least, each * items);
}

std::vector<Violation> checkArguments(const Limits &limits, std::string_view tool,
                                      const Json &arguments) {
  Checker checker(limits, tool);
  checker.check(arguments, 1);
  return checker.take();
}

} // namespace skillhost
