// SPDX-License-Identifier: Apache-2.0
#include "handlers/principal_rules.hpp"

#include "ground/json.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace skillhost {
namespace {

std::string_view textOf(skh_str text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.size};
}

constexpr std::size_t maxIdentityBytes = 1024; // of a subject and of an issuer
constexpr std::size_t maxScopeBytes = 256;
constexpr std::uint32_t maxScopes = 1024;
constexpr std::size_t maxClaimsBytes = 64U << 10U;

bool isPlain(std::string_view text) noexcept {
  return isUtf8(text) && std::none_of(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
         });
}

// Checks a scope-token of RFC 6749, section 3.3.
bool isScope(std::string_view text) noexcept {
  return !text.empty() && text.size() <= maxScopeBytes &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return c > 0x20 && c < 0x7F && c != '"' && c != '\\'; });
}

bool isObject(std::string_view text) {
  const Result<Json> parsed = parseJson(text);
  return parsed && parsed->is_object();
}

} // namespace

std::string_view faultIn(const skh_principal &principal) {
  const std::string_view subject = textOf(principal.subject), issuer = textOf(principal.issuer);
  if (subject.empty()) return "named a principal without a subject";
  if (subject.size() > maxIdentityBytes || issuer.size() > maxIdentityBytes)
    return "named a subject or issuer of more than 1,024 bytes";
  if (!isPlain(subject) || !isPlain(issuer))
    return "named a subject or issuer that is not printable UTF-8";
  if (principal.scope_count > maxScopes) return "gave a principal more than 1,024 scopes";
  if (principal.scope_count != 0 && principal.scopes == nullptr)
    return "announced scopes and gave none";
  for (std::uint32_t i = 0; i < principal.scope_count; ++i)
    if (!isScope(textOf(principal.scopes[i]))) return "gave a principal a malformed scope";
  if (principal.claims.size > maxClaimsBytes) return "gave claims of more than 64 KiB";
  if (principal.claims.size != 0 && !isObject(textOf(principal.claims)))
    return "gave claims that are no JSON object";
  return {};
}

} // namespace skillhost
