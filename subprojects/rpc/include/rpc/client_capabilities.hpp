// SPDX-License-Identifier: Apache-2.0
// The capabilities of a client of the older family as flags, so few that its session id has room
// for them.
#pragma once

#include "ground/json.hpp"

#include <cstdint>
#include <string>

namespace skillhost {

using CapabilityFlags = std::uint16_t;

// Returns the flags of the capabilities that a client states. Unknown capabilities are left out.
CapabilityFlags capabilityFlags(const Json &capabilities);

// The same as a JSON object.
std::string capabilitiesText(CapabilityFlags flags);

} // namespace skillhost
