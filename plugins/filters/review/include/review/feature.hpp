// SPDX-License-Identifier: Apache-2.0
// The filter `review` withholds skills, as rules of trust define, until a reviewer has approved
// them.
#pragma once

#include "app/host_features.hpp"
#include "review/reviews.hpp"

#include <memory>

namespace skillhost::app {

FilterKind reviewFilter();

// Returns these features. The filter for reviews, once it is made, sets `reviews` to its own.
HostFeatures keepingReviews(HostFeatures features, std::shared_ptr<Reviews> &reviews);

} // namespace skillhost::app
