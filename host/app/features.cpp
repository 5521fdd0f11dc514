// SPDX-License-Identifier: Apache-2.0
#include "features.hpp"

#include <chrono>
#include <iterator>
#include <ranges>
#include <utility>

namespace skillhost::app {

// The delegated constructor has completed the object, so its destructor runs if a feature throws.
Features::Features(const ObserverFeatureList &list, const Configuration &configuration)
    : Features() {
  std::vector<std::shared_ptr<Observer>> observers;
  for (const bool receivesLog : {true, false})
    for (const ObserverFeatureKind &kind : list) {
      if (kind.receivesLog != receivesLog) continue;
      auto feature = kind.make(configuration);
      if (!feature) continue;
      if (auto observer = feature->observer()) observers.push_back(std::move(observer));
      std::vector<OwnResource> resources = feature->resources();
      std::move(resources.begin(), resources.end(), std::back_inserter(resources_));
      made_.push_back(std::move(feature));
    }
  observers_ = Observers(std::move(observers));
}

Features::~Features() {
  resources_.clear();
  observers_ = {};
  while (!made_.empty()) made_.pop_back();
}

std::function<void()> Features::follow(const Configuration &next) const {
  std::vector<std::function<void()>> all;
  for (const auto &one : made_)
    if (auto follow = one->follow(next)) all.push_back(std::move(follow));
  if (all.empty()) return {};
  return [all = std::move(all)] {
    for (const auto &follow : all) follow();
  };
}

void Features::stop() const {
  for (const auto &one : std::views::reverse(made_)) one->stop();
  for (const auto &one : std::views::reverse(made_)) one->flush(std::chrono::milliseconds(500));
}

} // namespace skillhost::app
