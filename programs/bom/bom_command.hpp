// SPDX-License-Identifier: Apache-2.0
// What `skillhost bom` takes.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription bomDescription();

} // namespace skillhost::app
