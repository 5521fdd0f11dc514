// SPDX-License-Identifier: Apache-2.0
// Checks the fields Mcp-Param-…, which repeat arguments of a tool.
#pragma once

#include "rpc/message_headers.hpp"
#include "rpc/mirrored_arguments.hpp"

#include <optional>
#include <vector>

namespace skillhost {

// Returns why the header of a call disagrees with its arguments, for a tool that mirrors these;
// nothing if they agree.
std::optional<HttpRefusal> findMirrorMismatch(const HttpRequest &request, const Json &arguments,
                                              const std::vector<MirroredArgument> &mirrored);

} // namespace skillhost
