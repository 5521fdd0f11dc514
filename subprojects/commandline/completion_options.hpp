// SPDX-License-Identifier: Apache-2.0
// The completion scripts of bash and zsh share this function.
#pragma once

#include "commandline/description.hpp"

#include <string>

namespace skillhost::app {

// Returns the function _skillhost_option CHAIN OPTION for a script. CHAIN is the commands before
// the option, each with a blank before it. The function sets `value` to the completion of the
// option's value: "files", "folders", "anything", or the choices separated by blanks. Empty: the
// command has no such option, or it takes no value. `optional` is 1 if the value is only allowed
// behind an equals sign.
std::string optionFunction(const CommandDescription &program);

} // namespace skillhost::app
