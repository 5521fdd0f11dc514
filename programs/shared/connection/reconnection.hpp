// SPDX-License-Identifier: Apache-2.0
// The delays between attempts to reach a server that is away.
#pragma once

#include "ground/back_off.hpp"

namespace skillhost {

inline constexpr BackOffRules reconnection{std::chrono::milliseconds(200),
                                           std::chrono::milliseconds(10'000), 0.5};

} // namespace skillhost
