// SPDX-License-Identifier: Apache-2.0
#include "frame.hpp"

#include "base/log.hpp"
#include "ground/utf8.hpp"
#include "handlers/call_status.hpp"

#include <exception>

namespace skillhost {
namespace {

int64_t nanoseconds(const Deadline &deadline) noexcept {
  if (deadline.isNever()) return INT64_MAX;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(deadline.at().time_since_epoch())
      .count();
}

constexpr std::size_t maxReasonBytes = 1000;

} // namespace

CallFrame::CallFrame(const CallOptions &options)
    : options_(options),
      raw_{{sizeof(skh_call), 0, nanoseconds(options.deadline), &cancelled, &progress, &fail,
            options.trace ? borrow(options.trace->traceparent) : skh_str{},
            options.trace ? borrow(options.trace->tracestate) : skh_str{}},
           this} {}

CallFrame &CallFrame::of(const skh_call *raw) noexcept {
  return *reinterpret_cast<const Raw *>(raw)->owner; // base is the first member of Raw
}

int32_t CallFrame::cancelled(const skh_call *raw) noexcept {
  const CallFrame &frame = of(raw);
  const CallOptions &options = frame.options_;
  return frame.isGivenUp() || options.cancel.cancelled() || options.deadline.passed() ? 1 : 0;
}

void CallFrame::progress(const skh_call *raw, uint64_t done, uint64_t total,
                         skh_str what) noexcept {
  const CallFrame &frame = of(raw);
  const CallOptions &options = frame.options_;
  if (!options.progress || frame.isGivenUp()) return;
  {
    const std::scoped_lock lock(frame.mutex_);
    if (!frame.progress_.take(RateBudget::Clock::now())) return;
  }
  try {
    options.progress(done, total, view(what));
  } catch (const std::exception &) {
    return; // out of memory: this report is lost
  }
}

void CallFrame::fail(const skh_call *raw, skh_str message) noexcept try {
  CallFrame &frame = of(raw);
  const std::scoped_lock lock(frame.mutex_);
  frame.message_ = mendUtf8(cutUtf8(view(message), maxReasonBytes));
} catch (...) {
  // Memory ran out: the status has to suffice.
}

Failure CallFrame::failure(skh_status status, std::string_view who, std::string_view what) const {
  std::string reason;
  {
    const std::scoped_lock lock(mutex_);
    reason = message_;
  }
  if (reason.empty()) reason = "it returned " + statusName(status) + " without a reason";
  // A plugin may quote the address that it was given, with a secret in it, and clients get this
  // message too.
  return {faultOf(status),
          std::string(who) + ": " + std::string(what) + ": " + log::masked(reason)};
}

} // namespace skillhost
