// SPDX-License-Identifier: Apache-2.0
#include "server_address.hpp"

#include "base/fault.hpp"
#include "base/secret_names.hpp"
#include "ground/shown.hpp"
#include "ground/text.hpp"
#include "ground/url.hpp"
#include "settings/paths.hpp"
#include "settings/secrets.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace skillhost::app {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool isTokenText(const std::string &name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char byte) {
    return std::isalnum(byte) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(byte)) !=
               std::string_view::npos;
  });
}

bool isLoopback(const std::string &host) {
  // "127.evil.example" is a name and no address.
  return host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

} // namespace

Result<HttpTarget> readTarget(const std::string &url) {
  const Failure wrong{Fault::InvalidInput,
                      "expected a URL such as https://skills.example/mcp, found \"" +
                          shownLine(url) + '"'};
  const bool isOdd = std::any_of(url.begin(), url.end(), [](unsigned char byte) {
    return byte <= ' ' || byte == 0x7F || byte == '\\' || byte == '#';
  });
  const auto parts = urlParts(url);
  if (isOdd || !parts) return wrong;
  const std::string scheme = asciiLowered(parts->scheme);
  std::string authority(parts->authority);
  if (scheme != "http" && scheme != "https") return wrong;
  if (authority.find('@') != std::string::npos)
    return {Fault::InvalidInput,
            "the URL holds a name or a password: give a token with --token-env, --token-file or "
            "--token-command in their place"};
  // A name may have letters beyond ASCII, which libcurl encodes for the resolver.
  std::replace_if(
      authority.begin(), authority.end(), [](unsigned char byte) { return byte >= 0x80; }, 'x');
  if (!isAuthority(authority)) return wrong;
  const std::string host = asciiLowered(withoutPort(authority));
  return HttpTarget{scheme == "https", isLoopback(host)};
}

bool fieldHoldsSecret(std::string_view field) {
  std::string name = asciiLowered(field);
  std::replace(name.begin(), name.end(), '-', '_');
  return name == "authorization" || name == "proxy_authorization" || name == "cookie" ||
         isSecretSettingName(name);
}

Result<HttpFields> readHeaderFields(const ParsedArguments &arguments) {
  HttpFields fields;
  if (!arguments.has("--header")) return fields;
  for (const std::string &field : arguments.values.at("--header")) {
    const std::size_t colon = field.find(':');
    if (colon == std::string::npos)
      return Failure{Fault::InvalidInput, "--header: expected \"Name: value\""};
    fields.emplace_back(trimmed(std::string_view(field).substr(0, colon)),
                        trimmed(std::string_view(field).substr(colon + 1)));
  }
  return fields;
}

Result<HttpFields> readResolvedHeaderFields(const ParsedArguments &arguments,
                                            const Surroundings &surroundings, bool &lookedUp) {
  Result<HttpFields> fields = readHeaderFields(arguments);
  if (!fields) return fields;
  for (auto &[name, value] : *fields) {
    settings::Written written;
    written.kind = settings::Written::Kind::Text;
    written.text = value;
    settings::Reading reading{"--header", surroundings.workingDirectory, surroundings};
    reading.key = name;
    reading.hasPaths = false;
    value = readReference(reading, written, fieldHoldsSecret(name));
    if (!reading.problems.empty()) return Failure{Fault::InvalidInput, reading.problems.front()};
    lookedUp = lookedUp || !reading.secrets.empty();
  }
  return fields;
}

Status checkServer(const ServerToCheck &server) {
  const Result<HttpTarget> target = readTarget(server.url);
  if (!target) return target.failure();
  if (server.tokens > 1)
    return {Fault::InvalidInput,
            "--token-env, --token-file, --token-command, --login and --client-secret-env or "
            "--client-secret-file exclude each other: give one"};
  bool secret = server.tokens == 1 || server.fieldsHoldSecret;
  for (const auto &[name, value] : server.fields) {
    if (!isTokenText(name) || !std::all_of(value.begin(), value.end(), [](unsigned char byte) {
          return byte == '\t' || (byte >= ' ' && byte != 0x7F);
        }))
      return {Fault::InvalidInput,
              R"(--header: expected "Name: value" in one line, found the name ")" + name + '"'};
    const std::string lower = asciiLowered(name);
    const bool ours = lower.starts_with("mcp-") || lower == "content-type" || lower == "accept" ||
                      lower == "last-event-id" || lower == "content-length" ||
                      lower == "transfer-encoding" || lower == "host";
    if (ours || (lower == "authorization" && server.tokens == 1))
      return {Fault::InvalidInput, "--header: " + name + " is set by skillhost itself"};
    secret = secret || fieldHoldsSecret(name);
  }
  if (secret && !target->secure && !target->loopback && !server.allowPlainToken)
    return {Fault::Denied, "the token would go to " + server.url.substr(0, server.url.find('?')) +
                               " for all on the way to read: use https, or "
                               "--allow-plain-token when the network is trusted"};
  return Done{};
}

} // namespace skillhost::app
