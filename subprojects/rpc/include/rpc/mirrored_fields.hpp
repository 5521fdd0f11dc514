// SPDX-License-Identifier: Apache-2.0
// The fields Mcp-Param-…, which repeat arguments of a tool, and whether they are true.
#pragma once

#include "rpc/message_headers.hpp"
#include "rpc/mirrored_arguments.hpp"

#include <optional>
#include <vector>

namespace skillhost {

// Says why the header of a call does not say what its arguments say, when the tool mirrors these;
// nothing when all is well.
std::optional<HttpRefusal> mirrorDisagreement(const HttpRequest &request, const Json &arguments,
                                              const std::vector<MirroredArgument> &mirrored);

} // namespace skillhost
