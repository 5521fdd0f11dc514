// SPDX-License-Identifier: Apache-2.0
// Running plugins in confined processes, as the host's PluginIsolation.
#pragma once

#include "plugin/isolation.hpp"

#include <memory>
#include <string>

namespace skillhost {

// `runner` is the absolute path of skillhost-runner, which each of the processes executes. It is
// refused, each time, when somebody else than root and this user may write it.
std::shared_ptr<const PluginIsolation> makeIsolation(std::string runner);

} // namespace skillhost
