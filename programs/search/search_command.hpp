// SPDX-License-Identifier: Apache-2.0
// `search`: a question, or a file of questions with their answers.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription searchDescription(const ArgumentDescription &help,
                                     const ArgumentDescription &json, const char *group);

} // namespace skillhost::app
