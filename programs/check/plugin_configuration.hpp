// SPDX-License-Identifier: Apache-2.0
// What an author names on the command line of check and try: a plugin's file, and its
// configuration.
#pragma once

#include "options.hpp"

#include <string>

namespace skillhost {

// Follows links, as a host does. Fails for what is no file that can be read.
Result<std::string> pluginFile(const CheckSettings &plugin);
// The text of the file named, which is one JSON object; empty when none is. For a plugin that is
// trusted ${env:NAME}, ${file:PATH} and a whole env:NAME are looked up as a host does; else they
// are refused.
Result<std::string> pluginConfiguration(const CheckSettings &plugin,
                                        const app::Surroundings &surroundings);

} // namespace skillhost
