// SPDX-License-Identifier: Apache-2.0
#include "review/review_metrics.hpp"

#include <limits>
#include <map>
#include <memory>
#include <string>

namespace skillhost {
namespace {

constexpr const char *otherSources = "others";

void add(ReviewCounts &to, const ReviewCounts &more) {
  for (std::size_t i = 0; i < to.states.size(); ++i) to.states[i] += more.states[i];
  to.withheld += more.withheld;
  to.waiting += more.waiting;
}

std::map<std::string, ReviewCounts> boundedCounts(const Reviews &reviews) {
  std::map<std::string, ReviewCounts> bounded;
  for (const auto &[source, counts] : reviews.counts())
    add(bounded[bounded.size() < maxReviewedSources ? source : otherSources], counts);
  return bounded;
}

// The series of one source. They live as long as their registry.
struct ReviewSeries {
  ReviewSeries(metrics::Registry &registry, const std::string &source)
      : withheld(registry.gauge({"skillhost_review_withheld_skills", {{"source", source}}})),
        waiting(registry.gauge({"skillhost_review_waiting_skills", {{"source", source}}})) {
    for (std::size_t i = 0; i < states.size(); ++i)
      states[i] = &registry.gauge(
          {"skillhost_review_skills",
           {{"source", source}, {"state", std::string(nameOf(static_cast<ReviewState>(i)))}}});
  }
  void set(const ReviewCounts &counts) {
    for (std::size_t i = 0; i < states.size(); ++i)
      states[i]->set(static_cast<double>(counts.states[i]));
    withheld.set(static_cast<double>(counts.withheld));
    waiting.set(static_cast<double>(counts.waiting));
  }
  void hide() {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    for (metrics::Gauge *const state : states) state->set(nothing);
    withheld.set(nothing);
    waiting.set(nothing);
  }

  std::array<metrics::Gauge *, reviewStates> states{};
  metrics::Gauge &withheld;
  metrics::Gauge &waiting;
};

} // namespace

metrics::Registry::Collector collectReviews(metrics::Registry &registry, const Reviews &reviews) {
  if (!reviews.hasRules()) return nullptr;
  metrics::Gauge &valid = registry.gauge({"skillhost_review_approvals_valid", {}});
  const auto all = std::make_shared<std::map<std::string, ReviewSeries>>();
  return registry.collect([&registry, &reviews, &valid, all] {
    valid.set(reviews.problem().empty() ? 1 : 0);
    const std::map<std::string, ReviewCounts> counts = boundedCounts(reviews);
    for (auto &[source, series] : *all)
      if (!counts.contains(source)) series.hide();
    for (const auto &[source, one] : counts)
      all->try_emplace(source, registry, source).first->second.set(one);
  });
}

} // namespace skillhost
