// SPDX-License-Identifier: Apache-2.0
// Finds the programs in a text: a whole script, blocks and spans of code in a document, commands
// within sentences, and strings of configuration files.
#pragma once

#include "command_reader.hpp"
#include "context.hpp"
#include "skillcheck/inspect_text.hpp"

#include <string_view>

namespace skillhost {

// Reads each program of the text in order. `file` names it. Takes linear time.
void readPrograms(std::string_view text, std::string_view file, TextKind kind,
                  const Context &context, CommandReader &reader);

} // namespace skillhost
