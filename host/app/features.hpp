// SPDX-License-Identifier: Apache-2.0
// The features of a server: parts beside serving, as its configuration asks for them.
#pragma once

#include "app/configuration.hpp"
#include "mcp/own_resources.hpp"
#include "plugin/observer.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace skillhost::app {

struct Features {
  // Made before the other features and destroyed after them: it exports what they log.
  std::shared_ptr<const void> first;
  Observers observers;
  std::vector<OwnResource> resources; // tell those who manage the server of them
  // Makes a function that is called just before the sources of another configuration are served,
  // perhaps more than once, on any thread, and does not throw. Either may be empty.
  std::function<std::function<void()>(const Configuration &next)> follow;
  // Ends the answers to what they are asked, and writes what waits, for at most half a second each.
  // Called once, when no call and no catalogue is told any more; records of the audit may still
  // come. Empty: none of them needs it.
  std::function<void()> stop;
};

// Makes the features that the configuration of a server asks for. features.cpp is the one source
// that knows them by name. They end with the last of their members, and write what waits. Throws
// std::runtime_error that names a setting which is wrong, or what could not be had.
Features makeFeatures(const Configuration &configuration);

} // namespace skillhost::app
