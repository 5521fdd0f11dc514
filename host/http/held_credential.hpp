// SPDX-License-Identifier: Apache-2.0
// Copies the credential of an HTTP request for code that has to check it again later.
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {

// Returns a copy; empty if the request has no credential, or if `access` is null.
inline StoredCredential copyCredential(const HttpRequest &request, const Access *access) {
  if (access == nullptr) return {};
  PresentedCredential shown = presentedCredential(request, access->credentials());
  return {Secret(shown.value), std::string(request.peer), std::string(shown.scheme),
          std::move(shown.caller)};
}

// Call it when nobody reads the fields of the request any more: a field that the auth plugin
// receives may be one that the host reads, too.
inline void forgetCredentials(HttpExchange &exchange, const Access *access) noexcept {
  exchange.forgetCredentials(access == nullptr
                                 ? std::span<const std::string>()
                                 : std::span<const std::string>(access->credentials().headers));
}

// Only a subscription has its credential checked again while it stays open, so the credentials of
// all other requests are forgotten.
inline void forgetUnlessWatched(HttpExchange &exchange, const Access *access,
                                std::string_view method) noexcept {
  if (method != "subscriptions/listen") forgetCredentials(exchange, access);
}

} // namespace skillhost
