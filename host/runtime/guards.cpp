// SPDX-License-Identifier: Apache-2.0
#include "runtime/guards.hpp"

#include "base/log.hpp"
#include "ground/process.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skillhost {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds betweenLooks{1}, betweenWarnings{60};
constexpr std::chrono::milliseconds comeBack{1000}; // advice to a client when memory is short

// True for one caller in each `span`.
bool due(std::atomic<Clock::rep> &next, Clock::duration span) {
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep at = next.load(std::memory_order_relaxed);
  return now >= at && next.compare_exchange_strong(at, now + span.count());
}

} // namespace

Guards::Guards(const Limits &limits, Cache &cache, ResidentBytes resident)
    : limits_(limits), cache_(cache),
      resident_(resident ? std::move(resident) : [] { return residentBytes(); }) {}

PressureLevel Guards::processPressure() {
  if (limits_.memoryBytes == 0) return PressureLevel::Low;
  if (due(nextLook_, betweenLooks)) process_ = pressureLevel(resident_(), limits_.memoryBytes);
  return process_;
}

PressureLevel Guards::pressure() { return std::max(cache_.pressure(), processPressure()); }

std::optional<ToolFailure> Guards::check(std::string_view tool, const Json &arguments,
                                         std::size_t requestBytes, Shortage shortage) {
  PressureLevel level = pressure();
  if (level == PressureLevel::Critical) {
    cache_.relieve();
    level = pressure();
  }
  if (level >= PressureLevel::High && due(nextWarning_, betweenWarnings))
    log::warning("server", "memory pressure is " + std::string(name(level)) +
                               ": lower cache.max_size_mb or raise limits.max_memory_mb");
  if (level == PressureLevel::Critical && shortage == Shortage::Refuses)
    return ToolFailure{{Fault::MemoryPressure, shortOfMemory}, {}, comeBack};
  if (requestBytes > limits_.requestBytes)
    return refusalOf({{Fault::InvalidInput, "request",
                       std::to_string(requestBytes) + " bytes are more than the limit of " +
                           std::to_string(limits_.requestBytes),
                       static_cast<std::int64_t>(limits_.requestBytes),
                       static_cast<std::int64_t>(requestBytes)}});
  const std::vector<Violation> violations = checkArguments(limits_, tool, arguments);
  if (!violations.empty()) return refusalOf(violations);
  return std::nullopt;
}

bool logIfSlow(std::string_view tool, std::chrono::milliseconds duration,
               std::chrono::milliseconds allowed) {
  if (allowed.count() <= 0 || duration * 5 <= allowed * 4) return false;
  const auto permille = duration.count() * 1000 / allowed.count();
  log::warning("server", "near_timeout tool=" + std::string(cutUtf8(tool, 100)) +
                             " durationMs=" + std::to_string(duration.count()) +
                             " timeoutMs=" + std::to_string(allowed.count()) +
                             " ratio=" + std::to_string(permille / 10) + '.' +
                             std::to_string(permille % 10) + '%');
  return true;
}

} // namespace skillhost
