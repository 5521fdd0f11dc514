// SPDX-License-Identifier: Apache-2.0
// Says why a remote did not answer.
#pragma once

#include "http_client/exchange.hpp"

#include <string>

namespace skillhost::remote {

// Returns words that follow the name of the address. The exchange must have failed.
inline std::string troubleOf(const web::Exchange &exchange) {
  if (!exchange.forbidden().empty())
    return "leads to " + exchange.forbidden() +
           ", which is no public address (allow_private_addresses)";
  return "cannot be asked: " + exchange.reason();
}

} // namespace skillhost::remote
