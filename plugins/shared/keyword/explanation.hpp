// SPDX-License-Identifier: Apache-2.0
// Why one entry scores what it does for a question, for a person who wonders.
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
  std::string word, stem; // as it is written in the question; as it is looked for
  // How often the entry has it. All 0: only as a part of a longer word of its name or keywords.
  PerField<std::uint32_t> counts{};
  double score = 0; // what it adds to the whole
};

struct ExplainedSentence {
  std::string text;
  double score = 0;
};

struct Explanation {
  double score = 0;                         // what the entry is ranked by
  NameMatch name = NameMatch::None;         // before that: whether its name is asked for
  double calibrated = 0;                    // what a query says of it, see Scale
  Evidence evidence;                        // of the entry
  double whole = 0;                         // before sentences: the sum of words and similarity
  std::vector<ExplainedWord> words;         // that the entry has, what adds most first
  std::vector<std::string> missing;         // that it has not
  std::size_t runs = 0;                     // of letters, in common
  double similarity = 0;                    // what they add
  std::vector<ExplainedSentence> sentences; // none when there is only one
};

// All but `name`, `calibrated` and `evidence`, see Index::explain(). Nothing when there is no such
// entry. Costs a query and an analysis of the entry's texts. Throws
// what `checkpoint` does.
std::optional<Explanation> explanationOf(const Snapshot &snapshot,
                                         const std::shared_ptr<const Language> &language,
                                         const Options &options, std::string_view text,
                                         std::string_view id,
                                         const std::function<void()> &checkpoint);

// What the text says of the name, in the words of skillhost/explain.h; null: nothing.
const char *toText(NameMatch name) noexcept;
// In the words of skillhost/explain.h.
nlohmann::json toJson(const Explanation &explanation);

} // namespace skillhost::keyword
