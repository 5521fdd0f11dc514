// SPDX-License-Identifier: Apache-2.0
// Helpers shared by the tests of this folder.
#pragma once

#include <string>

inline bool mentions(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

// Digits of a digest that matches nothing.
inline const std::string digits64(64, 'a');
