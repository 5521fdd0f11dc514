// SPDX-License-Identifier: Apache-2.0
// A request, unpacked and handed to the plugin.
#pragma once

#include "process/runner_call.hpp"

#include <skillhost/plugin.h>

namespace skillhost::process {

struct RunningPlugin {
  const skh_plugin *plugin;
  void *self;
};

// What the plugin's function returns; its results go through `call`. SKH_UNSUPPORTED when it has no
// such function, SKH_INVALID for a request that cannot be read.
skh_status perform(const RunningPlugin &running, Operation operation, Unpacker &arguments,
                   RunnerCall &call);

} // namespace skillhost::process
