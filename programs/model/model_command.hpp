// SPDX-License-Identifier: Apache-2.0
// Describes the command line of `skillhost model`, for its program and for completion.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription modelDescription(const ArgumentDescription &help,
                                    const ArgumentDescription &json);

} // namespace skillhost::app
