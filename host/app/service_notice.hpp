// SPDX-License-Identifier: Apache-2.0
// Tells the service manager how the start and the stop go (sd_notify(3)).
#pragma once

#include <string_view>

namespace skillhost::app {

// `state` as in sd_notify(3): "READY=1". Nothing happens when nobody has asked to be told.
void notifyServiceManager(std::string_view state) noexcept;

} // namespace skillhost::app
