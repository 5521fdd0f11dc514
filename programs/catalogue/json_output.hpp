// SPDX-License-Identifier: Apache-2.0
// Prints JSON for programs.
#pragma once

#include "ground/json.hpp"

namespace skillhost::app {

// Prints to standard output, with a line break at the end. Replaces invalid UTF-8, and escapes
// characters that control a terminal.
void printJson(const Json &json);

} // namespace skillhost::app
