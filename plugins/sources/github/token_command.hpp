// SPDX-License-Identifier: Apache-2.0
// The token that a program prints, as `gh auth token` does.
#pragma once

#include "remote/operation.hpp"

#include <string>
#include <vector>

namespace skillhost::github {

// Runs it without a shell, for 10 s at most, and takes the one line of its output. What it prints
// is in no message. Throws skh::Error(SKH_CANCELLED) and RemoteError.
std::string tokenFrom(const std::vector<std::string> &command, const remote::Operation &operation);

} // namespace skillhost::github
