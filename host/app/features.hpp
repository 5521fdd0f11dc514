// SPDX-License-Identifier: Apache-2.0
// The features of a server that observe it. Makes those of a list that the configuration enables,
// and ends them in order.
#pragma once

#include "app/observer_feature.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace skillhost::app {

class Features {
public:
  Features() = default; // has no features
  // Makes the features. Throws what a feature that cannot be made throws.
  Features(const ObserverFeatureList &list, const Configuration &configuration);
  // Destroys the features in the reverse order of their creation.
  ~Features();
  Features(Features &&) noexcept = default;
  Features &operator=(Features &&) = delete;
  Features(const Features &) = delete;
  Features &operator=(const Features &) = delete;

  const Observers &observers() const noexcept { return observers_; }
  // Returns the resources of all features, in the order in which the features were made.
  const std::vector<OwnResource> &resources() const noexcept { return resources_; }
  // Returns one function that calls those that ObserverFeature::follow() of the features returns.
  std::function<void()> follow(const Configuration &next) const;
  // Stops all features, then lets each write what waits, for at most half a second. Both run in the
  // reverse order of creation. Call it once.
  void stop() const;

private:
  std::vector<std::unique_ptr<ObserverFeature>> made_; // in the order in which they were made
  Observers observers_;
  std::vector<OwnResource> resources_;
};

} // namespace skillhost::app
