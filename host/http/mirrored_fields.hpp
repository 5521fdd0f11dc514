// SPDX-License-Identifier: Apache-2.0
// The fields Mcp-Param-…, which repeat arguments of a plugin's tool, and whether they are true.
#pragma once

#include "http_reply.hpp"
#include "mcp/mirrored_arguments.hpp"
#include "message_headers.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct Services;

// Why the header of a modern call of a tool does not say what the body says; nothing when all is
// well, or the caller sees no such tool.
std::optional<HttpRefusal> mirrorDisagreement(const Services &services, const HttpRequest &request,
                                              const Message &message, const HttpReplyForm &form);
// The same for the arguments of a tool that mirrors these.
std::optional<HttpRefusal> mirrorDisagreement(const HttpRequest &request, const Json &arguments,
                                              const std::vector<MirroredArgument> &mirrored);

} // namespace skillhost
