// SPDX-License-Identifier: Apache-2.0
// That a source has changed, from the replica that was told to all others.
#pragma once

#include "plugin/shared_store.hpp"

#include <memory>
#include <string_view>

namespace skillhost {

struct Services;

// That this source is to be looked at anew; empty: each of them. `state` may be null.
void tellSourceChanged(SharedStore *state, std::string_view source);

// Looks at the sources that other replicas tell of, and at each of them when something may have
// been missed: once, and not at the moment at which all other replicas do. Once, when
// `services.shared` is there.
void followSourceNotices(const std::shared_ptr<Services> &services);

} // namespace skillhost
