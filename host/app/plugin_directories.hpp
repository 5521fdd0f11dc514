// SPDX-License-Identifier: Apache-2.0
// Finds the plugins that come with this program.
#pragma once

#include <string>
#include <vector>

namespace skillhost::app {

// Returns the folder of the installed plugins, which other authors' plugins may be in, too; empty
// if there is none. `executable` is the program's absolute path.
std::string installedPluginDirectory(const std::string &executable);

// Returns what is trusted: the files of the installed plugins that the list in their folder names,
// and the folders of plugins in the tree where the program was built.
std::vector<std::string> builtInPlugins(const std::string &executable);

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
