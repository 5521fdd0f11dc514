// SPDX-License-Identifier: Apache-2.0
// The sources that one of the replicas asks for all.
#pragma once

#include "app/configuration.hpp"
#include "plugin/registry.hpp"
#include "sharing/source_sharing.hpp"

#include <memory>

namespace skillhost::app {

// A source that is made by `plugins` where this replica is the one that asks. `instance` is what it
// is made of; `source` says where it is shared.
std::shared_ptr<Source> makeSharedSource(const SourceConfiguration &source,
                                         const InstanceConfiguration &instance,
                                         PluginRegistry &plugins,
                                         const std::shared_ptr<SourceSharing> &sharing);

} // namespace skillhost::app
