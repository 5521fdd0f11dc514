// SPDX-License-Identifier: Apache-2.0
// Stores the capabilities of a client of the legacy family as flags, which are small enough for the
// id of its session.
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
