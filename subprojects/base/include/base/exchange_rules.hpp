// SPDX-License-Identifier: Apache-2.0
// The limits for what a plugin tells and asks a client during a call.
#pragma once

#include <cstddef>

namespace skillhost::exchange_rules {

inline constexpr std::size_t maxLoggerBytes = 200, maxLogBytes = 64U << 10U;
inline constexpr std::size_t maxMethodBytes = 200, maxQuestionBytes = 256U << 10U;
inline constexpr std::size_t maxJsonDepth = 32; // of messages and questions

} // namespace skillhost::exchange_rules
