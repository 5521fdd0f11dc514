// SPDX-License-Identifier: Apache-2.0
// Keys, tokens and private keys that stand in a text.
#pragma once

#include "skillmd/finding.hpp"

#include <string_view>
#include <vector>

namespace skillhost {

// An error for each place where something stands that has the form of a well-known issuer's key and
// looks drawn at random; what an author made up for an example does not. The key itself is never in
// the finding. At most 100. Linear time; `text` may be any bytes.
std::vector<Finding> findLeakedKeys(std::string_view text, std::string_view file);

} // namespace skillhost
