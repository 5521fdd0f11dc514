// SPDX-License-Identifier: Apache-2.0
// Describes the arguments of `skillhost bom`.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription bomDescription();

} // namespace skillhost::app
