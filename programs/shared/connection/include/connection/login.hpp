// SPDX-License-Identifier: Apache-2.0
// Signing in to a server over HTTP with the person's browser: OAuth 2.1 authorization code with
// PKCE (RFC 7636), a loopback redirect (RFC 8252), discovery (RFC 9728, RFC 8414), dynamic
// registration (RFC 7591) or a client metadata document. The tokens are kept in a private file and
// refreshed.
#pragma once

#include "ground/result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace skillhost {

struct LoginSettings {
  std::string url;    // of the MCP server
  std::string folder; // absolute; where the tokens are kept, one file a server
  // The client as the provider knows it; empty: that of `clientMetadata`, else a registered one.
  std::string clientId;
  std::string clientMetadata; // https URL of a client id metadata document; empty: none
  std::string scope;          // with spaces between; empty: what the server says it needs
  std::string browser;        // a program that is given the URL; empty: none is started
  std::string authorities;    // PEM file of those trusted instead of the system's; empty: those
  bool allowPlainToken = false;
  std::chrono::milliseconds connecting{15'000};
  std::chrono::milliseconds patience{300'000}; // that the person may take
  std::string version;                         // of this program
};

struct AccessToken {
  std::string text;
  std::optional<std::chrono::system_clock::time_point> expires;
};

// Where the person signs in.
struct SignInAddress {
  std::string text;
  // Another process that waits for this sign-in, and for which we wait; 0: it is our own.
  std::int64_t process = 0;
};

// The tokens for one server. Every function waits for the network or the person: not for a thread
// that carries something. `stop` is a descriptor; what waits ends when it can be read. Failures are
// Denied (sign in anew, or the provider refuses), Unavailable (try again) or Cancelled, and never
// hold a token. Processes that sign in to one server at once wait for each other.
class Login {
public:
  // `show` is given the address to open; any thread.
  Login(LoginSettings settings, std::function<void(const SignInAddress &)> show);

  // The kept token; a refreshed one when that is about to expire, or is `refused` by the server;
  // else the person is asked, at most once in five minutes: a window that opens again and again
  // helps nobody. `refused` may be empty.
  Result<AccessToken> token(const std::string &refused, int stop);
  // Asks the person whatever is kept, as a client that is registered anew where it is registered at
  // all. A sign-in for which another process was waiting does for this one too, unless the settings
  // name a client or a scope.
  Result<AccessToken> signIn(int stop);
  // Takes what is kept back at the provider, where it can do that, and removes it. False: there was
  // nothing.
  Result<bool> signOut(int stop);

  // The file of this server.
  const std::string &file() const noexcept { return file_; }

private:
  const LoginSettings settings_;
  const std::function<void(const SignInAddress &)> show_;
  const std::string file_;
  std::optional<std::chrono::steady_clock::time_point>
      asked_; // the person, last: an address was shown
};

} // namespace skillhost
