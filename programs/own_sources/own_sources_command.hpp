// SPDX-License-Identifier: Apache-2.0
// `add`, `remove`, `update` and `list`: the sources in the user's configuration file.
#pragma once

#include "commandline/description.hpp"

#include <vector>

namespace skillhost::app {

std::vector<CommandDescription> ownSourcesDescriptions(const ArgumentDescription &help,
                                                       const ArgumentDescription &json,
                                                       const ArgumentDescription &config);

} // namespace skillhost::app
