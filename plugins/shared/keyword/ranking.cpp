// SPDX-License-Identifier: Apache-2.0
#include "ranking.hpp"

#include "scoring.hpp"

#include <algorithm>
#include <cmath>

namespace skillhost::keyword {
namespace {

// Share by which a weakly matched sentence is raised to the level of the best one: 0 not at all, 1
// wholly.
constexpr double evenness = 0.8;

using Scores = std::vector<float>;

constexpr Bm25 runWeights{{2, 2, 1, 0}, 1.2, 0.5};

Bm25 wordWeights(const Options &options) {
  return {
      {options.nameWeight, options.keywordsWeight, options.descriptionWeight, options.bodyWeight},
      options.k1,
      options.b};
}

// Scores the whole query and its sentences in one pass over the entries of each term. The score of
// a sentence is also added to that of the whole query.
class Ranking {
public:
  Ranking(const Snapshot &snapshot, const Query &query, const Options &options, bool bySentence)
      : snapshot_(snapshot), query_(query),
        scores_(1 + (bySentence ? query.sentences.size() : 0), Scores(snapshot.places())) {
    aim(query.words, &TermSet::words, 1, words_);
    aim(query.runs, &TermSet::runs, static_cast<float>(options.similarityWeight), runs_);
  }

  // Returns the scores of the whole query first. Terms are added in order of number, so the same
  // entries always get the same sums, down to the last bit.
  std::vector<Scores> score(const Options &options, const std::function<void()> &checkpoint) {
    const Scoring words = wordScoring(snapshot_, options);
    const Scoring runs = runScoring(snapshot_);
    for (std::size_t segment = 0; segment < snapshot_.segments().size(); ++segment) {
      checkpoint();
      score(words, query_.words, words_, segment);
      score(runs, query_.runs, runs_, segment);
    }
    for (std::size_t sentence = 1; sentence < scores_.size(); ++sentence)
      for (std::size_t place = 0; place < scores_[0].size(); ++place)
        scores_[0][place] += scores_[sentence][place];
    return std::move(scores_);
  }

private:
  struct Targets {
    std::vector<std::uint32_t> begins; // start of each term in `all`, and the end
    std::vector<Target> all;
  };

  void aim(const QueryTerms &terms, std::vector<WeightedTerm> TermSet::*which, float weight,
           Targets &targets) {
    std::vector<std::pair<std::uint32_t, Target>> found; // sorted by term below
    // Sum of the term's weights in all sentences.
    std::vector<float> said(terms.size());
    for (std::size_t sentence = 1; sentence < scores_.size(); ++sentence) {
      for (const WeightedTerm &term : query_.sentences[sentence - 1].*which) {
        found.push_back({term.term, {scores_[sentence].data(), term.weight * weight}});
        said[term.term] += term.weight;
      }
    }
    // A term counts once for the whole query, so the surplus from repeated sentences is subtracted.
    for (const WeightedTerm &term : query_.whole.*which)
      if (term.weight != said[term.term])
        found.push_back({term.term, {scores_[0].data(), (term.weight - said[term.term]) * weight}});
    std::stable_sort(found.begin(), found.end(),
                     [](const auto &left, const auto &right) { return left.first < right.first; });
    for (const auto &[term, target] : found) {
      while (targets.begins.size() <= term)
        targets.begins.push_back(static_cast<std::uint32_t>(targets.all.size()));
      targets.all.push_back(target);
    }
    targets.begins.resize(terms.size() + 1, static_cast<std::uint32_t>(targets.all.size()));
  }
  static void score(const Scoring &scoring, const QueryTerms &terms, const Targets &targets,
                    std::size_t segment) {
    for (std::uint32_t number = 0; number < terms.size(); ++number) {
      const std::span<const Target> some =
          std::span(targets.all)
              .subspan(targets.begins[number], targets.begins[number + 1] - targets.begins[number]);
      for (const QueryTerms::InSegment &where : terms.places(number))
        if (where.segment == segment) scoring.add(terms.rarity(number), where, some);
    }
  }

  const Snapshot &snapshot_;
  const Query &query_;
  std::vector<Scores> scores_;
  Targets words_, runs_;
};

// Removed entries and entries that the filter refuses get no score.
void clear(const Snapshot &snapshot, const Filter &filter, std::vector<Scores> &all) {
  for (std::size_t number = 0; number < snapshot.segments().size(); ++number) {
    const SegmentView &view = snapshot.segments()[number];
    const std::size_t base = snapshot.base(number);
    for (Scores &scores : all)
      for (const std::uint16_t entry : view.removed->entries()) scores[base + entry] = 0;
    if (filter.acceptsEverything()) continue;
    const SegmentFilter accepted(filter, *view.segment);
    for (std::size_t entry = 0; entry < view.segment->size(); ++entry)
      if (!accepted(entry))
        for (Scores &scores : all) scores[base + entry] = 0;
  }
}

float best(const Scores &scores) {
  return scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
}

// A query of several sentences often asks for several things. An entry that fits one sentence well
// is as good as an entry that fits each a little.
void mixSentences(Scores &scores, std::span<const Scores> sentences, double weight) {
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

Scoring wordScoring(const Snapshot &snapshot, const Options &options) {
  return {snapshot, wordWeights(options), snapshot.statistics().words, &Segment::words,
          &Segment::lengths};
}

Scoring runScoring(const Snapshot &snapshot) {
  return {snapshot, runWeights, snapshot.statistics().runs, &Segment::runs, &Segment::runLengths};
}

std::vector<float> scoresOf(const Snapshot &snapshot, const Query &query, const Filter &filter,
                            const Options &options, const std::function<void()> &checkpoint) {
  const bool mixed = options.sentenceWeight > 0 && !query.sentences.empty();
  Ranking ranking(snapshot, query, options, mixed);
  std::vector<Scores> all = ranking.score(options, checkpoint); // the whole query first
  clear(snapshot, filter, all);
  if (mixed) mixSentences(all[0], std::span(all).subspan(1), options.sentenceWeight);
  return std::move(all[0]);
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
