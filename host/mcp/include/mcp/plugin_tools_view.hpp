// SPDX-License-Identifier: Apache-2.0
// What plugins offer, as one caller sees it.
#pragma once

#include "access/visibility.hpp"
#include "mcp/plugin_tools.hpp"

namespace skillhost {

// `whole` without the offers of the instances that this key does not see; `whole` itself when it
// sees them all. Any thread.
PluginToolSetPointer seenPluginTools(const Visibility::Key &key, const PluginToolSetPointer &whole);

} // namespace skillhost
