// SPDX-License-Identifier: Apache-2.0
#include "claims.hpp"

#include "ground/url.hpp"
#include "ground/utf8.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <charconv>

namespace skillhost::openid {
namespace {

// The end of 9999. Larger values are no times, and smaller ones cannot overflow in a sum.
constexpr std::int64_t latest = 253'402'300'799;

constexpr std::size_t maxShownBytes = 200; // shown bytes of a claim

// Formats a claim for the operator. The log makes control characters visible.
std::string shown(const Json &claim) {
  const std::string text = claim.is_string()
                               ? '"' + claim.get<std::string>() + '"'
                               : claim.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string_view cut = cutUtf8(text, maxShownBytes);
  return std::string(cut) + (cut.size() < text.size() ? "…" : "");
}

[[noreturn]] void deny(const std::string &why) { throw skh::Error(SKH_DENIED, why); }

void checkIssuer(const Json &claims, const ClaimRules &rules) {
  if (rules.issuer.empty()) return;
  const auto found = claims.find("iss");
  if (found == claims.end()) {
    if (rules.issuerRequired) deny("the token names no issuer");
    return;
  }
  if (!found->is_string() || !isSameIssuer(found->get_ref<const std::string &>(), rules.issuer))
    deny("the token is from another issuer: its iss is " + shown(*found) +
         ", auth.config.issuer is \"" + rules.issuer + '"');
}

void checkAudience(const Json &claims, const ClaimRules &rules, std::string_view resource) {
  const auto found = claims.find("aud");
  if (found == claims.end()) {
    if (rules.audienceRequired)
      deny("the token names no audience: ask the provider for tokens of this resource (RFC 8707)");
    return;
  }
  const auto meansHere = [&](const Json &audience) {
    if (!audience.is_string() || audience.get_ref<const std::string &>().empty()) return false;
    const std::string text = canonicalUrl(audience.get_ref<const std::string &>());
    return text == canonicalUrl(resource) ||
           std::any_of(rules.audiences.begin(), rules.audiences.end(),
                       [&](const std::string &one) { return text == canonicalUrl(one); });
  };
  const bool good =
      found->is_array() ? std::any_of(found->begin(), found->end(), meansHere) : meansHere(*found);
  if (good) return;
  std::string accepted = '"' + std::string(resource) + '"';
  for (const std::string &one : rules.audiences) accepted += ", \"" + one + '"';
  deny("the token is for another audience: its aud is " + shown(*found) + ", accepted is " +
       accepted +
       ": set http.public_url to the URL that clients ask, or add the audience to "
       "auth.config.audience");
}

void checkTimes(const Json &claims, const ClaimRules &rules, std::int64_t now) {
  const auto expires = timeClaim(claims, "exp");
  if (!expires && rules.expiryRequired) deny("the token has no end (exp)");
  if (expires && *expires + rules.leeway <= now) deny("the token has expired");
  for (const char *name : {"nbf", "iat"})
    if (const auto begins = timeClaim(claims, name); begins && *begins - rules.leeway > now)
      deny("the token is not valid yet");
}

} // namespace

std::optional<std::int64_t> timeClaim(const Json &claims, const char *name) {
  const auto found = claims.find(name);
  if (found == claims.end()) return std::nullopt;
  double seconds = -1;
  if (found->is_number()) {
    seconds = found->get<double>();
  } else if (found->is_string()) {
    const auto &text = found->get_ref<const std::string &>();
    std::int64_t whole = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (error == std::errc{} && end == text.data() + text.size())
      seconds = static_cast<double>(whole);
  }
  // The condition is written so that it refuses NaN, too.
  // NOLINTNEXTLINE(readability-simplify-boolean-expr)
  if (!(seconds >= 0 && seconds <= static_cast<double>(latest)))
    deny(std::string("the token's ") + name + " is no time");
  return static_cast<std::int64_t>(seconds);
}

void checkClaims(const Json &claims, const ClaimRules &rules, std::string_view resource,
                 std::int64_t now) {
  // RFC 7800: the sender must prove possession of a key, which a bearer token does not do.
  if (claims.contains("cnf"))
    deny("the token is bound to a key: only bearer tokens are taken here");
  checkTimes(claims, rules, now);
  checkIssuer(claims, rules);
  checkAudience(claims, rules, resource);
}

} // namespace skillhost::openid
