// SPDX-License-Identifier: Apache-2.0
// `review`: what waits for a decision, and the decisions.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription reviewDescription(const ArgumentDescription &help,
                                     const ArgumentDescription &json, const char *group);

} // namespace skillhost::app
