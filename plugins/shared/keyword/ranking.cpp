// SPDX-License-Identifier: Apache-2.0
#include "ranking.hpp"

#include "scoring.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace skillhost::keyword {
namespace {

constexpr Bm25 runWeights{{2, 2, 1, 0}, 1.2, 0.5};

// A short query names a skill by few words, which BM25F finds best. A long query tells a whole task
// and mentions many things in passing: there a word that is rare in names but common in bodies is
// worth nothing by its common rarity. The share `apartShare` of its score is therefore the plain
// sum of the BM25 of each field, with the usual k1 and b. A query is short up to `fewWords`
// different words and long from `manyWords`; between them the share rises evenly.
constexpr Bm25 apartWeights{{1, 1, 1, 1}, 1.2, 0.75};
constexpr double fewWords = 5;
constexpr double manyWords = 15;

// Share by which a weakly matched sentence is raised to the level of the best one: 0 not at all, 1
// wholly.
constexpr double evenness = 0.8;

PerField<double> weightsOf(const Options &options) {
  return {options.nameWeight, options.keywordsWeight, options.descriptionWeight,
          options.bodyWeight};
}

// A field that the options turn off by the weight 0 counts nowhere.
Bm25 withoutFieldsTurnedOff(Bm25 bm25, const Options &options) {
  const PerField<double> weights = weightsOf(options);
  for (std::size_t field = 0; field < fieldCount; ++field)
    if (weights[field] <= 0) bm25.weights[field] = 0;
  return bm25;
}

// Adds the scores of terms of one kind to their targets. Terms are added in order of number, so the
// same entries always get the same sums, down to the last bit.
class Adder {
public:
  Adder(const Scoring &scoring, const QueryTerms &terms) : scoring_(scoring), terms_(terms) {}
  // Adds the scores of the terms, times `weight`, to `scores`. Both must outlive the adder.
  void aim(const std::vector<WeightedTerm> &asked, double weight, std::vector<float> &scores,
           bool takesBodies = true) {
    targets_.resize(terms_.size());
    for (const WeightedTerm &term : asked)
      targets_[term.term].push_back(
          {scores.data(), term.weight * static_cast<float>(weight), takesBodies});
  }
  void findRarities() {
    for (std::uint32_t number = 0; number < targets_.size(); ++number)
      rarities_.push_back(scoring_.raritiesOf(terms_, number));
  }
  void add(std::size_t segment) const {
    for (std::uint32_t number = 0; number < targets_.size(); ++number)
      for (const QueryTerms::InSegment &where : terms_.places(number))
        if (where.segment == segment) scoring_.add(rarities_[number], where, targets_[number]);
  }

private:
  const Scoring scoring_;
  const QueryTerms &terms_;
  std::vector<std::vector<Target>> targets_; // by number of term
  std::vector<PerField<float>> rarities_;    // likewise
};

// Removed entries and entries that the filter refuses get no score.
void clear(const Snapshot &snapshot, const Filter &filter, std::vector<float> &scores) {
  for (std::size_t number = 0; number < snapshot.segments().size(); ++number) {
    const SegmentView &view = snapshot.segments()[number];
    const std::size_t base = snapshot.base(number);
    for (const std::uint16_t entry : view.removed->entries()) scores[base + entry] = 0;
    if (filter.acceptsEverything()) continue;
    const SegmentFilter accepted(filter, *view.segment);
    for (std::size_t entry = 0; entry < view.segment->size(); ++entry)
      if (!accepted(entry)) scores[base + entry] = 0;
  }
}

float best(const std::vector<float> &scores) {
  return scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
}

// A query of several sentences often asks for several things. An entry whose name and description
// fit one sentence well is as good as an entry that fits each a little. Bodies do not count,
// because some sentence always fits a body.
void mixSentences(std::vector<float> &scores, std::span<const std::vector<float>> sentences,
                  double weight) {
  const float top = best(scores);
  if (top <= 0) return;
  std::vector<float> raised(scores.size());
  for (const std::vector<float> &sentence : sentences) {
    const float peak = best(sentence);
    if (peak <= 0) continue;
    const auto factor = static_cast<float>(std::pow(top / peak, evenness));
    for (std::size_t i = 0; i < raised.size(); ++i)
      raised[i] = std::max(raised[i], sentence[i] * factor);
  }
  const float most = best(raised);
  if (most <= 0) return;
  const auto share = static_cast<float>(weight);
  const float level = share * top / most;
  for (std::size_t i = 0; i < raised.size(); ++i)
    scores[i] = (1 - share) * scores[i] + level * raised[i];
}

} // namespace

