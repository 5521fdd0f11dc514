// SPDX-License-Identifier: Apache-2.0
// The command line of `skillhost model`, for the program of that name and for who completes it.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription modelDescription(const ArgumentDescription &help,
                                    const ArgumentDescription &json);

} // namespace skillhost::app
