// SPDX-License-Identifier: Apache-2.0
#include "connection/settings.hpp"

#include "server_address.hpp"

namespace skillhost {

Status checkConnectSettings(const ConnectSettings &settings) {
  const TokenSettings &token = settings.token;
  std::size_t tokens = (token.login ? 1U : 0U) + (token.client ? 1U : 0U);
  for (const std::string &one : {token.variable, token.file, token.command})
    tokens += one.empty() ? 0U : 1U;
  return app::checkServer(
      {settings.url, tokens, settings.fields, settings.fieldsHoldSecret, settings.allowPlainToken});
}

} // namespace skillhost
