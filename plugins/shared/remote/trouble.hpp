// SPDX-License-Identifier: Apache-2.0
// Why a remote did not answer.
#pragma once

#include "http_client/exchange.hpp"

#include <string>

namespace skillhost::remote {

// Returns words that follow what was asked. The exchange has failed.
inline std::string troubleOf(const web::Exchange &exchange) {
  if (!exchange.forbidden().empty())
    return "leads to " + exchange.forbidden() +
           ", which is no public address (allow_private_addresses)";
  return "cannot be asked: " + exchange.reason();
}

} // namespace skillhost::remote
