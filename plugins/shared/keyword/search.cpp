// SPDX-License-Identifier: Apache-2.0
#include "index.hpp"
#include "snippet.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skillhost::keyword {
namespace {

NameMatch matchCalled(std::string_view asked, const EntryNames &called) {
  const NameMatch match = called.name.size() <= longestNameAsked
                              ? matchNames(asked, foldedName(called.name))
                              : NameMatch::None;
  if (match >= NameMatch::Title || called.title.size() > longestNameAsked) return match;
  return asked == foldedName(called.title) ? NameMatch::Title : match;
}

} // namespace

Search::Search(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Language> language,
               const Options &options, std::string_view text, std::string_view filterJson,
               const Checkpoint &checkpoint)
    : snapshot_(std::move(snapshot)), language_(std::move(language)), filter_(filterJson),
      perfectOccurrence_(options.k1 + 1), query_(parseQuery(text, *snapshot_, *language_, options)),
      scores_(scoresOf(*snapshot_, query_, filter_, options, checkpoint).all) {
  if (!scores_.empty())
    bestScore_ = static_cast<double>(*std::max_element(scores_.begin(), scores_.end()));
  findNames(text);
}

// Compares names only with entries that the words rank near the best. If no word fits, it compares
// all.
void Search::findNames(std::string_view text) {
  constexpr double nearEnough = 0.05;
  if (text.size() > longestNameAsked) return;
  const std::string asked = foldedName(text);
  if (asked.empty()) return;
  const NameShape shape(asked);
  for (std::size_t number = 0; number < snapshot_->segments().size(); ++number) {
    const SegmentView &view = snapshot_->segments()[number];
    const std::vector<Segment::Shapes> &shapes = view.segment->shapes;
    for (std::size_t entry = 0; entry < view.segment->size(); ++entry) {
      const auto place = static_cast<std::uint32_t>(snapshot_->base(number) + entry);
      const auto score = static_cast<double>(scores_[place]);
      if (score < nearEnough * bestScore_) continue;
      if (!shape.mayMatch(shapes[entry].name) && !shape.mayMatch(shapes[entry].title)) continue;
      const NameMatch match = matchCalled(asked, view.segment->entryNames(entry));
      if (match == NameMatch::None) continue;
      if (score > 0 || (!view.removed->contains(entry) && accepts(place)))
        names_.emplace_back(place, match);
    }
  }
}

std::vector<Ranked> Search::best(std::size_t limit) const {
  auto named = names_;
  std::sort(named.begin(), named.end(), [this](const auto &left, const auto &right) {
    return left.second != right.second ? left.second > right.second
                                       : snapshot_->id(left.first) < snapshot_->id(right.first);
  });
  std::vector<Ranked> ranked;
  for (const auto &[place, match] : named)
    if (ranked.size() < limit) ranked.push_back({place, static_cast<double>(scores_[place])});
  for (const Ranked &each : bestOf(*snapshot_, scores_, limit))
    if (ranked.size() < limit && nameMatch(each.entry) == NameMatch::None) ranked.push_back(each);
  return ranked;
}

NameMatch Search::nameMatch(std::uint32_t place) const noexcept {
  const auto found =
      std::lower_bound(names_.begin(), names_.end(), place,
                       [](const auto &each, std::uint32_t wanted) { return each.first < wanted; });
  return found == names_.end() || found->first != place ? NameMatch::None : found->second;
}

double Search::information() const noexcept {
  return std::accumulate(query_.information.begin(), query_.information.end(), 0.0);
}

double Search::strength() const noexcept {
  const double whole = information();
  return whole > 0 ? bestScore_ / (whole * perfectOccurrence_) : 0;
}

Evidence Search::evidence(std::uint32_t place) const {
  Evidence evidence;
  const auto score = static_cast<double>(scores_[place]);
  if (!(score > 0)) return evidence;
  double found = 0;
  double rarest = 0; // greatest rarity of the question's words that some entry contains
  for (std::size_t stem = 0; stem < query_.stems.size(); ++stem) {
    rarest = std::max(rarest, static_cast<double>(query_.rarities[stem]));
    if (query_.terms[stem] && query_.words.has(*query_.terms[stem], *snapshot_, place))
      found += static_cast<double>(query_.information[stem]);
  }
  const double whole = information();
  if (whole > 0) evidence.coverage = found / whole;
  // Compared with a word that only one entry contains, common words are weak evidence, however well
  // they fit. But an entry that contains everything asked for is compared with the rarest word of
  // the question.
  constexpr double minOwnStrength = 0.5; // strength of a word that occurs once in a long text
  const double alone = score / (rarityOf(1, snapshot_->size()) * perfectOccurrence_);
  const double own =
      rarest > 0 ? std::max(score / (rarest * perfectOccurrence_), minOwnStrength) : 0;
  const double share = evidence.coverage * evidence.coverage;
  evidence.strength = own > 0 ? std::pow(alone, 1 - share) * std::pow(own, share) : 0;
  return evidence;
}

double Search::missing() const noexcept {
  const Statistics &statistics = snapshot_->statistics();
  const auto words = static_cast<double>(statistics.words.sum[indexOf(Field::Body)]);
  return weightOfMissingWords(
      statistics.entries == 0 ? 0 : words / static_cast<double>(statistics.entries));
}

Scale Search::scale() const {
  Scale scale(bestScore_, missing());
  for (const Ranked &hit : hitsToCalibrate())
    scale.addHit(fitByWords(evidence(hit.entry)), hit.score);
  return scale;
}

std::string Search::snippet(std::uint32_t place) const {
  Stemmer stemmer = language_->stemmer();
  const Entry entry = snapshot_->entry(place);
  return snippetOf(entry.description, [&] { return snapshot_->body(place); }, query_, stemmer);
}

} // namespace skillhost::keyword
