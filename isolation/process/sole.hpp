// SPDX-License-Identifier: Apache-2.0
// Holds an object that a process may have only once. It is created when it is first needed.
#pragma once

#include "ground/result.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace skillhost::process {

// The object may outlive this holder. Any thread may use it.
template <class T> class Sole {
public:
  // Returns the object that somebody holds, or else one from `make`, a function that returns
  // Result<std::unique_ptr<T>>. A new object is made only after the destructor of the previous one
  // returned. `make` must not call get() again.
  template <class Make> Result<std::shared_ptr<T>> get(Make &&make) {
    std::unique_lock lock(state_->mutex);
    std::shared_ptr<T> one;
    state_->changed.wait(lock, [&] {
      one = state_->one.lock();
      return one || !state_->exists;
    });
    if (one) return one;
    Result<std::unique_ptr<T>> made = std::forward<Make>(make)();
    if (!made) return std::move(made).failure();
    state_->exists = true;
    lock.unlock(); // if reset() runs out of memory, it calls the deleter, which takes the lock
    one.reset((*made).release(), [state = state_](T *last) {
      delete last;
      const std::scoped_lock gone(state->mutex);
      state->one.reset(); // otherwise the object would keep its deleter and so the state for ever
      state->exists = false;
      state->changed.notify_all();
    });
    lock.lock();
    state_->one = one;
    state_->changed.notify_all();
    return one;
  }

private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::weak_ptr<T> one;
    // True until the object is destroyed, which is after its last holder let go.
    bool exists = false;
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

} // namespace skillhost::process
