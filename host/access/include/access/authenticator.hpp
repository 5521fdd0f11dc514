// SPDX-License-Identifier: Apache-2.0
// From a credential to the principal behind it: asks the provider once, and remembers the answer
// for as long as it may.
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
  std::string_view scheme;                    // lower case: "bearer"; see AuthCredential
  std::string_view value;                     // secret
  std::string_view resource;                  // canonical URI it must be meant for (RFC 8707)
  std::string_view peer;                      // "ip:port" or "unix:uid=1000"; may be empty
  std::shared_ptr<const AuthCaller> caller{}; // null: there is nothing but the value
  TracePointer trace{};                       // of who asks, for what the provider asks in turn
};

struct AuthenticatorRules {
  std::chrono::milliseconds deadline{10'000}; // of one validation
  std::size_t longestValue = 16U << 10U;      // bytes; a longer one is refused unseen
  std::size_t accepted = 10'000;              // principals kept; the one unused the longest goes
  std::size_t rejected = 1'000;               // rejections kept, apart from the principals
  std::chrono::seconds rejectedFor{5};
  std::size_t waiting = 10'000; // callers that wait for validations; one more is refused
  // Validations under way or waiting for one address or IPv6 /64; one more is refused. The others
  // have their turn beside them.
  std::size_t ofOnePeer = 64;
};

// Two clocks that a test can turn.
struct AccessClock {
  std::function<std::chrono::steady_clock::time_point()> monotonic;
  std::function<std::int64_t()> unixSeconds;
  static AccessClock ofTheSystem();
};

// With whom answers are shared, and those of which provider.
struct AuthenticatorSharing {
  std::shared_ptr<SharedStore> state{}; // null: with nobody
  std::string mark{};                   // of the provider and its configuration; may hold secrets
};

// Any thread. Credentials are kept nowhere: they are known again by a digest whose key only this
// object has, or only the replicas that share their answers. Of these the one that has to ask looks
// for the answer of another one first, and an answer that was accepted and is now refused is
// forgotten by all of them; while the engine is away each asks the provider itself.
class Authenticator {
public:
  using Callback = std::function<void(Result<PrincipalPointer>)>;
  using Digest = Blake3Key::Digest; // of a credential

  // Throws std::system_error when there are no random numbers.
  explicit Authenticator(std::shared_ptr<AuthProvider> provider, AuthenticatorRules rules = {},
                         AccessClock clock = AccessClock::ofTheSystem(),
                         AuthenticatorSharing sharing = {});
  // Ends the provider's executor. Not on an executor's own thread.
  ~Authenticator();
  Authenticator(const Authenticator &) = delete;
  Authenticator &operator=(const Authenticator &) = delete;

  // Calls back exactly once: before it returns when the answer is known, else on a thread of the
  // provider, at the latest at the deadline of the validation. All who ask for one credential
  // meanwhile share one validation. Unauthenticated: rejected. Unavailable: there is no answer.
  // Cancelled: `cancel` was, the others get theirs. The messages are fit for the client.
  void authenticate(const Credential &credential, const CancelToken &cancel,
                    const Callback &callback);
  // Forgets what was said of all credentials: the provider says that it may no longer hold. What is
  // under way is answered to those who wait for it, and not kept. Other replicas do the same.
  void clear();
  // Hears of every clear(), that of another replica too, and of the single credential that is
  // refused after it was accepted; on the thread that found it, must not block. Null: nobody does
  // any more.
  using Cleared = std::function<void(const Digest *one)>; // null: of all
  void onCleared(Cleared listener);
  // Whether the digest is that of the credential.
  bool isOf(const Digest &digest, const Credential &credential) const;
  // How long the answer about this credential will still be used again; zero: there is none.
  std::chrono::milliseconds keptFor(const Credential &credential) const;

  AuthProvider &provider() const noexcept;

private:
  class State;
  std::shared_ptr<State> state_;
};

} // namespace skillhost
