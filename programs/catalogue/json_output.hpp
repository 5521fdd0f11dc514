// SPDX-License-Identifier: Apache-2.0
// What a command prints for programs.
#pragma once

#include "ground/json.hpp"

namespace skillhost::app {

// On standard output, with a line break at its end. What is no UTF-8 is replaced, and
// what would speak to a terminal is escaped.
void printJson(const Json &json);

} // namespace skillhost::app
