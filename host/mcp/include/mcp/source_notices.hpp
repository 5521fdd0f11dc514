// SPDX-License-Identifier: Apache-2.0
// Passes the notice that a source has changed from the replica that received it to all others.
#pragma once

#include "plugin/shared_store.hpp"

#include <memory>
#include <string_view>

namespace skillhost {

struct Services;

// Notifies the other replicas that this source must be refreshed; an empty name means every source.
// `state` may be null.
void notifySourceChanged(SharedStore *state, std::string_view source);

// Refreshes the sources that other replicas name, and every source if a notice may have been
// missed: once, and not at the same moment as all other replicas. Call it once, if
// `services.shared` is there.
void followSourceNotices(const std::shared_ptr<Services> &services);

} // namespace skillhost
