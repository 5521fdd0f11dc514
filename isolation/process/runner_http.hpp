// SPDX-License-Identifier: Apache-2.0
// Performs requests of the kind "skh.http/1".
#pragma once

#include "process/runner_operations.hpp"

namespace skillhost::process {

// Performs a request for perform(), with the same parameters.
skh_status performHttp(const RunningPlugin &running, Operation operation, Unpacker &from,
                       RunnerCall &call);

} // namespace skillhost::process
