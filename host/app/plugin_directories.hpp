// SPDX-License-Identifier: Apache-2.0
// Where the plugins that come with this program are.
#pragma once

#include <string>
#include <vector>

namespace skillhost::app {

// Beside the program: in the tree it was built in, or in the tree it was installed to. `executable`
// is its absolute path.
std::vector<std::string> builtInPluginDirectories(const std::string &executable);

// Where the host keeps what it can do without: skillhost in $XDG_CACHE_HOME or ~/.cache. Empty when
// there is neither.
std::string hostCacheDirectory();

// Where the host keeps what it has learnt of plugin files: skillhost/plugins in $XDG_CACHE_HOME or
// ~/.cache. Empty when there is neither.
std::string pluginCacheDirectory();
// The same for copies of skills that have no folder on this machine.
std::string skillCopiesDirectory();

} // namespace skillhost::app
