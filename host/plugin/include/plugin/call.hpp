// SPDX-License-Identifier: Apache-2.0
// What goes with every call into a plugin, and how its answer comes back.
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
  // Called on the plugin's thread, at any rate; may be empty. Must not block.
  std::function<void(std::uint64_t done, std::uint64_t total, std::string_view what)> progress;
  // For whom it is, where calls for many wait: each of these has its turn. Empty: nobody of these.
  std::string whose{};
  // What requests made for it say of its trace; null: nothing.
  TracePointer trace{};
  // Hears what the answer's receiver has thrown, for want of memory. May be empty; must not throw.
  std::function<void(const std::exception &why)> answerLost{};
};

// Receives the result exactly once: on a thread of the instance's executor, on the timer's when the
// deadline has passed, or on the caller's own when the call is refused at once. Must not block.
template <class T> using Answer = std::function<void(Result<T>)>;

} // namespace skillhost
