// SPDX-License-Identifier: Apache-2.0
// The statuses of the plugin interface in words, and as faults.
#pragma once

#include "ground/fault.hpp"

#include <skillhost/plugin.h>

#include <string>

namespace skillhost {

// Returns "SKH_STALE", or "status -77" for an unknown status.
std::string statusName(skh_status status);
// Returns OperationFailed for an unknown status, and SKH_FAILED for a fault without a status.
Fault faultOf(skh_status status) noexcept;
skh_status statusOf(Fault fault) noexcept;

} // namespace skillhost
