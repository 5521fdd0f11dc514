// SPDX-License-Identifier: Apache-2.0
#include "connection/client_grant.hpp"

#include "base/log.hpp"
#include "ground/read_file.hpp"
#include "ground/text.hpp"
#include "login/provider.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxSecretBytes = 64U << 10U;

// A failure never contains the secret.
Result<std::string> readSecret(const ClientGrantSettings &settings) {
  std::string what = "the environment variable " + settings.secretVariable, text;
  if (settings.secretFile.empty()) {
    const char *const value = std::getenv(settings.secretVariable.c_str());
    if (value != nullptr) text = value;
  } else {
    what = "the file of the client secret, " + settings.secretFile;
    Result<std::string> read = readFile(settings.secretFile, maxSecretBytes, FileKind::Any);
    if (!read) return {Fault::Denied, what + ": " + read.failure().message};
    text = *std::move(read);
  }
  text = std::string(trimmedAsciiSpace(text));
  if (text.empty()) return {Fault::Denied, what + " is empty"};
  if (std::any_of(text.begin(), text.end(), [](char byte) { return byte < ' ' || byte > '~'; }))
    return {Fault::Denied, what + " holds what cannot be a client secret"};
  return text;
}

} // namespace

class ClientGrant::Inner {
public:
  explicit Inner(ClientGrantSettings settings) : settings_(std::move(settings)) {}

  Result<AccessToken> token(const std::string &refused, int stop) {
    const Result<std::string> secret = readSecret(settings_);
    if (!secret) return secret.failure();
    log::redact(*secret);
    const Web web = webOf(settings_.provider, stop);
    if (!refused.empty()) server_.reset();
    if (!server_) {
      Result<AuthorizationServer> found = discover(web, settings_.provider.url, settings_.issuer);
      if (!found) return std::move(found).failure();
      server_ = *std::move(found);
    }
    Result<AccessToken> token = {
        Fault::Denied,
        "the authorization server " + server_->issuer +
            " takes no client secret (token_endpoint_auth_methods_supported): give a token with "
            "--token-command"};
    // Which of the two ways a client has to take is settled when it is registered.
    for (const auto &[place, isTaken] : {std::pair(SecretPlace::Header, server_->secretInHeader),
                                         std::pair(SecretPlace::Form, server_->secretInForm)}) {
      if (!isTaken) continue;
      KeptLogin login = loginWith(*secret);
      const Status granted = grantToClient(web, place, login);
      if (granted) return accessToken(login);
      token = granted.failure();
      if (!login.clientId.empty()) break; // the other way would not help
    }
    server_.reset(); // its documents may have changed
    return token;
  }

private:
  KeptLogin loginWith(const std::string &secret) const {
    KeptLogin login;
    login.resource = server_->resource;
    login.issuer = server_->issuer;
    login.tokenEndpoint = server_->tokenEndpoint;
    login.clientId = settings_.provider.clientId;
    login.clientSecret = secret;
    login.scope = settings_.provider.scope.empty() ? server_->scope : settings_.provider.scope;
    return login;
  }

  const ClientGrantSettings settings_;
  std::optional<AuthorizationServer> server_; // as it was found last
};

ClientGrant::ClientGrant(ClientGrantSettings settings)
    : inner_(std::make_unique<Inner>(std::move(settings))) {}
ClientGrant::~ClientGrant() = default;

Result<AccessToken> ClientGrant::token(const std::string &refused, int stop) {
  try {
    return inner_->token(refused, stop);
  } catch (const std::exception &why) { // no handle or no memory was available
    return {Fault::OperationFailed, why.what()};
  }
}

} // namespace skillhost
