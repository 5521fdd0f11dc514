// SPDX-License-Identifier: Apache-2.0
// Decides if a call may begin: by how often its client asks, and by the checks before every tool.
#pragma once

#include "mcp/call.hpp"
#include "runtime/guards.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace skillhost {

// Returns the identity of the caller for rate limits: an authenticated principal is the same from
// wherever its requests come, and anybody else has the name of the session.
std::string clientOf(const Call &call);

// Both answer the call themselves when they return true.
bool refusedByRate(const CallPointer &call);
// Refuses a call because of how much its client asks. It may ask again after `wait`.
void refuseExcess(const CallPointer &call, Fault fault, std::string_view why,
                  std::chrono::milliseconds wait);
bool refusedByGuards(const CallPointer &call, std::string_view tool, const Json &arguments,
                     Shortage shortage = Shortage::Refuses);

} // namespace skillhost
