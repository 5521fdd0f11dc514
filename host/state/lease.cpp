// SPDX-License-Identifier: Apache-2.0
#include "state/lease.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string_view>
#include <utility>

namespace skillhost {

class Lease::Implementation : public std::enable_shared_from_this<Implementation> {
public:
  using Clock = Timer::Clock;

  Implementation(std::shared_ptr<SharedState> state, std::string_view name, Span span,
                 std::function<void(bool)> changed)
      : state_(std::move(state)), key_(std::string("lease/").append(name)), span_(span),
        changed_(std::move(changed)) {}

  // Asks as holder or as one who wants to be; the span counts from before the question, so that it
  // never ends later here than there.
  void attempt() {
    const Clock::time_point asked = Clock::now();
    const std::optional<std::string_view> expected =
        held_ ? std::optional<std::string_view>(state_->replica()) : std::nullopt;
    state_->compareAndSet(key_, expected, state_->replica(), span_,
                          [weak = weak_from_this(), state = std::weak_ptr(state_), key = key_,
                           asked](const Result<bool> &answer) {
                            const auto self = weak.lock();
                            if (self && self->answered(asked, answer)) return;
                            // It was given back meanwhile: nobody is to wait until it ends by
                            // itself.
                            const auto there = state.lock();
                            if (there && answer && *answer)
                              there->erase(key, there->replica(), nullptr);
                          });
    next(asked);
  }

  bool held() const noexcept { return held_; }

  void end() {
    const bool was = [&] {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
      return held_.exchange(false);
    }();
    timer_.reset(); // waits for what is firing, which sees that it ended
    if (was) state_->erase(key_, state_->replica(), nullptr);
  }

private:
  void next(Clock::time_point asked) {
    const std::scoped_lock lock(mutex_);
    if (ended_) return;
    timer_->at(asked + std::max(span_ / 3, Span(1)), [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (!self) return;
      self->expire();
      self->attempt();
    });
  }

  // One that could not be renewed is over here before it is over there.
  void expire() {
    {
      const std::scoped_lock lock(mutex_);
      if (!held_ || Clock::now() < until_) return;
    }
    set(false, {});
  }

  // A third early: whether it is over is looked at every third alone.
  // False: it has ended.
  bool answered(Clock::time_point asked, const Result<bool> &answer) {
    if (answer) set(*answer, asked + span_ - span_ / 3);
    const std::scoped_lock lock(mutex_);
    return !ended_;
  }

  // One at a time, so that what is told last is what holds: an answer and the timer may come at
  // the same moment.
  void set(bool held, Clock::time_point until) {
    const std::scoped_lock one(telling_);
    {
      const std::scoped_lock lock(mutex_);
      if (ended_) return;
      if (held) until_ = until;
      if (held_.exchange(held) == held) return;
    }
    changed_(held);
  }

  const std::shared_ptr<SharedState> state_;
  const std::string key_;
  const Span span_;
  const std::function<void(bool)> changed_;
  std::mutex telling_; // before mutex_
  std::mutex mutex_;
  std::atomic<bool> held_{false};
  bool ended_ = false;
  Clock::time_point until_{};
  std::unique_ptr<Timer> timer_ = std::make_unique<Timer>();
};

Lease::Lease(std::shared_ptr<SharedState> state, std::string_view name, Span span,
             std::function<void(bool)> changed)
    : implementation_(
          std::make_shared<Implementation>(std::move(state), name, span, std::move(changed))) {
  implementation_->attempt();
}
Lease::~Lease() { implementation_->end(); }
bool Lease::held() const noexcept { return implementation_->held(); }

} // namespace skillhost
