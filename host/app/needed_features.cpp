// SPDX-License-Identifier: Apache-2.0
#include "needed_features.hpp"

#include "configuration/named_sources.hpp"

#include <stdexcept>
#include <string>

namespace skillhost::app {

void requireSharedStore(const Configuration &configuration, const SharedStoreKinds &built) {
  if (!built.empty() || !configuration.state.isShared(configuration.transport)) return;
  throw std::runtime_error(
      placedKey(configuration, "state.plugin") +
      ": the replica feature \"state\" that carries it out is not in this build of skillhost: take "
      "the key out, or use a build that has it");
}

} // namespace skillhost::app
