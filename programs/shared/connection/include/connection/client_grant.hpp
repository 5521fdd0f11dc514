// SPDX-License-Identifier: Apache-2.0
// Tokens for a program that signs in as itself, without a person: OAuth 2.0 client credentials (RFC
// 6749, section 4.4) at the authorization server that the MCP server names (RFC 9728, RFC 8414).
#pragma once

#include "connection/login.hpp"
#include "ground/result.hpp"

#include <memory>
#include <string>

namespace skillhost {

struct ClientGrantSettings {
  // The grant uses its clientId, its scope and the settings of the connection, and keeps nothing in
  // its folder.
  LoginSettings provider;
  // The secret is in an environment variable or in a file, and the other of the two is empty. The
  // path is absolute, and the file is read for each token.
  std::string secretVariable, secretFile;
  // The authorization server that receives the secret. The MCP server must name it, and cannot
  // choose another.
  std::string issuer;
};

// Used by one thread at a time.
class ClientGrant {
public:
  explicit ClientGrant(ClientGrantSettings settings);
  ~ClientGrant();
  ClientGrant(const ClientGrant &) = delete;
  ClientGrant &operator=(const ClientGrant &) = delete;

  // Gets a new token. If the MCP server has `refused` the last one, the provider is looked for
  // again, because the server may have another now. Blocks on the network until the descriptor
  // `stop` can be read. Failures are Denied (the provider refuses, or there is no secret),
  // Unavailable (try again) or Cancelled, and contain neither the secret nor a token.
  Result<AccessToken> token(const std::string &refused, int stop);

private:
  class Inner;
  std::unique_ptr<Inner> inner_;
};

} // namespace skillhost
