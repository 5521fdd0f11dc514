// SPDX-License-Identifier: Apache-2.0
// Decides whether a runner gets a network, and through which proxies.
#pragma once

#include "network/forwarder.hpp"
#include "process/start.hpp"

#include <memory>

namespace skillhost::process {

// Sets `network`, `suppliesSockets` and `variables` of a Start whose `instance` is set. `asks`: the
// plugin declares that it needs the network. The returned access must live as long as the runner
// uses the forwarder; null: it does not use it. Fails as ForwarderAccess::open() does.
Result<std::shared_ptr<network::ForwarderAccess>> openNetwork(const NetworkRule &rule, bool asks,
                                                              Start &start);

} // namespace skillhost::process
