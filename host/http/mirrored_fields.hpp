// SPDX-License-Identifier: Apache-2.0
// Whether the fields Mcp-Param-… of a call of a plugin's tool are true.
#pragma once

#include "http_reply.hpp"
#include "rpc/message_headers.hpp"

#include <optional>

namespace skillhost {

struct Services;

// Why the header of a modern call of a tool does not say what the body says; nothing when all is
// well, or the caller sees no such tool.
std::optional<HttpRefusal> mirrorDisagreement(const Services &services, const HttpRequest &request,
                                              const Message &message, const HttpReplyForm &form);

} // namespace skillhost
