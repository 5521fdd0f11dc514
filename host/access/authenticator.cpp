// SPDX-License-Identifier: Apache-2.0
#include "access/authenticator.hpp"

#include "base/http.hpp"
#include "base/log.hpp"
#include "base/metrics.hpp"
#include "ground/bind_weak.hpp"
#include "ground/expiring_cache.hpp"
#include "ground/time_reading.hpp"
#include "shared_answers.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

// In seconds. An answer is not kept at all during the last seconds of this length before the
// credential expires.
constexpr std::int64_t maxKeptSeconds = 300;
// For this time after a credential was accepted here, another replica may still have that answer or
// a stream.
constexpr std::chrono::seconds maxKeptElsewhere{2 * maxKeptSeconds};

// Returns how long the provider's answer may be used again, in seconds.
std::int64_t spanOf(const AuthPrincipal &principal, std::int64_t now) {
  if (principal.expiresAt <= now + maxKeptSeconds) return 0; // unknown, expired or soon expiring
  const std::int64_t left = principal.expiresAt - now - maxKeptSeconds;
  return std::min({maxKeptSeconds, left, std::int64_t{principal.cacheSeconds}});
}

PrincipalPointer principalOf(AuthPrincipal &&from) {
  auto made = std::make_shared<Principal>();
  made->subject = std::move(from.subject);
  made->issuer = std::move(from.issuer);
  for (std::string &scope : from.scopes) made->scopes.insert(std::move(scope));
  made->claims = std::move(from.claims);
  made->expiresAt = from.expiresAt;
  return made;
}

const Failure rejected{Fault::Unauthenticated, "the access token is not valid"};
const Failure expired{Fault::Unauthenticated, "the access token has expired"};
const Failure tooMany{Fault::Unavailable, "too many tokens are being checked: try again"};
const Failure unavailable{Fault::Unavailable,
                          "the authorization provider does not answer at the moment: try again"};

const Result<PrincipalPointer> notAsked(unavailable);

metrics::Counter &counterOf(const char *answer) {
  return metrics::all().counter({"skillhost_authentications_total", {{"answer", answer}}});
}

} // namespace

AccessClock AccessClock::systemClocks() {
  return {[] { return std::chrono::steady_clock::now(); }, &secondsNow};
}

class Authenticator::State : public std::enable_shared_from_this<State> {
public:
  static std::shared_ptr<State> make(std::shared_ptr<AuthProvider> provider,
                                     AuthenticatorRules rules, AccessClock clock,
                                     AuthenticatorSharing sharing) {
    std::shared_ptr<State> made(
        new State(std::move(provider), rules, std::move(clock), sharing.state.get()));
    if (sharing.state) made->shareBy(std::move(sharing));
    made->provider->onChanged(bindWeak(made, &State::clear));
    return made;
  }

  void authenticate(const Credential &credential, const CancelToken &cancel,
                    const Callback &callback) {
    if (credential.value.size() > rules_.maxValueBytes) {
      denied_.add();
      return callback(rejected);
    }
    const Digest digest = digestOf(credential);
    std::shared_ptr<Validation> begun;
    const std::optional<Result<PrincipalPointer>> known = [&] {
      const std::scoped_lock lock(mutex_);
      auto answer = find(digest, credential.peer);
      if (!answer) begun = joinValidation(digest, credential.peer, {cancel, callback});
      if (begun) begun->trace = credential.trace;
      return answer;
    }();
    if (known) return callback(*known);
    if (begun) attempt(digest, begun, [&] { validate(credential, digest, begun); });
  }

  void clear() {
    if (sharing_) sharing_->revokeAll();
    forgetAll();
  }

  void onCleared(OnCleared listener) {
    const std::scoped_lock lock(mutex_);
    onCleared_ = std::move(listener);
  }

  std::chrono::milliseconds remainingTime(const Credential &credential) {
    const Digest digest = digestOf(credential);
    const std::scoped_lock lock(mutex_);
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        accepted_.remainingTime(digest, clock_.monotonic()));
  }

  bool isDigestOf(const Digest &digest, const Credential &credential) const {
    return digest == digestOf(credential);
  }

  const std::shared_ptr<AuthProvider> provider;

