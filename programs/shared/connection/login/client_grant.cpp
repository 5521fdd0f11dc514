// SPDX-License-Identifier: Apache-2.0
#include "connection/client_grant.hpp"

#include "ground/read_file.hpp"
#include "ground/text.hpp"
#include "login/web.hpp"
#include "option_names.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxSecretBytes = 64U << 10U;

// A failure never contains the secret.
Result<std::string> readSecret(const std::string &variable, const std::string &file) {
  std::string what = "the environment variable " + variable, text;
  if (file.empty()) {
    const char *const value = std::getenv(variable.c_str());
    if (value != nullptr) text = value;
  } else {
    what = "the file of the client secret, " + file;
    Result<std::string> read = readFile(file, maxSecretBytes, FileKind::Any);
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

ClientGrant makeClientGrant(const ClientGrantSettings &settings) {
  GrantSettings grant;
  grant.url = settings.provider.url;
  grant.scope = settings.provider.scope;
  grant.clientId = settings.provider.clientId;
  grant.issuer = settings.issuer;
  grant.names = {optionNames().issuer, "--token-command"};
  grant.secret = [variable = settings.secretVariable, file = settings.secretFile] {
    return readSecret(variable, file);
  };
  return ClientGrant(std::move(grant));
}

Result<AccessToken> grantedToken(ClientGrant &grant, const ClientGrantSettings &settings,
                                 const std::string &refused, int stop) {
  try {
    return grant.token(webOf(settings.provider, stop), refused);
  } catch (const std::exception &why) { // no handle or no memory was available
    return {Fault::OperationFailed, why.what()};
  }
}

} // namespace skillhost
