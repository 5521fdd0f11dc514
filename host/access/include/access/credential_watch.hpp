// SPDX-License-Identifier: Apache-2.0
// Watches the credentials that streams are open with: asks about each again while its stream lives,
// so that no stream outlives what it was opened with.
#pragma once

#include "access/authenticator.hpp"
#include "ground/secret.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// A credential that somebody holds on to, and where it came from.
struct HeldCredential {
  Secret value;
  std::string peer; // this and what follows: as in Credential
  std::string scheme = "bearer";
  std::shared_ptr<const AuthCaller> caller{};

  bool empty() const noexcept { return value.empty() && !caller; }
};

struct WatchRules {
  // At least so long between two questions about one credential; longer while the Authenticator
  // keeps its answer.
  std::chrono::milliseconds between{60'000};
  // So long a provider that cannot be asked is waited for, counted from its last yes.
  std::chrono::milliseconds away{900'000};
};

// Held by who owns the stream. Its end is that of the watch, and wipes the credential.
using WatchPointer = std::shared_ptr<void>;

// Any thread.
class CredentialWatches {
public:
  // Whether the stream may stay open for who the provider now says that it is.
  using Still = std::function<bool(const Principal &)>;
  // Called once, on a thread of its own or of the provider; when the watch goes, it may just be
  // under way. Must be short. `why` is a few words.
  using Ended = std::function<void(std::string_view why)>;

  // `authenticator` outlives it. Asks at once about what that one forgets its answers of.
  // Throws std::system_error when no thread can be started.
  CredentialWatches(Authenticator &authenticator, std::string resource, WatchRules rules = {},
                    AccessClock clock = AccessClock::ofTheSystem());
  ~CredentialWatches();
  CredentialWatches(const CredentialWatches &) = delete;
  CredentialWatches &operator=(const CredentialWatches &) = delete;

  WatchPointer watch(HeldCredential credential, const PrincipalPointer &principal, Still still,
                     Ended ended);

private:
  class State;
  class Watch;
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