private:
  State(std::shared_ptr<AuthProvider> theProvider, AuthenticatorRules rules, AccessClock clock,
        const SharedStore *shared)
      : provider(std::move(theProvider)), rules_(rules), clock_(std::move(clock)),
        key_(shared != nullptr ? SharedAnswers::keyOf(*shared) : Blake3Key::random()),
        accepted_(rules.maxAccepted), rejected_(rules.maxRejected),
        formerly_(shared != nullptr ? rules.maxAccepted : 0),
        revoked_(shared != nullptr ? rules.maxAccepted : 0) {}

  void shareBy(AuthenticatorSharing sharing) {
    sharing_ = SharedAnswers::make(std::move(sharing.state), std::move(sharing.mark),
                                   [weak = weak_from_this()](const Digest *one) {
                                     const auto self = weak.lock();
                                     if (!self) return;
                                     if (one == nullptr)
                                       self->forgetAll();
                                     else
                                       self->forget(*one);
                                   });
  }

  struct Waiter {
    CancelToken cancel;
    Callback callback;
  };
  struct Validation {
    explicit Validation(std::string asker) : network(std::move(asker)) {}
    const std::string network;   // network of the first caller
    TracePointer trace;          // trace of the first caller; set before the validation begins
    std::vector<Waiter> waiters; // under the lock
    bool isAnswered = false;     // under the lock
  };

  Digest digestOf(const Credential &credential) const {
    // A token identifies its owner by itself, and so does a certificate. For every other scheme,
    // the address of the peer is part of the digest.
    const bool certified = credential.caller && credential.caller->certificate;
    const bool byItself =
        credential.scheme == "bearer" || (credential.scheme == "mtls" && certified);
    const std::array<std::string_view, 4> parts{credential.scheme, credential.resource,
                                                credential.value,
                                                byItself ? std::string_view{} : credential.peer};
    if (!credential.caller) return key_.digest(parts);
    std::vector<std::string_view> all(parts.begin(), parts.end());
    const AuthCaller &caller = *credential.caller;
    all.push_back(caller.certificate ? std::string_view(caller.certificate->sha256)
                                     : std::string_view{});
    for (const AuthCaller::Header &header : caller.headers) {
      all.emplace_back(header.name);
      all.push_back(header.value.reveal());
    }
    return key_.digest(all);
  }

  // The caller of this function and of those below holds the lock.
  std::optional<Result<PrincipalPointer>> find(const Digest &digest, std::string_view peer) {
    const auto now = clock_.monotonic();
    if (const PrincipalPointer *principal = accepted_.find(digest, now)) {
      cached_.add();
      return *principal;
    }
    if (rejected_.find(digest, now) != nullptr) {
      denied_.add();
      return Result<PrincipalPointer>(rejected);
    }
    const bool full = waiting_ >= rules_.maxWaiting;
    if (!full && !isCrowding(digest, peer)) return std::nullopt;
    unavailable_.add();
    return Result<PrincipalPointer>(full ? unavailable : tooMany);
  }

  // True if a network sends so many unknown tokens at once that they are probably guesses. The
  // limit leaves time of the provider for other networks.
  bool isCrowding(const Digest &digest, std::string_view peer) const {
    const auto pending = pending_.find(networkOf(peer));
    return pending != pending_.end() && pending->second >= rules_.maxPerPeer &&
           !validations_.contains(digest);
  }

  // Returns the validation if the caller has to begin it; null if it runs already.
  std::shared_ptr<Validation> joinValidation(const Digest &digest, std::string_view peer,
                                             Waiter waiter) {
    const auto known = validations_.find(digest);
    const bool isNew = known == validations_.end();
    const auto validation = isNew ? std::make_shared<Validation>(networkOf(peer)) : known->second;
    validation->waiters.push_back(std::move(waiter));
    if (isNew) {
      const auto own = validations_.emplace(digest, validation).first;
      try {
        ++pending_[validation->network];
      } catch (...) { // Out of memory. A validation that has not begun would never be answered.
        validations_.erase(own);
        throw;
      }
    }
    ++waiting_;
    return isNew ? validation : nullptr;
  }

  void forgetAll() {
    OnCleared listener;
    {
      const std::scoped_lock lock(mutex_);
      accepted_.clear();
      rejected_.clear();
      validations_.clear(); // their callers are answered, but the answers are not kept
      listener = onCleared_;
    }
    if (listener) listener(nullptr);
  }

  // Answers of other replicas about this credential are ignored as long as they could be kept.
  void forget(const Digest &digest) {
    OnCleared listener;
    {
      const std::scoped_lock lock(mutex_);
      accepted_.erase(digest);
      validations_.erase(digest);
      formerly_.erase(digest); // all replicas know of the refusal
      revoked_.put(digest, true, clock_.monotonic() + std::chrono::seconds(maxKeptSeconds));
      listener = onCleared_;
    }
    if (listener) listener(&digest);
  }

  void validate(const Credential &credential, const Digest &digest,
                const std::shared_ptr<Validation> &validation) {
    AuthCredential request{std::string(credential.scheme), Secret(credential.value),
                           std::string(credential.resource), std::string(credential.peer),
                           credential.caller};
    if (!mayBeShared(digest)) return ask(std::move(request), digest, validation);
    auto kept = std::make_shared<AuthCredential>(std::move(request));
    sharing_->find(digest, [self = shared_from_this(), kept, digest,
                            validation](const std::optional<SharedAnswers::StoredAnswer> &found) {
      const std::int64_t now = self->clock_.unixSeconds();
      const std::int64_t span = found ? std::min(found->until - now, maxKeptSeconds) : 0;
      if (span <= 0 || found->principal->expiresAt <= now)
        return self->attempt(digest, validation,
                             [&] { self->ask(std::move(*kept), digest, validation); });
      self->shared_.add();
      self->finishValidation(digest, validation, found->principal, span);
    });
  }

  // Calls `step`. If it throws, the waiting callers receive an error, because a validation that
  // never ends would block them forever.
  template <class Step>
  void attempt(const Digest &digest, const std::shared_ptr<Validation> &validation, Step step) {
    try {
      step();
    } catch (const std::exception &why) {
      log::failure("access", {"a credential could not be checked"}, why);
      finishValidation(digest, validation, notAsked, 0);
    }
  }

  bool mayBeShared(const Digest &digest) {
    if (!sharing_ || !sharing_->isUsable()) return false;
    const std::scoped_lock lock(mutex_);
    return revoked_.find(digest, clock_.monotonic()) == nullptr;
  }

  void ask(AuthCredential credential, const Digest &digest,
           const std::shared_ptr<Validation> &validation) {
    // The validation has no owner: it continues if the first caller gives up.
    CallOptions options{
        Deadline::after(rules_.deadline), {}, {}, validation->network, validation->trace};
    provider->validate(
        std::move(options), std::move(credential),
        [self = shared_from_this(), digest, validation](Result<AuthPrincipal> answer) {
          self->attempt(digest, validation,
                        [&] { self->onProviderAnswer(digest, validation, std::move(answer)); });
        });
  }

  void onProviderAnswer(const Digest &digest, const std::shared_ptr<Validation> &validation,
                        Result<AuthPrincipal> answer) {
    const std::int64_t now = clock_.unixSeconds();
    const std::int64_t span = answer ? spanOf(*answer, now) : 0;
    const Result<PrincipalPointer> result =
        principalOrRefusal(std::move(answer), validation->network);
    const bool isCurrent = finishValidation(digest, validation, result, span);
    if (!sharing_) return;
    if (result) {
      if (isCurrent && span > 0) sharing_->keep(digest, {*result, now + span}, now);
    } else if (result.failure().fault == Fault::Unauthenticated && wasAccepted(digest)) {
      sharing_->revoke(digest);
      // The other streams with this credential are checked at once as well.
      const OnCleared listener = [&] {
        const std::scoped_lock lock(mutex_);
        return onCleared_;
      }();
      if (listener) listener(&digest);
    }
  }

  // Returns true if the credential was accepted here; only once.
  bool wasAccepted(const Digest &digest) {
    const std::scoped_lock lock(mutex_);
    const auto now = clock_.monotonic();
    if (formerly_.find(digest, now) == nullptr) return false;
    formerly_.erase(digest);
    revoked_.put(digest, true, now + std::chrono::seconds(maxKeptSeconds));
    return true;
  }

  // Returns true if the answer may be kept, because nothing was cleared meanwhile.
  bool finishValidation(const Digest &digest, const std::shared_ptr<Validation> &validation,
                        const Result<PrincipalPointer> &result, std::int64_t span) {
    bool isCurrent = false;
    std::vector<Waiter> waiters;
    {
      const std::scoped_lock lock(mutex_);
      if (std::exchange(validation->isAnswered, true)) return false;
      waiters = std::exchange(validation->waiters, {});
      waiting_ -= waiters.size();
      if (const auto pending = pending_.find(validation->network);
          pending != pending_.end() && --pending->second == 0)
        pending_.erase(pending);
      // Otherwise the answers were cleared meanwhile, and this one may be outdated.
      if (const auto current = validations_.find(digest);
          current != validations_.end() && current->second == validation) {
        validations_.erase(current);
        isCurrent = true;
      }
      keep(digest, result, isCurrent, std::chrono::seconds(span));
    }
    for (const Waiter &waiter : waiters) callBack(waiter, result);
    return isCurrent;
  }

  static void callBack(const Waiter &waiter, const Result<PrincipalPointer> &result) noexcept {
    try {
      if (waiter.cancel.cancelled())
        waiter.callback(Result<PrincipalPointer>(Fault::Cancelled, "cancelled"));
      else
        waiter.callback(result);
    } catch (const std::exception &why) {
      log::failure("access", {"a request did not receive the principal of its caller"}, why);
    }
  }

  // The caller holds the lock. If memory runs out, the answer is not kept and the provider is asked
  // again.
  void keep(const Digest &digest, const Result<PrincipalPointer> &result, bool isCurrent,
            std::chrono::seconds span) noexcept {
    const auto now = clock_.monotonic();
    try {
      if (isCurrent && result && span.count() > 0)
        accepted_.put(digest, *result, now + span);
      else if (isCurrent && !result && result.failure().fault == Fault::Unauthenticated)
        rejected_.put(digest, true, now + rules_.rejectionLifetime);
      if (result) formerly_.put(digest, true, now + maxKeptElsewhere);
    } catch (const std::exception &why) {
      log::failure("access", {"an answer of the authorization provider could not be cached"}, why);
    }
  }

  // Details in the provider's message are for the operator only.
  Result<PrincipalPointer> principalOrRefusal(Result<AuthPrincipal> answer,
                                              const std::string &network) {
    if (answer) {
      // An expired credential is refused, whatever the provider says about it.
      if (answer->expiresAt != 0 && answer->expiresAt <= clock_.unixSeconds()) {
        denied_.add();
        log::refused(LogLevel::Info, "access", network, provider->name() + ": " + expired.message);
        return expired;
      }
      acceptedCount_.add();
      return principalOf(*std::move(answer));
    }
    const Failure &why = answer.failure();
    if (why.fault == Fault::Unauthenticated) {
      denied_.add();
      log::refused(LogLevel::Info, "access", network, why.message);
      return rejected;
    }
    unavailable_.add();
    log::refused(LogLevel::Warning, "access", network, why.message);
    return unavailable;
  }

  const AuthenticatorRules rules_;
  const AccessClock clock_;
  // Null: no other replica is notified; only make() sets it.
  std::shared_ptr<SharedAnswers> sharing_;
  const Blake3Key key_;
  std::mutex mutex_;
  ExpiringCache<PrincipalPointer> accepted_;
  ExpiringCache<bool> rejected_;
  ExpiringCache<bool> formerly_; // accepted here, so other replicas may have kept the answer
  ExpiringCache<bool> revoked_;  // the engine may contain an outdated answer
  std::unordered_map<Digest, std::shared_ptr<Validation>, Blake3Key::Hash> validations_;
  std::unordered_map<std::string, std::size_t> pending_; // running validations by network
  std::size_t waiting_ = 0;
  OnCleared onCleared_;
  metrics::Counter &cached_ = counterOf("cached"), &shared_ = counterOf("shared"),
                   &acceptedCount_ = counterOf("accepted"), &denied_ = counterOf("denied"),
                   &unavailable_ = counterOf("unavailable");
};

Authenticator::Authenticator(std::shared_ptr<AuthProvider> provider, AuthenticatorRules rules,
                             AccessClock clock, AuthenticatorSharing sharing)
    : state_(State::make(std::move(provider), rules, std::move(clock), std::move(sharing))) {}
Authenticator::~Authenticator() { state_->provider->stop(); }
void Authenticator::authenticate(const Credential &credential, const CancelToken &cancel,
                                 const Callback &callback) {
  state_->authenticate(credential, cancel, callback);
}
void Authenticator::clear() { state_->clear(); }
void Authenticator::onCleared(OnCleared listener) { state_->onCleared(std::move(listener)); }
bool Authenticator::isDigestOf(const Digest &digest, const Credential &credential) const {
  return state_->isDigestOf(digest, credential);
}
std::chrono::milliseconds Authenticator::remainingTime(const Credential &credential) const {
  return state_->remainingTime(credential);
}
AuthProvider &Authenticator::provider() const noexcept { return *state_->provider; }

} // namespace skillhost
