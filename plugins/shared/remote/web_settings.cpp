// SPDX-License-Identifier: Apache-2.0
#include "web_settings.hpp"

#include "paths/names.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <optional>

namespace skillhost::remote {
namespace {

bool isThisMachine(const std::string &host) {
  return host == "127.0.0.1" || host == "[::1]" || host == "localhost";
}

} // namespace

web::WebAddress readAddress(const std::string &key, const std::string &written) {
  const std::optional<web::WebAddress> address = web::readWebAddress(written);
  if (!address) // the text before an '@' may be a password
    throw skh::Error(SKH_INVALID,
                     key + ": " +
                         (written.find('@') == written.npos
                              ? "\"" + paths::printable(written) + "\" must be"
                              : std::string("must hold no user and no password, and be")) +
                         " an address such as https://example.org");
  if (!address->secure && !isThisMachine(address->host))
    throw skh::Error(SKH_INVALID, key + ": \"" + address->origin +
                                      "\" must begin with https:// (http:// is for this machine "
                                      "alone)");
  return *address;
}

std::string readToken(const skh::Config &config) {
  std::string token = config.text("token", "");
  if (!std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; }))
    throw skh::Error(SKH_INVALID, "token: holds blanks, control characters or letters that no "
                                  "bearer token has");
  return token;
}

std::vector<std::string> readTokenCommand(const skh::Config &config, const std::string &token) {
  std::vector<std::string> command = config.texts("token_command");
  if (!command.empty() && !token.empty())
    throw skh::Error(SKH_INVALID, "token_command: excludes token: give one of them");
  if (!command.empty() && command.front().empty())
    throw skh::Error(SKH_INVALID, "token_command: begins with no program");
  return command;
}

std::chrono::milliseconds readInterval(const skh::Config &config, double defaultMinutes) {
  const double minutes = config.number("refresh_minutes", defaultMinutes);
  if (minutes < 0 || minutes > 10'080)
    throw skh::Error(SKH_INVALID, "refresh_minutes: must be between 0 and 10080");
  return std::chrono::milliseconds(static_cast<std::int64_t>(minutes * 60'000));
}

std::uint64_t readNumber(const skh::Config &config, const std::string &key, std::uint64_t fallback,
                         std::int64_t maximum) {
  const std::int64_t value = config.integer(key, static_cast<std::int64_t>(fallback));
  if (value >= 1 && value <= maximum) return static_cast<std::uint64_t>(value);
  throw skh::Error(SKH_INVALID, key + ": must be between 1 and " + std::to_string(maximum));
}

std::chrono::seconds stallTimeoutFor(std::chrono::milliseconds deadline) {
  // libcurl checks once a second, so a limit of one second would apply before anything is measured.
  return std::clamp(std::chrono::duration_cast<std::chrono::seconds>(deadline / 4),
                    std::chrono::seconds(2), std::chrono::seconds(30));
}

} // namespace skillhost::remote
