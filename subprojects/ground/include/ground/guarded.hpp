// SPDX-License-Identifier: Apache-2.0
// Guarded<T>: a value that is accessible only while its lock is held.
#pragma once

#include <mutex>
#include <utility>

namespace skillhost {

template <class T> class Guarded {
public:
  Guarded() = default;
  explicit Guarded(T value) : value_(std::move(value)) {}

  // Calls body(value) under the lock and returns its result. Keep it short, and do not nest calls.
  template <class Body> decltype(auto) with(Body &&body) {
    const std::scoped_lock lock(mutex_);
    return std::forward<Body>(body)(value_);
  }
  template <class Body> decltype(auto) with(Body &&body) const {
    const std::scoped_lock lock(mutex_);
    return std::forward<Body>(body)(value_);
  }
  T copy() const {
    const std::scoped_lock lock(mutex_);
    return value_;
  }

private:
  mutable std::mutex mutex_;
  T value_{};
};

} // namespace skillhost
