// SPDX-License-Identifier: Apache-2.0
// Passes on a plugin's hints that it has something new. However often it hints, the listener is
// called at once, then at most ten times a second, and always after the last hint.
#pragma once

#include "ground/guarded.hpp"
#include "plugin_timer.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace skillhost {

// Owned by a shared_ptr, which the timer shares.
class ChangeHints : public std::enable_shared_from_this<ChangeHints> {
public:
  static constexpr std::chrono::milliseconds pause{100};

  // Sets the listener. If the plugin has already given a hint, the listener is called, too.
  void listen(std::function<void()> listener) {
    auto shared = std::make_shared<const std::function<void()>>(std::move(listener));
    const bool wasMissed = ears_.with([&](Ears &ears) {
      ears.listener = std::move(shared);
      return std::exchange(ears.hasMissed, false);
    });
    if (wasMissed)
      pluginTimer().after(pause, [self = shared_from_this()] { self->callListener(); });
  }

  // Any thread; the listener runs on it, or on the timer's thread.
  void hint() {
    std::chrono::milliseconds wait{0};
    {
      const std::scoped_lock lock(mutex_);
      if (isWaiting_) return;
      const Timer::Clock::time_point now = Timer::Clock::now();
      wait = std::chrono::ceil<std::chrono::milliseconds>(next_ - now);
      isWaiting_ = wait.count() > 0;
      if (!isWaiting_) next_ = now + pause;
    }
    if (wait.count() <= 0) return callListener();
    pluginTimer().after(wait, [self = shared_from_this()] {
      {
        const std::scoped_lock lock(self->mutex_);
        self->isWaiting_ = false;
        self->next_ = Timer::Clock::now() + pause;
      }
      self->callListener();
    });
  }

private:
  struct Ears {
    std::shared_ptr<const std::function<void()>> listener; // null: there is no listener yet
    bool hasMissed = false;
  };

  void callListener() {
    const auto listener = ears_.with([](Ears &ears) {
      ears.hasMissed = !ears.listener;
      return ears.listener;
    });
    if (listener && *listener) (*listener)();
  }

  Guarded<Ears> ears_;
  std::mutex mutex_; // protects the next two members
  Timer::Clock::time_point next_;
  bool isWaiting_ = false;
};

} // namespace skillhost
