// SPDX-License-Identifier: Apache-2.0
// Ranks the entries that fit a parsed query, best first.
#pragma once

#include "query.hpp"
#include "scoring.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace skillhost::keyword {

struct Ranked {
  std::uint32_t entry; // place in the snapshot
  double score;        // finite, above 0
};

// Lists have a score for every place; 0 if no term fits, the filter refuses the entry or the entry
// was removed.
struct Scores {
  std::vector<float> all; // the scores that rank
  // Weights of both forms of BM25 in `all`; `apart` is 0 for a short query.
  float together = 1, apart = 0;
  std::vector<std::vector<float>> sentences; // of a long query of several sentences
};

// Says how far a query tells a whole task: 0 for a few words, 1 for many.
double taskShareOf(const Query &query) noexcept;

// Calls `checkpoint` now and then, which may throw to stop the work.
Scores scoresOf(const Snapshot &snapshot, const Query &query, const Filter &filter,
                const Options &options, const std::function<void()> &checkpoint);

// Returns at most `limit` entries with a score above 0, best first. Equal scores are sorted by id.
std::vector<Ranked> bestOf(const Snapshot &snapshot, const std::vector<float> &scores,
                           std::size_t limit);

// Weights of words, of runs of letters, and of words in each field by itself. A field to which the
// options give the weight 0 has it in all three.
Scoring wordScoring(const Snapshot &snapshot, const Options &options);
Scoring runScoring(const Snapshot &snapshot, const Options &options);
Scoring apartScoring(const Snapshot &snapshot, const Options &options);

} // namespace skillhost::keyword
