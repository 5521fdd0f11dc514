// SPDX-License-Identifier: Apache-2.0
// What `skillhost plugins` takes.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription pluginsDescription();

} // namespace skillhost::app
