// SPDX-License-Identifier: Apache-2.0
// The features of a server that observe it: makes those of a list that the configuration asks for,
// and ends them in order.
#pragma once

#include "app/observer_feature.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace skillhost::app {

class Features {
public:
  Features() = default; // none
  // Makes them. Throws what a feature throws that cannot be made.
  Features(const ObserverFeatureList &list, const Configuration &configuration);
  // Destroys them, the one that was made last first.
  ~Features();
  Features(Features &&) noexcept = default;
  Features &operator=(Features &&) = delete;
  Features(const Features &) = delete;
  Features &operator=(const Features &) = delete;

  const Observers &observers() const noexcept { return observers_; }
  // Returns those of each feature, in the order in which features were made.
  const std::vector<OwnResource> &resources() const noexcept { return resources_; }
  // Returns one function for what ObserverFeature::follow() of all of them returns.
  std::function<void()> follow(const Configuration &next) const;
  // Stops all of them, then has each write what waits, for half a second at most. Once; the one
  // that was made last comes first.
  void stop() const;

private:
  std::vector<std::unique_ptr<ObserverFeature>> made_; // in the order in which they were made
  Observers observers_;
  std::vector<OwnResource> resources_;
};

} // namespace skillhost::app
