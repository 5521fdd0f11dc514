// SPDX-License-Identifier: Apache-2.0
// What `skillhost check` and `skillhost try` take.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription checkDescription(const ArgumentDescription &help,
                                    const ArgumentDescription &json);
CommandDescription tryDescription(const ArgumentDescription &help);

} // namespace skillhost::app
