// SPDX-License-Identifier: Apache-2.0
// When a server that was away is tried again.
#pragma once

#include "ground/back_off.hpp"

namespace skillhost {

inline constexpr BackOffRules reconnection{std::chrono::milliseconds(200),
                                           std::chrono::milliseconds(10'000), 0.5};

} // namespace skillhost
