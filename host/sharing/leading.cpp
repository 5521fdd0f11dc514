// SPDX-License-Identifier: Apache-2.0
// Which replica asks the source.
#include "implementation.hpp"

#include "base/log.hpp"

#include <utility>

namespace skillhost {

std::shared_ptr<Source> SharedSource::Implementation::inner() const {
  const std::scoped_lock lock(mutex_);
  return inner_;
}

bool SharedSource::Implementation::leads() const { return inner() != nullptr; }

void SharedSource::Implementation::takePart() {
  {
    const std::scoped_lock lock(mutex_);
    if (ended_) return;
    isResting_ = held_ = false;
  }
  // Without the lock: it may call back at once.
  auto lease = std::make_unique<Lease>(sharing_->state(), "source/" + shared_, settings_.lease,
                                       [weak = weak_from_this()](bool held) {
                                         if (const auto self = weak.lock()) self->holds(held);
                                       });
  {
    const std::scoped_lock lock(mutex_);
    if (!ended_ && !isResting_) lease_.swap(lease);
  }
  // One that came too late, or was resigned while it was made, ends here.
}

void SharedSource::Implementation::holds(bool held) {
  {
    const std::scoped_lock lock(mutex_);
    held_ = held;
  }
  run([this] { reconsider(); });
}

// By the clock: what nobody has told, such as that a dead one led until now.
void SharedSource::Implementation::tick() {
  disturbed();
  at(Clock::now() + settings_.look, &Implementation::tick);
}

void SharedSource::Implementation::disturbed() {
  const auto now = Clock::now();
  {
    const std::scoped_lock lock(mutex_);
    if (ended_) return;
    const bool isThere = sharing_->state()->reachable();
    auto &since = isThere ? backSince_ : awaySince_;
    if (!since) {
      since = now;
      (isThere ? awaySince_ : backSince_).reset();
      at(now + settings_.lease, &Implementation::settled);
    }
  }
  lookSoon();
}

// The engine has been there, or away, for as long as a lease holds.
void SharedSource::Implementation::settled() {
  run([this] { reconsider(); });
}

bool SharedSource::Implementation::shouldLead() {
  if (ended_ || isResting_) return false;
  if (held_) return true;
  const auto now = Clock::now();
  if (inner_) return awaySince_ || (backSince_ && now - *backSince_ < settings_.lease);
  return !known_ && awaySince_ && now - *awaySince_ >= settings_.lease;
}

void SharedSource::Implementation::reconsider() {
  const std::scoped_lock one(deciding_);
  std::shared_ptr<Source> leaving;
  bool isNew = false;
  {
    const std::scoped_lock lock(mutex_);
    const bool should = shouldLead();
    isNew = should && !inner_;
    if (!should) leaving = std::move(inner_);
  }
  if (leaving) leave(leaving);
  if (isNew) lead();
}

void SharedSource::Implementation::lead() {
  Result<std::shared_ptr<Source>> made = make_();
  if (!made) return resign(made.failure().message);
  const std::shared_ptr<Source> source = *std::move(made);
  source->onChanged([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->hint();
  });
  bool isLate = false, isIdle = false;
  {
    // Together: who lists before the first round has begun waits for it, and asks for none.
    const std::scoped_lock lock(mutex_);
    isLate = ended_;
    trouble_.clear();
    if (!isLate) {
      inner_ = source;
      asked_.push_back({true, CallOptions{}, [weak = weak_from_this()](const Status &) {
                          if (const auto self = weak.lock()) self->hint();
                        }});
      isIdle = !std::exchange(isAsking_, true);
    }
  }
  if (isLate) return source->stop();
  leading_.set(1);
  log::info("sharing", name() + ": this replica asks it for all from now on");
  if (isIdle) beginRound();
}

void SharedSource::Implementation::leave(const std::shared_ptr<Source> &source) {
  leading_.set(0);
  log::info("sharing", name() + ": another replica asks it for all from now on");
  source->stop();
}

// On the executor.
void SharedSource::Implementation::resign(const std::string &why) {
  std::unique_ptr<Lease> lease;
  std::shared_ptr<Source> source;
  {
    const std::scoped_lock lock(mutex_);
    if (ended_ || std::exchange(isResting_, true)) return;
    lease = std::move(lease_);
    source = std::move(inner_);
    held_ = false;
  }
  log::error("sharing",
             name() + ": this replica cannot ask it for all: " + why + "; another one may for now");
  leading_.set(0);
  lease.reset();
  if (source) source->stop();
  answerWaiting({Fault::Unavailable, name() + ": " + why}, Clock::time_point::max());
  at(Clock::now() + settings_.rest, &Implementation::takePart);
}

} // namespace skillhost
