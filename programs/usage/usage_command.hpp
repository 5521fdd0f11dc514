// SPDX-License-Identifier: Apache-2.0
// `usage`: what was used, by whom, and what was not.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription usageDescription(const ArgumentDescription &help,
                                    const ArgumentDescription &json, const char *group);

} // namespace skillhost::app
