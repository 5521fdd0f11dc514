// SPDX-License-Identifier: Apache-2.0
// Gets the token from a program that prints it, such as `gh auth token`.
#pragma once

#include "operation.hpp"

#include <string>
#include <vector>

namespace skillhost::remote {

// Runs the program without a shell, for at most 10 s, and returns the single line of its output. A
// program that ends with another exit code than 0 gives no token. The output never appears in
// messages. Throws skh::Error(SKH_CANCELLED) and RemoteError.
std::string tokenFrom(const std::vector<std::string> &command, const Operation &operation);

} // namespace skillhost::remote
