// SPDX-License-Identifier: Apache-2.0
#include "principal.hpp"

#include "claims.hpp"
#include "ground/url.hpp"

#include <algorithm>

namespace skillhost::openid {
namespace {

constexpr std::string_view clientPrefix = "client_id:";
constexpr std::size_t maxSubjectBytes = 1'024;
constexpr std::size_t maxScopes = 256;
constexpr std::size_t maxScopeBytes = 256;
constexpr std::size_t maxClaimBytes = std::size_t{16} * 1024;
constexpr std::int64_t margin = 300; // seconds before a token's end in which answers are not reused

std::string text(const Json &claims, const char *name) {
  const auto found = claims.find(name);
  return found != claims.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

// True for a scope-token of RFC 6749, section 3.3. The host takes any other one for a fault of the
// plugin, and tells the caller to try again.
bool isScope(std::string_view text) {
  return text.size() <= maxScopeBytes && std::all_of(text.begin(), text.end(), [](char c) {
           return c > ' ' && c < '\x7f' && c != '"' && c != '\\';
         });
}

void addScopes(std::vector<std::string> &scopes, std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::string scope(text.substr(begin, end - begin));
    begin = end + 1;
    if (scope.empty() || std::find(scopes.begin(), scopes.end(), scope) != scopes.end()) continue;
    if (!isScope(scope))
      throw skh::Error(SKH_DENIED, "the token has a scope that RFC 6749 does not allow, or one of "
                                   "more than 256 bytes");
    if (scopes.size() == maxScopes)
      throw skh::Error(SKH_DENIED, "the token has more than 256 scopes");
    scopes.push_back(std::move(scope));
  }
}

std::vector<std::string> scopesOf(const Json &claims) {
  std::vector<std::string> scopes;
  for (const char *name : {"scope", "scp"}) {
    const auto found = claims.find(name);
    if (found == claims.end()) continue;
    if (found->is_string()) addScopes(scopes, found->get_ref<const std::string &>());
    if (!found->is_array()) continue;
    for (const Json &scope : *found)
      if (scope.is_string()) addScopes(scopes, scope.get_ref<const std::string &>());
  }
  return scopes;
}

// Keeps clients that act for themselves apart from users. A rule that names a user must not allow a
// client whose name is the same, and the reverse.
std::string subjectOf(const Json &claims, const PrincipalRules &rules) {
  std::string subject = text(claims, "sub");
  if (subject.starts_with(clientPrefix))
    throw skh::Error(SKH_DENIED, "the token's subject begins with \"client_id:\", which stands for "
                                 "clients that act for themselves");
  if (!subject.empty()) return subject;
  subject = text(claims, "client_id");
  if (subject.empty()) subject = rules.nobody;
  return subject.empty() ? subject : std::string(clientPrefix) + subject;
}

} // namespace

skh::Principal principalOf(const Json &claims, const PrincipalRules &rules, std::int64_t now) {
  skh::Principal who;
  who.subject = subjectOf(claims, rules);
  if (who.subject.empty()) throw skh::Error(SKH_DENIED, "the token names nobody (sub, client_id)");
  if (who.subject.size() > maxSubjectBytes ||
      std::any_of(who.subject.begin(), who.subject.end(),
                  [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }))
    throw skh::Error(SKH_DENIED, "the token's subject is too long, or has control characters");
  who.issuer = text(claims, "iss");
  // Rules of visibility use the configuration's spelling of the issuer.
  if (who.issuer.empty() || isSameIssuer(who.issuer, rules.issuer)) who.issuer = rules.issuer;
  who.scopes = scopesOf(claims);
  // Sorted, so that the same claims give the same text.
  nlohmann::json passed = nlohmann::json::object();
  for (const std::string &name : rules.claims)
    if (const auto found = claims.find(name); found != claims.end()) passed[name] = *found;
  who.claims = passed.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (who.claims.size() > maxClaimBytes)
    throw skh::Error(SKH_DENIED, "the token's claims are more than 16 KiB");
  const auto expires = timeClaim(claims, "exp");
  if (!expires) return who;
  who.expires_at = *expires + rules.leeway;
  who.cache_seconds = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(*expires - margin - now, 0, rules.cacheSeconds));
  return who;
}

} // namespace skillhost::openid
