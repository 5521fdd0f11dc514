// SPDX-License-Identifier: Apache-2.0
#include "fusion.hpp"

#include "keyword/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace skillhost::hybrid {
namespace {

// Length of each list that is considered. An entry behind that is no answer, however well it ranks
// in the other list.
constexpr std::size_t candidatesOfEach = 100;

// Strength of words that gives them their full share of trust. A whole task says more than any
// skill, so a match of it is good at a lower strength than a match of a few words.
constexpr double goodMatch = 0.5;
constexpr double goodMatchOfTask = 0.2;

double cosineOf(const VectorView &view, Place place, double whole, const QuestionVectors &question,
                const Meaning &meaning, double sentenceWeight) {
  if (question.sentences.empty()) return whole;
  double best = -1;
  for (const QuantisedVector &sentence : question.sentences)
    best = std::max(best, static_cast<double>(view.cosine(place, sentence, meaning.kernels())));
  return (1 - sentenceWeight) * whole + sentenceWeight * best;
}

} // namespace

double fitByBoth(const BothEvidence &evidence) noexcept {
  return -1.95 + 5.1 * evidence.words.logStrength() + 5.3 * evidence.words.coverage +
         1.1 * evidence.cosine;
}

// At a cosine of .41 it is as likely as not that the entry fits.
double fitByMeaning(double cosine) noexcept { return -9.0 + 22.0 * cosine; }

std::vector<Fused> fuse(const keyword::Search &words, const QuestionVectors &question,
                        const Meaning &meaning, const FusionOptions &options, std::size_t limit,
                        const std::function<void()> &checkpoint) {
  const keyword::Snapshot &snapshot = words.entries();
  const std::shared_ptr<const VectorView> view = meaning.table().view();
  std::unordered_map<std::uint32_t, double> cosines;
  const auto near = view->nearest(question.whole, meaning.kernels(),
                                  std::max(limit, candidatesOfEach), [&](const std::string &id) {
                                    // An entry that the words do not contain was removed or is not
                                    // visible yet.
                                    const auto place = snapshot.find(id);
                                    return place && words.accepts(*place);
                                  });
  checkpoint();
  for (const VectorView::Near &each : near)
    cosines[*snapshot.find(view->id(each.place))] =
        cosineOf(*view, each.place, static_cast<double>(each.cosine), question, meaning,
                 options.sentenceWeight);
  const std::vector<keyword::Ranked> byWords = words.best(std::max(limit, candidatesOfEach));
  for (const keyword::Ranked &each : byWords) {
    const std::string id(snapshot.id(each.entry));
    const std::optional<Place> place = meaning.table().find(id);
    if (cosines.contains(each.entry) || !place || !view->holds(*place, id)) continue;
    const auto whole = static_cast<double>(view->cosine(*place, question.whole, meaning.kernels()));
    cosines[each.entry] = cosineOf(*view, *place, whole, question, meaning, options.sentenceWeight);
  }
  const double bestWords = words.bestScore();
  double bestCosine = 0;
  for (const auto &[entry, cosine] : cosines) bestCosine = std::max(bestCosine, cosine);
  std::vector<Fused> fused;
  const double good = std::lerp(goodMatch, goodMatchOfTask, words.taskShare());
  const double meaningWeight =
      options.meaningWeight * (1 - options.trustInWords * std::min(words.strength() / good, 1.0));
  const auto add = [&](std::uint32_t entry, double share, const double *cosine) {
    const double near =
        cosine != nullptr && bestCosine > 0 ? std::max(*cosine, 0.0) / bestCosine : 0;
    // An entry without a vector is judged only by its words and loses nothing.
    const double meant = cosine == nullptr ? share : near;
    const double ofWords = (1 - meaningWeight) * share;
    const double score = ofWords + meaningWeight * meant;
    if (score > 0 || words.nameMatch(entry) != keyword::NameMatch::None)
      fused.push_back({entry, 0, score, share, ofWords, cosine == nullptr ? 0 : *cosine, {}});
  };
  for (const auto &[entry, cosine] : cosines) {
    const auto score = static_cast<double>(words.scores()[entry]);
    if (score <= 0 && meaning.comparable(cosine) < options.minCosine &&
        words.nameMatch(entry) == keyword::NameMatch::None)
      continue;
    add(entry, bestWords > 0 ? score / bestWords : 0, &cosine);
  }
  for (const keyword::Ranked &each : byWords)
    if (!cosines.contains(each.entry))
      add(each.entry, bestWords > 0 ? each.score / bestWords : 0, nullptr);
  const auto better = [&](const Fused &left, const Fused &right) {
    const keyword::NameMatch one = words.nameMatch(left.entry);
    const keyword::NameMatch other = words.nameMatch(right.entry);
    if (one != other) return one > other;
    if (one != keyword::NameMatch::None) return snapshot.id(left.entry) < snapshot.id(right.entry);
    return left.fused != right.fused ? left.fused > right.fused
                                     : snapshot.id(left.entry) < snapshot.id(right.entry);
  };
  double best = 0;
  for (const Fused &each : fused) best = std::max(best, each.fused);
  // The meaning of a bare description says as much as that of a text.
  keyword::Scale scale(best, cosines.empty() ? words.missing() : 1);
  if (!cosines.empty()) scale.addHit(fitByMeaning(meaning.comparable(bestCosine)), best);
  for (const keyword::Ranked &hit : words.hitsToCalibrate()) {
    const auto judged = std::find_if(fused.begin(), fused.end(),
                                     [&](const Fused &each) { return each.entry == hit.entry; });
    if (judged == fused.end()) continue;
    const keyword::Evidence evidence = words.evidence(hit.entry);
    scale.addHit(cosines.contains(hit.entry)
                     ? fitByBoth({evidence, meaning.comparable(judged->cosine)})
                     : keyword::fitByWords(evidence),
                 judged->fused);
  }
  const auto kept = static_cast<std::ptrdiff_t>(std::min(limit, fused.size()));
  std::partial_sort(fused.begin(), fused.begin() + kept, fused.end(), better);
  fused.resize(static_cast<std::size_t>(kept));
  for (Fused &each : fused) {
    each.score = scale.of(each.fused, words.nameMatch(each.entry));
    if (!cosines.empty()) each.nearest = bestCosine;
  }
  return fused;
}

} // namespace skillhost::hybrid
