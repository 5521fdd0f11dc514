// SPDX-License-Identifier: Apache-2.0
// Describes the options of `skillhost check` and `skillhost try`.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription checkDescription(const ArgumentDescription &help,
                                    const ArgumentDescription &json);
CommandDescription tryDescription(const ArgumentDescription &help);

} // namespace skillhost::app
