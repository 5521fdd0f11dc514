// SPDX-License-Identifier: Apache-2.0
// Performs requests of the kind "skh.state/1".
#pragma once

#include "process/runner_operations.hpp"

namespace skillhost::process {

// perform() delegates to this function, which behaves the same.
skh_status performState(const RunningPlugin &running, Operation operation, Unpacker &from,
                        RunnerCall &call);

} // namespace skillhost::process
