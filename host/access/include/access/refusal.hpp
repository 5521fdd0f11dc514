// SPDX-License-Identifier: Apache-2.0
// A refused request: the reason, and the scopes that it needs, for the code that answers it.
#pragma once

#include "access/permissions.hpp"
#include "ground/result.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// The request in terms of the audit. The views are not kept.
struct AccessRequest {
  std::string_view method{};  // of the protocol; empty: none
  std::string_view subject{}; // the tool, URI or file; empty: none
  std::string peer{};
  const Principal *principal = nullptr; // null if the caller is unknown
};

struct AccessRefusal {
  Failure failure;
  Permissions::Scopes neededScopes{}; // the scopes that the request needs; may be empty

  // Returns the HTTP status; the older dialect (list_tools, call_tool) uses the same numbers. 400:
  // malformed; 401: unknown caller; 403: known and not allowed; 503: whether it is allowed is
  // unknown now.
  int status() const noexcept;
  // Returns the code of the JSON-RPC error.
  int code(std::string_view method) const noexcept;
  // Returns the data of that error, a JSON object; empty if there is none.
  std::string data() const;
};

} // namespace skillhost
