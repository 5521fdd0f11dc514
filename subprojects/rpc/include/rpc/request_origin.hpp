// SPDX-License-Identifier: Apache-2.0
// The facts that the transport knows about a request, for the log.
#pragma once

#include <string>

namespace skillhost {

// Each field may be empty.
struct RequestOrigin {
  std::string peer;                    // "192.0.2.1:4711"
  std::string requestId;               // X-Request-Id
  std::string traceparent, tracestate; // as the client sent them, without a check
};

} // namespace skillhost
