// SPDX-License-Identifier: Apache-2.0
// Checks the members of a plugin's JSON objects that must be text.
#pragma once

#include "ground/json.hpp"
#include "ground/text.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace skillhost {

inline bool isText(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string();
}

// The library's own comparison with a literal makes a text of it, in a function that must not
// throw.
inline bool equalsText(const Json &value, std::string_view text) noexcept {
  const std::string *const own = value.get_ptr<const std::string *>();
  return own != nullptr && *own == text;
}

inline bool isTextOrAbsent(const Json &object, const char *name) {
  return !object.contains(name) || isText(object, name);
}

// Returns why a client must not get the URI: a person who opens it would run code, or see content
// that no host has checked. Empty if the client may get it.
inline std::string foreignScheme(std::string_view uri) {
  std::string scheme;
  // Browsers read a scheme without blanks and control characters.
  for (const char c : uri.substr(0, uri.find(':')))
    if (static_cast<unsigned char>(c) > 0x20 && c != 0x7F) scheme += asciiLowered(c);
  const bool isActive = scheme == "javascript" || scheme == "vbscript" || scheme == "data";
  return isActive ? "the scheme " + scheme + " names no resource, but is content or code itself"
                  : std::string();
}

} // namespace skillhost
