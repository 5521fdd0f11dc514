// SPDX-License-Identifier: Apache-2.0
// The credential of a request over HTTP, for who has to ask about it again.
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {

// A copy of its own; empty when the request has none, or nobody wants one.
inline HeldCredential credentialOf(const HttpRequest &request, const Access *access) {
  if (access == nullptr) return {};
  Presented shown = presentedBy(request, access->credentials());
  return {Secret(shown.value), std::string(request.peer), std::string(shown.scheme),
          std::move(shown.caller)};
}

// To be called when nobody reads the fields of the request any more: one of those that the auth
// plugin is told may be one that we read.
inline void forgetCredentials(HttpExchange &exchange, const Access *access) noexcept {
  exchange.forgetCredentials(access == nullptr
                                 ? std::span<const std::string>()
                                 : std::span<const std::string>(access->credentials().headers));
}

// Of all that may stay unanswered for long, only a subscription has it asked about again.
inline void forgetUnlessWatched(HttpExchange &exchange, const Access *access,
                                std::string_view method) noexcept {
  if (method != "subscriptions/listen") forgetCredentials(exchange, access);
}

} // namespace skillhost
