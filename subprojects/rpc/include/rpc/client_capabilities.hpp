// SPDX-License-Identifier: Apache-2.0
// The capabilities of a client of the older family as flags, few enough to fit into its session id.
#pragma once

#include "ground/json.hpp"

#include <cstdint>
#include <string>

namespace skillhost {

using CapabilityFlags = std::uint16_t;

// Returns the flags of the capabilities that a client states. Unknown capabilities are left out.
CapabilityFlags capabilityFlags(const Json &capabilities);

// Returns the capabilities of these flags as a JSON object.
std::string capabilitiesText(CapabilityFlags flags);

} // namespace skillhost
