// SPDX-License-Identifier: Apache-2.0
// What the tests of this folder share.
#pragma once

#include <string>

inline bool mentions(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

// The digits of a digest that nothing has.
inline const std::string digits64(64, 'a');
