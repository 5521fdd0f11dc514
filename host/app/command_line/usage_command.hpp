// SPDX-License-Identifier: Apache-2.0
// `usage`: what was used, by whom, and what was not.
#pragma once

#include "app/usage_invocation.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <cstdint>

namespace skillhost::app {

CommandDescription usageDescription(const ArgumentDescription &help,
                                    const ArgumentDescription &json, const char *group);

// `now`: Unix milliseconds, from which spans are counted back.
Result<UsageInvocation> usageInvocation(const ParsedArguments &given, std::int64_t now);

} // namespace skillhost::app
