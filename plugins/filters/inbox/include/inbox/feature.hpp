// SPDX-License-Identifier: Apache-2.0
// The filter `inbox` takes proposals of skills, and serves them when a reviewer has approved them.
#pragma once

#include "app/host_features.hpp"

namespace skillhost::app {

FilterKind inboxFilter();

} // namespace skillhost::app
