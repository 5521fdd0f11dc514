// SPDX-License-Identifier: Apache-2.0
// skillhost skill save | load | list | info | remove | verify | export | import | rollback | sign
// with a store, and skillhost key new.
#pragma once

#include "app/command_line.hpp"

#include <string>

namespace skillhost::app {

// The exit code: 0, or 1 when it could not be done or something does not verify. What was asked for
// goes to stdout, everything else is said on stderr.
int useStore(const Invocation &invocation, const std::string &executable);

} // namespace skillhost::app
