// SPDX-License-Identifier: Apache-2.0
// What a host lends to a plugin, as the checks lend it: every word is kept, every call counted.
#pragma once

#include "placed.hpp"

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

// Of one instance. The texts given are kept by it; said() may be asked by any thread.
class StandInHost {
public:
  // `snapshot`: the one that it holds a source to, by SKH_PIN; none: it knows no such interface.
  StandInHost(std::string configuration, std::string cacheDirectory,
              std::optional<std::string> snapshot = std::nullopt);
  const skh_host *raw() const noexcept { return raw_.get(); }
  // Every line logged, and the names of metrics, one after another.
  std::string said() const;
  unsigned changes() const;
  bool askedForPin() const;

private:
  static void log(const skh_host *raw, int32_t level, skh_str message) noexcept;
  static void metric(const skh_host *raw, int32_t kind, skh_str name, double value) noexcept;
  static void changed(const skh_host *raw) noexcept;
  static const void *extension(const skh_host *raw, const char *id) noexcept;
  void keep(std::string_view text) noexcept;

  const std::string configuration_, cacheDirectory_;
  const std::optional<std::string> snapshot_;
  mutable std::mutex mutex_;
  std::string said_;
  unsigned changes_ = 0;
  bool askedForPin_ = false;
  Placed<skh_pin> pin_;
  Placed<skh_host> raw_;
};

// Of one call.
class StandInCall {
public:
  using Clock = std::chrono::steady_clock;
  // Cancelled from `cancelledAt` on; both may be never().
  explicit StandInCall(Clock::time_point deadline, Clock::time_point cancelledAt = never());
  static Clock::time_point never() noexcept { return Clock::time_point::max(); }

  const skh_call *raw() const noexcept { return raw_.get(); }
  std::string message() const; // of the last fail(); empty: none
  std::string said() const;    // of every fail() and progress()
  unsigned asked() const;      // how often cancelled() was called

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
