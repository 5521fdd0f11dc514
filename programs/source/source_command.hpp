// SPDX-License-Identifier: Apache-2.0
// What `skillhost source` takes.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription sourceDescription();

} // namespace skillhost::app
