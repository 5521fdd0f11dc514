// SPDX-License-Identifier: Apache-2.0
// Requests of the kind "skh.observer/1".
#pragma once

#include "process/runner_operations.hpp"

namespace skillhost::process {

// As perform() does, which sends them here.
skh_status performObserver(const RunningPlugin &running, Operation operation, Unpacker &from,
                           const RunnerCall &call);

} // namespace skillhost::process
