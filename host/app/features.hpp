// SPDX-License-Identifier: Apache-2.0
// What a server has beside serving.
#pragma once

#include "app/configuration.hpp"
#include "mcp/own_resources.hpp"
#include "plugin/observer.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace skillhost::app {

struct Features {
  // One that needs nothing but to be there, from before the others are made until they have ended.
  std::shared_ptr<const void> first;
  Observers observers;
  std::vector<OwnResource> resources; // what they tell to those who manage the server
  // Makes what is to be called just before the sources of another configuration are served. That
  // may be called again, on any thread, and does not throw. Empty, or makes an empty one: nothing
  // is.
  std::function<std::function<void()>(const Configuration &next)> follow;
  // Those that answer questions answer no more. Called once, after what has events to tell has
  // stopped; empty: none do.
  std::function<void()> stop;
};

// Those that the configuration of a server asks for. features.cpp is the one source that knows them
// by name. They end with the last of what is in there, and record what waits. Throws
// std::runtime_error that names a setting which is wrong, or what could not be had.
Features makeFeatures(const Configuration &configuration);

} // namespace skillhost::app
