// SPDX-License-Identifier: Apache-2.0
// In: a parsed query. Out: the entries that fit it, best first.
#pragma once

#include "query.hpp"

#include <functional>

namespace skillhost::keyword {

struct Ranked {
  std::uint32_t entry; // position in the snapshot
  double score;        // finite, above 0
};

// At most `limit` of the entries the filter accepts; equal scores in order of id. `checkpoint` is
// called now and then and may throw to give the work up.
std::vector<Ranked> rank(const Snapshot &snapshot, const Query &query, const Filter &filter,
                         const Options &options, std::size_t limit,
                         const std::function<void()> &checkpoint);

} // namespace skillhost::keyword
