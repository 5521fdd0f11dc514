// SPDX-License-Identifier: Apache-2.0
// A request that is not let through: why, and what it needs, for whoever answers it.
#pragma once

#include "access/permissions.hpp"
#include "ground/result.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// What somebody asks for, as the audit tells it. The views are only looked at.
struct Asking {
  std::string_view method{};  // of the protocol; empty: none
  std::string_view subject{}; // the tool, URI or file; empty: none
  std::string peer{};
  const Principal *principal = nullptr; // null: nobody known
};

struct AccessRefusal {
  Failure failure;
  Permissions::Scopes needed{}; // by the request, where that is told

  // Of HTTP; the older dialect (list_tools, call_tool) speaks in these numbers too. 400: malformed,
  // 401: unknown, 403: known and not allowed, 503: whether it is allowed cannot be told now.
  int status() const noexcept;
  // The code of its JSON-RPC error.
  int code(std::string_view method) const noexcept;
  // The data of that error, a JSON object; empty: none.
  std::string data() const;
};

} // namespace skillhost
