// SPDX-License-Identifier: Apache-2.0
// The commands that skillhost-catalogue carries out.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

// skillhost with the options of the server and these commands.
CommandDescription catalogueDescription();

} // namespace skillhost::app
