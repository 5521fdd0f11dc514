// SPDX-License-Identifier: Apache-2.0
#include "ranking.hpp"

#include <algorithm>
#include <cmath>

namespace skillhost::keyword {
namespace {

// How far a weakly matched sentence is raised to the level of the best one: 0 not, 1 wholly.
constexpr double evenness = 0.8;

using Scores = std::vector<float>;

void addTerms(const Postings &postings, const std::vector<WeightedTerm> &terms, double weight,
              Scores &scores) {
  for (const WeightedTerm &term : terms) {
    const auto factor = static_cast<float>(term.weight * weight);
    postings.forEach(term.term, [&scores, factor](std::uint32_t entry, float score) {
      scores[entry] += factor * score;
    });
  }
}

class Ranking {
public:
  Ranking(const Snapshot &snapshot, const Filter &filter, const Options &options)
      : snapshot_(snapshot), options_(options) {
    if (filter.everything()) return;
    refused_.resize(snapshot.entries.size());
    for (std::size_t i = 0; i < refused_.size(); ++i)
      refused_[i] = !filter.accepts(snapshot.entries[i]->attributes);
  }

  Scores score(const TermSet &terms) const {
    Scores scores(snapshot_.entries.size());
    addTerms(snapshot_.words, terms.words, 1, scores);
    addTerms(snapshot_.runs, terms.runs, options_.similarityWeight, scores);
    for (std::size_t i = 0; i < refused_.size(); ++i)
      if (refused_[i]) scores[i] = 0;
    return scores;
  }

private:
  const Snapshot &snapshot_;
  const Options &options_;
  std::vector<bool> refused_;
};

float best(const Scores &scores) {
  return scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
}

// A query of several sentences often wants several things: an entry that fits one of them well is
// as good as one that fits a bit of each.
void mixSentences(Scores &scores, const std::vector<Scores> &sentences, double weight) {
  const float top = best(scores);
  if (top <= 0) return;
  Scores raised(scores.size());
  for (const Scores &sentence : sentences) {
    const float peak = best(sentence);
    if (peak <= 0) continue;
    const auto factor = static_cast<float>(std::pow(top / peak, evenness));
    for (std::size_t i = 0; i < raised.size(); ++i)
      raised[i] = std::max(raised[i], sentence[i] * factor);
  }
  const auto share = static_cast<float>(weight);
  const float level = share * top / best(raised);
  for (std::size_t i = 0; i < raised.size(); ++i)
    scores[i] = (1 - share) * scores[i] + level * raised[i];
}

} // namespace

std::vector<float> scoresOf(const Snapshot &snapshot, const Query &query, const Filter &filter,
                            const Options &options, const std::function<void()> &checkpoint) {
  const Ranking ranking(snapshot, filter, options);
  Scores scores = ranking.score(query.whole);
  if (options.sentenceWeight > 0 && !query.sentences.empty()) {
    std::vector<Scores> sentences;
    for (const TermSet &sentence : query.sentences) {
      checkpoint();
      sentences.push_back(ranking.score(sentence));
    }
    mixSentences(scores, sentences, options.sentenceWeight);
  }
  return scores;
}

std::vector<Ranked> bestOf(const std::vector<float> &scores, std::size_t limit) {
  std::vector<Ranked> ranked;
  for (std::uint32_t entry = 0; entry < scores.size(); ++entry)
    if (scores[entry] > 0) ranked.push_back({entry, static_cast<double>(scores[entry])});
  const auto kept = static_cast<std::ptrdiff_t>(std::min(limit, ranked.size()));
  std::partial_sort(ranked.begin(), ranked.begin() + kept, ranked.end(),
                    [](const Ranked &a, const Ranked &b) { // entries are in order of id
                      return a.score != b.score ? a.score > b.score : a.entry < b.entry;
                    });
  ranked.resize(static_cast<std::size_t>(kept));
  return ranked;
}

} // namespace skillhost::keyword
