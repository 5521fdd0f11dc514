// SPDX-License-Identifier: Apache-2.0
// One ranking of what is found by words and what is found by meaning.
#pragma once

#include "keyword/index.hpp"
#include "meaning.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace skillhost::hybrid {

struct FusionOptions {
  double meaningWeight = 0.65; // of meaning against words that say nothing, 0 to 1
  double trustInWords = 0.55;  // the share of that which words take when they match well, 0 to 1
  double sentenceWeight = 0.5; // of the sentence that fits best against the whole question, 0 to 1
  double leastCosine = 0.30;   // below it an entry is not found by meaning alone
};

struct Fused {
  std::uint32_t entry = 0;       // its place in the snapshot
  double score = 0;              // from 0 to 1, meaning the same over queries
  double fused = 0;              // what it is ranked by, from 0 to 1
  double words = 0;              // its share of the best score by words
  double ofWords = 0;            // what that adds to `fused`
  double cosine = 0;             // 0 when it has no vector yet
  std::optional<double> nearest; // cosine of all candidates; nothing when none has a vector
};

// How a question fits one of its hits by words and by meaning.
struct BothEvidence {
  keyword::Evidence words;
  double cosine = 0;
};

// How likely it is that the hit fits, as log odds; chosen by calibration_fit.
double fitByBoth(const BothEvidence &evidence) noexcept;
// The same for the nearest of all, of what is said in other words than it has.
double fitByMeaning(double cosine) noexcept;

// At most `limit`, what is asked for by its name first, then best first, equal ones in order of id.
// Where no entry that was found has a vector, the scores are those of the words alone. Throws what
// `checkpoint` does.
std::vector<Fused> fuse(const keyword::Search &words, const QuestionVectors &question,
                        const Meaning &meaning, const FusionOptions &options, std::size_t limit,
                        const std::function<void()> &checkpoint);

} // namespace skillhost::hybrid
