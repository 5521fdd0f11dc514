// SPDX-License-Identifier: Apache-2.0
// The values of keys that features own. They are validated, their paths are absolute and their
// references resolved. Each feature makes its own settings from them.
#pragma once

#include "ground/json.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::settings {

class FeatureSettings {
public:
  // Each returns the value of a key such as "metrics.listen" or "sources[].webhook_secret", or the
  // default that its feature declares. Throws std::logic_error if no feature of this build declares
  // the key, or the key is of another type.
  bool flag(std::string_view key) const;
  std::uint64_t number(std::string_view key) const;
  std::string text(std::string_view key) const; // for a choice, or a text with a default
  std::optional<std::string> textIfAny(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  const Json &value(std::string_view key) const; // for any type

  // True if a feature of this build declares the key.
  static bool isDeclared(std::string_view key);

  void set(std::string_view key, Json value);

private:
  std::map<std::string, Json, std::less<>> values_; // values of the keys that were set
};

} // namespace skillhost::settings
