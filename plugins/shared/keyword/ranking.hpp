// SPDX-License-Identifier: Apache-2.0
// In: a parsed query. Out: the entries that fit it, best first.
#pragma once

#include "query.hpp"
#include "scoring.hpp"

#include <functional>

namespace skillhost::keyword {

struct Ranked {
  std::uint32_t entry; // place in the snapshot
  double score;        // finite, above 0
};

// The score of every place; 0 where nothing fits, the filter refuses or nothing is any more.
// `checkpoint` is called now and then and may throw to give the work up.
std::vector<float> scoresOf(const Snapshot &snapshot, const Query &query, const Filter &filter,
                            const Options &options, const std::function<void()> &checkpoint);

// At most `limit` of the entries whose score is above 0, best first; equal scores in order of id.
std::vector<Ranked> bestOf(const Snapshot &snapshot, const std::vector<float> &scores,
                           std::size_t limit);

// How words and runs of letters are weighed.
Scoring wordScoring(const Snapshot &snapshot, const Options &options);
Scoring runScoring(const Snapshot &snapshot);

} // namespace skillhost::keyword
