// SPDX-License-Identifier: Apache-2.0
// The resource skillhost://reviews: what waits for a decision, for those who manage the server.
#pragma once

#include "mcp/own_resources.hpp"
#include "review/reviews.hpp"

namespace skillhost {

// `reviews` outlives the resource.
OwnResource reviewResource(Reviews &reviews);

} // namespace skillhost
