// SPDX-License-Identifier: Apache-2.0
// What `skillhost token` takes.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription tokenDescription();

} // namespace skillhost::app
