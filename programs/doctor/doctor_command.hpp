// SPDX-License-Identifier: Apache-2.0
// What `skillhost doctor` takes.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription doctorDescription();

} // namespace skillhost::app
