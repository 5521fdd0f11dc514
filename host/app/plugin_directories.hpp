// SPDX-License-Identifier: Apache-2.0
// Finds the plugins that come with this program.
#pragma once

#include <string>
#include <vector>

namespace skillhost::app {

// Returns the folders beside the program, in the tree where it was built or installed. `executable`
// is its absolute path.
std::vector<std::string> builtInPluginDirectories(const std::string &executable);

// Returns the folder of the host's caches: skillhost in $XDG_CACHE_HOME or ~/.cache. Empty if there
// is neither.
std::string hostCacheDirectory();

// Returns the folder of what the host knows about plugin files: skillhost/plugins in
// $XDG_CACHE_HOME or ~/.cache. Empty if there is neither.
std::string pluginCacheDirectory();
// Returns the folder of copies of skills that have no folder on this machine: skillhost/copies in
// the same cache. Empty if there is none.
std::string skillCopiesDirectory();

} // namespace skillhost::app
