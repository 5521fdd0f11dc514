// SPDX-License-Identifier: Apache-2.0
// The resource skillhost://reviews lists skills that wait for a decision, for managers of the
// server.
#pragma once

#include "mcp/own_resources.hpp"
#include "review/reviews.hpp"

namespace skillhost {

// `reviews` outlives the resource.
OwnResource reviewResource(Reviews &reviews);

} // namespace skillhost
