// SPDX-License-Identifier: Apache-2.0
// Describes the arguments of `skillhost plugins`.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription pluginsDescription();

} // namespace skillhost::app
