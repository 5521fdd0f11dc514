// SPDX-License-Identifier: Apache-2.0
// The resource skillhost://usage: what was used in the last days, for managers of the server.
#pragma once

#include "mcp/own_resources.hpp"
#include "usage/usage_recorder.hpp"

#include <memory>

namespace skillhost {

// If `usage` is null, nothing is recorded, and the resource says so.
OwnResource usageResource(std::shared_ptr<UsageRecorder> usage);

} // namespace skillhost
