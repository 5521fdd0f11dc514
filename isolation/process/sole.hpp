// SPDX-License-Identifier: Apache-2.0
// Something of which a process may have no more than one, made when it is first asked for.
#pragma once

#include "ground/result.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace skillhost::process {

// Its objects may outlive it. Any thread.
template <class T> class Sole {
public:
  // The one that somebody holds, or else what `make` makes, a Result<std::unique_ptr<T>>: not
  // before the destructor of the last one has returned. `make` must ask for no other.
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
    lock.unlock(); // where there is no memory for the pointer, it deletes the object
    one.reset((*made).release(), [state = state_](T *last) {
      delete last;
      const std::scoped_lock gone(state->mutex);
      state->one.reset(); // which would keep this function, and so the state, for ever
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
    bool exists = false; // until it is destroyed, which is later than that nobody holds it
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

} // namespace skillhost::process
