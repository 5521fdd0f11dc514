// SPDX-License-Identifier: Apache-2.0
#include "calibration.hpp"

#include <algorithm>
#include <cmath>

namespace skillhost::keyword {
namespace {

constexpr double minStrength = 1e-3;
// Larger odds would round close scores to the same number.
constexpr double maxLogOdds = 12;
constexpr double below = 0.94; // greatest score of a hit whose name was not asked for

double ofName(NameMatch name) noexcept {
  switch (name) {
  case NameMatch::Same:
    return 0.99;
  case NameMatch::Title:
    return 0.98;
  case NameMatch::Plural:
    return 0.97;
  case NameMatch::OneEdit:
    return 0.95;
  case NameMatch::None:
    break;
  }
  return 0;
}

} // namespace

double Evidence::logStrength() const noexcept { return std::log(std::max(strength, minStrength)); }

double fitByWords(const Evidence &evidence) noexcept {
  return -1.5 + 4.75 * evidence.logStrength() + 5.15 * evidence.coverage;
}

double weightOfMissingWords(double averageBody) noexcept {
  // It was chosen with one-line descriptions of tools (MetaTool), see the README of `keyword`.
  constexpr double ofBare = 0.5;
  constexpr double ofTexts = 50; // words; all real skills have more
  return ofBare + (1 - ofBare) * std::clamp(averageBody / ofTexts, 0.0, 1.0);
}

void Scale::addHit(double odds, double score) noexcept {
  if (score > 0) fit_ = std::max(fit_, odds + steepness * std::log(best_ / score));
}

double Scale::of(double score, NameMatch name) const noexcept {
  if (name != NameMatch::None) return ofName(name);
  if (!(score > 0) || !(best_ > 0)) return 0;
  const double odds =
      std::min(fit_, maxLogOdds) + steepness * std::log(std::min(score / best_, 1.0));
  return below / (1 + std::exp(-(odds < 0 ? odds * missing_ : odds)));
}

} // namespace skillhost::keyword
