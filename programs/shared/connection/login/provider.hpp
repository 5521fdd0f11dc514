// SPDX-License-Identifier: Apache-2.0
// What is asked of an authorization server: a client id, tokens, and to take them back.
#pragma once

#include "login/discovery.hpp"
#include "login/kept_login.hpp"

#include <string>

namespace skillhost {

// Registers a public client for that redirect (RFC 7591); fills `login`'s client.
Status registerClient(const Web &web, const AuthorizationServer &server,
                      const std::string &redirect, KeptLogin &login);
// Those two forget `login`'s client when the provider says that it does not know it.
// For the code of a redirect (RFC 6749, section 4.1.3, with PKCE); fills `login`'s tokens.
Status exchangeCode(const Web &web, KeptLogin &login, const std::string &code,
                    const std::string &redirect, const std::string &verifier);
// With the refresh token (section 6). Denied when the provider does not take it any more.
Status refreshTokens(const Web &web, KeptLogin &login);
// RFC 7009; of no consequence when the provider cannot do it.
Status revokeTokens(const Web &web, const KeptLogin &login);

} // namespace skillhost
