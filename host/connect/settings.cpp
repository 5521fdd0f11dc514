// SPDX-License-Identifier: Apache-2.0
#include "connect/settings.hpp"

#include "http_client.hpp"

#include <algorithm>
#include <cctype>

namespace skillhost {
namespace {

bool isTokenText(const std::string &name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char byte) {
    return std::isalnum(byte) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(byte)) !=
               std::string_view::npos;
  });
}

} // namespace

Status checkConnectSettings(const ConnectSettings &settings) {
  const Result<HttpTarget> target = readTarget(settings.url);
  if (!target) return target.failure();
  const TokenSettings &token = settings.token;
  const int sources =
      static_cast<int>(!token.variable.empty()) + static_cast<int>(!token.file.empty()) +
      static_cast<int>(!token.command.empty()) + static_cast<int>(token.login.has_value());
  if (sources > 1)
    return {Fault::InvalidInput,
            "--token-env, --token-file, --token-command and --login exclude each other: give one"};
  bool secret = sources == 1;
  for (const auto &[name, value] : settings.fields) {
    if (!isTokenText(name) || !std::all_of(value.begin(), value.end(), [](unsigned char byte) {
          return byte == '\t' || (byte >= ' ' && byte != 0x7F);
        }))
      return {Fault::InvalidInput,
              R"(--header: expected "Name: value" in one line, found the name ")" + name + '"'};
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
    const bool ours = lower.starts_with("mcp-") || lower == "content-type" || lower == "accept" ||
                      lower == "last-event-id" || lower == "content-length" ||
                      lower == "transfer-encoding" || lower == "host";
    if (ours || (lower == "authorization" && sources == 1))
      return {Fault::InvalidInput, "--header: " + name + " is set by skillhost itself"};
    secret = secret || lower == "authorization" || lower == "cookie";
  }
  if (secret && !target->secure && !target->loopback && !settings.allowPlainToken)
    return {Fault::Denied, "the token would go to " +
                               settings.url.substr(0, settings.url.find('?')) +
                               " for all on the way to read: use https, or "
                               "--allow-plain-token when the network is trusted"};
  return Done{};
}

} // namespace skillhost
