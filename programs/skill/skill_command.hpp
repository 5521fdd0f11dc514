// SPDX-License-Identifier: Apache-2.0
// What `skillhost skill list`, `info` and `new` take.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription skillDescription();

} // namespace skillhost::app
