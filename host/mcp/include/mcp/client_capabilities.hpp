// SPDX-License-Identifier: Apache-2.0
// What a client of the older family can be asked for, in so few bits that the id of its session has
// room for them.
#pragma once

#include "ground/json.hpp"

#include <cstdint>
#include <string>

namespace skillhost {

using CapabilityFlags = std::uint16_t;

// Of the capabilities that a client states. What is not known here is left out.
CapabilityFlags capabilityFlags(const Json &capabilities);

// The same as a JSON object.
std::string capabilitiesText(CapabilityFlags flags);

} // namespace skillhost
