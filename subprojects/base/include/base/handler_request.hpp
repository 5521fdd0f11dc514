// SPDX-License-Identifier: Apache-2.0
// A request for a handler that answers it on another thread, or in another process.
#pragma once

#include "base/body_stream.hpp"
#include "base/http.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace skillhost {

// A copy without credentials.
struct HandlerRequest {
  std::string method{}, path{}, query{}, peer{};
  std::string issuer{}, subject{}; // of the caller; empty if nobody is identified
  HttpFields fields{};
  std::optional<std::uint64_t> bodyLength{}; // as declared
  std::shared_ptr<BodyStream> body{};
};

// Copies a request. Its method is GET also for a HEAD, because the transport leaves out the body of
// the answer. Leaves out the fields in which clients send credentials: the usual ones, and
// `credentialFields` (lower case).
HandlerRequest handlerRequestOf(const HttpRequest &request,
                                std::span<const std::string> credentialFields);

} // namespace skillhost
