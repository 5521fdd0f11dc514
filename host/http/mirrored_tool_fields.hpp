// SPDX-License-Identifier: Apache-2.0
// Checks whether the Mcp-Param-… fields of a call agree with the arguments of the plugin's tool.
#pragma once

#include "http_reply.hpp"
#include "rpc/message_headers.hpp"

#include <optional>

namespace skillhost {

struct Services;

// Returns why the fields of a modern tool call differ from its body; nothing if they agree, or if
// the caller sees no such tool.
std::optional<HttpRefusal> findMirrorMismatch(const Services &services, const HttpRequest &request,
                                              const Message &message, const HttpReplyForm &form);

} // namespace skillhost
