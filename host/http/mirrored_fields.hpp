// SPDX-License-Identifier: Apache-2.0
// Compares the Mcp-Param-… fields with the arguments of a plugin's tool that they repeat.
#pragma once

#include "http_reply.hpp"
#include "mcp/mirrored_arguments.hpp"
#include "message_headers.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct Services;

// Returns why the fields of a modern tool call differ from its body; nothing if they agree, or if
// the caller sees no such tool.
std::optional<HttpRefusal> mirrorDisagreement(const Services &services, const HttpRequest &request,
                                              const Message &message, const HttpReplyForm &form);
// Does the same for the arguments of a tool that mirrors `mirrored`.
std::optional<HttpRefusal> mirrorDisagreement(const HttpRequest &request, const Json &arguments,
                                              const std::vector<MirroredArgument> &mirrored);

} // namespace skillhost
