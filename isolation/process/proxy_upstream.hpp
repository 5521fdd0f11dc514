// SPDX-License-Identifier: Apache-2.0
// Calls the source that a filter wraps for the filter's runner.
#pragma once

#include "process/exchange.hpp"

#include <skillhost/upstream.h>

namespace skillhost::process {

// Performs a Record::Upstream of the call and sends its results. Returns false if it cannot be
// read.
bool callUpstream(const skh_upstream &upstream, const skh_call *call, Unpacker &from,
                  const Receiver::Send &send);

} // namespace skillhost::process
