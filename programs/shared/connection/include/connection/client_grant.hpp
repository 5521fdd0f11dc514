// SPDX-License-Identifier: Apache-2.0
// The settings of a program that signs in as itself, without a person.
#pragma once

#include "connection/login.hpp"
#include "oauth/client_grant.hpp"

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

ClientGrant makeClientGrant(const ClientGrantSettings &settings);
// Gets a new token, as ClientGrant does. Blocks on the network until the descriptor `stop` can be
// read: then the failure is Cancelled.
Result<AccessToken> grantedToken(ClientGrant &grant, const ClientGrantSettings &settings,
                                 const std::string &refused, int stop);

} // namespace skillhost
