// SPDX-License-Identifier: Apache-2.0
// What is asked: a mixture of everything a client asks, wrong things included.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace soak {

// The members of a request, `"method":…,"params":…`.
std::string anyCall(std::mt19937 &random, const std::vector<std::string> &skills);

} // namespace soak
