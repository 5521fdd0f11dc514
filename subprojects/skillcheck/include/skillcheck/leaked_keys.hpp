// SPDX-License-Identifier: Apache-2.0
// Finds keys, tokens and private keys in a text.
#pragma once

#include "skillmd/finding.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Returns an error for each passage that has the form of a well-known issuer's key and looks
// random; made-up examples do not. A finding never contains the key itself. Returns at most 100.
// Takes linear time. `text` may be any bytes. May be called on any thread.
std::vector<Finding> findLeakedKeys(std::string_view text, std::string_view file);

// Returns the first of these findings in a file, as render() shows it; empty if there is none, or
// if the bytes are no text.
std::string firstLeakedKey(std::string bytes, std::string_view file);

} // namespace skillhost
