// SPDX-License-Identifier: Apache-2.0
// What the transport knows of a request, for the log.
#pragma once

#include <string>

namespace skillhost {

// Each may be empty.
struct RequestOrigin {
  std::string peer;                    // "192.0.2.1:4711"
  std::string requestId;               // X-Request-Id
  std::string traceparent, tracestate; // as they came: not checked
};

} // namespace skillhost
