// SPDX-License-Identifier: Apache-2.0
#include "oauth/access_token.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace skillhost {
namespace {

constexpr std::chrono::seconds early{60};
constexpr std::size_t maxTokenBytes = 64U << 10U; // no header may be longer

// Decodes base64url without padding (RFC 4648, section 5) and ignores left-over bits.
std::optional<std::string> decoded(std::string_view text) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  std::uint32_t value = 0;
  unsigned bits = 0;
  for (const char one : text) {
    const std::size_t letter = letters.find(one);
    if (letter == std::string_view::npos) return std::nullopt;
    value = (value << 6U | static_cast<std::uint32_t>(letter)) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(value >> bits & 255U);
  }
  return out;
}

} // namespace

bool isToken(std::string_view text) noexcept {
  return !text.empty() && text.size() <= maxTokenBytes &&
         std::all_of(text.begin(), text.end(), [](char byte) { return byte > ' ' && byte <= '~'; });
}

std::optional<std::chrono::system_clock::time_point> expiryOf(std::string_view token) {
  const std::size_t first = token.find('.');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = token.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto text = decoded(token.substr(first + 1, second - first - 1));
  if (!text) return std::nullopt;
  const Result<Json> claims = parseJson(*text);
  if (!claims || !claims->is_object()) return std::nullopt;
  const auto expiry = claims->find("exp");
  if (expiry == claims->end() || !expiry->is_number()) return std::nullopt;
  const double seconds = std::floor(expiry->get<double>());
  if (seconds <= 0 || seconds >= 9e9) return std::nullopt; // outside the clock's range
  return std::chrono::system_clock::time_point(
      std::chrono::seconds(static_cast<std::int64_t>(seconds)));
}

std::chrono::system_clock::time_point renewalOf(const AccessToken &token,
                                                std::chrono::system_clock::time_point now) {
  const auto expiry = token.expires ? token.expires : expiryOf(token.text);
  if (!expiry) return std::chrono::system_clock::time_point::max();
  // Do not renew early if a new token expires within a minute: that would ask again and again.
  return *expiry - early > now ? *expiry - early : std::max(*expiry, now + early / 10);
}

} // namespace skillhost
