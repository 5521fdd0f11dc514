// SPDX-License-Identifier: Apache-2.0
// Maps a credential to its principal: asks the provider once, and keeps the answer as long as
// allowed.
#pragma once

#include "access/principal.hpp"
#include "base/trace_context.hpp"
#include "ground/blake3.hpp"
#include "ground/cancel.hpp"
#include "ground/result.hpp"
#include "plugin/auth.hpp"
#include "plugin/shared_store.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

struct Credential {
  std::string_view scheme; // lower case: "bearer"; see AuthCredential
  std::string_view value;  // secret
  // Canonical URI that the credential must be meant for (RFC 8707).
  std::string_view resource;
  std::string_view peer;                      // "ip:port" or "unix:uid=1000"; may be empty
  std::shared_ptr<const AuthCaller> caller{}; // null if there is only the value
  // Trace of the caller, for the provider's own requests.
  TracePointer trace{};
};

struct AuthenticatorRules {
  std::chrono::milliseconds deadline{10'000}; // of one validation
  // A longer value is rejected without a validation.
  std::size_t maxValueBytes = 16U << 10U;
  // Principals of accepted credentials that are kept. Beyond that, the one that was unused for the
  // longest time is dropped.
  std::size_t maxAccepted = 10'000;
  std::size_t maxRejected = 1'000;           // rejected credentials that are kept, in the same way
  std::chrono::seconds rejectionLifetime{5}; // for so long a rejected credential is not validated
  std::size_t maxWaiting = 10'000; // callers that wait for validations; further ones are refused
  // Running validations for one IPv4 address or IPv6 /64. Further ones are refused, so that other
  // addresses are served, too.
  std::size_t maxPerPeer = 64;
};

// Two clocks that a test can replace.
struct AccessClock {
  std::function<std::chrono::steady_clock::time_point()> monotonic;
  std::function<std::int64_t()> unixSeconds;
  static AccessClock systemClocks();
};

// How the replicas of a service share the answers of the provider.
struct AuthenticatorSharing {
  std::shared_ptr<SharedStore> state{}; // null: answers are not shared
  std::string mark{}; // names the provider and its configuration; may contain secrets
};

// Any thread. Credentials are not kept: they are recognised by a digest whose key only this object
// has, or only the replicas that share their answers. Before such a replica asks the provider, it
// looks for the answer of another one. If an accepted credential is later refused, all replicas
// drop its answer. While the engine is unreachable, each replica asks the provider itself.
class Authenticator {
public:
  using Callback = std::function<void(Result<PrincipalPointer>)>;
  using Digest = Blake3Key::Digest; // of a credential

  // Throws std::system_error if there are no random numbers.
  explicit Authenticator(std::shared_ptr<AuthProvider> provider, AuthenticatorRules rules = {},
                         AccessClock clock = AccessClock::systemClocks(),
                         AuthenticatorSharing sharing = {});
  // Stops the provider's executor. Do not call it on a thread of that executor.
  ~Authenticator();
  Authenticator(const Authenticator &) = delete;
  Authenticator &operator=(const Authenticator &) = delete;

  // Calls back exactly once: before it returns if the answer is known, else on a thread of the
  // provider, no later than the deadline of the validation. Concurrent calls with the same
  // credential share one validation. Fails with Unauthenticated if the credential is rejected, with
  // Unavailable if there is no answer, and with Cancelled if `cancel` was set; the other callers
  // still receive their answer. The messages may be sent to the client.
  void authenticate(const Credential &credential, const CancelToken &cancel,
                    const Callback &callback);
  // Drops the answers about all credentials, because the provider says that they may no longer
  // hold. Running validations are answered to their callers but not kept. Other replicas do the
  // same.
  void clear();
  // The listener is notified of every clear(), also at another replica, and of a single credential
  // that is refused after it was accepted. It runs on the thread that found this and must not
  // block. Null removes the listener.
  using OnCleared = std::function<void(const Digest *digest)>; // null: all credentials
  void onCleared(OnCleared listener);
  // Returns true if the digest is that of the credential.
  bool isDigestOf(const Digest &digest, const Credential &credential) const;
  // Returns how long the kept answer about this credential will be used; zero if none is kept.
  std::chrono::milliseconds remainingTime(const Credential &credential) const;

  AuthProvider &provider() const noexcept;

private:
  class State;
  std::shared_ptr<State> state_;
};

} // namespace skillhost
