// SPDX-License-Identifier: Apache-2.0
// Describes the arguments of `skillhost source`.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription sourceDescription();

} // namespace skillhost::app
