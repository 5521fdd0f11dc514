// SPDX-License-Identifier: Apache-2.0
// Requests to an authorization server: register a client, get tokens, revoke tokens.
#pragma once

#include "login/discovery.hpp"
#include "login/kept_login.hpp"

#include <cstdint>
#include <string>

namespace skillhost {

// Registers a public client for this redirect (RFC 7591) and stores it in `login`.
Status registerClient(const Web &web, const AuthorizationServer &server,
                      const std::string &redirect, KeptLogin &login);
// Exchanges the code of a redirect for tokens (RFC 6749, section 4.1.3, with PKCE) and stores them
// in `login`. Like refreshTokens(), it forgets `login`'s client if the provider does not know it.
Status exchangeCode(const Web &web, KeptLogin &login, const std::string &code,
                    const std::string &redirect, const std::string &verifier);
// Gets tokens with the refresh token (section 6). Denied if the provider no longer accepts it.
Status refreshTokens(const Web &web, KeptLogin &login);
// Gets a token for the client itself (section 4.4) and stores it in `login`. The secret goes into
// the form, or into a field of the header (section 2.3.1). Like refreshTokens(), it forgets
// `login`'s client if the provider refuses the client itself.
enum class SecretPlace : std::uint8_t { Header, Form };
Status grantToClient(const Web &web, SecretPlace place, KeptLogin &login);
// Revokes the tokens (RFC 7009). Does nothing if the provider cannot revoke.
Status revokeTokens(const Web &web, const KeptLogin &login);

} // namespace skillhost
