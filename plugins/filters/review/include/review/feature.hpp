// SPDX-License-Identifier: Apache-2.0
// The filter `review` withholds the skills that rules of trust do not let through until a reviewer
// has approved them.
#pragma once

#include "app/source_filter.hpp"
#include "review/reviews.hpp"

#include <memory>

namespace skillhost::app {

FilterKind reviewFilter();

// Returns these filters. The one for reviews, once it is made, sets `reviews` to its own.
FilterKinds keepingReviews(FilterKinds filters, std::shared_ptr<Reviews> &reviews);

} // namespace skillhost::app
