// SPDX-License-Identifier: Apache-2.0
// What a runner is told of the network: whether it has one, and by which proxies.
#pragma once

#include "network/forwarder.hpp"
#include "process/start.hpp"

#include <memory>

namespace skillhost::process {

// Sets `network`, `suppliesSockets` and `variables` of a Start whose `instance` is set; `asks`: the
// plugin says that it needs the network. What it gets by the forwarder it gets as long as the
// answer lives; null: nothing by it. Failure: as ForwarderAccess::open().
Result<std::shared_ptr<network::ForwarderAccess>> openNetwork(const NetworkRule &rule, bool asks,
                                                              Start &start);

} // namespace skillhost::process
