// SPDX-License-Identifier: Apache-2.0
// One ranking of what is found by words and what is found by meaning.
#pragma once

#include "keyword/index.hpp"
#include "meaning.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace skillhost::hybrid {

struct FusionOptions {
  double meaningWeight = 0.65; // of meaning against words that say nothing, 0 to 1
  double trustInWords = 0.55;  // the share of that which words take when they match well, 0 to 1
  double sentenceWeight = 0.5; // of the sentence that fits best against the whole question, 0 to 1
  double leastCosine = 0.30;   // below it an entry is not found by meaning alone
};

struct Fused {
  std::uint32_t entry = 0; // its place in the snapshot
  double score = 0;        // above 0, at most 1
  double words = 0;        // its share of the best score by words
  double ofWords = 0;      // what that adds to the score
  double cosine = 0;       // 0 when it has no vector yet
};

// At most `limit`, best first, equal ones in order of id. Throws what `checkpoint` does.
std::vector<Fused> fuse(const keyword::Search &words, const QuestionVectors &question,
                        const Meaning &meaning, const FusionOptions &options, std::size_t limit,
                        const std::function<void()> &checkpoint);

} // namespace skillhost::hybrid
