// SPDX-License-Identifier: Apache-2.0
// The filter `review` withholds skills, as rules of trust define, until a reviewer has approved
// them.
#pragma once

#include "app/source_filter.hpp"
#include "review/reviews.hpp"

#include <memory>

namespace skillhost::app {

FilterKind reviewFilter();

// Returns these filters. When the filter for reviews is made, it stores its reviews in `reviews`.
FilterKinds keepingReviews(FilterKinds filters, std::shared_ptr<Reviews> &reviews);

} // namespace skillhost::app
