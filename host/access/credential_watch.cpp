// SPDX-License-Identifier: Apache-2.0
#include "access/credential_watch.hpp"
#include "ground/bind_weak.hpp"

#include "ground/timer.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skillhost {

class CredentialWatches::State {
public:
  State(Authenticator &theAuthenticator, std::string theResource, WatchRules theRules,
        AccessClock theClock)
      : authenticator(theAuthenticator), resource(std::move(theResource)), rules(theRules),
        clock(std::move(theClock)), timer_(std::make_unique<Timer>()) {}

  Timer::Ticket after(std::chrono::milliseconds span, std::function<void()> callback) {
    const std::scoped_lock lock(mutex_);
    return timer_ ? timer_->after(span, std::move(callback)) : Timer::Ticket{};
  }
  void cancel(const Timer::Ticket &ticket) {
    const std::scoped_lock lock(mutex_);
    if (timer_) timer_->cancel(ticket);
  }
  // Waits for a callback that is running, which may need the lock.
  void end() {
    std::unique_ptr<Timer> ending;
    const std::unique_lock lock(mutex_);
    ending.swap(timer_);
  }

  void add(const std::shared_ptr<Watch> &watch) {
    const std::scoped_lock lock(mutex_);
    watches_.emplace(watch.get(), watch);
  }
  void remove(const Watch *watch) {
    const std::scoped_lock lock(mutex_);
    watches_.erase(watch);
  }
  std::vector<std::weak_ptr<Watch>> all() const {
    std::vector<std::weak_ptr<Watch>> all;
    const std::scoped_lock lock(mutex_);
    all.reserve(watches_.size());
    for (const auto &[address, watch] : watches_) all.push_back(watch);
    return all;
  }

  Authenticator &authenticator; // used on the timer's thread and on threads of the provider
  const std::string resource;
  const WatchRules rules;
  const AccessClock clock;

private:
  mutable std::mutex mutex_;
  std::unordered_map<const Watch *, std::weak_ptr<Watch>> watches_;
  std::unique_ptr<Timer> timer_; // null if it is ending
};

class CredentialWatches::Watch : public std::enable_shared_from_this<Watch> {
public:
  Watch(std::shared_ptr<State> state, StoredCredential credential,
        const PrincipalPointer &principal, IsStillAllowed isStillAllowed, OnEnded onEnded)
      : state_(std::move(state)), credential_(std::move(credential)),
        isAllowed_(std::move(isStillAllowed)), onEnded_(std::move(onEnded)),
        expiresAt_(principal->expiresAt), lastAccepted_(state_->clock.monotonic()) {}
  ~Watch() {
    cancel_.cancel();
    state_->remove(this);
    state_->cancel(ticket_);
  }
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  // Schedules the next validation: when the authenticator's answer expires, but not before
  // minInterval is over, or when the credential expires, if that is earlier.
  void scheduleValidation() {
    const std::chrono::milliseconds kept = state_->authenticator.remainingTime(asCredential());
    const std::scoped_lock lock(mutex_);
    std::chrono::milliseconds span = std::max(kept, state_->rules.minInterval);
    if (mustRepeat_) span = std::chrono::milliseconds(0);
    mustRepeat_ = false;
    if (expiresAt_ != 0) {
      const std::int64_t left = std::max<std::int64_t>(expiresAt_ - state_->clock.unixSeconds(), 0);
      // The comparison is in seconds, because milliseconds could overflow for a distant expiry.
      if (left <= std::chrono::duration_cast<std::chrono::seconds>(span).count())
        span = std::chrono::seconds(left);
    }
    state_->cancel(ticket_); // clear() may have scheduled one in between
    if (!isOver_) ticket_ = state_->after(span, bindWeak(this, &Watch::validateAgain));
  }

  bool hasDigest(const Authenticator::Digest &digest) const {
    return state_->authenticator.isDigestOf(digest, asCredential());
  }

  // Called on the timer's thread.
  void validateAgain() {
    bool expired = false;
    {
      const std::scoped_lock lock(mutex_);
      if (isOver_) return;
      if (std::exchange(isValidating_, true)) {
        mustRepeat_ = true;
        return;
      }
      expired = expiresAt_ != 0 && expiresAt_ <= state_->clock.unixSeconds();
    }
    if (expired) return end("the access token has expired");
    state_->authenticator.authenticate(asCredential(), cancel_, bindWeak(this, &Watch::onAnswer));
  }

private:
  Credential asCredential() const {
    return {credential_.scheme, credential_.value.reveal(), state_->resource, credential_.peer,
            credential_.caller};
  }

  void onAnswer(const Result<PrincipalPointer> &principal) {
    const auto now = state_->clock.monotonic();
    if (principal) {
      if (!isAllowed_(**principal)) return end("the access token has other rights than before");
      const std::scoped_lock lock(mutex_);
      isValidating_ = false;
      lastAccepted_ = now;
      expiresAt_ = (*principal)->expiresAt;
    } else if (principal.failure().fault == Fault::Unauthenticated) {
      return end("the access token is no longer valid");
    } else {
      std::unique_lock lock(mutex_);
      isValidating_ = false;
      if (now - lastAccepted_ >= state_->rules.maxUnreachable) {
        lock.unlock();
        return end("the authorization provider has not answered for too long");
      }
    }
    scheduleValidation();
  }

  void end(std::string_view why) {
    {
      const std::scoped_lock lock(mutex_);
      if (std::exchange(isOver_, true)) return;
    }
    onEnded_(why);
  }

  const std::shared_ptr<State> state_;
  const StoredCredential credential_;
  const IsStillAllowed isAllowed_;
  const OnEnded onEnded_;
  const CancelToken cancel_;
  std::mutex mutex_;
  std::int64_t expiresAt_; // Unix seconds, by the newest answer of the provider; 0: unknown
  std::chrono::steady_clock::time_point lastAccepted_;
  Timer::Ticket ticket_;
  // mustRepeat_: validateAgain() was called during a validation. isOver_: onEnded_ was called.
  bool isValidating_ = false, mustRepeat_ = false, isOver_ = false;
};

CredentialWatches::CredentialWatches(Authenticator &authenticator, std::string resource,
                                     WatchRules rules, AccessClock clock)
    : state_(std::make_shared<State>(authenticator, std::move(resource), rules, std::move(clock))) {
  authenticator.onCleared([weak = std::weak_ptr<State>(state_)](const Authenticator::Digest *one) {
    const auto state = weak.lock();
    if (!state) return;
    const auto which = one == nullptr ? std::nullopt : std::optional(*one);
    state->after(std::chrono::milliseconds(0), [weak, which] {
      const auto watches = weak.lock();
      if (!watches) return;
      for (const auto &held : watches->all())
        if (const auto watch = held.lock(); watch && (!which || watch->hasDigest(*which)))
          watch->validateAgain();
    });
  });
}

CredentialWatches::~CredentialWatches() {
  state_->authenticator.onCleared(nullptr);
  state_->end();
}

WatchPointer CredentialWatches::watch(StoredCredential credential,
                                      const PrincipalPointer &principal,
                                      IsStillAllowed isStillAllowed, OnEnded onEnded) {
  auto watch = std::make_shared<Watch>(state_, std::move(credential), principal,
                                       std::move(isStillAllowed), std::move(onEnded));
  state_->add(watch);
  watch->scheduleValidation();
  return watch;
}

} // namespace skillhost
