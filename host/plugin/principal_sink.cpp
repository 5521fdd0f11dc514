// SPDX-License-Identifier: Apache-2.0
#include "principal_sink.hpp"

#include "handlers/principal_rules.hpp"

namespace skillhost {
PrincipalSink::PrincipalSink(const CallFrame &frame)
    : frame_(frame),
      raw_({sizeof(skh_principals), 0, &SinkFunction<&PrincipalSink::accept>::call}, this) {}

std::string_view PrincipalSink::faultAfter(skh_status status) const noexcept {
  if (accepted_ == 0 && status != SKH_OK) return {};
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
