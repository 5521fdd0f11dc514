// SPDX-License-Identifier: Apache-2.0
// Describes the arguments of `skillhost lock`.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription lockDescription();

} // namespace skillhost::app
