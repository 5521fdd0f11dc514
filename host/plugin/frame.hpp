// SPDX-License-Identifier: Apache-2.0
// The context of one call as plugin.h describes it, and the way a status becomes a failure.
#pragma once

#include "base/rate_budget.hpp"
#include "plugin/call.hpp"
#include "plugin_calls/plugin_log.hpp"

#include "base/log.hpp"
#include "ground/c_table.hpp"

#include <skillhost/plugin.h>

#include <atomic>
#include <mutex>
#include <string>

namespace skillhost {

inline skh_str borrow(std::string_view text) noexcept { return {text.data(), text.size()}; }
inline std::string_view view(skh_str text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.size};
}

// A function of plugin.h's sinks. Nothing but a lack of memory is thrown there.
template <auto method> using SinkFunction = TableFunction<method, SKH_TOO_LARGE>;

// Exists until the plugin's function has returned, even if the call was given up long before.
class CallFrame {
public:
  explicit CallFrame(const CallOptions &options);
  CallFrame(const CallFrame &) = delete;
  CallFrame &operator=(const CallFrame &) = delete;

  const skh_call *raw() const noexcept { return &raw_.base; }
  // Nobody waits for the result any more: sinks then accept nothing, and progress is dropped.
  void giveUp() noexcept { givenUp_.store(true, std::memory_order_relaxed); }
  bool isGivenUp() const noexcept { return givenUp_.load(std::memory_order_relaxed); }
  // Turns `status` into a failure, with the plugin's own words if it gave any.
  Failure failure(skh_status status, std::string_view who, std::string_view what) const;

private:
  struct Raw {
    skh_call base;
    CallFrame *owner;
  };
  static CallFrame &of(const skh_call *raw) noexcept;
  static int32_t cancelled(const skh_call *raw) noexcept;
  static void progress(const skh_call *raw, uint64_t done, uint64_t total, skh_str what) noexcept;
  static void fail(const skh_call *raw, skh_str message) noexcept;

  const CallOptions &options_;
  std::atomic<bool> givenUp_{false};
  mutable std::mutex mutex_;
  std::string message_;
  // Limits the reports, because each may become a message to a client.
  mutable RateBudget progress_{20, 100};
  Raw raw_;
};

} // namespace skillhost
