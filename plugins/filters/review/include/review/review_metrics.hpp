// SPDX-License-Identifier: Apache-2.0
// Metrics of the review states of skills.
#pragma once

#include "base/metrics.hpp"
#include "review/reviews.hpp"

#include <cstddef>

namespace skillhost {

inline constexpr std::size_t maxReviewedSources = 100; // those beyond count as "others"

// Registers skillhost_review_*, by source. Both arguments must outlive the result. Returns null if
// nothing is reviewed.
metrics::Registry::Collector collectReviews(metrics::Registry &registry, const Reviews &reviews);

} // namespace skillhost
