// SPDX-License-Identifier: Apache-2.0
// Whether a call may begin: how often its client asks, and what stands before every tool.
#pragma once

#include "mcp/call.hpp"
#include "runtime/guards.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace skillhost {

// Who asks: whoever has proved to be somebody is the same wherever the requests come from,
// everybody else is known by the name of the session.
std::string clientOf(const Call &call);

// Both answer the call themselves when they return true.
bool refusedByRate(const CallPointer &call);
// Refuses a call because of how much its client asks. It may ask again after `wait`.
void turnAway(const CallPointer &call, Fault fault, std::string_view why,
              std::chrono::milliseconds wait);
bool refusedByGuards(const CallPointer &call, std::string_view tool, const Json &arguments,
                     Shortage shortage = Shortage::Refuses);

} // namespace skillhost
