// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commandline/parser.hpp"
#include "usage_invocation.hpp"

#include <cstdint>

namespace skillhost::app {

// `now`: Unix milliseconds, from which spans are counted back.
Result<UsageInvocation> usageInvocation(const ParsedArguments &given, std::int64_t now);

} // namespace skillhost::app
