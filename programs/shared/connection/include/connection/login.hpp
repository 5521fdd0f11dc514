// SPDX-License-Identifier: Apache-2.0
// Signing in to a server over HTTP with the person's browser: OAuth 2.1 authorization code with
// PKCE (RFC 7636), a loopback redirect (RFC 8252), discovery (RFC 9728, RFC 8414), dynamic
// registration (RFC 7591) or a client metadata document. The tokens are kept in a private file and
// refreshed.
#pragma once

#include "ground/result.hpp"
#include "oauth/access_token.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace skillhost {

struct LoginSettings {
  std::string url;    // URL of the MCP server
  std::string folder; // absolute path for the tokens, one file per server
  // The client's id at the provider; empty: that of `clientMetadata`, or else of a registration.
  std::string clientId;
  std::string clientMetadata; // https URL of a client id metadata document; empty: none
  std::string scope;          // separated by spaces; empty: the scope that the server names
  std::string browser;        // program that opens the URL; empty: none is started
  std::string authorities;    // PEM file that replaces the system's; empty: the system's
  bool allowPlainToken = false;
  std::chrono::milliseconds connecting{15'000};
  std::chrono::milliseconds patience{300'000}; // time limit for the person
  std::string version;                         // of this program
};

// The address at which the person signs in.
struct SignInAddress {
  std::string text;
  // The other process whose sign-in we wait for; 0: the sign-in is our own.
  std::int64_t process = 0;
};

// The tokens for one server. Every function blocks on the network or the person, so do not call it
// on a thread that carries messages. `stop` is a descriptor: waiting ends when it can be read.
// Failures are Denied (sign in again, or the provider refuses), Unavailable (try again) or
// Cancelled, and never contain a token. Processes that sign in to one server at the same time wait
// for each other.
class Login {
public:
  // `show` receives the address to open, on any thread.
  Login(LoginSettings settings, std::function<void(const SignInAddress &)> show);

  // Returns the kept token, or a refreshed one if the kept token is about to expire or the server
  // `refused` it. Otherwise asks the person, at most once in five minutes, because a window that
  // opens again and again helps nobody. `refused` may be empty.
  Result<AccessToken> token(const std::string &refused, int stop);
  // Asks the person even if a token is kept, and registers a new client where clients are
  // registered. If another process signed in while we waited, its token is used, unless the
  // settings name a client or a scope.
  Result<AccessToken> signIn(int stop);
  // Revokes the kept tokens at the provider, where it supports that, and removes the file. Returns
  // false if nothing was kept.
  Result<bool> signOut(int stop);

  // The file of this server's tokens.
  const std::string &file() const noexcept { return file_; }

private:
  const LoginSettings settings_;
  const std::function<void(const SignInAddress &)> show_;
  const std::string file_;
  // The time when an address was last shown.
  std::optional<std::chrono::steady_clock::time_point> lastQuestion_;
};

} // namespace skillhost
