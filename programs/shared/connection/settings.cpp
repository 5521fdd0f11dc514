// SPDX-License-Identifier: Apache-2.0
#include "connection/settings.hpp"

#include "server_address.hpp"

namespace skillhost {

Status checkConnectSettings(const ConnectSettings &settings) {
  const TokenSettings &token = settings.token;
  std::size_t tokens = token.login.has_value() ? 1 : 0;
  for (const std::string &one : {token.variable, token.file, token.command})
    tokens += one.empty() ? 0U : 1U;
  return app::checkServer(
      {settings.url, tokens, settings.fields, settings.fieldsHoldSecret, settings.allowPlainToken});
}

} // namespace skillhost
