// SPDX-License-Identifier: Apache-2.0
// Requests to an authorization server for a person who signs in: register a client, get tokens,
// revoke tokens.
#pragma once

#include "login/kept_login.hpp"
#include "oauth/discovery.hpp"

#include <string>

namespace skillhost {

// Denied: a person cannot sign in there with a browser.
Status offersSignIn(const AuthorizationServer &server);
// Registers a public client for this redirect (RFC 7591) and stores it in `login`.
Status registerClient(const Web &web, const AuthorizationServer &server,
                      const std::string &redirect, KeptLogin &login);
// Exchanges the code of a redirect for tokens (RFC 6749, section 4.1.3, with PKCE) and stores them
// in `login`. Like refreshTokens(), it forgets `login`'s client if the provider does not know it.
Status exchangeCode(const Web &web, KeptLogin &login, const std::string &code,
                    const std::string &redirect, const std::string &verifier);
// Gets tokens with the refresh token (section 6). Denied if the provider no longer accepts it.
Status refreshTokens(const Web &web, KeptLogin &login);
// Revokes the tokens (RFC 7009). Does nothing if the provider cannot revoke.
Status revokeTokens(const Web &web, const KeptLogin &login);

} // namespace skillhost
