// SPDX-License-Identifier: Apache-2.0
// What stands before and after every handler of a tool.
#pragma once

#include "base/cache.hpp"
#include "rpc/envelope.hpp"
#include "runtime/limits.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace skillhost {

// Says if a call is refused while memory is critically short.
enum class Shortage : std::uint8_t { Refuses, Passes };

// Before a handler. Any thread; both references must outlive it.
class Guards {
public:
  using ResidentBytes = std::function<std::size_t()>;

  // `resident` tells the memory of the process; asked once a second at most.
  Guards(const Limits &limits, Cache &cache, ResidentBytes resident = {});

  // Why the call may not begin, or nothing. In this order: memory (the cache is emptied to its low
  // mark before anything is refused), size of the request, size of its arguments. Never throws.
  std::optional<ToolFailure> check(std::string_view tool, const Json &arguments,
                                   std::size_t requestBytes, Shortage shortage = Shortage::Refuses);
  // The worse of cache and process.
  PressureLevel pressure();

private:
  PressureLevel processPressure();

  const Limits &limits_;
  Cache &cache_;
  const ResidentBytes resident_;
  std::atomic<std::chrono::steady_clock::rep> nextLook_{0}, nextWarning_{0};
  std::atomic<PressureLevel> process_{PressureLevel::Low};
};

// After a handler: logs a call that took more than 80 % of the time it had. True when it did.
// `allowed` not above zero: it had no deadline.
bool auditDuration(std::string_view tool, std::chrono::milliseconds duration,
                   std::chrono::milliseconds allowed);

} // namespace skillhost
