// SPDX-License-Identifier: Apache-2.0
// Requests for tokens to the token endpoint of an authorization server (RFC 6749).
#pragma once

#include "base/http.hpp"
#include "ground/result.hpp"
#include "oauth/access_token.hpp"
#include "oauth/web.hpp"

#include <cstdint>
#include <string>

namespace skillhost {

// The data that a client needs for its requests, and the tokens that it has got.
struct ClientTokens {
  std::string resource, issuer, tokenEndpoint, revocationEndpoint;
  std::string clientId, clientSecret;           // secret empty: a public client
  std::string scope, accessToken, refreshToken; // refreshToken empty: none
  std::int64_t expires = 0;                     // seconds since 1970; 0: unknown

  // Use this if the provider no longer knows the client. The refresh token is bound to the client,
  // so it is removed, too.
  void forgetClient() {
    clientId.clear();
    clientSecret.clear();
    refreshToken.clear();
  }
};

AccessToken accessToken(const ClientTokens &tokens);

// Asks for tokens with these fields and stores them in `tokens`. With a `header`, the client is
// named in it and not in the form. Forgets the client if the provider refuses the client itself.
// Failures are Denied (the provider refuses), Unavailable (try again) or those of `web`. They
// contain the provider's words, with the secret masked.
Status requestTokens(const Web &web, ClientTokens &tokens, FormFields fields,
                     HttpFields header = {});

// Gets a token for the client itself (section 4.4). The secret goes into the form, or into a field
// of the header (section 2.3.1).
enum class SecretPlace : std::uint8_t { Header, Form };
Status grantToClient(const Web &web, SecretPlace place, ClientTokens &tokens);

// Sends a form. Its secrets are masked in later messages, because a provider may repeat the form in
// its answer.
Result<WebAnswer> postForm(const Web &web, const std::string &url, const FormFields &fields,
                           HttpFields header = {});
// Returns the fields that name the client in a form.
FormFields clientFields(const ClientTokens &tokens);
// Returns the provider's reason for a refusal, in one line and with secrets masked.
std::string refusalText(const WebAnswer &answer);

} // namespace skillhost
