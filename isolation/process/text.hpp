// SPDX-License-Identifier: Apache-2.0
// Helpers that connect C++ with plugin.h.
#pragma once

#include <skillhost/plugin.h>

#include <chrono>
#include <string_view>

namespace skillhost::process {

inline skh_str toSkhStr(std::string_view text) noexcept { return {text.data(), text.size()}; }
inline std::string_view toStringView(skh_str text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.size};
}
// Tells the call why it is about to fail.
inline void reportFailure(const skh_call *call, std::string_view why) noexcept {
  call->fail(call, toSkhStr(why));
}
// Converts a call's deadline. INT64_MAX is the end of time.
inline std::chrono::steady_clock::time_point momentOf(std::int64_t deadlineNs) noexcept {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadlineNs));
}

} // namespace skillhost::process
