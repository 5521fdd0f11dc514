// SPDX-License-Identifier: Apache-2.0
// Decides whether a call may begin: by the rate limit, and by the checks before every tool.
#pragma once

#include "mcp/call.hpp"
#include "runtime/guards.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace skillhost {

// Returns the identity of the caller for rate limits: of an authenticated principal, the same for
// all its sessions; of any other caller, the name of the session.
std::string clientOf(const Call &call);

// Returns true after it has refused the call, because the client asks too often.
bool refusedByRate(const CallPointer &call);
// Refuses a call because its client asks too much. The client may ask again after `wait`.
void refuseExcess(const CallPointer &call, Fault fault, std::string_view why,
                  std::chrono::milliseconds wait);
// Returns true after it has refused the call: the arguments are too large, for example, or memory
// is short.
bool refusedByGuards(const CallPointer &call, std::string_view tool, const Json &arguments,
                     Shortage shortage = Shortage::Refuses);

} // namespace skillhost
