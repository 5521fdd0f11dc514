// SPDX-License-Identifier: Apache-2.0
// The start makes and wires a feature that observes the server through this interface.
#pragma once

#include "app/configuration.hpp"
#include "mcp/own_resources.hpp"
#include "plugin/observer.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace skillhost::app {

// A running server has one object of each feature. It is made before the host, and is destroyed
// when no part of the host is left that could tell it something. Its destructor writes what waits.
class ObserverFeature {
public:
  ObserverFeature() = default;
  virtual ~ObserverFeature() = default;
  ObserverFeature(const ObserverFeature &) = delete;
  ObserverFeature &operator=(const ObserverFeature &) = delete;

  // Returns the observer of the server's events; null: the feature has none. Called once.
  virtual std::shared_ptr<Observer> observer() { return nullptr; }
  // Returns the resources that tell those who manage the server of the feature. Called once.
  virtual std::vector<OwnResource> resources() { return {}; }
  // Returns a function that is called just before the sources of `next` are served, perhaps more
  // than once, on any thread; it does not throw. Empty: the feature need not know of it. The thread
  // of the reloader calls follow() itself.
  virtual std::function<void()> follow(const Configuration & /*next*/) { return {}; }
  // Ends the answers that the feature owes to readers of its resources, and does not throw. Called
  // once, when no call and no catalogue is told any more; records of the audit may still come.
  virtual void stop() {}
  // Writes what waits, for at most `longest`, and does not throw. Called once, after stop() of
  // every feature and before plugins are destroyed: a plugin that hangs then ends the process, and
  // the destructor of the feature does not run.
  virtual void flush(std::chrono::milliseconds /*longest*/) {}
};

// A feature that was built. Features do not know each other, and the order of the list has no
// meaning but for the order of their resources: what has to be first says so here.
struct ObserverFeatureKind {
  std::string_view name; // of its folder
  // Makes the feature; null: the configuration does not want it. Throws an exception that names the
  // setting which is wrong, or what could not be had.
  std::unique_ptr<ObserverFeature> (*make)(const Configuration &configuration);
  // The feature is told what is logged: it is made before those that are not, and destroyed after
  // them, so that it is told what they log when they begin and when they end.
  bool hearsLog = false;
};
using ObserverFeatureList = std::vector<ObserverFeatureKind>;

} // namespace skillhost::app
