// SPDX-License-Identifier: Apache-2.0
// Describes the arguments of `skillhost doctor`.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription doctorDescription();

} // namespace skillhost::app
