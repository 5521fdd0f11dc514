// SPDX-License-Identifier: Apache-2.0
// Describes the arguments of `skillhost token`.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription tokenDescription();

} // namespace skillhost::app
