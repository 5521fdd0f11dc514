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

// From now on, refreshes the sources that other replicas name. If a notice may have been missed, it
// refreshes all sources once, after a random pause, so that the replicas do not do that at the same
// moment. Call it once, if `services.shared` is not null.
void followSourceNotices(const std::shared_ptr<Services> &services);

} // namespace skillhost
