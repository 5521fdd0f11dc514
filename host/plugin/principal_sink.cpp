// SPDX-License-Identifier: Apache-2.0
#include "principal_sink.hpp"

#include "ground/json.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {
namespace {

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

std::string_view faultIn(const skh_principal &principal) {
  const std::string_view subject = view(principal.subject), issuer = view(principal.issuer);
  if (subject.empty()) return "named a principal without a subject";
  if (subject.size() > maxIdentityBytes || issuer.size() > maxIdentityBytes)
    return "named a subject or issuer of more than 1,024 bytes";
  if (!isPlain(subject) || !isPlain(issuer))
    return "named a subject or issuer that is not printable UTF-8";
  if (principal.scope_count > maxScopes) return "gave a principal more than 1,024 scopes";
  if (principal.scope_count != 0 && principal.scopes == nullptr)
    return "announced scopes and gave none";
  for (std::uint32_t i = 0; i < principal.scope_count; ++i)
    if (!isScope(view(principal.scopes[i]))) return "gave a principal a malformed scope";
  if (principal.claims.size > maxClaimsBytes) return "gave claims of more than 64 KiB";
  if (principal.claims.size != 0 && !isObject(view(principal.claims)))
    return "gave claims that are no JSON object";
  return {};
}

} // namespace

PrincipalSink::PrincipalSink(const CallFrame &frame)
    : frame_(frame),
      raw_({sizeof(skh_principals), 0, &SinkFunction<&PrincipalSink::accept>::call}, this) {}

std::string_view PrincipalSink::fault() const noexcept {
  if (accepted_ == 0) return "said yes without naming who it is (accept was not called)";
  if (accepted_ > 1) return "named more than one principal (accept was called again)";
  return fault_;
}

skh_status PrincipalSink::accept(const skh_principal *raw) {
  if (frame_.isGivenUp()) return SKH_CANCELLED;
  if (++accepted_ > 1) return SKH_INVALID;
  // If anything fails from here on, this fault stays. Only the last statement clears it.
  fault_ = "named a principal that could not be copied";
  if (const std::string_view fault = faultIn(*raw); !fault.empty()) {
    fault_ = fault;
    return SKH_INVALID;
  }
  AuthPrincipal copy;
  copy.subject = view(raw->subject);
  copy.issuer = view(raw->issuer);
  copy.claims = view(raw->claims);
  for (std::uint32_t i = 0; i < raw->scope_count; ++i)
    copy.scopes.emplace_back(view(raw->scopes[i]));
  copy.expiresAt = raw->expires_at;
  copy.cacheSeconds = raw->cache_seconds;
  principal = std::move(copy);
  fault_ = {};
  return SKH_OK;
}

} // namespace skillhost
