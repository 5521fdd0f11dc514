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

// A credential that is kept for later, with the address it came from.
struct StoredCredential {
  Secret value;
  std::string peer; // see Credential for this member and those below
  std::string scheme = "bearer";
  std::shared_ptr<const AuthCaller> caller{};

  bool empty() const noexcept { return value.empty() && !caller; }
};

struct WatchRules {
  // Minimum time between two validations of a credential. The next validation also waits until the
  // Authenticator no longer keeps the last answer.
  std::chrono::milliseconds between{60'000};
  // If the provider cannot be reached, a stream is ended this long after the last positive
  // answer.
  std::chrono::milliseconds away{900'000};
};

// The owner of the stream holds it. Its destruction ends the watch and wipes the credential.
using WatchPointer = std::shared_ptr<void>;

// Any thread.
class CredentialWatches {
public:
  // Returns true if the stream may stay open for the principal as the provider now returns it.
  using IsStillAllowed = std::function<bool(const Principal &)>;
  // Called once, on a thread of its own or of the provider, perhaps while the watch is being
  // destroyed. It must be short. `why` is a few words.
  using OnEnded = std::function<void(std::string_view why)>;

  // `authenticator` must outlive this object. If it drops an answer that it kept, the credential is
  // validated at once. Throws std::system_error if no thread can be started.
  CredentialWatches(Authenticator &authenticator, std::string resource, WatchRules rules = {},
                    AccessClock clock = AccessClock::systemClocks());
  ~CredentialWatches();
  CredentialWatches(const CredentialWatches &) = delete;
  CredentialWatches &operator=(const CredentialWatches &) = delete;
  // Starts a watch for a stream that `principal` has opened. Destroy the result to end it.
  WatchPointer watch(StoredCredential credential, const PrincipalPointer &principal,
                     IsStillAllowed isStillAllowed, OnEnded ended);

private:
  class State;
  class Watch;
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
