// SPDX-License-Identifier: Apache-2.0
// Fuses the entries found by words and those found by meaning into one ranking.
#pragma once

#include "keyword/index.hpp"
#include "meaning.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace skillhost::hybrid {

struct FusionOptions {
  double meaningWeight = 0.7;  // weight of meaning if the words match weakly, 0 to 1
  double trustInWords = 0.6;   // share of that weight that words take if they match well, 0 to 1
  double sentenceWeight = 0.5; // weight of the best sentence against the whole question, 0 to 1
  double minCosine = 0.30;     // comparable; below it, meaning alone does not find an entry
};

struct Fused {
  std::uint32_t entry = 0; // place in the snapshot
  double score = 0;        // 0 to 1, comparable between queries
  double fused = 0;        // value that ranks, 0 to 1
  double words = 0;        // fraction of the best score by words
  double ofWords = 0;      // part of the words in `fused`
  double cosine = 0;       // 0 if it has no vector yet
  // Best cosine of all candidates; nothing if none has a vector.
  std::optional<double> nearest;
};

// Evidence of words and meaning that a question fits one of its hits.
struct BothEvidence {
  keyword::Evidence words;
  double cosine = 0; // comparable
};

// Estimates how likely the hit fits, as log odds. The benchmark calibration_fit chose the
// coefficients.
double fitByBoth(const BothEvidence &evidence) noexcept;
// Does the same for the nearest entry, if the question uses other words than the entry. Takes a
// comparable cosine.
double fitByMeaning(double cosine) noexcept;

// Returns at most `limit` entries: first those whose name is asked for, then the best; equal ones
// by id. If no found entry has a vector, the scores are those of the words. Throws what
// `checkpoint` throws.
std::vector<Fused> fuse(const keyword::Search &words, const QuestionVectors &question,
                        const Meaning &meaning, const FusionOptions &options, std::size_t limit,
                        const std::function<void()> &checkpoint);

} // namespace skillhost::hybrid
