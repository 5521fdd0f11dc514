// SPDX-License-Identifier: Apache-2.0
// The filter `review` withholds skills, as rules of trust define, until a reviewer has approved
// them.
#pragma once

#include "app/host_features.hpp"
#include "review/reviews.hpp"

#include <memory>

namespace skillhost::app {

FilterKind reviewFilter();

// Returns `features` with a review filter that sets `reviews` to its own object when it is made.
HostFeatures keepingReviews(HostFeatures features, std::shared_ptr<Reviews> &reviews);

} // namespace skillhost::app
