// SPDX-License-Identifier: Apache-2.0
// The limits of what an auth plugin says of a caller, for the host and for `skillhost check`.
#pragma once

#include <skillhost/plugin.h>

#include <string_view>

namespace skillhost {

// Returns what is wrong with the principal, in words that follow the name of the plugin; empty if
// nothing is.
std::string_view faultIn(const skh_principal &principal);

} // namespace skillhost
