// SPDX-License-Identifier: Apache-2.0
// Plays the host in checks, of the newest minor or of an older one. It records every message, and
// counts calls of changed() and cancelled().
#pragma once

#include "placed.hpp"
#include "stand_in_upstream.hpp"

#include <skillhost/health.h>
#include <skillhost/pin.h>
#include <skillhost/plugin.h>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::check {

inline skh_str borrow(std::string_view text) noexcept { return {text.data(), text.size()}; }
inline std::string_view view(skh_str text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.size};
}

// The host of one instance. It keeps the given texts. Any thread may call said().
class StandInHost {
public:
  enum class Upstream : std::uint8_t { Lent, Absent };
  // `snapshot`: the host pins a source to it through SKH_PIN; without a value, the host does not
  // support SKH_PIN. With Upstream::Lent, a filter receives its upstream. A host of an older
  // `minor` has no extensions but these two.
  StandInHost(std::string configuration, std::string cacheDirectory,
              std::optional<std::string> snapshot = std::nullopt,
              Upstream upstream = Upstream::Lent, std::uint32_t minor = SKH_ABI_MINOR);
  const skh_host *raw() const noexcept { return raw_.get(); }
  std::uint32_t minor() const noexcept { return minor_; }
  // Returns all logged messages, the names of metrics, and the reasons of reports about its health,
  // as the plugin has written them, each with a line break.
  std::string said() const;
  // Returns the same as lines for a terminal.
  std::string shownLines() const;
  unsigned changes() const; // number of calls of changed()
  bool askedForPin() const;
  bool askedForUpstream() const;
  StandInUpstream &upstream() const noexcept { return upstream_; }

private:
  static void log(const skh_host *raw, int32_t level, skh_str message) noexcept;
  static void metric(const skh_host *raw, int32_t kind, skh_str name, double value) noexcept;
  static void changed(const skh_host *raw) noexcept;
  static const void *extension(const skh_host *raw, const char *id) noexcept;
  static void tellHealth(const skh_health *raw, int32_t state, skh_str why) noexcept;
  void keep(std::string_view text) noexcept;

  const std::string configuration_, cacheDirectory_;
  const std::optional<std::string> snapshot_;
  const std::uint32_t minor_;
  mutable std::mutex mutex_;
  std::vector<std::string> said_;
  unsigned changes_ = 0;
  bool askedForPin_ = false, askedForUpstream_ = false;
  const Upstream upstreamLending_;
  mutable StandInUpstream upstream_;
  Placed<skh_pin> pin_;
  Placed<skh_health> health_;
  Placed<skh_host> raw_;
};

// The context of one call.
class StandInCall {
public:
  using Clock = std::chrono::steady_clock;
  // The call is cancelled from `cancelledAt` on. Both times may be never(). The call has the fields
  // of `minor`.
  explicit StandInCall(Clock::time_point deadline, Clock::time_point cancelledAt = never(),
                       std::uint32_t minor = SKH_ABI_MINOR);
  ~StandInCall();
  StandInCall(const StandInCall &) = delete;
  StandInCall &operator=(const StandInCall &) = delete;
  static Clock::time_point never() noexcept { return Clock::time_point::max(); }
  // Returns true if `raw` is a running call in which the plugin may call the upstream.
  static bool runs(const skh_call *raw);
  // Forbids calls of the upstream in this call.
  void excludeUpstream() const;

  const skh_call *raw() const noexcept { return raw_.get(); }
  std::string message() const; // message of the last fail(); empty: none
  std::string said() const;    // texts of all fail() and progress()
  unsigned asked() const;      // number of calls to cancelled()

private:
  static int32_t cancelled(const skh_call *raw) noexcept;
  static void progress(const skh_call *raw, uint64_t done, uint64_t total, skh_str what) noexcept;
  static void fail(const skh_call *raw, skh_str message) noexcept;
  bool unwanted() const noexcept;

  const Clock::time_point deadline_, cancelledAt_;
  mutable std::mutex mutex_;
  std::string message_, said_;
  unsigned asked_ = 0;
  Placed<skh_call> raw_;
};

} // namespace skillhost::check
