// SPDX-License-Identifier: Apache-2.0
// The completion scripts of bash and zsh share this function.
#pragma once

#include "commandline/description.hpp"

#include <string>

namespace skillhost::app {

// Returns the function _skillhost_option CHAIN OPTION of a script. CHAIN is the commands before the
// option, with a blank before each. The function sets `value` to what completes the value of this
// option there: "files", "folders", "anything", or the choices with blanks between them. Empty: the
// command has no such option, or it takes no value. `optional` is 1 if the value stands only behind
// an equals sign.
std::string optionFunction(const CommandDescription &program);

} // namespace skillhost::app
