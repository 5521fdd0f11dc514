// SPDX-License-Identifier: Apache-2.0
// What `skillhost lock` takes.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription lockDescription();

} // namespace skillhost::app
