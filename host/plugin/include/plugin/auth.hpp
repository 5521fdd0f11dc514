// SPDX-License-Identifier: Apache-2.0
// An auth instance as the host calls it: it says who is asking. It fails closed: everything but a
// clear yes is a refusal.
#pragma once

#include "base/http.hpp"
#include "ground/secret.hpp"
#include "plugin/call.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

// Evidence that a caller shows besides its token. Immutable once made.
struct AuthCaller {
  struct Header {
    std::string name; // in lower case
    Secret value;
  };
  std::shared_ptr<const ClientCertificate> certificate; // null: none
  std::vector<Header> headers;
};

struct AuthCredential {
  std::string scheme; // lower case: "bearer"; "mtls" and "none" only with a caller
  Secret value;
  std::string resource; // canonical URI the credential must be meant for (RFC 8707)
  std::string peer;     // "ip:port" or "unix:uid=1000"; may be empty
  std::shared_ptr<const AuthCaller> caller{}; // null: the caller shows only the value
};

// The values are within the limits of principal_sink.cpp and valid UTF-8; claims are a JSON object
// or empty.
struct AuthPrincipal {
  std::string subject, issuer;
  std::vector<std::string> scopes; // each as RFC 6749 section 3.3 has it
  std::string claims;
  std::int64_t expiresAt = 0;     // Unix seconds; 0: unknown
  std::uint32_t cacheSeconds = 0; // how long the answer may be reused
};

class AuthProvider {
public:
  virtual ~AuthProvider() = default;

  virtual const std::string &name() const noexcept = 0;
  // Calls the listener when the plugin hints that its answers may no longer hold, even if it did so
  // before this call. The listener runs on any thread and must not block. Call it once.
  virtual void onChanged(std::function<void()> listener) = 0;
  // Ends the executor: cancels the calls that wait or run, and refuses later ones. Must not be
  // called on an executor's own thread.
  virtual void stop() = 0;

  // Checks that it can do its work: keys loaded, issuer reachable.
  virtual void check(CallOptions options, ResultCallback<Done> answer) = 0;
  // Fails with Unauthenticated if the credential is rejected, with Cancelled if the call was, and
  // with Unavailable for everything else that is no clear yes. The message is for the operator.
  virtual void validate(CallOptions options, AuthCredential credential,
                        ResultCallback<AuthPrincipal> answer) = 0;
  // Returns RFC 9728 metadata as the plugin gives it: at most `limit` bytes, unchecked.
  virtual void describe(CallOptions options, std::size_t limit,
                        ResultCallback<std::string> answer) = 0;
};

} // namespace skillhost
