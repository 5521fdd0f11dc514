// SPDX-License-Identifier: Apache-2.0
// What an author names on the command line of check and try: a plugin's file, and its
// configuration.
#pragma once

#include "app/command_line.hpp"

#include <string>

namespace skillhost::app {

// Follows links, as a host does. Fails for what is no file that can be read.
Result<std::string> pluginFile(const PluginInvocation &plugin);
// The text of the file named, which is one JSON object; empty when none is.
Result<std::string> pluginConfiguration(const PluginInvocation &plugin);

} // namespace skillhost::app
