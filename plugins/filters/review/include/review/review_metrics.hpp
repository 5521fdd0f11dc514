// SPDX-License-Identifier: Apache-2.0
// How skills stand to the rules of trust, as figures.
#pragma once

#include "base/metrics.hpp"
#include "review/reviews.hpp"

#include <cstddef>

namespace skillhost {

inline constexpr std::size_t mostReviewedSources = 100; // those beyond count as "others"

// skillhost_review_*, by source. Both must outlive what is returned; nothing (null) when nothing is
// reviewed.
metrics::Registry::Collector collectReviews(metrics::Registry &registry, const Reviews &reviews);

} // namespace skillhost
