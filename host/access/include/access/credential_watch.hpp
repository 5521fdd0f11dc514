// SPDX-License-Identifier: Apache-2.0
// Watches the credentials of open streams: validates each again while its stream lives, so that no
// stream outlives its credential.
#pragma once

#include "access/authenticator.hpp"
#include "ground/secret.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// A copy of a request's credential that outlives the request. The members are those of Credential.
struct StoredCredential {
  Secret value;
  std::string peer;                           // address of the client
  std::string scheme = "bearer";              // lower case
  std::shared_ptr<const AuthCaller> caller{}; // null if there is only the value

  bool empty() const noexcept { return value.empty() && !caller; }
};

struct WatchRules {
  // Minimum time between two validations of a credential. The next validation also waits until the
  // Authenticator no longer keeps the last answer.
  std::chrono::milliseconds minInterval{60'000};
  // If the provider cannot be reached, a stream ends this long after the provider last accepted its
  // credential.
  std::chrono::milliseconds maxUnreachable{900'000};
};

// A running watch. The owner of the stream holds it. Destroying it ends the watch and wipes the
// credential.
using WatchPointer = std::shared_ptr<void>;

// Any thread may call it.
class CredentialWatches {
public:
  // Receives the principal of the newest validation, whose scopes may have changed. Returns true if
  // the stream may stay open for it.
  using IsStillAllowed = std::function<bool(const Principal &)>;
  // Called once when the stream must be closed, on the timer's thread or a thread of the provider,
  // perhaps while the watch is being destroyed. It must not block. `why` is a few words for the
  // log.
  using OnEnded = std::function<void(std::string_view why)>;

  // `authenticator` must outlive this object. If the authenticator drops a kept answer, the
  // credential of that answer is validated at once. `resource` is the URI that the credentials must
  // be meant for. Throws std::system_error if no thread can be started.
  CredentialWatches(Authenticator &authenticator, std::string resource, WatchRules rules = {},
                    AccessClock clock = AccessClock::systemClocks());
  ~CredentialWatches();
  CredentialWatches(const CredentialWatches &) = delete;
  CredentialWatches &operator=(const CredentialWatches &) = delete;
  // Starts a watch for a stream that `principal` has opened. Destroy the result to end it.
  WatchPointer watch(StoredCredential credential, const PrincipalPointer &principal,
                     IsStillAllowed isStillAllowed, OnEnded onEnded);

private:
  class State;
  class Watch;
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
