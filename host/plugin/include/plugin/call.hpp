// SPDX-License-Identifier: Apache-2.0
// The options that go with every call into a plugin, and the way in which its answer comes back.
#pragma once

#include "base/trace_context.hpp"
#include "ground/cancel.hpp"
#include "ground/deadline.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

struct CallOptions {
  Deadline deadline = Deadline::never();
  CancelToken cancel;
  // Called on the plugin's thread in any case; may be empty. Must not block.
  std::function<void(std::uint64_t done, std::uint64_t total, std::string_view what)> progress;
  // The caller for whom the call is made. If calls for several callers wait, each caller has its
  // turn. Empty: for none of them.
  std::string caller{};
  // The trace that requests made for this call belong to; null: none.
  TracePointer trace{};
  // Called with the exception, for want of memory, that the receiver of the answer has thrown. May
  // be empty; must not throw.
  std::function<void(const std::exception &why)> onAnswerLost{};
};

// Receives the result exactly once: on a thread of the instance's executor, on the timer's thread
// if the deadline has passed, or on the caller's own if the call is refused at once. Must not
// block.
template <class T> using ResultCallback = std::function<void(Result<T>)>;

} // namespace skillhost
