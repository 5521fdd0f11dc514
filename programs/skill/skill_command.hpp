// SPDX-License-Identifier: Apache-2.0
// Describes the options of `skillhost skill list`, `info` and `new`.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription skillDescription();

} // namespace skillhost::app