double taskShareOf(const Query &query) noexcept {
  const auto words = static_cast<double>(query.stems.size());
  return std::clamp((words - fewWords) / (manyWords - fewWords), 0.0, 1.0);
}

Scoring wordScoring(const Snapshot &snapshot, const Options &options) {
  return {snapshot, {weightsOf(options), options.k1, options.b}, Scoring::Kind::Words};
}

Scoring runScoring(const Snapshot &snapshot, const Options &options) {
  return {snapshot, withoutFieldsTurnedOff(runWeights, options), Scoring::Kind::Runs};
}

Scoring apartScoring(const Snapshot &snapshot, const Options &options) {
  return {snapshot, withoutFieldsTurnedOff(apartWeights, options), Scoring::Kind::WordsApart};
}

Scores scoresOf(const Snapshot &snapshot, const Query &query, const Filter &filter,
                const Options &options, const std::function<void()> &checkpoint) {
  const double share = options.apartShare * taskShareOf(query);
  const std::size_t places = snapshot.places();
  Scores scores{std::vector<float>(places)};
  std::vector<float> apart(share > 0 ? places : 0);
  if (share > 0 && options.sentenceWeight > 0)
    scores.sentences.assign(query.sentences.size(), std::vector<float>(places));
  Adder words(wordScoring(snapshot, options), query.words);
  Adder runs(runScoring(snapshot, options), query.runs);
  Adder fields(apartScoring(snapshot, options), query.words);
  words.aim(query.whole.words, 1, scores.all);
  runs.aim(query.whole.runs, options.similarityWeight, scores.all);
  if (share > 0) fields.aim(query.whole.words, 1, apart);
  for (std::size_t at = 0; at < scores.sentences.size(); ++at) {
    fields.aim(query.sentences[at].words, 1, scores.sentences[at], false);
    runs.aim(query.sentences[at].runs, options.similarityWeight, scores.sentences[at]);
  }
  for (Adder *each : {&words, &runs, &fields}) each->findRarities();
  for (std::size_t segment = 0; segment < snapshot.segments().size(); ++segment) {
    checkpoint();
    for (const Adder *each : {&words, &runs, &fields}) each->add(segment);
  }
  clear(snapshot, filter, scores.all);
  if (apart.empty()) return scores;
  clear(snapshot, filter, apart);
  for (std::vector<float> &sentence : scores.sentences) clear(snapshot, filter, sentence);
  if (!scores.sentences.empty()) mixSentences(apart, scores.sentences, options.sentenceWeight);
  // Both lists get the same greatest score. So the share holds whatever the query is, and scores
  // keep the scale that calibration needs.
  const float top = best(apart);
  if (top <= 0) return scores;
  scores.together = static_cast<float>(1 - share);
  scores.apart = static_cast<float>(share) * best(scores.all) / top;
  for (std::size_t place = 0; place < apart.size(); ++place)
    scores.all[place] = scores.together * scores.all[place] + scores.apart * apart[place];
  return scores;
}

std::vector<Ranked> bestOf(const Snapshot &snapshot, const std::vector<float> &scores,
                           std::size_t limit) {
  const auto better = [&](const Ranked &a, const Ranked &b) {
    return a.score != b.score ? a.score > b.score : snapshot.id(a.entry) < snapshot.id(b.entry);
  };
  std::vector<Ranked> ranked; // heap of the best so far, the worst on top
  double least = 0;
  for (std::uint32_t place = 0; place < scores.size() && limit > 0; ++place) {
    const auto score = static_cast<double>(scores[place]);
    if (score <= 0 || score < least) continue;
    const Ranked one{place, score};
    if (ranked.size() < limit) {
      ranked.push_back(one);
      std::push_heap(ranked.begin(), ranked.end(), better);
    } else if (better(one, ranked.front())) {
      std::pop_heap(ranked.begin(), ranked.end(), better);
      ranked.back() = one;
      std::push_heap(ranked.begin(), ranked.end(), better);
    }
    if (ranked.size() == limit) least = ranked.front().score;
  }
  std::sort_heap(ranked.begin(), ranked.end(), better);
  return ranked;
}

} // namespace skillhost::keyword
