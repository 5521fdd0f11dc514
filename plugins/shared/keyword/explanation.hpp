// SPDX-License-Identifier: Apache-2.0
// Explains to a person why one entry has its score for a question.
#pragma once

#include "calibration.hpp"
#include "fields.hpp"
#include "language.hpp"
#include "options.hpp"
#include "snapshot.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::keyword {

struct ExplainedWord {
  std::string word, stem; // as written in the question; as looked up in the index
  // Occurrences in the entry. All are 0 if the word is only a part of a longer word of the name or
  // keywords.
  PerField<std::uint32_t> counts{};
  PerField<double> scores{}; // contribution of each field to the score
  double score = 0;          // sum of `scores`
};

struct ExplainedSentence {
  std::string text;
  double score = 0;
};

struct Explanation {
  double score = 0; // score by which the entry is ranked
  // The match between question and name, which ranks before the score.
  NameMatch name = NameMatch::None;
  double calibrated = 0; // score that a query reports, see Scale
  Evidence evidence;     // evidence for the entry
  // Sum of words and similarity, before sentences are weighed.
  double whole = 0;
  std::vector<ExplainedWord> words;         // words that the entry contains, greatest score first
  std::vector<std::string> missing;         // words that it does not contain
  std::size_t runs = 0;                     // number of runs of letters in common
  double similarity = 0;                    // contribution of those runs
  std::vector<ExplainedSentence> sentences; // empty unless sentences are weighed
};

// Fills everything but `name`, `calibrated` and `evidence`, which Index::explain() adds. Returns
// nothing if there is no such entry. It costs a query and an analysis of the entry's texts. Throws
// what `checkpoint` throws.
std::optional<Explanation> explanationOf(const Snapshot &snapshot,
                                         const std::shared_ptr<const Language> &language,
                                         const Options &options, std::string_view text,
                                         std::string_view id,
                                         const std::function<void()> &checkpoint);

// Says in the words of skillhost/explain.h how the question names the entry; null if it does not.
const char *toText(NameMatch name) noexcept;
// Writes the explanation in the words of skillhost/explain.h.
nlohmann::json toJson(const Explanation &explanation);

} // namespace skillhost::keyword
