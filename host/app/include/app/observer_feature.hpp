// SPDX-License-Identifier: Apache-2.0
// The interface through which the start makes and wires a feature that observes the server.
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

// A running server has one object of each feature. It is made before the host, and destroyed when
// no part of the host is left that could notify it. Its destructor writes what waits.
class ObserverFeature {
public:
  ObserverFeature() = default;
  virtual ~ObserverFeature() = default;
  ObserverFeature(const ObserverFeature &) = delete;
  ObserverFeature &operator=(const ObserverFeature &) = delete;

  // Returns the observer of the server's events; null if the feature has none. Called once.
  virtual std::shared_ptr<Observer> observer() { return nullptr; }
  // Returns the resources by which the feature informs managers of the server. Called once.
  virtual std::vector<OwnResource> resources() { return {}; }
  // Returns a function that is called just before the sources of `next` are served, perhaps more
  // than once, on any thread; it does not throw. Empty if the feature does not need it. The thread
  // of the reloader calls follow() itself.
  virtual std::function<void()> follow(const Configuration & /*next*/) { return {}; }
  // Completes the answers to readers of its resources, and does not throw. Called once, when no
  // calls and no catalogues are reported any more; records of the audit may still arrive.
  virtual void stop() {}
  // Writes what waits, for at most `longest`, and does not throw. Called once, after stop() of
  // every feature and before plugins are destroyed: if a plugin then hangs, the process ends
  // without the destructor of the feature.
  virtual void flush(std::chrono::milliseconds /*longest*/) {}
};

// A feature that was built. Features do not know each other. The order of the list matters only for
// the order of their resources; a feature that has to be made first says so here.
struct ObserverFeatureKind {
  std::string_view name; // name of its folder
  // Makes the feature; null if the configuration does not enable it. Throws an exception that names
  // the wrong setting or the missing resource.
  std::unique_ptr<ObserverFeature> (*make)(const Configuration &configuration);
  // True if the feature receives log lines: it is made before the other features and destroyed
  // after them, so that it receives what they log when they begin and end.
  bool receivesLog = false;
};
using ObserverFeatureList = std::vector<ObserverFeatureKind>;

} // namespace skillhost::app
