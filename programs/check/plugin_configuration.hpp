// SPDX-License-Identifier: Apache-2.0
// Reads the plugin's file and configuration that an author gives to check and try.
#pragma once

#include "options.hpp"

#include <string>

namespace skillhost {

// Follows links, as a host does. Fails if the path is not a readable file.
Result<std::string> pluginFile(const CheckSettings &plugin);
// Returns the text of the given file, which must be one JSON object; empty without a file. For a
// trusted plugin ${env:NAME}, ${file:PATH} and a whole env:NAME are resolved as a host does; for
// any other they are refused.
Result<std::string> pluginConfiguration(const CheckSettings &plugin,
                                        const app::Surroundings &surroundings);

} // namespace skillhost
