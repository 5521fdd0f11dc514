// SPDX-License-Identifier: Apache-2.0
// Checks that run before and after every handler of a tool.
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

// Checks a call before its handler runs. Any thread; both references must outlive the object.
class Guards {
public:
  using ResidentBytes = std::function<std::size_t()>;

  // `resident` returns the memory of the process in bytes; it is called at most once a second.
  Guards(const Limits &limits, Cache &cache, ResidentBytes resident = {});

  // Returns the reason why the call may not begin, or nothing. Checks, in this order, the memory
  // (the cache is emptied to its low mark before anything is refused), the size of the request and
  // the size of its arguments. Never throws.
  std::optional<ToolFailure> check(std::string_view tool, const Json &arguments,
                                   std::size_t requestBytes, Shortage shortage = Shortage::Refuses);
  // Returns the worse of the pressures in the cache and in the process.
  PressureLevel pressure();

private:
  PressureLevel processPressure();

  const Limits &limits_;
  Cache &cache_;
  const ResidentBytes resident_;
  std::atomic<std::chrono::steady_clock::rep> nextLook_{0}, nextWarning_{0};
  std::atomic<PressureLevel> process_{PressureLevel::Low};
};

// Logs a call, after its handler, that took more than 80 % of its time limit, and returns true for
// it. An `allowed` that is not above zero means that the call had no limit.
bool logIfSlow(std::string_view tool, std::chrono::milliseconds duration,
               std::chrono::milliseconds allowed);

} // namespace skillhost
