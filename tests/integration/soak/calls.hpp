// SPDX-License-Identifier: Apache-2.0
// Chooses random calls: a mixture of everything that a client asks, wrong calls included.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace soak {

// Returns the members of a request, `"method":…,"params":…`.
std::string anyCall(std::mt19937 &random, const std::vector<std::string> &skills);

} // namespace soak
