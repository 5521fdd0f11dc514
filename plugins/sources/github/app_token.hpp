// SPDX-License-Identifier: Apache-2.0
// Gets installation tokens of a GitHub App: a token for an hour, for an assertion that the app's
// private key signs (RS256, RFC 7518).
#pragma once

#include "network/transfer.hpp"
#include "remote/operation.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st; // OpenSSL's EVP_PKEY

namespace skillhost::github {

// The app, as an operator names it. Immutable.
struct AppCredentials {
  // Throws skh::Error(SKH_INVALID) unless `pem` is an RSA key of at least 2048 bits without a pass
  // phrase.
  AppCredentials(std::string appId, std::string installationId, std::string_view pem);

  // Returns the signed JWT that names the app, valid for nine minutes from `now` in Unix seconds.
  // It begins a minute before, because clocks differ. Throws skh::Error.
  std::string assertion(std::int64_t now) const;

  std::string app, installation;

private:
  std::shared_ptr<evp_pkey_st> key_;
};

struct IssuedToken {
  std::string text;
  std::int64_t expires = 0; // Unix seconds
};

// Reads GitHub's answer to a request for a token of that app. The token counts as valid for an hour
// from `now` at most, whatever the answer says. Throws RemoteError, without the token, if the
// answer has no token or no time at which it expires.
IssuedToken issuedToken(std::string_view body, const std::string &app, std::int64_t now);

// Only one thread may use it.
class AppToken {
public:
  // `api` is the address of GitHub's API. All arguments must outlive it.
  AppToken(const AppCredentials &credentials, const std::string &api)
      : credentials_(credentials), api_(api) {}

  // Returns a token that is valid for at least five minutes: the last one, or a new one. Throws
  // skh::Error, RefusedError if GitHub refuses the app, and RemoteError if GitHub fails. No message
  // contains the assertion or a token.
  const std::string &get(const HttpRules &rules, remote::Operation &operation);
  // Call it if GitHub has refused the token, so that the next get() asks for a new one.
  void forget() { last_.text.clear(); }

private:
  const AppCredentials &credentials_;
  const std::string &api_;
  IssuedToken last_;
};

} // namespace skillhost::github
