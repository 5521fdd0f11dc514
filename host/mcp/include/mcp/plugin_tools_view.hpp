// SPDX-License-Identifier: Apache-2.0
// Shows the offers of plugins as one caller sees them.
#pragma once

#include "access/visibility.hpp"
#include "mcp/plugin_tools.hpp"

namespace skillhost {

// Returns `whole` without the offers of the instances that this key does not see; `whole` itself if
// it sees them all. Any thread.
PluginToolSetPointer seenPluginTools(const Visibility::Key &key, const PluginToolSetPointer &whole);

} // namespace skillhost
