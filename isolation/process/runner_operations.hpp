// SPDX-License-Identifier: Apache-2.0
// Unpacks a request and calls the plugin.
#pragma once

#include "process/runner_call.hpp"

#include <skillhost/plugin.h>

namespace skillhost::process {

struct RunningPlugin {
  const skh_plugin *plugin;
  void *self;
};

// Returns the status of the plugin's function, whose results go through `call`. Returns
// SKH_UNSUPPORTED if the plugin has no such function, and SKH_INVALID if the request cannot be
// read.
skh_status perform(const RunningPlugin &running, Operation operation, Unpacker &arguments,
                   RunnerCall &call);

} // namespace skillhost::process
