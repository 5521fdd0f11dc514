// SPDX-License-Identifier: Apache-2.0
// Copies the credential of an HTTP request for streams that check it again while they are open, and
// erases it from the request.
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {

// Copies the credential. The copy is empty if the request has none, or if `access` is null.
inline StoredCredential copyCredential(const HttpRequest &request, const Access *access) {
  if (access == nullptr) return {};
  PresentedCredential presented = presentedCredential(request, access->credentials());
  return {Secret(presented.value), std::string(request.peer), std::string(presented.scheme),
          std::move(presented.caller)};
}

// Overwrites the Authorization fields of the request and the fields that the auth plugin receives.
// The operator names the latter, so they may be fields that the host reads, too. So call it only
// when no code reads the fields of the request any more.
inline void forgetCredentials(HttpExchange &exchange, const Access *access) noexcept {
  exchange.forgetCredentials(access == nullptr
                                 ? std::span<const std::string>()
                                 : std::span<const std::string>(access->credentials().headers));
}

// Overwrites the credential of a POST unless it opens a subscription. Among the requests of a POST,
// only a subscription checks its credential again while it is open: HttpReply::credential() copies
// it and then overwrites it. The stream of a GET copies its credential itself.
inline void forgetUnlessSubscription(HttpExchange &exchange, const Access *access,
                                     std::string_view method) noexcept {
  if (method != "subscriptions/listen") forgetCredentials(exchange, access);
}

} // namespace skillhost
