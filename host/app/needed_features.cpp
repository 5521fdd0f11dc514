// SPDX-License-Identifier: Apache-2.0
#include "needed_features.hpp"

#include "configuration/named_sources.hpp"

#include <stdexcept>
#include <string>

namespace skillhost::app {

void checkSharedStores(const Configuration &configuration, const SharedStoreKinds &built) {
  if (built.size() > 1)
    throw std::runtime_error("this build of skillhost has more than one feature through which "
                             "replicas share state, such as " +
                             std::string(built[0].name) + " and " + std::string(built[1].name) +
                             ": build it with one of them");
  if (built.empty() && configuration.state.isShared(configuration.transport))
    throw std::runtime_error(placedKey(configuration, "state.plugin") +
                             ": this build of skillhost has no feature through which replicas "
                             "share state: take the key out, or use a build that has one");
}

} // namespace skillhost::app
